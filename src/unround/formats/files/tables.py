"""Read the tables of any kind of file, with the line or row of each record.

A file holds one table; a workbook one per sheet, a JSON object one per list of records. Titles may
stand above a table's header: the header is the first row that `is_header` accepts.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain, groupby, islice, zip_longest
from typing import Any, NamedTuple

import polars as pl

from unround.formats.cells import counted, on_one_line
from unround.formats.files.delimited import plain_csv, ragged_records, records_of_length
from unround.formats.files.grid import first_rows, grid_rows, head_rows, is_workbook
from unround.formats.files.json_stream import (
    first_values,
    is_json_lines,
    numbered_values,
    record_of,
)
from unround.formats.files.source import (
    DELIMITERS,
    FIRST_ROWS,
    MOST_COLUMNS,
    Source,
    once_per_source,
)
from unround.formats.files.xml_sheets import GridRow
from unround.formats.model import ImportRefused, Sheet, filter_rows, lines_of
from unround.reviews.columns import is_number

Wanted = Callable[[str], bool]
IsHeader = Callable[[Sequence[str]], bool]
Row = tuple[int, list[str]]  # its number in the file, and its cells


@dataclass(frozen=True)
class Table:
    """Columns by name; text cells are stripped, numbers stay numbers."""

    data: pl.DataFrame
    where: str  # the file and sheet, for messages
    place: Callable[[int], str]
    header: list[str]  # every column's name, also of those that were not wanted
    repeated: tuple[str, ...] = ()  # names that stand twice; the first such column is read
    sheet: str = ""
    above: tuple[list[str], ...] = ()  # the rows above the header
    hidden: bool = False  # on a sheet that the spreadsheet does not show

    @cached_property
    def _text(self) -> pl.DataFrame:
        return self.data.with_columns(pl.col(pl.String).str.strip_chars())

    def column(self, name: str) -> pl.Series:
        """Return one column."""
        return self._text[name]

    def texts(self, name: str) -> list[str]:
        """Return a column's cells as text, "" where there is none."""
        return self.column(name).cast(pl.String).fill_null("").to_list()

    @cached_property
    def titles(self) -> dict[str, str]:
        """The columns' names by their titles in lower case and on one line; first ones count."""
        return {title_of(name): name for name in reversed([*self.header, *self.repeated])}

    def find(self, title: str) -> str | None:
        """Return the name of the column with this title, in any case."""
        return self.titles.get(title_of(title))

    def records(self) -> Iterator[tuple[str, dict[str, str]]]:
        """Yield each row's place and its cells by their titles in lower case."""
        titles = [title_of(name) for name in self.data.columns]
        columns = map(self.texts, self.data.columns)
        for row, cells in enumerate(zip(*columns, strict=True)):
            yield self.place(row), dict(zip(titles, cells, strict=True))

    def without_repeated_headers(self, keys: Sequence[str]) -> tuple[Table, tuple[str, ...]]:
        """Leave out copies of the header, as in files that were put together from several."""
        if self.data.is_empty() or any(self.data.schema[key] != pl.String for key in keys):
            return self, ()
        repeats = pl.all_horizontal(pl.col(key) == key for key in keys).fill_null(value=False)
        rest = self.filtered(self._text.select(~repeats).to_series())
        left_out = self.data.height - rest.data.height
        note = f"{counted(left_out, 'row')} left out as copies of the header"
        return rest, (note,) if left_out else ()

    def filtered(self, kept: pl.Series) -> Table:
        """Return the rows that a mask keeps."""
        rest = filter_rows(Sheet(self.data, self.place), kept)
        return replace(self, data=rest.table, place=rest.place)


def title_of(name: str) -> str:
    """Return a column's title for comparisons: in lower case and on one line."""
    return on_one_line(name).casefold()


class Head(NamedTuple):
    """The first rows of one table."""

    sheet: str
    rows: list[Row]
    delimiter: str = ""

    def columns(self, is_header: IsHeader | None = None) -> list[str]:
        """Return the names of the columns, in the first row with two cells if none is accepted."""
        return [name for name in _joined(self.rows, _header_at(self.rows, is_header)) if name]

    @property
    def possible_headers(self) -> list[list[str]]:
        """The rows, any of which may be the header."""
        return [_full(self.rows, at) for at in range(len(self.rows))]


class Heads(NamedTuple):
    """The heads of a file's tables, and the error that ended reading them, if one did."""

    heads: list[Head]
    error: ImportRefused | None = None


def table_columns(source: Source, is_header: IsHeader | None = None) -> list[str]:
    """Return the names of the columns of a file's tables; none when it holds no table."""
    heads = table_heads(source).heads
    return list(dict.fromkeys(name for head in heads for name in head.columns(is_header)))


