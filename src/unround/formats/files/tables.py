"""Read a table of any file kind into columns that know their lines."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import takewhile
from typing import Any, NamedTuple

import polars as pl

from unround.formats.files.delimited import delimited_records
from unround.formats.files.grid import first_rows, grid_rows, is_workbook
from unround.formats.files.grid_row import GridRow
from unround.formats.files.source import (
    LONGEST_CELL,
    MOST_COLUMNS,
    Source,
    json_lines,
    once_per_source,
)
from unround.formats.model import ImportRefused, lines_of

LARGEST_PLAIN_CSV = 500_000_000
PARQUET_MARK = b"PAR1"
MOST_PARQUET_ROWS = 20_000_000
# A JSON Lines record is short; a longer first line is some other JSON.
LONGEST_FIRST_RECORD = 1_000_000
# A broken Parquet file can make its reader panic, which Python sees as no ordinary exception.
_PARQUET_ERRORS = (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError)

Wanted = Callable[[str], bool]


@dataclass(frozen=True)
class Table:
    """Columns by name; text cells are stripped, numbers stay numbers."""

    data: pl.DataFrame
    place: Callable[[int], str]
    header: list[str]  # every column's name, also of those that were not wanted
    repeated: tuple[str, ...] = ()  # names that stand twice, so that neither column can be meant

    @cached_property
    def _text(self) -> pl.DataFrame:
        return self.data.with_columns(pl.col(pl.String).str.strip_chars())

    def column(self, name: str) -> pl.Series:
        """One column."""
        return self._text[name]


class Header(NamedTuple):
    """The names of a table's columns, and why the table cannot be read, if it cannot."""

    columns: list[str]
    error: ImportRefused | None = None


def table_columns(source: Source) -> list[str]:
    """Return the names of a table's columns; none when the file is no table."""
    return table_header(source).columns


@once_per_source
def table_header(source: Source) -> Header:
    """Look at a table's header without reading the table."""
    if source.is_folder:
        return Header([])
    if source.head.startswith(PARQUET_MARK):
        return _parquet_header(source)
    if is_workbook(source):
        rows, error = first_rows(source)
        return Header([name for name in _cells(rows[0]) if name] if rows else [], error)
    if source.looks_like_json:
        return Header(_first_record_keys(source))
    return Header(source.header)


def _parquet_header(source: Source) -> Header:
    try:
        return Header(list(pl.read_parquet_schema(source.path)))
    except _PARQUET_ERRORS as error:
        return Header([], _broken_parquet(source, error))


def _first_record_keys(source: Source) -> list[str]:
    """The keys of the first line, if that is an object by itself."""
    try:
        with source.text() as file:
            line = file.readline(LONGEST_FIRST_RECORD)
        record = json.loads(line)
    except (ImportRefused, ValueError, RecursionError):
        return []
    return list(record) if isinstance(record, dict) else []


def read_table(source: Source, wanted: Wanted = lambda name: True) -> Table:
    """A CSV, TSV, JSON Lines, Parquet or XLSX file; of its columns only those that are wanted."""
    if source.head.startswith(PARQUET_MARK):
        return _read_parquet(source, wanted)
    if is_workbook(source):
        return _read_first_sheet(source, wanted)
    if source.looks_like_json:
        return _read_json_lines(source, wanted)
    plain = _plain_csv(source, wanted)
    if plain is not None:
        return plain
    records = delimited_records(source)
    _, header = next(records)
    return _text_table(source, header, records, wanted, "line")


