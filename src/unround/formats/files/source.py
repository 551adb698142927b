"""Open files that are not trusted: bounded, decoded, recognised by their first bytes, hashed as read."""

from __future__ import annotations

import csv
import hashlib
import io
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property, wraps
from pathlib import Path
from typing import Any, TypeVar

from unround.formats.model import ImportRefused
from unround.wording import option

HEAD_BYTES = 65_536
MOST_COLUMNS = 5_000
LONGEST_CELL = 10_000_000
LONGEST_LINE = 50_000_000
DELIMITERS = ",\t;|"
# Enough to get past titles and past sheets without a table.
FIRST_ROWS = 40
Value = TypeVar("Value")
_UTF_16 = (b"\xff\xfe", b"\xfe\xff")
_ENCODINGS = ((b"\xef\xbb\xbf", "utf-8-sig"), *((mark, "utf-16") for mark in _UTF_16))
_UNUSED_IN_CP1252 = {0x81, 0x8D, 0x8F, 0x90, 0x9D}
_SEP_LINE = re.compile(r'"?sep=([^\r\n"])"?[,;\t]*\r?\n', re.IGNORECASE)


@dataclass(frozen=True, eq=False)
class Source:
    """One file or folder that the user named, or a file found in one that they named."""

    path: Path
    label: str = ""  # for messages, where the file's own name does not say where it lies
    other_encoding: str = ""  # of text that is not UTF-8, as the user says
    given: Path | None = None  # the path that the user named, where the file lies in it
    given_as_ranking: bool = False
    known: dict[Callable[..., Any], Any] = field(default_factory=dict, init=False, repr=False)

    @property
    def name(self) -> str:
        """The file's name in messages."""
        return self.label or self.path.name

    @property
    def recorded(self) -> Path:
        """The file that is hashed and recorded: for a file inside an archive, the archive."""
        if self.given is None or self.path.is_relative_to(self.given):
            return self.path
        return self.given

    @cached_property
    def is_folder(self) -> bool:
        """Whether it is a folder."""
        return self.path.is_dir()

    @cached_property
    def head(self) -> bytes:
        """The first bytes: enough to recognise a format. Empty for a folder."""
        if self.is_folder:
            return b""
        with self.open_bytes() as file:
            return file.read(HEAD_BYTES)

    @cached_property
    def head_text(self) -> str:
        """The first characters, undecodable ones replaced: for recognising only."""
        return self.head.decode(self.encoding, errors="replace").lstrip("\ufeff")

    @cached_property
    def encoding(self) -> str:
        """The encoding of a text: by its mark, else UTF-8, else what the user said."""
        marked = next((name for mark, name in _ENCODINGS if self.head.startswith(mark)), "")
        if marked or not self.other_encoding or self._not_utf8 is None:
            return marked or "utf-8"
        return self.other_encoding

    @cached_property
    def _not_utf8(self) -> tuple[int, bytes] | None:
        """The first line of a text that is not UTF-8, with its number."""
        with self.open_bytes() as file:
            lines = enumerate(iter(lambda: file.readline(LONGEST_LINE), b""), start=1)
            return next((line for line in lines if not _is_utf8(line[1])), None)

    @property
    def is_zip(self) -> bool:
        """Whether it is a ZIP file: an archive, or a workbook in XLSX or OpenDocument."""
        return self.head.startswith(b"PK\x03\x04")

    @property
    def is_gzip(self) -> bool:
        """Whether it is a gzip file."""
        return self.head.startswith(b"\x1f\x8b")

    @property
    def is_parquet(self) -> bool:
        """Whether it is a Parquet file."""
        return self.head.startswith(b"PAR1")

    @cached_property
    def is_binary(self) -> bool:
        """Whether the file cannot be a text of any kind."""
        return b"\x00" in self.head and not self.head.startswith(_UTF_16)

    @cached_property
    def ends_with_newline(self) -> bool:
        """Whether the last line of a text is complete."""
        with self.open_bytes() as file:
            file.seek(max(0, self.path.stat().st_size - 2))
            return file.read().rstrip(b"\x00").endswith((b"\n", b"\r"))

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
        return next((cells for _, cells in self.head_records(self.delimiter)), [])

    def head_records(self, delimiter: str) -> list[tuple[int, list[str]]]:
        """Return the first records of a delimited text with their lines: for recognising only."""
        if self.is_folder or self.is_binary or self.looks_like_json or self.looks_like_xml:
            return []
        reader = csv.reader(io.StringIO(self.head_text, newline=""), delimiter=delimiter)
        records: list[tuple[int, list[str]]] = []
        begins = 1
        try:
            for row in reader:
                cells = [cell.strip() for cell in row]
                if any(cells) and not (begins == 1 and self.declared_delimiter):
                    records.append((begins, cells))
                if len(records) >= FIRST_ROWS:
                    break
                begins = reader.line_num + 1
        except csv.Error:
            pass
        return records

    @cached_property
    def declared_delimiter(self) -> str:
        """The delimiter of a first line such as sep=; which spreadsheets write and obey."""
        line = _SEP_LINE.match(self.head_text)
        return line.group(1) if line else ""

    @cached_property
    def delimiter(self) -> str:
        """The delimiter that the first line states, or has most of."""
        line = self.head_text.lstrip("\r\n").split("\n", 1)[0]
        return self.declared_delimiter or max(DELIMITERS, key=line.count)

    @contextmanager
    def open_bytes(self) -> Iterator[io.BufferedReader]:
        """Open the file as bytes."""
        try:
            with self.path.open("rb") as file:
                yield file
        except OSError as error:
            reason = error.strerror or str(error)
            raise ImportRefused(f"{self.path} cannot be read: {reason}") from error

    @contextmanager
    def text(self) -> Iterator[io.TextIOWrapper]:
        """Open the file as text, every line end as it is."""
        try:
            with (
                self.open_bytes() as raw,
                io.TextIOWrapper(raw, encoding=self.encoding, newline="") as file,
            ):
                yield file
        except UnicodeError as error:
            raise ImportRefused(f"{self.name} is not {self._undecodable()}") from error

    def _undecodable(self) -> str:
        """Return why a text cannot be decoded, and which encoding may fit."""
        if self.encoding != "utf-8":
            name = "UTF-8" if self.encoding.startswith("utf") else self.encoding
            return f"{name} text: save it again as UTF-8"
        number, line = self._not_utf8 or (1, b"")
        encoding = "latin-1" if _UNUSED_IN_CP1252 & set(line) else "cp1252"
        sample = line.decode(encoding).strip()[:60]
        return (
            f"UTF-8 text. Read as {encoding}, its line {number} begins {sample!r}: if that is "
            f"right, add {option('encoding', encoding)}; if not, save the file again as UTF-8"
        )

    def numbered_lines(self) -> Iterator[tuple[int, str]]:
        """Yield lines with their numbers, without their ends."""
        with self.text() as file:
            for number, line in enumerate(self.whole_lines(file), start=1):
                yield number, line.rstrip("\r\n")

    def whole_lines(self, file: io.TextIOWrapper) -> Iterator[str]:
        """Yield lines with their ends, less byte order marks; refuse what fills the memory or is no text."""
        number = 1
        while line := file.readline(LONGEST_LINE + 1):
            if len(line) > LONGEST_LINE:
                raise ImportRefused(
                    f"{self.name}, line {number} is longer than {LONGEST_LINE // 1_000_000} MB; it "
                    "may not be a table"
                )
            if "\x00" in line:
                raise ImportRefused(
                    f"{self.name}, line {number} has zero bytes, which no text has; export the file again"
                )
            yield line.lstrip("\ufeff") if number == 1 else line
            number += 1


