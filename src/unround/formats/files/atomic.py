"""Write folders and files that appear whole or not at all.

Reviews are confidential: a folder that is made here is for its owner alone. A folder that is there
keeps its permissions, and so decides who can read what is written into it.
"""

from __future__ import annotations

import os
import shutil
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from unround.errors import UsageError

# A folder is ours to replace when it holds this file.
MARK = "run.json"
PRIVATE = 0o700
# Added to the name of a folder that is about to be replaced.
OLD = ".old"


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
    """Yield a new folder to write into; it takes the target's place when the block ends well.

    If the block fails, the target is what it was before. An old folder is renamed before the new one
    takes its name: if the process dies between the two, the next writer puts the old one back.
    """
    target = Path(os.path.realpath(target))
    _put_back(target)
    check_target(target, force=force, mark=mark)
    _make_private(target.parent)
    _sweep_leftovers(target)
    draft = target.parent / f".{target.name}.unfinished-{os.getpid()}"
    draft.mkdir(PRIVATE)
    try:
        yield draft
        if target.exists():
            draft.chmod(stat.S_IMODE(target.stat().st_mode))
        _flush(draft)
        _put_in_place(draft, target)
    finally:
        shutil.rmtree(draft, ignore_errors=True)


def check_file(target: Path) -> None:
    """Refuse to write where something stands that is neither a file nor a stream."""
    if target.exists() and not (target.is_file() or _is_stream(target)):
        kind = "a folder" if target.is_dir() else "no file"
        raise UsageError(f"{target} is {kind}; name a file to write")


@contextmanager
def whole_file(target: Path) -> Iterator[Path]:
    """Yield a draft to write; it replaces the target in one step when the block ends well.

    If the block fails, the target is what it was before. The draft lies beside the target, in a
    folder that is made if need be, and is named after the process, so that two may write at once.
    A link is followed. A pipe or a device such as /dev/null stays what it is: the draft is sent to it.
    """
    check_file(target)
    if _is_stream(target):
        with TemporaryDirectory() as folder:
            draft = Path(folder, target.name)
            yield draft
            with draft.open("rb") as written, target.open("wb") as stream:
                shutil.copyfileobj(written, stream)
        return
    target = Path(os.path.realpath(target))
    _make_private(target.parent)
    draft = target.with_name(f".{target.name}.unfinished-{os.getpid()}")
    try:
        yield draft
        draft.replace(target)
    finally:
        draft.unlink(missing_ok=True)


def _is_stream(target: Path) -> bool:
    return target.is_fifo() or target.is_char_device()


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
    """Have every byte on the disk before the folder takes its place."""
    for path in [*folder.iterdir(), folder]:
        handle = os.open(path, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def _put_back(target: Path) -> None:
    """Restore a folder whose replacement was interrupted between its two renames."""
    for aside in target.parent.glob(f".{target.name}.unfinished-*{OLD}"):
        if not target.exists() and _is_abandoned(aside):
            os.replace(aside, target)


def _sweep_leftovers(target: Path) -> None:
    """Remove drafts whose process is gone."""
    for draft in target.parent.glob(f".{target.name}.unfinished-*"):
        if _is_abandoned(draft):
            shutil.rmtree(draft, ignore_errors=True)


def _is_abandoned(draft: Path) -> bool:
    owner = draft.name.removesuffix(OLD).rsplit("-", 1)[-1]
    return owner.isdigit() and not _is_running(int(owner))


def _is_running(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
