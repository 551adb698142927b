"""Scores as people write them into cells: a number, a number with its label, a letter, or nothing."""

from __future__ import annotations

import re

NO_SCORE = frozenset(
    ("", "-", "–", "—", "n/a", "na", "nan", "none", "null", "undefined", "no entry", "#n/a")
)
# What may follow the number: "6: good", "4.5 = good", "3 good", "5. good", "5) good", or nothing.
_NUMBERED = re.compile(r"([+-]?(?:[0-9]+(?:\.[0-9]+)?|\.[0-9]+))(?=\s|[:=]|[.)](?:\s|$)|$)")


def score_of(value: object) -> str | None:
    """The number in a cell, never cut short; a letter or word as it is; None where there is none.

    >>> score_of("3.5: borderline"), score_of(" 4 "), score_of("B"), score_of("No entry")
    ('3.5', '4', 'B', None)
    """
    text = "" if value is None else str(value).strip()
    if text.casefold() in NO_SCORE:
        return None
    numbered = _NUMBERED.match(text)
    return numbered.group(1) if numbered else text


def counted(count: int, what: str, plural: str | None = None) -> str:
    """A number of things in words.

    >>> counted(1, "review"), counted(3, "review")
    ('1 review', '3 reviews')
    """
    return f"{count} {what if count == 1 else plural or what + 's'}"


def without_score(count: int) -> tuple[str, ...]:
    """The note on reviews that were left out, if any were."""
    return (f"{counted(count, 'review')} without a score left out",) if count else ()
