"""Tables of any file kind as text columns that know their lines."""

from __future__ import annotations

import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import polars as pl

from unround.formats.model import ImportProblem, lines_of
from unround.formats.sources import MOST_COLUMNS, Delimited, Source, json_lines, read_delimited

PARQUET_MARK = b"PAR1"
ZIP_MARK = b"PK\x03\x04"
MOST_UNPACKED = 1_000_000_000


@dataclass(frozen=True)
class Table:
    """Columns by name; text cells are stripped, numbers stay numbers."""

    data: pl.DataFrame
    place: Callable[[int], str]

    @property
    def header(self) -> list[str]:
        """The columns' names."""
        return self.data.columns

    @cached_property
    def _text(self) -> pl.DataFrame:
        return self.data.with_columns(pl.col(pl.String).str.strip_chars())

    def column(self, name: str) -> pl.Series:
        """One column."""
        return self._text[name]


def table_columns(source: Source) -> list[str]:
    """The names of a table's columns, without reading the table; empty when it is no table."""
    if source.is_folder:
        return []
    try:
        if source.head.startswith(PARQUET_MARK):
            return list(pl.read_parquet_schema(source.path))
        if source.head.startswith(ZIP_MARK):
            return read_table(source).header
        if source.head_text.lstrip().startswith("{"):
            return list(next((record for _, record in json_lines(source)), {}))
    except (ImportProblem, pl.exceptions.PolarsError, OSError):
        return []
    return source.header


def read_table(source: Source) -> Table:
    """A CSV, TSV, JSON Lines, Parquet or XLSX file."""
    if source.head.startswith(PARQUET_MARK):
        return _numbered(source, _read_parquet(source), "row", 1)
    if source.head.startswith(ZIP_MARK):
        return _numbered(source, _read_xlsx(source), "row", 2)
    if source.head_text.lstrip().startswith("{"):
        return _read_json_lines(source)
    return _from_delimited(source, read_delimited(source))


def _from_delimited(source: Source, delimited: Delimited) -> Table:
    columns = list(zip(*delimited.rows, strict=True)) or [() for _ in delimited.header]
    repeated = {name for name in delimited.header if delimited.header.count(name) > 1}
    data = {
        name: list(cells)
        for name, cells in zip(delimited.header, columns, strict=True)
        if name and name not in repeated
    }
    frame = pl.DataFrame(data, schema=dict.fromkeys(data, pl.String))
    return Table(frame, lines_of(source.name, delimited.lines))


def _read_json_lines(source: Source) -> Table:
    lines, records = [], []
    for number, record in json_lines(source):
        lines.append(number)
        records.append({key: _scalar(value) for key, value in record.items()})
    names = list(dict.fromkeys(name for record in records for name in record))
    data = {
        name: pl.Series(name, [record.get(name) for record in records], strict=False)
        for name in names
    }
    return Table(pl.DataFrame(data), lines_of(source.name, lines))


def _scalar(value: Any) -> Any:
    return value if value is None or isinstance(value, str | int | float) else str(value)


def _read_parquet(source: Source) -> pl.DataFrame:
    try:
        return pl.read_parquet(source.path)
    except (pl.exceptions.PolarsError, OSError) as problem:
        raise ImportProblem(f"{source.name} is not a readable Parquet file: {problem}") from problem


def _read_xlsx(source: Source) -> pl.DataFrame:
    """The first sheet. A package that would unpack to more than a gigabyte is refused unopened."""
    try:
        with zipfile.ZipFile(source.path) as package:
            unpacked = sum(entry.file_size for entry in package.infolist())
        if unpacked > MOST_UNPACKED:
            raise ImportProblem(
                f"{source.name} would unpack to {unpacked // 1_000_000} MB: refused"
            )
        frame = pl.read_excel(source.path, engine="calamine")
    except (zipfile.BadZipFile, pl.exceptions.PolarsError, OSError, ValueError) as problem:
        raise ImportProblem(f"{source.name} is not a readable XLSX file: {problem}") from problem
    if frame.width > MOST_COLUMNS:
        raise ImportProblem(
            f"{source.name} has {frame.width} columns; at most {MOST_COLUMNS} are read"
        )
    return frame


def _numbered(source: Source, frame: pl.DataFrame, unit: str, first: int) -> Table:
    return Table(frame, lambda row: f"{source.name}, {unit} {row + first}")
