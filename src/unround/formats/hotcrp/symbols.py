"""Values of score fields as HotCRP writes them: a number, a capital letter, or no entry."""

from __future__ import annotations

import math
import re
from collections.abc import Container

NO_SCORE = ""
LONGEST_SYMBOL = 40
_NO_ENTRY = frozenset(
    {
        "",
        "no entry",
        "none",
        "n/a",
        "-",
        "–",
        "—",
        "undefined",
        "null",
        "(your choice here)",
        "(choose one)",
    }
)
# "4", "B", "3.5: x", "2. Weak reject": the symbol ends where its label begins, on the same line.
_SYMBOL = re.compile(
    r"([+-]?(?:[0-9]+(?:\.[0-9]+)?|\.[0-9]+)|[A-Z])(?:\s*|\s*[:=].*|[.)](?:\s.*)?)", re.ASCII
)


def symbol_of(value: object, allowed: Container[str] = ()) -> str | None:
    """The symbol that a cell or a JSON value stands for; NO_SCORE for no entry, None for else.

    >>> symbol_of("2. Weak reject"), symbol_of("3.5: x"), symbol_of("B"), symbol_of(False)
    ('2', '3.5', 'B', '')
    >>> symbol_of("Borderline"), symbol_of("Borderline", allowed={"Borderline"})
    (None, 'Borderline')
    """
    if value is None or value is False:
        return NO_SCORE
    if isinstance(value, str):
        return _symbol_of_text(value.strip(), allowed)
    if value is True or not isinstance(value, int | float) or not math.isfinite(value):
        return None
    return str(int(value)) if value == int(value) else repr(value)


def _symbol_of_text(text: str, allowed: Container[str]) -> str | None:
    if text in allowed:
        return text
    if text.lower() in _NO_ENTRY:
        return NO_SCORE
    found = _SYMBOL.fullmatch(text)
    return found.group(1) if found and len(found.group(1)) <= LONGEST_SYMBOL else None
