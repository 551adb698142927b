"""Files that the console itself makes for a conference, beside those that were uploaded."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from unround.console.storage.ids import new_id, now
from unround.console.storage.orm import FileRow
from unround.console.storage.uploads import clean_name


@contextmanager
def add_made_files(
    folder: Path, conference: str, files: Sequence[tuple[str, bytes]]
) -> Iterator[list[FileRow]]:
    """Write files, by name and content, and yield their rows; remove them if the block raises."""
    rows: list[FileRow] = []
    try:
        for name, content in files:
            rows.append(_row(conference, name, content))
            _write(folder / rows[-1].id, content)
        yield rows
    except BaseException:
        for row in rows:
            (folder / row.id).unlink(missing_ok=True)
        raise


def _row(conference: str, name: str, content: bytes) -> FileRow:
    return FileRow(
        id=new_id(),
        conference=conference,
        name=clean_name(name),
        size=len(content),
        sha256=hashlib.sha256(content).hexdigest(),
        uploaded=now(),
    )


def _write(path: Path, content: bytes) -> None:
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(handle, "wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
