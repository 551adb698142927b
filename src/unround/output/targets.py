"""Refuse an output that cannot be written or is not ours to replace, before the work begins."""

from __future__ import annotations

import errno
import os
from pathlib import Path
from tempfile import TemporaryFile

from unround.errors import UsageError
from unround.output.system_errors import told_as_not_written
from unround.wording import option

# A folder is ours to replace when it holds this file.
MARK = "run.json"
NOTHING_BEGUN = "Nothing was begun"


def check_target(target: Path, *, force: bool, mark: str = MARK) -> None:
    """Refuse a folder that holds what is not ours, or ours but not given up."""
    check_place(target)
    if not target.exists():
        return
    if not target.is_dir():
        raise UsageError(f"{target} is a file; name a folder for the results")
    if os.path.ismount(target):
        raise UsageError(
            f"a disk is mounted at {target}, which cannot be replaced; name a folder in it, such as "
            f"{target / 'results'}"
        )
    if not any(target.iterdir()):
        return
    if not (target / mark).is_file():
        raise UsageError(f"{target} holds files that are not from unround; name another folder")
    if not force:
        raise UsageError(
            f"{target} holds earlier results; replace them with {option('force')} or name another "
            "folder"
        )


def check_file(target: Path, *, force: bool = True) -> None:
    """Refuse to write where something stands that is neither a file to replace nor a stream."""
    check_place(target)
    if not target.exists() or is_stream(target):
        return
    if not target.is_file():
        kind = "a folder" if target.is_dir() else "no file"
        raise UsageError(f"{target} is {kind}; name a file to write")
    if not force:
        raise UsageError(f"{target} exists; replace it with {option('force')}")


def check_place(target: Path) -> None:
    """Refuse a path at which nothing can be written."""
    _check_encodable(target)
    with told_as_not_written(target, f"{NOTHING_BEGUN}."):
        if is_stream(target):
            if not os.access(target, os.W_OK):
                raise _system_error(errno.EACCES)
            return
        real = _followed(target)
        above = next((folder for folder in real.parents if os.path.lexists(folder)), real)
        if not above.is_dir():
            raise _system_error(errno.ENOTDIR)
        longest = os.pathconf(above, "PC_NAME_MAX") if hasattr(os, "pathconf") else 255
        if any(len(os.fsencode(part)) > longest for part in real.relative_to(above).parts):
            raise _system_error(errno.ENAMETOOLONG)
        with TemporaryFile(dir=above):  # whether a file can be made is known when one was made
            pass


def is_stream(target: Path) -> bool:
    """Return whether a path is a pipe or a device such as /dev/null, which is written to and stays."""
    return target.is_fifo() or target.is_char_device()


def _followed(target: Path) -> Path:
    """Return the path behind all links, which need not exist."""
    real = Path(os.path.realpath(target))
    if real.is_symlink():
        raise _system_error(errno.ELOOP)
    return real


def _system_error(number: int) -> OSError:
    return OSError(number, os.strerror(number))


def _check_encodable(target: Path) -> None:
    """Refuse a name that is not text: no record or message could hold it."""
    try:
        str(target).encode("utf-8")
    except UnicodeEncodeError:
        shown = os.fsencode(target).decode("utf-8", "backslashreplace")
        raise UsageError(f"{shown} is not a UTF-8 name; name another place") from None
