"""Open ZIP packages that are not trusted: workbooks in XLSX and OpenDocument."""

from __future__ import annotations

import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager

from unround.formats.files.source import Source
from unround.formats.model import ImportRefused

ZIP_MARK = b"PK\x03\x04"
MOST_UNPACKED = 1_000_000_000
# Deflated text shrinks to a tenth, seldom to a fiftieth; what shrinks more was made to burst.
SUSPICIOUS_SIZE, SUSPICIOUS_RATIO = 50_000_000, 200
# What zipfile raises for archives that were cut, changed or encrypted; NotImplementedError for a way of
# packing that it does not know.
BROKEN_ZIP = (
    zipfile.BadZipFile,
    zlib.error,
    EOFError,
    NotImplementedError,
    RuntimeError,
    ValueError,
)


@contextmanager
def open_package(source: Source, kind: str) -> Iterator[zipfile.ZipFile]:
    """Open a workbook of this kind; refuse one that is broken or would unpack to too much."""
    try:
        with source.bytes_in() as file, zipfile.ZipFile(file) as package:
            _refuse_bombs(source, package)
            yield package
    except BROKEN_ZIP as error:
        raise ImportRefused(f"{source.name} is not a readable {kind} file: {error}") from error


def _refuse_bombs(source: Source, package: zipfile.ZipFile) -> None:
    entries = package.infolist()
    unpacked = sum(entry.file_size for entry in entries)
    packed = sum(entry.compress_size for entry in entries)
    bursting = unpacked > SUSPICIOUS_SIZE and unpacked > SUSPICIOUS_RATIO * packed
    if unpacked > MOST_UNPACKED or bursting:
        raise ImportRefused(f"{source.name} would unpack to {unpacked // 1_000_000} MB: refused")
