"""Read a CSV with one record per line and nothing quoted in one go."""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl

from unround.formats.files.source import LONGEST_CELL, Source

LARGEST = 500_000_000


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
