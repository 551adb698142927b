"""Drafts of files and folders: names that no other writer has, and what dead writers left behind."""

from __future__ import annotations

import os
import platform
import secrets
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from zlib import crc32

# Added to the name of a folder that is about to be replaced.
OLD = ".old"
# The draft's name must fit although the target's is as long as a name may be.
_SHOWN = 30


def new_draft(target: Path) -> Path:
    """Return a path beside the target that no other thread, process or machine drafts at."""
    return target.with_name(f"{_prefix(target)}{os.getpid()}-{secrets.token_hex(4)}")


@contextmanager
def alone_in(folder: Path) -> Iterator[None]:
    """Wait until no other writer of this machine renames something in a folder."""
    try:
        import fcntl
    except ImportError:  # Windows
        yield
        return
    try:
        handle = os.open(folder, os.O_RDONLY)
    except PermissionError:  # a folder that others may fill and not look into
        yield
        return
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


def put_back(target: Path) -> None:
    """Restore a folder whose replacement was interrupted between its two renames."""
    for aside in _abandoned(target):
        if aside.name.endswith(OLD) and not target.exists():
            os.replace(aside, target)


def sweep_leftovers(target: Path) -> None:
    """Remove drafts whose process is gone."""
    for draft in _abandoned(target):
        if draft.is_dir():
            shutil.rmtree(draft, ignore_errors=True)
        else:
            draft.unlink(missing_ok=True)


def _abandoned(target: Path) -> list[Path]:
    """Return what processes of this machine left beside the target when they died."""
    prefix = _prefix(target)
    try:
        names = os.listdir(target.parent)
    except PermissionError:
        return []
    return [
        target.with_name(name)
        for name in names
        if name.startswith(prefix) and not _is_running(name[len(prefix) :].partition("-")[0])
    ]


def _prefix(target: Path) -> str:
    """Return how drafts of a target by this machine's processes begin."""
    told_apart = crc32(os.fsencode(target.name))
    return f".{target.name[:_SHOWN]}.unfinished-{told_apart:08x}-{_machine()}-"


@cache
def _machine() -> str:
    """Return a name for where process numbers are told apart: this host, or a container on it."""
    try:
        space = os.stat("/proc/self/ns/pid").st_ino
    except OSError:
        space = 0
    return f"{crc32(f'{platform.node()}/{space}'.encode()):08x}"


def _is_running(process: str) -> bool:
    try:
        os.kill(int(process), 0)
    except ProcessLookupError:
        return False
    except (PermissionError, ValueError):
        return True
    return True
