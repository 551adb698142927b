"""Read tables of any file kind into columns that know their lines.

A file holds one table; a workbook one per sheet, a JSON object one per list of records. Titles may
stand above a table's header: the header is the first row that `is_header` accepts.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, groupby, islice
from typing import Any, NamedTuple

import polars as pl

from unround.formats.files.delimited import as_long_as, filled_records, plain_csv, ragged_records
from unround.formats.files.grid import first_rows, grid_rows, is_workbook, sheet_heads
from unround.formats.files.grid_row import GridRow
from unround.formats.files.parquet import parquet_columns, parquet_frame
from unround.formats.files.source import (
    DELIMITERS,
    FIRST_ROWS,
    MOST_COLUMNS,
    Source,
    json_lines,
    json_stream,
    once_per_source,
)
from unround.formats.model import ImportRefused, lines_of

# A JSON Lines record is short; a longer first line is some other JSON.
LONGEST_FIRST_RECORD = 1_000_000

Wanted = Callable[[str], bool]
IsHeader = Callable[[Sequence[str]], bool]
Row = tuple[int, list[str]]  # its number in the file, and its cells


@dataclass(frozen=True)
class Table:
    """Columns by name; text cells are stripped, numbers stay numbers."""

    data: pl.DataFrame
    place: Callable[[int], str]
    header: list[str]  # every column's name, also of those that were not wanted
    repeated: tuple[str, ...] = ()  # names that stand twice, so that neither column can be meant
    sheet: str = ""
    above: tuple[int, ...] = ()  # the numbers of the rows above the header

    @cached_property
    def _text(self) -> pl.DataFrame:
        return self.data.with_columns(pl.col(pl.String).str.strip_chars())

    def column(self, name: str) -> pl.Series:
        """Return one column."""
        return self._text[name]


class Head(NamedTuple):
    """The first rows of one table."""

    sheet: str
    rows: list[Row]
    delimiter: str = ""

    @property
    def columns(self) -> list[str]:
        """The names of the columns, if nothing is known about what they should be called."""
        return [name for name in self.rows[_header_at(self.rows, None)][1] if name]


class Heads(NamedTuple):
    """The heads of a file's tables, and the error that ended reading them, if one did."""

    heads: list[Head]
    error: ImportRefused | None = None


def table_columns(source: Source) -> list[str]:
    """Return the names of the columns of a file's tables; none when it holds no table."""
    return list(dict.fromkeys(name for head in table_heads(source).heads for name in head.columns))


def first_columns(source: Source) -> list[str]:
    """Return the names of the columns of a file's first table; none when it holds no table."""
    heads = _quick_heads(source)
    return heads[0].columns if heads else []


@once_per_source
def table_heads(source: Source) -> Heads:
    """Look at the first rows of every table of a file."""
    if source.is_folder:
        return Heads([])
    heads: list[Head] = []
    try:
        heads.extend(_heads(source))
    except ImportRefused as error:
        # Without its traceback, which would keep the source alive.
        return Heads(heads, error.with_traceback(None))
    return Heads(heads)


def _heads(source: Source) -> Iterator[Head]:
    if source.is_parquet:
        yield Head("", [(0, parquet_columns(source))])
    elif is_workbook(source):
        for sheet, rows in sheet_heads(source):
            yield Head(sheet, [_numbered(row, str.strip) for row in rows])
    elif source.looks_like_json:
        yield from _json_heads(source)
    elif records := source.head_records(source.delimiter):
        yield Head("", records, source.delimiter)


def _quick_heads(source: Source) -> list[Head]:
    """Look at the first rows of a file; in a workbook these may not reach to its last sheet."""
    if not is_workbook(source):
        return table_heads(source).heads
    sheets = groupby(first_rows(source).rows, key=lambda row: row.sheet)
    return [Head(sheet, [_numbered(row, str.strip) for row in rows]) for sheet, rows in sheets]


def has_header(source: Source, is_header: IsHeader) -> bool:
    """Tell whether a file holds a table with a header that `is_header` accepts."""
    return any(
        _understood(source, head, is_header)
        for heads in (_quick_heads, lambda source: table_heads(source).heads)
        for head in heads(source)
    )


