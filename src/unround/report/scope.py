"""Scope: who looks, what they may see, and what they call the reviewers."""

from __future__ import annotations

from dataclasses import dataclass

from unround.report.disclosure import DEFAULT, Disclosure


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
    disclosure: Disclosure = DEFAULT  # what kind of numbers an area chair gets
    # A secret of the conference: without it, pseudonyms could be guessed. Under `scoped` it may be
    # left out, and reviewers are then numbered by what the viewer sees of them.
    key: bytes = b""

    def __post_init__(self) -> None:
        needs_key = self.area_chair is not None and not self.names and self.disclosure != "scoped"
        if needs_key and not self.key:
            raise ValueError("pseudonyms need the key of the conference")

    @property
    def is_chair(self) -> bool:
        """Whether everything may be seen."""
        return self.area_chair is None

    @property
    def shows_forces(self) -> bool:
        """Whether distances, what caused them, and digits of λ show. The order has none of these."""
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
