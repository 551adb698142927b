"""Write folders and files that appear whole or not at all.

Reviews are confidential: a folder that is made here is for its owner alone. What is there already
keeps its permissions, and so decides who can read what is written in its place.

Every writer names its drafts differently, and holds a lock on them. What a killed process left behind is
restored or removed by the next writer.
"""

from __future__ import annotations

import logging
import os
import re
import secrets
import shutil
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from zlib import crc32

from unround.output.targets import (
    MARK,
    check_file,
    check_target,
    is_ours,
    is_stream,
    raising_not_written,
)

try:
    import fcntl
except ImportError:  # Windows: nothing is locked, and nothing is swept
    fcntl = None  # type: ignore[assignment]

PRIVATE, PRIVATE_FILE = 0o700, 0o600
UNCHANGED = "No partial output was written; what was there before is unchanged."
# Added to the name of a folder that is about to be replaced.
OLD = ".old"
ANY_DRAFT = re.compile(r"\..*\.unfinished-[0-9a-f]{8}-.*", re.DOTALL)
# Characters of the target's name in the draft's, so that the draft's is never too long.
_NAME_LENGTH = 30
logger = logging.getLogger("unround")


@contextmanager
def whole_folder(target: Path, *, force: bool) -> Iterator[Path]:
    """Yield a new folder to write into; it takes the target's place when the block ends well.

    If the block fails, the target is what it was before. An old folder is renamed before the new one
    takes its name: if the process dies between the two, the next writer puts the old one back. Of two
    that write into one new folder, the second to finish raises UsageError. With `force`, the target may be a
    folder that unround wrote, which the file MARK in it says.
    """
    named, target = target, Path(os.path.realpath(target))
    with raising_not_written(named, UNCHANGED):
        if not target.parent.is_dir():
            check_target(named, force=force)
            _make_private(target.parent)
        draft = new_draft(target)
        with locked(target.parent):  # no other process is between its two renames
            _sweep(target)
            check_target(named, force=force)
            draft.mkdir(PRIVATE)
            lock = _lock(draft)
        try:
            yield draft
            if not is_ours(draft):
                (draft / MARK).touch()
            _flush(draft)
            with locked(target.parent):
                mode = stat.S_IMODE(target.stat().st_mode) if target.exists() else PRIVATE
                if mode == PRIVATE:
                    for path in filter(Path.is_file, draft.rglob("*")):
                        path.chmod(PRIVATE_FILE)
                draft.chmod(mode)
                check_target(named, force=force)  # another process may have written it
                _put_in_place(draft, target)
        finally:
            shutil.rmtree(draft, ignore_errors=True)
            _unlock(lock)


@contextmanager
def whole_file(target: Path, *, private: bool = False) -> Iterator[Path]:
    """Yield a draft to write; it replaces the target in one step when the block ends well.

    If the block fails, the target is what it was before. The draft lies beside the target, in a
    folder that is made if need be, under a name of its own, so that two may write at once.
    A link is followed. A pipe or a device such as /dev/null stays what it is: the draft is sent to it.
    `private`: only its owner can read the file, whoever could read an earlier one.
    """
    check_file(target)
    if is_stream(target):
        with TemporaryDirectory() as folder:
            draft = Path(folder, target.name)
            yield draft
            with (
                raising_not_written(target, "It may have received a part."),
                draft.open("rb") as written,
                target.open("wb") as stream,
            ):
                shutil.copyfileobj(written, stream)
        return
    with raising_not_written(target, UNCHANGED):
        target = Path(os.path.realpath(target))
        _make_private(target.parent)
        draft = new_draft(target)
        with locked(target.parent):
            _sweep(target)
            draft.touch(PRIVATE_FILE if private else 0o666)
            lock = _lock(draft)
        try:
            yield draft
            if target.exists() and not private:
                draft.chmod(stat.S_IMODE(target.stat().st_mode))
            draft.replace(target)
        finally:
            draft.unlink(missing_ok=True)
            _unlock(lock)


def _make_private(folder: Path) -> None:
    """Make a folder and those above it where they are missing."""
    for missing in reversed([one for one in (folder, *folder.parents) if not one.exists()]):
        missing.mkdir(PRIVATE, exist_ok=True)


def _put_in_place(draft: Path, target: Path) -> None:
    """Put the draft in the target's place and remove what the target was."""
    if not target.exists() or not any(target.iterdir()):
        os.replace(draft, target)  # onto nothing, or onto an empty folder
        return
    aside = draft.with_name(draft.name + OLD)
    os.replace(target, aside)
    try:
        os.replace(draft, target)
    except OSError:
        os.replace(aside, target)
        raise
    shutil.rmtree(aside, ignore_errors=True)


def _flush(folder: Path) -> None:
    """Have the files of a folder, but not those of folders in it, on the disk before it takes its place."""
    if fcntl is None:  # Windows opens no folder, and no file just to flush it
        return
    for path in [*folder.iterdir(), folder]:
        handle = os.open(path, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def new_draft(target: Path) -> Path:
    """Return a path beside the target that no other writer drafts at."""
    return target.with_name(f"{_start(target)}{secrets.token_hex(8)}")


def _start(target: Path) -> str:
    """Return how drafts of a target begin."""
    return f".{target.name[:_NAME_LENGTH]}.unfinished-{crc32(os.fsencode(target.name)):08x}-"


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Hold a lock, among the processes of this machine, while names in a folder change."""
    is_draft = ANY_DRAFT.fullmatch(folder.name)  # which its writer has locked
    lock = None if is_draft else _lock(folder)
    try:
        yield
    finally:
        _unlock(lock)


def _lock(path: Path, *, wait: bool = True) -> int | None:
    """Lock a file or folder until `_unlock`; None where that is not possible, or somebody holds it."""
    if fcntl is None:
        return None
    try:
        handle = os.open(path, os.O_RDONLY)
    except OSError:  # such as a folder with permission to write but not to list
        return None
    try:
        fcntl.flock(handle, fcntl.LOCK_EX if wait else fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        os.close(handle)
        if not isinstance(error, BlockingIOError):
            _say_unlocked(error.strerror)
        return None
    return handle


@cache
def _say_unlocked(reason: str) -> None:
    """Say once that the file system has no locks. Drafts of killed writers then stay where they are."""
    logger.warning(
        "The file system of the output has no locks (%s): let no other command write there now.",
        reason,
    )


def _unlock(lock: int | None) -> None:
    if lock is not None:
        os.close(lock)


def _sweep(target: Path) -> None:
    """Restore the target if its replacement was interrupted; remove drafts that nobody holds.

    These are the target's own, and those of files beside it.
    """
    drafts: list[str] = []
    with suppress(PermissionError):
        drafts = [name for name in os.listdir(target.parent) if ANY_DRAFT.fullmatch(name)]
    for draft in map(target.parent.joinpath, drafts):
        ours = draft.name.startswith(_start(target))
        if (draft.is_dir() and not ours) or (lock := _lock(draft, wait=False)) is None:
            continue
        if draft.name.endswith(OLD) and not target.exists():
            os.replace(draft, target)
        elif draft.is_dir():
            shutil.rmtree(draft, ignore_errors=True)
        else:
            draft.unlink(missing_ok=True)
        _unlock(lock)