@once_per_source
def table_heads(source: Source) -> Heads:
    """Look at the first rows of every table of a file."""
    if source.is_folder:
        return Heads([])
    heads: list[Head] = []
    try:
        heads.extend(_heads(source))
    except ImportRefused as error:
        return Heads(heads, error)
    return Heads(heads)


def _heads(source: Source) -> Iterator[Head]:
    if source.is_parquet:
        with _reading_parquet(source):
            columns = list(pl.read_parquet_schema(source.path))
        yield Head("", [(0, columns)])
    elif is_workbook(source):
        yield from _sheet_heads(head_rows(source))
    elif source.looks_like_json:
        by_list: dict[str, dict[str, None]] = {}
        for name, record in first_values(source):
            if isinstance(record, dict):
                by_list.setdefault(name, {}).update(dict.fromkeys(record))
        yield from (Head(name, [(1, list(keys))]) for name, keys in by_list.items())
    elif records := source.head_records(source.delimiter):
        yield Head("", records, source.delimiter)


def _sheet_heads(rows: Iterable[GridRow]) -> Iterator[Head]:
    for sheet, of_sheet in groupby(rows, key=lambda row: row.sheet):
        yield Head(sheet, [_numbered(row, str.strip) for row in of_sheet])


def has_header(source: Source, is_header: IsHeader) -> bool:
    """Return whether a file holds a table with a header that `is_header` accepts."""
    return any(map(is_header, possible_headers(source)))


def possible_headers(source: Source) -> Iterator[list[str]]:
    """Yield the first rows of every table, any of which may be a header, read with every likely delimiter.

    Those at the beginning of a workbook come first: only who wants more reads it to its last sheet.
    """
    if is_workbook(source):
        for head in _sheet_heads(first_rows(source)):
            yield from head.possible_headers
    for head in table_heads(source).heads:
        for reading in _readings(source, head):
            yield from reading.possible_headers


def _readings(source: Source, head: Head) -> Iterator[Head]:
    """Yield a head as read with each delimiter it may have, likeliest first; a title may have another."""
    yield head
    if head.delimiter and not source.declared_delimiter:
        for mark in DELIMITERS:
            if mark in source.head_text and mark != head.delimiter:
                yield head._replace(rows=source.head_records(mark), delimiter=mark)


def read_table(
    source: Source, wanted: Wanted = lambda name: True, *, fill_short: bool = False
) -> Table:
    """Read the first table of a file, with its first row as header; fill short rows if asked to."""
    table = next(read_tables(source, wanted, fill_short=fill_short), None)
    if table is None:
        raise ImportRefused(f"{source.name} has no cells; export it again with its rows")
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
        yield Table(frame, source.name, lambda row: f"{source.name}, row {row + 1}", header)
    elif is_workbook(source):
        for (sheet, hidden), rows in groupby(
            grid_rows(source), key=lambda row: (row.sheet, row.hidden)
        ):
            table = _read_sheet(source, sheet, map(_numbered, rows), wanted, is_header)
            yield replace(table, hidden=hidden)
    elif source.looks_like_json:
        for name, values in groupby(numbered_values(source), key=lambda value: value[0]):
            records = _record_table(source, name, values, wanted)
            if records is not None:
                yield records
    else:
        yield from _read_text(source, wanted, is_header, fill_short)


def _header_at(rows: Sequence[Row], is_header: IsHeader | None) -> int:
    """Return where the header stands: a row that is accepted, else the first with two cells or more."""
    accepted = (at for at in range(len(rows)) if is_header and is_header(_full(rows, at)))
    wide = (at for at, (_, cells) in enumerate(rows) if sum(map(bool, cells)) > 1)
    at = next(chain(accepted, wide), 0)
    return at + (at + 1 < len(rows) and _continues(rows, at + 1))


def _continues(rows: Sequence[Row], at: int) -> bool:
    """Return whether a row continues the header above it, whose cells are merged over several of its own."""
    cells, above = rows[at][1], rows[at - 1][1]
    merged = [
        below for below, over in zip_longest(cells, above, fillvalue="") if below and not over
    ]
    return len(merged) > 1 and not any(map(is_number, cells)) and _joined(rows, at) != cells


def _full(rows: Sequence[Row], at: int) -> list[str]:
    """Return a row that may be a header; the row above fills its empty cells where names are repeated."""
    cells = rows[at][1]
    repeats = at and len({*filter(None, cells)}) < sum(map(bool, cells))
    if not repeats:
        return cells
    return [below or above for below, above in zip_longest(cells, rows[at - 1][1], fillvalue="")]


def _joined(rows: Sequence[Row], at: int) -> list[str]:
    """Return the names of a header, repeated ones with those above: Round 1 Score, Round 2 Score."""
    names = _full(rows, at)
    counts = Counter(filter(None, names))
    repeated = [name for name in counts if counts[name] > 1]
    if not at or not repeated or any(map(is_number, repeated)):  # numbers are no titles
        return names
    joined, group = [], ""
    for name, above in zip_longest(names, rows[at - 1][1], fillvalue=""):
        group = above or group
        joined.append(f"{group} {name}" if counts[name] > 1 and group else name)
    return joined if len(set(joined)) == len(joined) else rows[at][1]


