"""Open ZIP files that are not trusted: folders, and workbooks in XLSX and OpenDocument."""

from __future__ import annotations

import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from shutil import copyfileobj

from unround.formats.files.source import Source
from unround.formats.model import ImportRefused
from unround.output.targets import refuse_full_disk

MOST_FILES = 200_000
MOST_BYTES = 4_000_000_000
MOST_TIMES = 200  # the packed size: text shrinks to a tenth, so more is taken for an attack
WORKBOOKS = ("xl/workbook.xml", "mimetype")  # XLSX and OpenDocument files are archives too
CHUNK = 1 << 20
MOST_UNPACKED = 1_000_000_000  # bytes of a workbook
SMALL_WORKBOOK = 50_000_000  # bytes, read however much it was packed
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


def is_folder_archive(path: Path) -> bool:
    """Return whether a file is a ZIP file of a folder, not a workbook."""
    if not zipfile.is_zipfile(path):
        return False
    try:
        with zipfile.ZipFile(path) as archive:
            return not any(name in WORKBOOKS for name in archive.namelist())
    except (*BROKEN_ZIP, OSError):
        return False


def unpack(path: Path, folder: Path) -> Path:
    """Unpack into a new folder and return it, or the only folder that the archive holds.

    Names that would lead out of the folder, links and encrypted files are refused, as is more than
    fits a conference. Hidden files and those of the desktop (__MACOSX) are not unpacked.
    """
    try:
        with zipfile.ZipFile(path) as archive:
            wanted = [entry for entry in archive.infolist() if _is_visible_file(entry)]
            _check_entries(path, wanted)
            for entry in wanted:
                target = folder / PurePosixPath(entry.filename)
                target.parent.mkdir(parents=True, exist_ok=True)
                # An entry ends where its header says; of one that is longer the checksum is wrong.
                with archive.open(entry) as packed, target.open("xb") as file:
                    copyfileobj(packed, file)
    except (*BROKEN_ZIP, OSError) as error:
        refuse_full_disk(path.name, error)
        raise ImportRefused(
            f"{path.name} cannot be unpacked: {error}; pack it again, or give the files in it"
        ) from error
    inside = list(folder.iterdir()) if folder.is_dir() else []
    return inside[0] if len(inside) == 1 and inside[0].is_dir() else folder


def _is_visible_file(entry: zipfile.ZipInfo) -> bool:
    parts = PurePosixPath(entry.filename).parts
    hidden = any(part == "__MACOSX" or (part[0] == "." and part != "..") for part in parts)
    return not entry.is_dir() and not hidden


def _check_entries(path: Path, entries: list[zipfile.ZipInfo]) -> None:
    size = sum(entry.file_size for entry in entries)
    if not entries:
        raise ImportRefused(
            f"{path.name} holds no files; give the archive that the system exported"
        )
    if len(entries) > MOST_FILES or size > min(MOST_BYTES, MOST_TIMES * path.stat().st_size):
        raise ImportRefused(
            f"{path.name} would unpack to {len(entries):,} files of {size / 1e6:,.0f} MB, which is "
            "more than is taken: unpack it yourself and give the files that matter"
        )
    for entry in entries:
        name = PurePosixPath(entry.filename)
        is_link = (entry.external_attr >> 16) & 0o170000 == 0o120000
        if name.is_absolute() or ".." in name.parts or "\\" in entry.filename or is_link:
            raise ImportRefused(
                f"{path.name} holds {entry.filename!r}, which leads out of it; pack plain files only"
            )
        if entry.flag_bits & 1:
            raise ImportRefused(f"{path.name} is encrypted: unpack it first")


@contextmanager
def open_package(source: Source, kind: str) -> Iterator[zipfile.ZipFile]:
    """Open a workbook of this kind; refuse one that is broken or would unpack to too much."""
    try:
        with source.open_bytes() as file, zipfile.ZipFile(file) as package:
            _refuse_bombs(source, package)
            yield package
    except BROKEN_ZIP as error:
        raise ImportRefused(
            f"{source.name} is not a readable {kind} file: {error}; open it in a spreadsheet "
            "and save it again"
        ) from error


def _refuse_bombs(source: Source, package: zipfile.ZipFile) -> None:
    entries = package.infolist()
    unpacked = sum(entry.file_size for entry in entries)
    packed = sum(entry.compress_size for entry in entries)
    bursting = unpacked > SMALL_WORKBOOK and unpacked > MOST_TIMES * packed
    if unpacked > MOST_UNPACKED or bursting:
        raise ImportRefused(
            f"{source.name} would unpack to {unpacked // 1_000_000} MB, which is more than is read; save its "
            "tables as CSV"
        )
