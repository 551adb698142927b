"""Counts and lists for notes and messages."""

from __future__ import annotations

from collections.abc import Sequence

MOST_LISTED = 12


def counted(count: int, what: str) -> str:
    """A number of things, the first word of which names one of them.

    >>> counted(1, "review without a score"), counted(3, "entry of another kind")
    ('1 review without a score', '3 entries of another kind')
    """
    noun, space, rest = what.partition(" ")
    plural = noun[:-1] + "ies" if noun.endswith("y") else noun + "s"
    return f"{count} {noun if count == 1 else plural}{space}{rest}"


def listed(names: Sequence[str]) -> str:
    """Some names, and how many more there are.

    >>> listed(["Novelty", "Merit"]), listed([])
    ('Novelty, Merit', 'none')
    """
    more = len(names) - MOST_LISTED
    return (", ".join(names[:MOST_LISTED]) or "none") + (f" and {more} more" if more > 0 else "")