def once_per_source(function: Callable[[Source], Value]) -> Callable[[Source], Value]:
    """Keep a function's value with the source that it is about."""

    @wraps(function)
    def known(source: Source) -> Value:
        if function not in source.known:
            source.known[function] = function(source)
        value: Value = source.known[function]
        return value

    return known


def _is_utf8(text: bytes) -> bool:
    return text.decode("utf-8", "replace").encode() == text


# Values that change whenever a file changes: a replaced file has another inode, and only the system sets
# the last one.
Stamp = tuple[int, int, int, int]


def stamps(roots: Iterable[Path], earlier: Mapping[Path, Stamp]) -> dict[Path, Stamp]:
    """Return the stamp of every file, those of a folder in the order of their names.

    The earlier stamp of a file counts: an archive was unpacked by now.
    """
    files = (path for root in roots for path in _files(root))
    return {path: earlier.get(path) or stamp_of(path) for path in files}


def fingerprints(before: Mapping[Path, Stamp]) -> tuple[tuple[str, str], ...]:
    """Return the names and hashes of files that were read since their stamps were taken."""
    found = tuple((path.name, sha256_of(path) if path.is_file() else "") for path in before)
    for path, stamp in before.items():
        if stamp_of(path) != stamp:
            raise ImportRefused(
                f"{path.name} changed while it was read; try again when nothing writes to it"
            )
    return found


def _files(root: Path) -> list[Path]:
    if not root.is_dir():
        return [root]
    return sorted(path for path in root.rglob("*") if path.is_file())


def stamp_of(path: Path) -> Stamp:
    """Return the stamp of a file as it is now."""
    try:
        found = path.stat()
    except OSError:
        return (0, 0, 0, 0)  # it is gone
    return found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns


def sha256_of(path: Path) -> str:
    """Return the SHA-256 of a file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
