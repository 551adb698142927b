"""The review form as HotCRP states it in JSON -> fields with their scales."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from unround.errors import UsageError
from unround.formats.hotcrp.fields import Field
from unround.scale import Level, Scale

NOT_SCORES = ("text", "checkbox", "checkboxes")
_NUMBER = re.compile(r"-?[0-9]+(?:\.[0-9]+)?", re.ASCII)


def form_fields(form: object) -> dict[str, Field]:
    """The fields of a form that are answered with one of several levels, by uid."""
    if not isinstance(form, Mapping):
        return {}
    fields: dict[str, Field] = {}
    for uid, stated in form.items():
        if not isinstance(stated, Mapping) or stated.get("type") in NOT_SCORES:
            continue
        levels = _levels(stated)
        if levels:
            name = stated.get("name")
            scale = _scale(levels)
            symbols = frozenset(str(level) for level in levels)
            fields[uid] = Field(uid, name if isinstance(name, str) else uid, scale, symbols)
    return fields


def _levels(stated: Mapping[str, Any]) -> Sequence[Any]:
    """The symbols of a field, worst first: `values` are listed so, and symbols follow them."""
    values = stated.get("values", stated.get("options", stated.get("symbols")))
    if not isinstance(values, list):
        return ()
    symbols, start = stated.get("symbols"), stated.get("start", stated.get("option_letter"))
    if isinstance(symbols, list) and len(symbols) == len(values):
        return symbols
    if isinstance(start, str) and re.fullmatch("[A-Z]", start):
        return [chr(ord(start) + place) for place in reversed(range(len(values)))]
    return range(1, len(values) + 1)


def _scale(levels: Sequence[Any]) -> Scale | None:
    """The scale that symbols make; None when they cannot be one, such as numbers out of order."""
    try:
        return Scale([_level(symbol) for symbol in levels])
    except UsageError:
        return None


def _level(symbol: Any) -> Level:
    if isinstance(symbol, str) and _NUMBER.fullmatch(symbol):
        return float(symbol)
    if isinstance(symbol, bool) or not isinstance(symbol, int | float | str):
        raise UsageError(f"{symbol!r} is no level")
    return symbol
