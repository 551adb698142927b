"""The list of an input's issues as a table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import polars as pl

from unround.glossary import COMMAND, advice

COLUMNS = ("kind", "where", "reviewer", "papers", "scores", "message", "suggestion", "action")


def issue_table(records: Sequence[Mapping[str, Any]]) -> pl.DataFrame:
    """Return one row per issue (see `issue_record`), all text."""
    rows = [
        {name: _text(record.get(name)) for name in COLUMNS}
        | {"suggestion": advice(record["kind"], COMMAND)}
        for record in records
    ]
    return pl.DataFrame(rows, schema=dict.fromkeys(COLUMNS, pl.String))


def _text(value: object) -> str:
    if isinstance(value, list):
        return "; ".join(map(str, value))
    return "" if value is None else str(value)
