"""Scope: who the viewer is, what they may see, and how reviewers are named to them."""

from __future__ import annotations

import hmac
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, get_args

# What area chairs get of the numbers (`wording.DISCLOSURES`):
# order   the order of the run among the papers in scope, as far as no hidden score shows; no distances
# scoped  computed again from what is in scope
# exact   the numbers of the run
Disclosure = Literal["order", "scoped", "exact"]
DISCLOSURES: tuple[Disclosure, ...] = get_args(Disclosure)
DEFAULT: Disclosure = "order"


@dataclass(frozen=True)
class Scope:
    """A chair sees everything. An area chair sees some papers, and only what concerns these.

    >>> from unround.disclosure.scope import CHAIR, Scope
    >>> CHAIR.is_chair
    True
    >>> Scope(area_chair="Ann", papers=frozenset({"7"}), key=b"secret").names
    False
    """

    area_chair: str | None = None  # None: a chair
    papers: frozenset[str] = frozenset()  # an area chair's, ids as text
    stars: bool = True  # whether an area chair sees that a ranking holds papers outside the scope
    names: bool = False  # whether an area chair sees who the reviewers are
    decisions: bool = False  # whether an area chair sees the decisions of the files
    disclosure: Disclosure = DEFAULT  # what kind of numbers an area chair gets
    key: bytes = b""  # a secret of the conference: without it, pseudonyms could be guessed

    def __post_init__(self) -> None:
        if self.area_chair is not None and not self.names and not self.key:
            raise ValueError("pseudonyms need the key of the conference")

    @property
    def is_chair(self) -> bool:
        """Whether everything may be seen."""
        return self.area_chair is None

    @property
    def shows_forces(self) -> bool:
        """Whether distances, what caused them, and λ show. The order has none of these."""
        return self.is_chair or self.disclosure != "order"

    @property
    def shows_stars(self) -> bool:
        """Whether places of papers out of scope show. What is computed from the scope alone has none."""
        return self.is_chair or (self.stars and self.disclosure != "scoped")

    @property
    def shows_names(self) -> bool:
        """Whether reviewers go by their names."""
        return self.is_chair or self.names


CHAIR = Scope()


def shuffled(reviewers: Sequence[int | str], scope: Scope) -> list[int | str]:
    """Return reviewers in a random-looking order, another for every area chair.

    It is the same for every run with the same key, and cannot be computed without the key.
    """

    def digest(reviewer: int | str) -> bytes:
        return hmac.digest(scope.key, f"{scope.area_chair}\0{reviewer}".encode(), "sha256")

    return sorted(reviewers, key=digest)