def _understood(source: Source, head: Head, is_header: IsHeader) -> Head | None:
    """Return the head with the delimiter under which it has an accepted header, if there is one."""
    for mark in _delimiters(source, head):
        rows = head.rows if mark == head.delimiter else source.head_records(mark)
        if any(is_header(cells) for _, cells in rows):
            return head._replace(rows=rows, delimiter=mark)
    return None


def _delimiters(source: Source, head: Head) -> list[str]:
    """Return the delimiters that a text may have, likeliest first; a title may have another one."""
    if not head.delimiter or source.stated_delimiter:
        return [head.delimiter]
    others = [mark for mark in DELIMITERS if mark in source.head_text]
    return list(dict.fromkeys((head.delimiter, *others)))


def read_table(source: Source, *, fill_short: bool = False) -> Table:
    """Read the first table of a file, with its first row as header; fill short rows if asked to."""
    table = next(read_tables(source, fill_short=fill_short), None)
    if table is None:
        raise ImportRefused(f"{source.name} has no cells")
    return table


def read_tables(
    source: Source,
    wanted: Wanted = lambda name: True,
    is_header: IsHeader | None = None,
    *,
    fill_short: bool = False,
) -> Iterator[Table]:
    """Read every table of a file; of its columns only those that are wanted."""
    if source.is_parquet:
        frame, header = parquet_frame(source, wanted)
        yield Table(frame, lambda row: f"{source.name}, row {row + 1}", header)
    elif is_workbook(source):
        for sheet, rows in groupby(grid_rows(source), key=lambda row: row.sheet):
            yield _read_sheet(source, sheet, map(_numbered, rows), wanted, is_header)
    elif source.looks_like_json:
        yield from _read_json(source, wanted)
    else:
        yield from _read_text(source, wanted, is_header, fill_short)


def _header_at(rows: Sequence[Row], is_header: IsHeader | None) -> int:
    """Return where the header stands: a row that is accepted, else the first with two cells or more."""
    accepted = (at for at, (_, cells) in enumerate(rows) if is_header and is_header(cells))
    wide = (at for at, (_, cells) in enumerate(rows) if sum(map(bool, cells)) > 1)
    return next(chain(accepted, wide), 0)


def _below_header(
    rows: Iterator[Row], is_header: IsHeader | None
) -> tuple[Row, tuple[int, ...], Iterator[Row]]:
    """Return the header, the numbers of the rows above it, and the rows below it."""
    first = list(islice(rows, FIRST_ROWS))
    stripped = [(number, [cell.strip() for cell in cells]) for number, cells in first]
    at = _header_at(stripped, is_header)
    above = tuple(number for number, _ in first[:at])
    return stripped[at], above, chain(first[at + 1 :], rows)


def _read_sheet(
    source: Source, sheet: str, rows: Iterator[Row], wanted: Wanted, is_header: IsHeader | None
) -> Table:
    (_, header), above, below = _below_header(rows, is_header)
    width = len(header)
    padded = ((number, cells + [""] * (width - len(cells))) for number, cells in below)
    return _text_table(
        f"{source.name}, sheet '{sheet}'", "row", header, padded, wanted, above, sheet
    )


def _numbered(row: GridRow, kept: Callable[[str], str] = str) -> Row:
    return row.number, [kept(row.cells.get(column, "")) for column in range(max(row.cells) + 1)]


def _read_text(
    source: Source, wanted: Wanted, is_header: IsHeader | None, fill_short: bool
) -> Iterator[Table]:
    head = Head("", source.head_records(source.delimiter), source.delimiter)
    if is_header is not None:
        head = _understood(source, head, is_header) or head
    table = _read_plain_csv(source, head, wanted, is_header)
    if table is not None:
        yield table
        return
    records = ragged_records(source, head.delimiter)
    first = next(records, None)
    if first is not None:
        (_, header), above, below = _below_header(chain([first], records), is_header)
        if fill_short:
            below = filled_records(header, below, source)
        checked = as_long_as(header, below, source)
        yield _text_table(source.name, "line", header, checked, wanted, above)


def _read_plain_csv(
    source: Source, head: Head, wanted: Wanted, is_header: IsHeader | None
) -> Table | None:
    if not head.rows:
        return None
    at = _header_at(head.rows, is_header)
    line, header = head.rows[at]
    frame = plain_csv(source, head.delimiter, line, header)
    if frame is None:
        return None
    places = lines_of(source.name, range(line + 1, line + 1 + frame.height))
    above = tuple(number for number, _ in head.rows[:at])
    return Table(frame.select([*filter(wanted, header)]), places, header, above=above)


