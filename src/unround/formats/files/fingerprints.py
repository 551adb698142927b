"""The SHA-256 of files as they were read: a file that changes meanwhile is refused."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import NamedTuple

from unround.formats.model import ImportRefused


class Fingerprint(NamedTuple):
    """A file's name and what it held."""

    file: str
    sha256: str


class Stamp(NamedTuple):
    """What changes with every change of a file: a file that was replaced has another inode."""

    inode: int
    size: int
    modified: int
    changed: int  # set by the system alone, whatever `modified` is set to


def stamps(roots: Iterable[Path], earlier: Mapping[Path, Stamp]) -> dict[Path, Stamp]:
    """Return the stamp of every file, those of a folder in the order of their names.

    The earlier stamp of a file counts: an archive was unpacked by now.
    """
    files = (path for root in roots for path in _files(root))
    return {path: earlier.get(path) or stamp_of(path) for path in files}


def fingerprints(before: Mapping[Path, Stamp]) -> tuple[Fingerprint, ...]:
    """Return the hashes of files that were read since their stamps were taken."""
    found = tuple(
        Fingerprint(path.name, sha256_of(path) if path.is_file() else "") for path in before
    )
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
        return Stamp(0, 0, 0, 0)  # it is gone
    return Stamp(found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns)


def sha256_of(path: Path) -> str:
    """Return the SHA-256 of a file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
