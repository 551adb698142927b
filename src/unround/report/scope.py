"""Scope: who looks, what they may see, and what they call the reviewers."""

from __future__ import annotations

import hmac
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Scope:
    """A chair sees everything. An area chair sees some papers, and only what concerns these.

    >>> from unround.report.scope import CHAIR, Scope
    >>> CHAIR.is_chair
    True
    >>> Scope(area_chair="Ann", papers=frozenset({"7"}), key=b"secret").names
    False
    """

    area_chair: str | None = None  # None: a chair
    papers: frozenset[str] = frozenset()  # an area chair's, ids as text
    stars: bool = True  # whether an area chair sees that a ranking holds papers outside the scope
    names: bool = False  # whether an area chair sees who the reviewers are
    key: bytes = b""  # a secret of the conference: without it, pseudonyms could be guessed

    def __post_init__(self) -> None:
        if self.area_chair is not None and not self.names and not self.key:
            raise ValueError("pseudonyms need the key of the conference")

    @property
    def is_chair(self) -> bool:
        """Whether everything may be seen."""
        return self.area_chair is None

    @property
    def shows_names(self) -> bool:
        """Whether reviewers go by their names."""
        return self.is_chair or self.names


CHAIR = Scope()


def shuffled(reviewers: Sequence[int | str], scope: Scope) -> list[int | str]:
    """Reviewers in an order that tells nothing about them and is another for every area chair.

    It is the same for every run with the same key. Who lacks the key cannot repeat it, even with a
    list of all reviewers at hand.
    """

    def place(reviewer: int | str) -> bytes:
        return hmac.digest(scope.key, f"{scope.area_chair}\0{reviewer}".encode(), "sha256")

    return sorted(reviewers, key=place)
