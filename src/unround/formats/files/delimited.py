"""CSV, TSV and semicolon-separated text as records with their line numbers."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, pairwise
from typing import Any, Literal

import polars as pl

from unround.formats.files.source import LONGEST_CELL, MOST_COLUMNS, Source
from unround.formats.model import ImportRefused

LARGEST = 500_000_000


def records_of_length(
    header: Sequence[str],
    records: Iterable[tuple[int, list[str]]],
    source: Source,
    *,
    fill_short: bool,
) -> Iterator[tuple[int, list[str]]]:
    """Yield the records of a file; refuse one that has more or fewer cells than the header.

    Short ones are filled with empty cells if asked to, for files that end a row at its last cell that is
    set; but not a last one without a line end, where the file was cut off.
    """
    for (line, record), following in pairwise(chain(records, [(0, [])])):
        missing = len(header) - len(record)
        if fill_short and missing > 0 and (following[0] or source.ends_with_newline):
            yield line, record + [""] * missing
        elif missing:
            raise ImportRefused(
                f"{source.name}, line {line} has {len(record)} cells but the header has "
                f"{len(header)}; the file may be cut off or need quotation marks"
            )
        else:
            yield line, record


def ragged_records(source: Source, delimiter: str | None = None) -> Iterator[tuple[int, list[str]]]:
    """Yield the records of a CSV or TSV file that are not empty, whatever their lengths."""
    if source.is_binary:
        raise ImportRefused(f"{source.name} is not a text file: export it as CSV (UTF-8)")
    csv.field_size_limit(LONGEST_CELL)  # of the whole process: threads must not fight over it
    mark = delimiter or source.delimiter
    with source.text() as file:
        reader = csv.reader(
            source.whole_lines(file), delimiter=mark, quoting=_quoting(source, mark), strict=True
        )
        try:
            yield from _numbered_records(source, reader)
        except csv.Error as error:
            raise ImportRefused(
                f"{source.name}, line {reader.line_num} is not readable as CSV: {error}; the "
                "file may be cut off or have an open quotation mark"
            ) from error


def _numbered_records(source: Source, reader: Any) -> Iterator[tuple[int, list[str]]]:
    begins = 1
    for row in reader:
        if len(row) > MOST_COLUMNS:
            raise ImportRefused(
                f"{source.name} has {len(row)} columns; at most {MOST_COLUMNS} are read; keep those of "
                "reviewers, papers and scores"
            )
        states_delimiter = begins == 1 and source.declared_delimiter
        if any(cell.strip() for cell in row) and not states_delimiter:
            yield begins, row
        begins = reader.line_num + 1


def _quoting(source: Source, delimiter: str) -> Literal[0, 3]:
    """Return how tab-separated text is quoted: some exports never quote a cell."""
    if delimiter != "\t":
        return csv.QUOTE_MINIMAL
    lines = source.head_text.lstrip("\r\n").splitlines(keepends=True)
    if lines and '"' in lines[0]:  # a header in quotation marks: a broken one below is an error
        return csv.QUOTE_MINIMAL
    try:
        list(csv.reader(lines, delimiter=delimiter, strict=True))
    except csv.Error as error:
        return csv.QUOTE_NONE if "expected after" in str(error) else csv.QUOTE_MINIMAL
    return csv.QUOTE_MINIMAL


def plain_csv(
    source: Source, delimiter: str, first_line: int, header: Sequence[str]
) -> pl.DataFrame | None:
    """Return every cell of a table whose header stands on this line; None if it is not so plain.

    On anything unusual, fall back to the slow reader, which reports the exact line.
    """
    if source.is_binary or len(header) < 2 or len(set(header)) < len(header) or "" in header:
        return None
    is_ascii = source.encoding.startswith("utf-8") and source.head.isascii()
    if source.path.stat().st_size > LARGEST or not is_ascii or not delimiter.isascii():
        return None
    data = source.path.read_bytes()
    if first_line > 1:
        data = data.split(b"\n", first_line - 1)[-1]
    lines = data.count(b"\n") + (not data.endswith(b"\n"))
    marks = data.count(delimiter.encode())
    if b'"' in data or b"\x00" in data or marks != lines * (len(header) - 1):
        return None
    if data.count(b"\r") != data.count(b"\r\n"):  # a lone one ends a line elsewhere
        return None
    frame = _parsed(data, delimiter)
    if frame is None or frame.height != lines - 1:
        return None
    if [name.strip() for name in frame.columns] != list(header):
        return None
    frame.columns = list(header)
    blank = pl.all_horizontal(pl.all().str.strip_chars() == "").any()
    longest = pl.max_horizontal(pl.all().str.len_bytes().max())
    odd = frame.height and frame.select(blank | (longest > LONGEST_CELL)).item()
    return None if odd else frame


def _parsed(data: bytes, delimiter: str) -> pl.DataFrame | None:
    try:
        return pl.read_csv(
            data, separator=delimiter, quote_char=None, infer_schema=False
        ).fill_null("")
    except pl.exceptions.PolarsError:
        return None
