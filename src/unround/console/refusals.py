"""Reasons to turn a request down, each with its status and its words."""

from __future__ import annotations

from collections.abc import Mapping


class Refusal(Exception):
    """A request that is turned down, in words for the person who sent it."""

    def __init__(self, status: int, detail: str, headers: Mapping[str, str] | None = None) -> None:
        self.status, self.detail, self.headers = status, detail, dict(headers or {})
        super().__init__(detail)


class Absent(Refusal):
    """Not there, or not for this viewer: the answer is the same."""

    def __init__(self) -> None:
        super().__init__(404, "There is nothing here.")