def _plain_csv(source: Source, wanted: Wanted) -> Table | None:
    """Read a CSV with one record per line and nothing quoted in one go; None if it is not so plain.

    On anything unusual, fall back to the slow reader, which reports the exact line.
    """
    header = source.header
    if source.is_binary or len(header) < 2 or len(set(header)) < len(header) or "" in header:
        return None
    if source.path.stat().st_size > LARGEST_PLAIN_CSV or not source.head.isascii():
        return None
    data = source.path.read_bytes()
    lines = data.count(b"\n") + (not data.endswith(b"\n"))
    marks = data.count(source.delimiter.encode())
    if b'"' in data or b"\x00" in data or marks != lines * (len(header) - 1):
        return None
    try:
        frame = pl.read_csv(
            data,
            separator=source.delimiter,
            quote_char=None,
            infer_schema=False,
        ).fill_null("")
    except pl.exceptions.PolarsError:
        return None
    if [name.strip() for name in frame.columns] != header or frame.height != lines - 1:
        return None
    frame.columns = header
    blank = pl.all_horizontal(pl.all().str.strip_chars() == "").any()
    longest = pl.max_horizontal(pl.all().str.len_bytes().max())
    if frame.height and frame.select(blank | (longest > LONGEST_CELL)).item():
        return None
    places = lines_of(source.name, range(2, lines + 1))
    return Table(frame.select(name for name in header if wanted(name)), places, header)


def _text_table(
    source: Source,
    header: Sequence[str],
    records: Iterable[tuple[int, Sequence[str]]],
    wanted: Wanted,
    unit: str,
) -> Table:
    counts = Counter(name for name in header if name)
    names = [name for name in counts if counts[name] == 1]
    columns: dict[str, list[str]] = {name: [] for name in names if wanted(name)}
    gathered = [(header.index(name), cells) for name, cells in columns.items()]
    numbers = []
    for number, record in records:
        numbers.append(number)
        for at, cells in gathered:
            cells.append(record[at])
    return Table(
        pl.DataFrame(columns, schema=dict.fromkeys(columns, pl.String)),
        lines_of(source.name, numbers, unit),
        names,
        tuple(name for name in counts if counts[name] > 1),
    )


def _read_first_sheet(source: Source, wanted: Wanted) -> Table:
    """The first sheet that holds something; its first row is the header."""
    rows = grid_rows(source)
    first = next(rows, None)
    if first is None:
        raise ImportRefused(f"{source.name} has no cells")
    header = _cells(first)
    places = range(len(header))
    records = (
        (row.number, [row.cells.get(column, "") for column in places])
        for row in takewhile(lambda row: row.sheet == first.sheet, rows)
    )
    return _text_table(source, header, records, wanted, "row")


def _cells(row: GridRow) -> list[str]:
    return [row.cells.get(column, "").strip() for column in range(max(row.cells) + 1)]


def _read_json_lines(source: Source, wanted: Wanted) -> Table:
    lines: list[int] = []
    records: list[dict[str, str | None]] = []
    names: dict[str, bool] = {}
    for number, record in json_lines(source):
        names.update((name, wanted(name)) for name in record if name not in names)
        if len(names) > MOST_COLUMNS:
            raise ImportRefused(
                f"{source.name} has more than {MOST_COLUMNS} different keys; is it a table?"
            )
        lines.append(number)
        records.append({name: _text(value) for name, value in record.items() if names[name]})
    data = {name: [record.get(name) for record in records] for name in names if names[name]}
    frame = pl.DataFrame(data, schema=dict.fromkeys(data, pl.String))
    return Table(frame, lines_of(source.name, lines), list(names))


def _text(value: Any) -> str | None:
    """A JSON value as a CSV would have it, whatever its kind in other records."""
    return value if value is None or isinstance(value, str) else json.dumps(value)


def _read_parquet(source: Source, wanted: Wanted) -> Table:
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
        frame = frame.with_columns(
            pl.col(name).cast(pl.String) for name in frame.columns if not schema[name].is_numeric()
        )
    except _PARQUET_ERRORS as error:
        raise _broken_parquet(source, error) from error
    return Table(frame, lambda row: f"{source.name}, row {row + 1}", list(schema))


def _broken_parquet(source: Source, error: BaseException) -> ImportRefused:
    reason = str(error).split("\n", 1)[0][:200]
    return ImportRefused(f"{source.name} is not a readable Parquet file: {reason}")
