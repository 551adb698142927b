"""Write folders and files that appear whole or not at all."""

from __future__ import annotations

import ctypes
import errno
import os
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from unround.errors import UsageError

# A folder is ours to replace when it holds this file.
MARK = "run.json"
_AT_FDCWD = -100
_EXCHANGE = 2


def check_target(target: Path, *, force: bool, mark: str = MARK) -> None:
    """Refuse to write where something stands that is not ours, or ours but not given up."""
    if not target.exists():
        return
    if not target.is_dir():
        raise UsageError(f"{target} is a file; name a folder for the results")
    if not any(target.iterdir()):
        return
    if not (target / mark).is_file():
        raise UsageError(f"{target} holds files that are not from unround; name another folder")
    if not force:
        raise UsageError(
            f"{target} holds earlier results; replace them with --force or name another folder"
        )


@contextmanager
def whole_folder(target: Path, *, force: bool, mark: str = MARK) -> Iterator[Path]:
    """A new folder to write into. It takes the target's place in one step when the block ends well.

    If the block fails, or the process dies, the target is what it was before.
    """
    target = Path(os.path.abspath(target))
    check_target(target, force=force, mark=mark)
    target.parent.mkdir(parents=True, exist_ok=True)
    _sweep_leftovers(target)
    draft = target.parent / f".{target.name}.unfinished-{os.getpid()}"
    draft.mkdir()
    try:
        yield draft
        _flush(draft)
        _put_in_place(draft, target)
    finally:
        shutil.rmtree(draft, ignore_errors=True)


@contextmanager
def whole_file(target: Path) -> Iterator[Path]:
    """Yield a draft to write; it replaces the target in one step when the block ends well.

    If the block fails, the target is what it was before. The draft lies beside the target, in a
    folder that is made if need be, and is named after the process, so that two may write at once.
    """
    target.parent.mkdir(parents=True, exist_ok=True)
    draft = target.with_name(f".{target.name}.unfinished-{os.getpid()}")
    try:
        yield draft
        draft.replace(target)
    finally:
        draft.unlink(missing_ok=True)


def _put_in_place(draft: Path, target: Path) -> None:
    if not target.exists() or not any(target.iterdir()):
        os.replace(draft, target)  # onto nothing, or onto an empty folder
    else:
        _exchange(draft, target)  # the old results are then in the draft's place, and go with it


def _exchange(one: Path, other: Path) -> None:
    """Swap two folders in one step where the system can, else in two."""
    if sys.platform == "linux":
        libc = ctypes.CDLL(None, use_errno=True)
        if hasattr(libc, "renameat2"):
            paths = (os.fsencode(one), os.fsencode(other))
            if libc.renameat2(_AT_FDCWD, paths[0], _AT_FDCWD, paths[1], _EXCHANGE) == 0:
                return
            failed = ctypes.get_errno()
            if failed not in (errno.ENOSYS, errno.EINVAL):
                raise OSError(failed, os.strerror(failed), str(other))
    aside = one.with_name(one.name + ".old")
    os.replace(other, aside)
    try:
        os.replace(one, other)
    except OSError:
        os.replace(aside, other)
        raise
    shutil.rmtree(aside, ignore_errors=True)


def _flush(folder: Path) -> None:
    """Have every byte on the disk before the folder takes its place."""
    for path in [*folder.iterdir(), folder]:
        handle = os.open(path, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def _sweep_leftovers(target: Path) -> None:
    """Remove drafts whose process is gone."""
    for draft in target.parent.glob(f".{target.name}.unfinished-*"):
        owner = draft.name.rsplit("-", 1)[-1]
        if owner.isdigit() and not _is_running(int(owner)):
            shutil.rmtree(draft, ignore_errors=True)


def _is_running(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
