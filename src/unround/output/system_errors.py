"""Why the system refused to write, in words: whichever library passed its error on."""

from __future__ import annotations

import errno
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import gettempdir

from unround.errors import NotWritten, UnroundError

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
    errno.EPIPE: "whoever was reading it is gone",
    errno.ENOMEM: "this machine has too little memory for it",
    errno.ENXIO: "no device is behind it; name another place",
}
# How errors of polars, which is written in Rust, end.
_RUST = re.compile(r"\(os error (\d+)\)")


def system_reason(error: BaseException) -> str | None:
    """Return why the system refused, or None for an error of another kind."""
    number = _number(error)
    return None if number is None else _REASONS.get(number)


@contextmanager
def told_as_not_written(target: Path, left: str) -> Iterator[None]:
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
    """Raise NotWritten if a file could not be unpacked because the disk for passing files is full."""
    if _number(error) in (errno.ENOSPC, errno.EDQUOT):
        raise NotWritten(
            f"{packed} cannot be unpacked into {gettempdir()}: the disk is full; make room, or name "
            "another folder by the environment variable TMPDIR. Nothing was begun."
        ) from error


def _number(error: BaseException | None) -> int | None:
    """Return the system's number of an error, its own or that of the error behind it."""
    while error is not None:
        if isinstance(error, OSError) and error.errno is not None:
            return error.errno
        if found := _RUST.search(str(error)):
            return int(found.group(1))
        error = error.__cause__ or error.__context__
    return None