def _text_table(
    name: str,
    unit: str,
    header: Sequence[str],
    records: Iterable[Row],
    wanted: Wanted,
    above: tuple[int, ...] = (),
    sheet: str = "",
) -> Table:
    counts = Counter(column for column in header if column)
    names = [column for column in counts if counts[column] == 1]
    columns: dict[str, list[str]] = {column: [] for column in names if wanted(column)}
    gathered = [(header.index(column), cells) for column, cells in columns.items()]
    numbers = []
    for number, record in records:
        numbers.append(number)
        for at, cells in gathered:
            cells.append(record[at])
    return Table(
        pl.DataFrame(columns, schema=dict.fromkeys(columns, pl.String)),
        lines_of(name, numbers, unit),
        names,
        tuple(column for column in counts if counts[column] > 1),
        sheet,
        above,
    )


def _json_heads(source: Source) -> list[Head]:
    """Return the keys of the first line, if that is an object by itself, or of the first records."""
    keys = _first_line_keys(source)
    if keys is not None:
        return [Head("", [(1, keys)])]
    by_list: dict[str, dict[str, None]] = {}
    try:
        for name, record in islice(json_stream(source), FIRST_ROWS):
            if isinstance(record, dict):
                by_list.setdefault(name, {}).update(dict.fromkeys(record))
    except ImportRefused:
        return []
    return [Head(name, [(1, list(keys))]) for name, keys in by_list.items()]


def _first_line_keys(source: Source) -> list[str] | None:
    """Return the keys of the first line, if that is a record; an object alone may hold lists of records."""
    try:
        with source.text() as file:
            record = json.loads(file.readline(LONGEST_FIRST_RECORD))
            alone = not file.readline(LONGEST_FIRST_RECORD).strip()
    except (ImportRefused, ValueError, RecursionError):
        return None
    if not isinstance(record, dict) or (alone and any(map(_holds_records, record.values()))):
        return None
    return list(record)


def _holds_records(value: object) -> bool:
    return isinstance(value, list) and bool(value) and isinstance(value[0], dict)


def _read_json(source: Source, wanted: Wanted) -> Iterator[Table]:
    """Read JSON Lines, an array of records, or an object with lists of records by name."""
    if _first_line_keys(source) is not None:
        yield _record_table(source.name, "line", json_lines(source), wanted)
        return
    for name, pieces in groupby(json_stream(source), key=lambda piece: piece[0]):
        label = f"{source.name}, '{name}'" if name else source.name
        values = (value for _, value in pieces)
        first = next(values)
        if name and not isinstance(first, dict):
            continue  # what an object says beside its lists of records
        records = _records(label, chain([first], values))
        yield _record_table(label, "record", records, wanted, name)


def _records(label: str, values: Iterable[Any]) -> Iterator[tuple[int, dict[str, Any]]]:
    for number, value in enumerate(values, start=1):
        if not isinstance(value, dict):
            raise ImportRefused(f"{label}, record {number} is not a JSON object")
        yield number, value


def _record_table(
    name: str,
    unit: str,
    records: Iterable[tuple[int, dict[str, Any]]],
    wanted: Wanted,
    sheet: str = "",
) -> Table:
    numbers: list[int] = []
    kept: list[dict[str, str | None]] = []
    names: dict[str, bool] = {}
    for number, record in records:
        names.update((key, wanted(key)) for key in record if key not in names)
        if len(names) > MOST_COLUMNS:
            raise ImportRefused(
                f"{name} has more than {MOST_COLUMNS} different keys; is it a table?"
            )
        numbers.append(number)
        kept.append({key: _text(value) for key, value in record.items() if names[key]})
    data = {key: [record.get(key) for record in kept] for key in names if names[key]}
    frame = pl.DataFrame(data, schema=dict.fromkeys(data, pl.String))
    return Table(frame, lines_of(name, numbers, unit), list(names), sheet=sheet)


def _text(value: Any) -> str | None:
    """Return a JSON value as a CSV would have it, whatever its kind in other records."""
    return value if value is None or isinstance(value, str) else json.dumps(value)
