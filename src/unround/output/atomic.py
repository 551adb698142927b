"""Write folders and files that appear whole or not at all.

Reviews are confidential: a folder that is made here is for its owner alone. What is there already
keeps its permissions, and so decides who can read what is written in its place.

Every writer names its drafts differently. What a killed process left behind is restored or removed.
"""

from __future__ import annotations

import os
import platform
import re
import secrets
import shutil
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from zlib import crc32

from unround.errors import UsageError
from unround.output.targets import MARK, check_file, check_target, is_stream, raising_not_written

PRIVATE, PRIVATE_FILE = 0o700, 0o600
UNCHANGED = "No partial output was written; what was there before is unchanged."
# Added to the name of a folder that is about to be replaced.
OLD = ".old"
ANY_DRAFT = r"\..*\.unfinished-[0-9a-f]{8}-"
# Characters of the target's name in the draft's, so that the draft's is never too long.
_NAME_LENGTH = 30


@contextmanager
def whole_folder(target: Path, *, force: bool, mark: str = MARK) -> Iterator[Path]:
    """Yield a new folder to write into; it takes the target's place when the block ends well.

    If the block fails, the target is what it was before. An old folder is renamed before the new one
    takes its name: if the process dies between the two, the next writer puts the old one back. Of two
    that write into one new folder, the second to finish raises UsageError.
    """
    named, target = target, Path(os.path.realpath(target))
    with raising_not_written(named, UNCHANGED):
        if target.parent.is_dir():
            with folder_lock(target.parent):  # no other process is between its two renames
                restore_interrupted(target)
                check_target(named, force=force, mark=mark)
        else:
            check_target(named, force=force, mark=mark)
        _make_private(target.parent)
        sweep_leftovers(target)
        draft = new_draft(target)
        draft.mkdir(PRIVATE)
        try:
            yield draft
            _flush(draft)
            with folder_lock(target.parent):
                mode = stat.S_IMODE(target.stat().st_mode) if target.exists() else PRIVATE
                if mode == PRIVATE:
                    for path in filter(Path.is_file, draft.rglob("*")):
                        path.chmod(PRIVATE_FILE)
                draft.chmod(mode)
                _check_again(named, force=force, mark=mark)
                _put_in_place(draft, target)
        finally:
            shutil.rmtree(draft, ignore_errors=True)


@contextmanager
def whole_file(target: Path) -> Iterator[Path]:
    """Yield a draft to write; it replaces the target in one step when the block ends well.

    If the block fails, the target is what it was before. The draft lies beside the target, in a
    folder that is made if need be, under a name of its own, so that two may write at once.
    A link is followed. A pipe or a device such as /dev/null stays what it is: the draft is sent to it.
    """
    check_file(target)
    if is_stream(target):
        with TemporaryDirectory() as folder:
            draft = Path(folder, target.name)
            yield draft
            with raising_not_written(target, "It may have received a part."):
                _send(draft, target)
        return
    with raising_not_written(target, UNCHANGED):
        target = Path(os.path.realpath(target))
        _make_private(target.parent)
        sweep_leftovers(target)
        draft = new_draft(target)
        try:
            yield draft
            if target.exists():
                draft.chmod(stat.S_IMODE(target.stat().st_mode))
            draft.replace(target)
        finally:
            draft.unlink(missing_ok=True)


def _send(draft: Path, stream: Path) -> None:
    with draft.open("rb") as written, stream.open("wb") as opened:
        shutil.copyfileobj(written, opened)


def _check_again(target: Path, *, force: bool, mark: str) -> None:
    """Refuse a target that another process has written since the work began."""
    try:
        check_target(target, force=force, mark=mark)
    except UsageError as error:
        raise UsageError(
            f"another process wrote into {target} meanwhile, so nothing was written: {error}"
        ) from None


def _make_private(folder: Path) -> None:
    """Make a folder and those above it where they are missing."""
    for missing in reversed([one for one in (folder, *folder.parents) if not one.exists()]):
        missing.mkdir(PRIVATE, exist_ok=True)


def _put_in_place(draft: Path, target: Path) -> None:
    if not target.exists() or not any(target.iterdir()):
        os.replace(draft, target)  # onto nothing, or onto an empty folder
    else:
        _exchange(draft, target)


def _exchange(draft: Path, target: Path) -> None:
    """Put the draft in the target's place and remove what the target was."""
    aside = draft.with_name(draft.name + OLD)
    os.replace(target, aside)
    try:
        os.replace(draft, target)
    except OSError:
        os.replace(aside, target)
        raise
    shutil.rmtree(aside, ignore_errors=True)


def _flush(folder: Path) -> None:
    """Write every byte to the disk before the folder takes its place."""
    for path in [*folder.iterdir(), folder]:
        handle = os.open(path, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def new_draft(target: Path) -> Path:
    """Return a path beside the target that no other thread, process or machine drafts at."""
    return target.with_name(f"{_start(target)}{_machine()}-{os.getpid()}-{secrets.token_hex(4)}")


@contextmanager
def folder_lock(folder: Path) -> Iterator[None]:
    """Hold a lock, among the processes of this machine, while names in a folder change."""
    try:
        import fcntl
    except ImportError:  # Windows
        yield
        return
    try:
        handle = os.open(folder, os.O_RDONLY)
    except PermissionError:  # a folder with permission to write but not to list
        yield
        return
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


def restore_interrupted(target: Path) -> None:
    """Restore a folder whose replacement was interrupted between its two renames."""
    for aside in _abandoned(target.parent, re.escape(_start(target))):
        if aside.name.endswith(OLD) and not target.exists():
            os.replace(aside, target)


def sweep_leftovers(target: Path) -> None:
    """Remove drafts whose process is gone: the target's, and those of files beside it."""
    for draft in _abandoned(target.parent, ANY_DRAFT):
        if not draft.is_dir():
            draft.unlink(missing_ok=True)
        elif draft.name.startswith(_start(target)):
            shutil.rmtree(draft, ignore_errors=True)


def _abandoned(folder: Path, start: str) -> list[Path]:
    """Return the drafts with names that start like this which dead processes of this machine left."""
    draft = re.compile(rf"{start}{_machine()}-(\d+)-.*", re.DOTALL)
    try:
        found = map(draft.fullmatch, os.listdir(folder))
    except PermissionError:
        return []
    return [folder / one[0] for one in found if one and not _is_running(one[1])]


def _start(target: Path) -> str:
    """Return how drafts of a target begin."""
    return f".{target.name[:_NAME_LENGTH]}.unfinished-{crc32(os.fsencode(target.name)):08x}-"


@cache
def _machine() -> str:
    """Return a name for the namespace of process ids: this host, or a container on it."""
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
    except (PermissionError, OverflowError):
        return True
    return True
