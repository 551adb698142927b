"""Names of uploaded files: for showing, and for messages that mention them."""

from __future__ import annotations

import hashlib
import os
import re
import sys
import unicodedata
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

from python_multipart.exceptions import FormParserError
from python_multipart.multipart import MultipartParser, parse_options_header
from starlette.concurrency import run_in_threadpool

from unround.console.errors import Refusal
from unround.console.storage.ids import new_id

LONGEST = 120


def clean_name(given: str) -> str:
    r"""The last part of a name, with nothing in it that a file system or a page could take amiss.

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


FIELD = b"files"
MOST_FILES = 100
LONGEST_HEADER = 8_000


@dataclass
class Received:
    """One file that came in."""

    name: str
    path: Path
    size: int = 0
    _hash: Any = field(default_factory=hashlib.sha256)

    @property
    def id(self) -> str:
        """The random name that it lies under."""
        return self.path.name

    @property
    def sha256(self) -> str:
        """The hash of what came."""
        digest: str = self._hash.hexdigest()
        return digest

    def add(self, data: bytes) -> None:
        """Account for some bytes."""
        self._hash.update(data)
        self.size += len(data)


async def receive(content_type: str, body: AsyncIterator[bytes], folder: Path) -> Writing:
    """Every file of a multipart body, on the disk to the last byte.

    Until `keep` is called the files are drafts: whoever takes them calls `discard` on any failure.
    """
    kind, options = parse_options_header(content_type)
    if kind != b"multipart/form-data" or b"boundary" not in options:
        raise Refusal(415, "Files are taken as multipart/form-data.")
    writing = Writing(folder)
    try:
        parser = MultipartParser(options[b"boundary"], writing.callbacks())
        async for chunk in body:
            await run_in_threadpool(_parsed, parser, chunk)
        await run_in_threadpool(writing.complete)
    except BaseException:
        writing.discard()
        raise
    return writing


def _parsed(parser: MultipartParser, chunk: bytes) -> None:
    try:
        parser.write(chunk)
    except FormParserError:
        raise Refusal(400, "The upload is broken: it is not well-formed multipart data.") from None


class Writing:
    """Follows a multipart parser and writes its parts into files."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._file: IO[bytes] | None = None
        self._header, self._value = b"", b""
        self._headers: dict[bytes, bytes] = {}
        self._ended = False
        self.received: list[Received] = []

    def callbacks(self) -> Any:
        """What the parser calls."""
        names: tuple[Callable[..., None], ...] = (
            self.on_part_begin,
            self.on_header_field,
            self.on_header_value,
            self.on_header_end,
            self.on_headers_finished,
            self.on_part_data,
            self.on_part_end,
            self.on_end,
        )
        return {call.__name__: call for call in names}

    def on_part_begin(self) -> None:
        """A part begins."""
        self._headers = {}

    def on_header_field(self, data: bytes, start: int, end: int) -> None:
        """Some of a header's name."""
        self._header += data[start:end]
        self._check_header()

    def on_header_value(self, data: bytes, start: int, end: int) -> None:
        """Some of a header's value."""
        self._value += data[start:end]
        self._check_header()

    def on_header_end(self) -> None:
        """A header is complete."""
        self._headers[self._header.lower()] = self._value
        self._header = self._value = b""

    def on_headers_finished(self) -> None:
        """The content follows: open a file for it."""
        _, options = parse_options_header(self._headers.get(b"content-disposition", b""))
        if options.get(b"name") != FIELD or b"filename" not in options:
            raise Refusal(422, "The upload must hold files only, in the field 'files'.")
        if len(self.received) >= MOST_FILES:
            raise Refusal(413, f"At most {MOST_FILES} files are taken at a time.")
        name = clean_name(options[b"filename"].decode("utf-8", "replace"))
        path = self._folder / new_id()
        self._file = os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb")
        self.received.append(Received(name, path))

    def on_part_data(self, data: bytes, start: int, end: int) -> None:
        """Some content."""
        assert self._file is not None
        self._file.write(data[start:end])
        self.received[-1].add(data[start:end])

    def on_part_end(self) -> None:
        """A file is complete: have it on the disk."""
        assert self._file is not None
        self._file.flush()
        os.fsync(self._file.fileno())
        self._file.close()
        self._file = None

    def on_end(self) -> None:
        """The last boundary was seen."""
        self._ended = True

    def complete(self) -> None:
        """Refuse a body that was cut off, and have the folder's entries on the disk too."""
        if not self._ended:
            raise Refusal(400, "The upload is broken: its end is missing.")
        if not self.received:
            raise Refusal(422, "The upload holds no file.")
        if sys.platform == "win32":
            return  # a folder cannot be opened there
        handle = os.open(self._folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)

    def discard(self) -> None:
        """Remove what was written."""
        if self._file is not None:
            self._file.close()
            self._file = None
        for file in self.received:
            file.path.unlink(missing_ok=True)

    def _check_header(self) -> None:
        if len(self._header) + len(self._value) > LONGEST_HEADER:
            raise Refusal(400, "The upload is broken: it has a header without end.")
