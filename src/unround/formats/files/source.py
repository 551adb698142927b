"""Open files that are not trusted: bounded, decoded, recognised by their first bytes."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property, wraps
from pathlib import Path
from typing import Any, TypeVar
from weakref import WeakKeyDictionary

from unround.formats.files.json_stream import LONGEST_VALUE, decoded, json_pieces
from unround.formats.model import ImportRefused

HEAD_BYTES = 65_536
MOST_COLUMNS = 5_000
LONGEST_CELL = 10_000_000
LONGEST_LINE = 50_000_000
Value = TypeVar("Value")
_ENCODINGS = ((b"\xef\xbb\xbf", "utf-8-sig"), (b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16"))


@dataclass(frozen=True, eq=False)  # equal by identity: what is cached is about one object
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
        with self.bytes_in() as file:
            return file.read(HEAD_BYTES)

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
            stripped = ([cell.strip() for cell in row] for row in rows)
            return next((row for row in stripped if any(row)), [])
        except csv.Error:
            return []

    @cached_property
    def delimiter(self) -> str:
        """Tab, comma or semicolon, whichever the first line has most of."""
        line = self.head_text.lstrip("\r\n").split("\n", 1)[0]
        return max(",\t;", key=line.count)

    @contextmanager
    def bytes_in(self) -> Iterator[io.BufferedReader]:
        """The file as bytes."""
        try:
            with self.path.open("rb") as file:
                yield file
        except OSError as error:
            reason = error.strerror or str(error)
            raise ImportRefused(f"{self.path} cannot be read: {reason}") from error

    @contextmanager
    def text(self) -> Iterator[io.TextIOWrapper]:
        """The file as text, every line end as it is."""
        try:
            with (
                self.bytes_in() as raw,
                io.TextIOWrapper(raw, encoding=_encoding(self.head), newline="") as file,
            ):
                yield file
        except UnicodeError as error:
            raise ImportRefused(f"{self.name} is not UTF-8 text: save it again as UTF-8") from error

    def lines_in(self) -> Iterator[tuple[int, str]]:
        """Lines with their numbers, without their ends."""
        with self.text() as file:
            for number, line in enumerate(self.whole_lines(file), start=1):
                yield number, line.rstrip("\r\n")

    def whole_lines(self, file: io.TextIOWrapper) -> Iterator[str]:
        """Lines with their ends. No text has one that fills the memory, or zero bytes."""
        number = 1
        while line := file.readline(LONGEST_LINE + 1):
            if len(line) > LONGEST_LINE:
                raise ImportRefused(
                    f"{self.name}, line {number} is longer than {LONGEST_LINE // 1_000_000} MB"
                )
            if "\x00" in line:
                raise ImportRefused(f"{self.name}, line {number} has zero bytes: it is no text")
            yield line
            number += 1


def once_per_source(function: Callable[[Source], Value]) -> Callable[[Source], Value]:
    """Cache what a function says about a source for as long as the source is in use."""
    values: WeakKeyDictionary[Source, Value] = WeakKeyDictionary()

    @wraps(function)
    def cached(source: Source) -> Value:
        if source not in values:
            values[source] = function(source)
        return values[source]

    return cached


def json_stream(source: Source) -> Iterator[tuple[str, Any]]:
    """A JSON file piece by piece: ("", item) of a top-level array, or (key, value) of an object.

    A value that is an array comes item by item, each under its key, so that a file of any length
    passes through in little memory.
    """
    with source.text() as file:
        try:
            yield from json_pieces(file)
        except UnicodeError:
            raise
        except (ValueError, RecursionError) as error:
            raise ImportRefused(f"{source.name} is not valid JSON: {_short(error)}") from error


def json_lines(source: Source) -> Iterator[tuple[int, dict[str, Any]]]:
    """The objects of a JSON Lines file with their line numbers."""
    for number, line in source.lines_in():
        if not line.strip():
            continue
        try:
            record = decoded(line)
        except (ValueError, RecursionError) as error:
            raise ImportRefused(
                f"{source.name}, line {number} is not valid JSON: {_short(error)}"
            ) from error
        if not isinstance(record, dict):
            raise ImportRefused(f"{source.name}, line {number} is not a JSON object")
        yield number, record


def json_document(source: Source) -> Any:
    """A whole JSON file that is not large."""
    with source.text() as file:
        text = file.read(LONGEST_VALUE + 1)
    if len(text) > LONGEST_VALUE:
        raise ImportRefused(f"{source.name} is longer than {LONGEST_VALUE // 1_000_000} MB")
    try:
        return decoded(text)
    except (ValueError, RecursionError) as error:
        raise ImportRefused(f"{source.name} is not valid JSON: {_short(error)}") from error


def _encoding(head: bytes) -> str:
    return next((name for mark, name in _ENCODINGS if head.startswith(mark)), "utf-8")


def _short(error: BaseException) -> str:
    return str(error).split("\n", 1)[0][:200]
