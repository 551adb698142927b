"""Reasons to turn a request down, each with its status and its words."""

from __future__ import annotations

from collections.abc import Mapping

from fastapi import HTTPException


class Refusal(HTTPException):
    """A request that is turned down, in words for the person who sent it."""

    def __init__(self, status: int, detail: str, headers: Mapping[str, str] | None = None) -> None:
        super().__init__(status, detail, headers)


class Absent(Refusal):
    """Not there, or not for this viewer: the answer is the same."""

    def __init__(self) -> None:
        super().__init__(404, "There is nothing here.")
