"""Read what people write into cells, and write counts and lists for people."""

from __future__ import annotations

import re
from collections.abc import Sequence

# What people write where there is nothing to write, in lower case.
EMPTY_WORDS = frozenset(
    ("", "-", "–", "—", "n/a", "na", "nan", "none", "null", "undefined", "no entry", "#n/a")
)
UNRANKED_WORDS = EMPTY_WORDS | {"x", "unranked"}
MOST_LISTED = 12
# What may follow the number: "6: good", "4.5 = good", "3 good", "5. good", "5) good", or nothing.
_NUMBERED = re.compile(r"([+-]?(?:[0-9]+(?:\.[0-9]+)?|\.[0-9]+))(?=\s|[:=]|[.)](?:\s|$)|$)")


def score_of(value: object) -> str | None:
    """Return the number in a cell, never cut short; a letter or word as it is; None for an empty cell.

    >>> score_of("3.5: borderline"), score_of(" 4 "), score_of("B"), score_of("No entry")
    ('3.5', '4', 'B', None)
    """
    text = "" if value is None else str(value).strip()
    if text.casefold() in EMPTY_WORDS:
        return None
    numbered = _NUMBERED.match(text)
    return numbered.group(1) if numbered else text


def counted(count: int, what: str) -> str:
    """Return a number of things; `what` begins with the singular of their name.

    >>> counted(1, "review without a score"), counted(3000, "entry of another kind")
    ('1 review without a score', '3,000 entries of another kind')
    """
    noun, space, rest = what.partition(" ")
    plural = noun[:-1] + "ies" if noun.endswith("y") else noun + "s"
    return f"{count:,} {noun if count == 1 else plural}{space}{rest}"


def listed(names: Sequence[str]) -> str:
    """Return the first names, and how many more there are.

    >>> listed(["Novelty", "Merit"]), listed([])
    ('Novelty, Merit', 'none')
    """
    more = len(names) - MOST_LISTED
    return (", ".join(names[:MOST_LISTED]) or "none") + (f" and {more:,} more" if more > 0 else "")


def without_score(count: int) -> tuple[str, ...]:
    """Return the note on reviews that were left out, if any were."""
    return (f"{counted(count, 'review')} without a score left out",) if count else ()
