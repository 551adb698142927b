"""Files as they come: bounded, decoded, never trusted."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from unround.formats.model import ImportProblem

HEAD_BYTES = 65_536
MOST_COLUMNS = 5_000
LONGEST_CELL = 10_000_000
JSON_BLOCK = 262_144
LONGEST_VALUE = 50_000_000
_SPACE = re.compile(r"[ \t\r\n]*")
_ENCODINGS = ((b"\xef\xbb\xbf", "utf-8-sig"), (b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16"))


@dataclass(frozen=True)
class Source:
    """One file or folder that the user named."""

    path: Path

    @property
    def name(self) -> str:
        """The file's own name, for messages."""
        return self.path.name

    @cached_property
    def is_folder(self) -> bool:
        """Whether it is a folder."""
        return self.path.is_dir()

    @cached_property
    def head(self) -> bytes:
        """The first bytes: enough to recognise a format. Empty for a folder."""
        if self.is_folder:
            return b""
        try:
            with self.path.open("rb") as file:
                return file.read(HEAD_BYTES)
        except OSError as problem:
            reason = problem.strerror or str(problem)
            raise ImportProblem(f"{self.path} cannot be read: {reason}") from problem

    @cached_property
    def head_text(self) -> str:
        """The first characters, undecodable ones replaced: for recognising only."""
        return self.head.decode(_encoding(self.head), errors="replace").lstrip("\ufeff")

    @cached_property
    def is_binary(self) -> bool:
        """Whether the file cannot be a text of any kind."""
        return b"\x00" in self.head and _encoding(self.head) != "utf-16"

    @cached_property
    def looks_like_json(self) -> bool:
        """Whether the first character opens a JSON array or object."""
        return not self.is_binary and self.head_text.lstrip()[:1] in ("{", "[")

    @cached_property
    def looks_like_xml(self) -> bool:
        """Whether the first character opens a tag."""
        return not self.is_binary and self.head_text.lstrip()[:1] == "<"

    @cached_property
    def header(self) -> list[str]:
        """The first record of a delimited text, stripped; empty if it is none."""
        if self.is_folder or self.is_binary or self.looks_like_json or self.looks_like_xml:
            return []
        try:
            rows = csv.reader(io.StringIO(self.head_text, newline=""), delimiter=self.delimiter)
            return [cell.strip() for cell in next(iter(rows), [])]
        except csv.Error:
            return []

    @cached_property
    def delimiter(self) -> str:
        """Tab, comma or semicolon, whichever the first line has most of."""
        line = self.head_text.split("\n", 1)[0]
        return max(",\t;", key=line.count)

    def text(self) -> io.TextIOWrapper:
        """The file as text. Bad encodings are found while reading: use inside `decoding`."""
        return self.path.open(encoding=_encoding(self.head), newline="")

    def lines_in(self) -> Iterator[tuple[int, str]]:
        """Lines with their numbers, without their ends."""
        try:
            with self.text() as file:
                for number, line in enumerate(file, start=1):
                    yield number, line.rstrip("\r\n")
        except UnicodeDecodeError as problem:
            raise ImportProblem(
                f"{self.name} is not UTF-8 text: save it again as UTF-8"
            ) from problem


@dataclass(frozen=True)
class Delimited:
    """A table of text cells with the line that each record starts on."""

    header: list[str]
    rows: list[list[str]]
    lines: list[int]

    def column(self, name: str) -> list[str]:
        """One column's cells, stripped."""
        place = self.header.index(name)
        return [row[place].strip() for row in self.rows]


def read_delimited(source: Source) -> Delimited:
    """A CSV or TSV file, every cell as text; short records are an error that names the line."""
    if source.is_binary:
        raise ImportProblem(f"{source.name} is not a text file: export it as CSV (UTF-8)")
    previous = csv.field_size_limit(LONGEST_CELL)
    try:
        with source.text() as file:
            return _records(source, csv.reader(file, delimiter=source.delimiter, strict=True))
    except UnicodeDecodeError as problem:
        raise ImportProblem(
            f"{source.name} is not UTF-8 text (byte {problem.start} of a block): "
            "save it again as CSV UTF-8"
        ) from problem
    except csv.Error as problem:
        raise ImportProblem(
            f"{source.name} is not a readable CSV: {problem}; it may be cut off or have an "
            "open quotation mark"
        ) from problem
    finally:
        csv.field_size_limit(previous)


