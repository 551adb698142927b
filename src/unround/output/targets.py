"""Check outputs before the work begins, and explain the operating system's errors."""

from __future__ import annotations

import errno
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryFile, gettempdir

from unround.errors import NotWritten, UnroundError, UsageError
from unround.wording import option

_REASONS = {
    errno.ENOSPC: "the disk is full; make room or name another place",
    errno.EDQUOT: "your quota on this disk is used up; make room or name another place",
    errno.EFBIG: "it would be larger than a file may be here; raise the limit or name another place",
    errno.EACCES: "permission denied; name a place where you may write",
    errno.EPERM: "the system does not permit it; name a place where you may write",
    errno.EROFS: "the disk is read-only; name another place",
    errno.ENAMETOOLONG: "the name is too long; name a shorter one",
    errno.ENOENT: "no file can be made in its folder; name another place",
    errno.ENOTDIR: "a part of its path is a file; name a path of folders",
    errno.ELOOP: "its links lead in a circle; name another place",
    errno.EIO: "the disk reports a fault; name another place",
    errno.ESTALE: "the network disk is gone; name another place",
    errno.EMFILE: "this process has too many open files; raise the limit (ulimit -n)",
    errno.ENFILE: "the machine has too many open files; try again later",
    errno.EBUSY: "it is in use, or a disk is mounted there; name another place",
    errno.EPIPE: "the program reading it has ended",
    errno.ENOMEM: "not enough memory for this input",
    errno.ENXIO: "no device is behind it; name another place",
}
# How errors of polars, which is written in Rust, end.
_RUST = re.compile(r"\(os error (\d+)\)")
# How libraries report that no memory is left, other than by MemoryError.
_NO_MEMORY = re.compile("cannot allocate memory|can't start new thread", re.IGNORECASE)


def system_reason(error: BaseException) -> str | None:
    """Return why the system refused, or None for an error of another kind."""
    number = _number(error)
    return None if number is None else _REASONS.get(number)


@contextmanager
def raising_not_written(target: Path, left: str) -> Iterator[None]:
    """Raise NotWritten where the system refuses to write; `left` says what is at the target then."""
    try:
        yield
    except UnroundError:
        raise
    except Exception as error:
        reason = system_reason(error)
        if reason is None:
            raise
        raise NotWritten(f"{target} cannot be written: {reason}. {left}") from error


def refuse_full_disk(packed: str, error: Exception) -> None:
    """Raise NotWritten if a file could not be unpacked because the disk for temporary files is full."""
    if _number(error) in (errno.ENOSPC, errno.EDQUOT):
        raise NotWritten(
            f"{packed} cannot be unpacked into {gettempdir()}: the disk is full; make room, or name "
            "another folder in the environment variable TMPDIR. No output was written."
        ) from error


def _number(error: BaseException | None) -> int | None:
    """Return the system's number of an error, its own or that of the error behind it."""
    while error is not None:
        if isinstance(error, OSError) and error.errno is not None:
            return error.errno
        if found := _RUST.search(str(error)):
            return int(found.group(1))
        if isinstance(error, MemoryError) or _NO_MEMORY.search(str(error)):
            return errno.ENOMEM
        error = error.__cause__ or error.__context__
    return None


# A folder is ours to replace when it holds one of these files. Readers ignore the first.
MARK = ".unround"
OURS = (MARK, "run.json")


def is_ours(folder: Path) -> bool:
    """Return whether unround has written a folder."""
    return any((folder / name).is_file() for name in OURS)


def check_target(target: Path, *, force: bool) -> None:
    """Refuse a folder with files of others, or with earlier results unless `force` is given."""
    check_path(target)
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
    if not is_ours(target):
        raise UsageError(f"{target} holds files that are not from unround; name another folder")
    if not force:
        raise UsageError(
            f"{target} holds earlier results; replace them with {option('force')} or name another "
            "folder"
        )


def check_file(target: Path, *, force: bool = True) -> None:
    """Refuse to write to a path that is neither a file to replace nor a stream."""
    check_path(target)
    if not target.exists() or is_stream(target):
        return
    if not target.is_file():
        kind = "a folder" if target.is_dir() else "no file"
        raise UsageError(f"{target} is {kind}; name a file to write")
    if not force:
        raise UsageError(f"{target} exists; replace it with {option('force')}")


def check_path(target: Path) -> None:
    """Refuse a path at which nothing can be written."""
    _check_encodable(target)
    with raising_not_written(target, "Nothing was computed."):
        if is_stream(target):
            if not os.access(target, os.W_OK):
                raise _system_error(errno.EACCES)
            return
        real = Path(os.path.realpath(target))  # behind all links; it need not exist
        if real.is_symlink():
            raise _system_error(errno.ELOOP)
        above = next((folder for folder in real.parents if os.path.lexists(folder)), real)
        if not above.is_dir():
            raise _system_error(errno.ENOTDIR)
        longest = os.pathconf(above, "PC_NAME_MAX") if hasattr(os, "pathconf") else 255
        if any(len(os.fsencode(part)) > longest for part in real.relative_to(above).parts):
            raise _system_error(errno.ENAMETOOLONG)
        with TemporaryFile(dir=above):  # a test for write permission
            pass


def is_stream(target: Path) -> bool:
    """Return whether a path is a pipe or a device such as /dev/null, which is written to and stays."""
    return target.is_fifo() or target.is_char_device()


def _system_error(number: int) -> OSError:
    return OSError(number, os.strerror(number))


def _check_encodable(target: Path) -> None:
    """Refuse a name that is not text: no record or message could hold it."""
    try:
        str(target).encode("utf-8")
    except UnicodeEncodeError:
        shown = os.fsencode(target).decode("utf-8", "backslashreplace")
        raise UsageError(f"{shown} is not a UTF-8 name; name another place") from None