def _below_header(
    rows: Iterator[Row], is_header: IsHeader | None
) -> tuple[Row, tuple[list[str], ...], Iterator[Row]]:
    """Return the header, the rows above it, and the rows below it."""
    first = list(islice(rows, FIRST_ROWS))
    stripped = [(number, [cell.strip() for cell in cells]) for number, cells in first]
    at = _header_at(stripped, is_header)
    names = _joined(stripped, at)
    above = tuple(cells for _, cells in first[: at - (names != stripped[at][1])])
    marked = [
        row for row in range(at + 1, len(stripped[: at + 3])) if _of_qualtrics(stripped[row][1])
    ]
    begins = max(marked, default=at) + 1
    return (stripped[at][0], names), above, chain(first[begins:], rows)


def _of_qualtrics(cells: Sequence[str]) -> bool:
    """Return whether a row is the last of Qualtrics' three headers."""
    return all(cell.startswith('{"ImportId"') for cell in cells if cell)


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
        readings = _readings(source, head)
        head = next((one for one in readings if any(map(is_header, one.possible_headers))), head)
    table = _read_plain_csv(source, head, wanted, is_header)
    if table is not None:
        yield table
        return
    records = ragged_records(source, head.delimiter)
    first = next(records, None)
    if first is not None:
        (_, header), above, below = _below_header(chain([first], records), is_header)
        checked = records_of_length(header, below, source, fill_short=fill_short)
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
    above = tuple(cells for _, cells in head.rows[:at])
    return Table(frame.select([*filter(wanted, header)]), source.name, places, header, above=above)


def _text_table(
    name: str,
    unit: str,
    header: Sequence[str],
    records: Iterable[Row],
    wanted: Wanted,
    above: tuple[list[str], ...] = (),
    sheet: str = "",
) -> Table:
    counts = Counter(column for column in header if column)
    names = [column for column in counts if counts[column] == 1]
    columns: dict[str, list[str]] = {column: [] for column in counts if wanted(column)}
    gathered = [(header.index(column), cells) for column, cells in columns.items()]
    numbers = []
    for number, record in records:
        numbers.append(number)
        for at, cells in gathered:
            cells.append(record[at])
    return Table(
        pl.DataFrame(columns, schema=dict.fromkeys(columns, pl.String)),
        name,
        lines_of(name, numbers, unit),
        names,
        tuple(column for column in counts if counts[column] > 1),
        sheet,
        above,
    )


def _record_table(
    source: Source, sheet: str, values: Iterable[tuple[str, int, Any]], wanted: Wanted
) -> Table | None:
    """Return the records of a list; None for what an object says beside its lists of records."""
    where = f"{source.name}, '{sheet}'" if sheet else source.name
    unit = "line" if is_json_lines(source) else "record"
    numbers: list[int] = []
    kept: list[dict[str, str | None]] = []
    names: dict[str, bool] = {}
    for _, number, value in values:
        if sheet and not numbers and not isinstance(value, dict):
            return None
        record = record_of(f"{where}, {unit} {number}", value)
        names.update((key, wanted(key)) for key in record if key not in names)
        if len(names) > MOST_COLUMNS:
            raise ImportRefused(
                f"{where} has more than {MOST_COLUMNS} different keys, too many for a table; give "
                "records with the same keys"
            )
        numbers.append(number)
        kept.append({key: _text(value) for key, value in record.items() if names[key]})
    data = {key: [record.get(key) for record in kept] for key in names if names[key]}
    return Table(
        pl.DataFrame(data, schema=dict.fromkeys(data, pl.String)),
        where,
        lines_of(where, numbers, unit),
        list(names),
        sheet=sheet,
    )


def _text(value: Any) -> str | None:
    """Return a JSON value as a CSV would have it, whatever its kind in other records."""
    return value if value is None or isinstance(value, str) else json.dumps(value)


MOST_PARQUET_ROWS = 20_000_000
# A broken Parquet file can make its reader panic, which Python sees as no ordinary exception.
_ERRORS = (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError)


@contextmanager
def _reading_parquet(source: Source) -> Iterator[None]:
    """Refuse a Parquet file that is broken."""
    try:
        yield
    except _ERRORS as error:
        reason = str(error).split("\n", 1)[0][:200]
        raise ImportRefused(f"{source.name} is not a readable Parquet file: {reason}") from error


def parquet_frame(source: Source, wanted: Callable[[str], bool]) -> tuple[pl.DataFrame, list[str]]:
    """Read the wanted columns, and the names of all columns that have single values."""
    with _reading_parquet(source):
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
