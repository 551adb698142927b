"""Read Parquet files column by column."""

from __future__ import annotations

from collections.abc import Callable

import polars as pl

from unround.formats.files.source import Source
from unround.formats.model import ImportRefused

MOST_PARQUET_ROWS = 20_000_000
# A broken Parquet file can make its reader panic, which Python sees as no ordinary exception.
_ERRORS = (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError)


def parquet_columns(source: Source) -> list[str]:
    """Return the names of the columns."""
    try:
        return list(pl.read_parquet_schema(source.path))
    except _ERRORS as error:
        raise _broken(source, error) from error


def parquet_frame(source: Source, wanted: Callable[[str], bool]) -> tuple[pl.DataFrame, list[str]]:
    """Read the wanted columns, and the names of all columns that have single values."""
    try:
        rows = pl.scan_parquet(source.path).select(pl.len()).collect().item()
        if rows > MOST_PARQUET_ROWS:
            raise ImportRefused(
                f"{source.name} has {rows} rows; at most {MOST_PARQUET_ROWS} are read"
            )
        # Lists, structures and bytes are no cells.
        schema = {
            name: kind
            for name, kind in pl.read_parquet_schema(source.path).items()
            if not (kind.is_nested() or kind in (pl.Binary, pl.Object))
        }
        # In one piece: later stages then look at the columns where they lie.
        frame = pl.read_parquet(source.path, columns=[*filter(wanted, schema)]).rechunk()
        return frame.with_columns(
            pl.col(name).cast(pl.String) for name in frame.columns if not schema[name].is_numeric()
        ), list(schema)
    except _ERRORS as error:
        raise _broken(source, error) from error


def _broken(source: Source, error: BaseException) -> ImportRefused:
    reason = str(error).split("\n", 1)[0][:200]
    return ImportRefused(f"{source.name} is not a readable Parquet file: {reason}")
