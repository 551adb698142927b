"""Single values of OpenReview's records: ids, fields of API v1 and v2, ratings of every form.

API v1 writes a field as "6: Weak accept"; v2 as {"value": 6} or {"value": "6: Weak accept"}.
"""

from __future__ import annotations

import re
from typing import Any

from unround.formats.scores import score_of

NOT_APPLICABLE = "not applicable"
_NUMBERED = re.compile(r"(.*/[A-Za-z][A-Za-z_]*?([0-9]+))/(?:-/)?[^/]+")


def as_text(value: object) -> str:
    """A string or a number as text without white space around it; anything else as nothing."""
    if isinstance(value, str):
        text = value.strip()
        # JSON may hold half a surrogate pair, which no table can.
        return text if text.isascii() else text.encode("utf-8", "replace").decode("utf-8")
    if isinstance(value, bool) or not isinstance(value, int | float):
        return ""
    whole = isinstance(value, float) and value.is_integer() and abs(value) < 2**53
    return str(int(value)) if whole else repr(value)


def texts(value: object) -> list[str]:
    """A list of strings, or a single one, as a list."""
    values = value if isinstance(value, list) else [value]
    return [text for text in map(as_text, values) if text]


def as_object(value: object) -> dict[str, Any]:
    """A JSON object, or an empty one where something else stands."""
    return value if isinstance(value, dict) else {}


def unwrapped(value: object) -> object:
    """The value of a field, whether API v1 or v2 wrote it."""
    if isinstance(value, dict):
        value = value.get("value")
    return value[0] if isinstance(value, list) and len(value) == 1 else value


def field_text(content: dict[str, Any], *names: str) -> str | None:
    """The first of some fields that says something."""
    for name in names:
        text = as_text(unwrapped(content.get(name)))
        if text:
            return text
    return None


def level_text(value: object) -> str | None:
    """A rating's number as text, never cut short; a word as it is; None where there is none."""
    plain = unwrapped(value)
    text = str(plain) if isinstance(plain, bool | list | dict) else as_text(plain)
    if text.lower() == NOT_APPLICABLE:
        return None
    return score_of(text.replace("\N{MINUS SIGN}", "-") if text[1:2].isdigit() else text)


def is_number(level: str) -> bool:
    """Whether a level as `level_text` gives it is a number rather than a word."""
    return level.isascii() and level.lstrip("+-").replace(".", "", 1).isdecimal()


def submission_group(identifier: str) -> tuple[str, str] | None:
    """A submission's group and number, from an id below it.

    >>> submission_group("TC/2024/Conference/Submission12/-/Official_Review")
    ('TC/2024/Conference/Submission12', '12')
    >>> submission_group("TC/2019/Conference/-/Paper7/Official_Review")
    ('TC/2019/Conference/-/Paper7', '7')
    >>> submission_group("~Ann_Lee1") is None
    True
    """
    found = _NUMBERED.fullmatch(identifier)
    return (found.group(1), found.group(2)) if found else None