def _records(source: Source, reader: Any) -> Delimited:
    header = [cell.strip() for cell in next(reader, [])]
    if header:
        header[0] = header[0].lstrip("\ufeff")
    if len(header) > MOST_COLUMNS:
        raise ImportProblem(
            f"{source.name} has {len(header)} columns; at most {MOST_COLUMNS} are read"
        )
    rows: list[list[str]] = []
    lines: list[int] = []
    begins = reader.line_num + 1
    for row in reader:
        if row and any(row):
            if len(row) != len(header):
                raise ImportProblem(
                    f"{source.name}, line {begins} has {len(row)} cells but the header has "
                    f"{len(header)}; the file may be cut off or need quotation marks"
                )
            rows.append(row)
            lines.append(begins)
        begins = reader.line_num + 1
    return Delimited(header, rows, lines)


def json_stream(source: Source) -> Iterator[tuple[str, Any]]:
    """A JSON file piece by piece: ("", item) of a top-level array, or (key, value) of an object.

    A value that is an array comes item by item, each under its key, so that a file of any length
    passes through in little memory.
    """
    try:
        with source.text() as file:
            yield from _JsonReader(source.name, file).pieces()
    except (ValueError, RecursionError) as problem:
        raise ImportProblem(f"{source.name} is not valid JSON: {_short(problem)}") from problem


def json_lines(source: Source) -> Iterator[tuple[int, dict[str, Any]]]:
    """The objects of a JSON Lines file with their line numbers."""
    try:
        with source.text() as file:
            for number, line in enumerate(file, start=1):
                if not line.strip():
                    continue
                record = json.loads(line)
                if not isinstance(record, dict):
                    raise ImportProblem(f"{source.name}, line {number} is not a JSON object")
                yield number, record
    except (ValueError, RecursionError) as problem:
        raise ImportProblem(
            f"{source.name} is not valid JSON Lines: {_short(problem)}"
        ) from problem


class _JsonReader:
    """Decodes one value at a time from a text that arrives in blocks."""

    def __init__(self, name: str, file: io.TextIOBase) -> None:
        self._name, self._file = name, file
        self._text, self._at, self._ended = "", 0, False
        self._decoder = json.JSONDecoder()

    def pieces(self) -> Iterator[tuple[str, Any]]:
        opening = self._next_mark()
        if opening == "[":
            yield from (("", item) for item in self._items())
        elif opening == "{":
            yield from self._members()
        else:
            raise ValueError("it starts with neither [ nor {")
        if self._peek():
            raise ValueError("something follows after its end")

    def _members(self) -> Iterator[tuple[str, Any]]:
        if self._peek() == "}":
            self._next_mark()
            return
        while True:
            key = self._value()
            if not isinstance(key, str) or self._next_mark() != ":":
                raise ValueError("an object's key is broken")
            if self._peek() == "[":
                self._next_mark()
                yield from ((key, item) for item in self._items())
            else:
                yield key, self._value()
            if self._separator("}"):
                return

    def _items(self) -> Iterator[Any]:
        if self._peek() == "]":
            self._next_mark()
            return
        while True:
            yield self._value()
            if self._separator("]"):
                return

    def _separator(self, closing: str) -> bool:
        mark = self._next_mark()
        if mark not in (",", closing):
            raise ValueError("it ends in the middle" if not mark else f"unexpected {mark!r}")
        return mark == closing

    def _peek(self) -> str:
        while True:
            self._at = _SPACE.match(self._text, self._at).end()  # type: ignore[union-attr]
            if self._at < len(self._text):
                return self._text[self._at]
            if not self._read_more():
                return ""

    def _next_mark(self) -> str:
        mark = self._peek()
        self._at += len(mark)
        return mark

    def _value(self) -> Any:
        self._peek()
        while True:
            try:
                value, end = self._decoder.raw_decode(self._text, self._at)
                # A number at the very end may go on in the next block.
                if end < len(self._text) or not self._read_more():
                    self._at = end
                    return value
            except json.JSONDecodeError:
                if not self._read_more():
                    raise

    def _read_more(self) -> bool:
        """Append a block as long as what is still undecoded, so that long values cost little."""
        rest = self._text[self._at :]
        if len(rest) > LONGEST_VALUE:
            raise ValueError(f"one value is longer than {LONGEST_VALUE // 1_000_000} MB, or broken")
        block = "" if self._ended else self._file.read(max(JSON_BLOCK, len(rest)))
        self._text, self._at = rest + block, 0
        self._ended = not block
        return bool(block)


def _encoding(head: bytes) -> str:
    return next((name for mark, name in _ENCODINGS if head.startswith(mark)), "utf-8")


def _short(problem: BaseException) -> str:
    return str(problem).split("\n", 1)[0][:200]
