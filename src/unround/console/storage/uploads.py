"""Files of a conference in the data folder, uploaded or made here: written whole or not at all.

While a file is added or deleted, an empty file `ID.pending` lies beside it. Should the process die meanwhile,
the next start keeps the file if the database lists it and deletes it otherwise.
"""

from __future__ import annotations

import hashlib
import os
import re
import sys
import unicodedata
from collections.abc import AsyncIterator, Collection, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from sqlalchemy import select
from sqlalchemy.exc import InterfaceError
from sqlalchemy.orm import Session
from starlette.concurrency import run_in_threadpool

from unround.console.storage.orm import FileRow, new_id, now

LONGEST = 120
PENDING = ".pending"
PENDING_NAME = re.compile(rf"([0-9a-f]{{32}}){re.escape(PENDING)}")


def clean_name(given: str) -> str:
    r"""Return the last part of a file name, without characters that a file system or page misreads.

    >>> clean_name("C:\\exports\\reviews (2).csv"), clean_name("../../etc/passwd"), clean_name("..")
    ('reviews (2).csv', 'passwd', 'file')
    """
    last = unicodedata.normalize("NFC", given).replace("\\", "/").rsplit("/", 1)[-1]
    kept = re.sub(r"[^\w .,()+@=~-]", "_", last).strip(" .")
    stem, dot, ending = kept.rpartition(".")
    if len(kept) > LONGEST and dot and len(ending) < 10:
        kept = f"{stem[: LONGEST - len(ending) - 1]}.{ending}"
    while len(kept[:LONGEST].encode()) > 240:  # a file system counts bytes
        kept = kept[1:]
    return kept[:LONGEST] or "file"


class NewFile:
    """A file that is being written into the folder of uploads, under a random name."""

    def __init__(self, folder: Path, name: str) -> None:
        self.id, self.name, self.size = new_id(), clean_name(name), 0
        self._path, self._hash = folder / self.id, hashlib.sha256()
        self.pending = folder / f"{self.id}{PENDING}"
        self.pending.touch(0o600)
        handle = os.open(self._path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        self._file = os.fdopen(handle, "wb")

    def write(self, data: bytes) -> None:
        """Write some of the content."""
        self._file.write(data)
        self._hash.update(data)
        self.size += len(data)

    def finish(self) -> None:
        """Have the content and the folder's entry on the disk."""
        self._file.flush()
        os.fsync(self._file.fileno())
        self._file.close()
        if sys.platform == "win32":
            return  # a folder cannot be opened there
        handle = os.open(self._path.parent, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)

    def discard(self) -> None:
        """Remove the file."""
        remove(self._path.parent, [self.id])
        self._file.close()

    def row(self, conference: str) -> FileRow:
        """Return the row of the file, once it is finished."""
        return FileRow(
            id=self.id,
            conference=conference,
            name=self.name,
            size=self.size,
            sha256=self._hash.hexdigest(),
            uploaded=now(),
        )


def begin_removal(folder: Path, files: Iterable[str]) -> None:
    """Note that files are about to leave the database, so that the next start can finish `remove`."""
    for file in files:
        with suppress(OSError):  # on a full disk: files are deleted to make room
            (folder / f"{file}{PENDING}").touch(0o600)


def remove(folder: Path, files: Iterable[str]) -> None:
    """Delete files that the database does not list."""
    for file in files:
        (folder / file).unlink(missing_ok=True)
        (folder / f"{file}{PENDING}").unlink(missing_ok=True)


def settle(folder: Path, listed: Collection[str]) -> None:
    """Finish what a process left that died while it added or deleted files, given those of the database."""
    for pending in filter(None, map(PENDING_NAME.fullmatch, os.listdir(folder))):
        if pending[1] in listed:
            (folder / pending[0]).unlink()
        else:
            remove(folder, [pending[1]])


def files_named(session: Session, conference: str, names: Iterable[str]) -> list[FileRow]:
    """Return the files of a conference that have one of these names."""
    cleaned = FileRow.name.in_(map(clean_name, names))
    return list(session.scalars(select(FileRow).where(FileRow.conference == conference, cleaned)))


@contextmanager
def removed_unless_listed(file: NewFile) -> Iterator[None]:
    """Remove a file if the block, which writes its row, raises.

    With the connection to the database it is lost whether the row was written: the next start finds out.
    """
    try:
        yield
    except InterfaceError:
        raise
    except BaseException:
        file.discard()
        raise
    file.pending.unlink()


async def receive(folder: Path, name: str, body: AsyncIterator[bytes]) -> NewFile:
    """Write a body to the disk while it arrives; the caller writes the row (`removed_unless_listed`)."""
    file = NewFile(folder, name)
    try:
        async for data in body:
            await run_in_threadpool(file.write, data)
        await run_in_threadpool(file.finish)
    except BaseException:
        file.discard()
        raise
    return file


@contextmanager
def add_files(
    folder: Path, conference: str, contents: Sequence[tuple[str, bytes]]
) -> Iterator[list[FileRow]]:
    """Write files, by name and content, and yield their rows; remove them if the block raises."""
    files: list[NewFile] = []
    with ExitStack() as kept:
        for name, content in contents:
            files.append(NewFile(folder, name))
            kept.enter_context(removed_unless_listed(files[-1]))
            files[-1].write(content)
            files[-1].finish()
        yield [file.row(conference) for file in files]
