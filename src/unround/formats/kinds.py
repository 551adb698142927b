"""Give ids, scores and ranks their kinds: numbers where every one of them is a number."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import polars as pl

from unround.formats.model import Sheet

_INTEGER = r"^(0|-?[1-9][0-9]{0,17})$"
LARGEST_INTEGER = 10**18
_NUMBER = r"^[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)$"


def typed_ids(sheets: Sequence[Sheet], papers: pl.DataFrame) -> tuple[list[Sheet], pl.DataFrame]:
    """Return the sheets with ids of one kind everywhere, and papers by id."""
    kinds = id_kinds([sheet.table for sheet in sheets])
    typed = [Sheet(with_id_kinds(sheet.table, kinds), sheet.place) for sheet in sheets]
    return typed, with_id_kinds(papers, kinds).sort("paper")


def id_kinds(tables: Sequence[pl.DataFrame]) -> dict[str, pl.DataType]:
    """Choose integers where every id is one, so that paper 10 follows paper 9; else text."""
    found: dict[str, pl.DataType] = {}
    for columns in (("reviewer",), ("paper", "better", "worse", "same_as")):
        values = [table[name] for table in tables for name in columns if name in table.columns]
        whole = all(_is_whole(value) for value in values)
        found |= dict.fromkeys(columns, pl.Int64() if whole else pl.String())
    return found


def _is_whole(ids: pl.Series) -> bool:
    """Tell whether every id is an integer, and written as one."""
    if ids.dtype.is_integer():
        least, most = ids.min(), ids.max()
        small = least is None or (least > -LARGEST_INTEGER and most < LARGEST_INTEGER)  # type: ignore[operator]
        return bool(small) and not ids.has_nulls()
    return bool(ids.cast(pl.String).str.contains(_INTEGER).all(ignore_nulls=False))


def with_id_kinds(table: pl.DataFrame, kinds: Mapping[str, pl.DataType]) -> pl.DataFrame:
    """Return the table with its ids of these kinds."""
    return table.with_columns(
        pl.col(name).cast(kind)
        if kind.is_integer() and table.schema[name].is_integer()
        else pl.col(name).cast(pl.String).cast(kind)
        for name, kind in kinds.items()
        if name in table.columns
    )


def with_numbers(sheet: Sheet, column: str) -> Sheet:
    """Return the sheet with one of its columns, if it has it, as numbers where all are numbers."""
    if column not in sheet.table.columns:
        return sheet
    return Sheet(sheet.table.with_columns(_as_number(sheet.table[column])), sheet.place)


def _as_number(column: pl.Series) -> pl.Series:
    """Return numbers where every entry is one; other text stays for the checks to report."""
    if column.dtype.is_numeric():
        return column
    text = column.cast(pl.String)
    filled = text.drop_nulls().filter(text.drop_nulls() != "")
    if not filled.str.contains(_NUMBER).all():
        return text
    numbers = pl.Series(column.name, [float(v) if v else None for v in text], dtype=pl.Float64)
    whole = numbers.drop_nulls()
    return (
        numbers.cast(pl.Int64)
        if (whole == whole.round()).all() and (whole.abs() < 2**53).all()
        else numbers
    )
