"""Uploaded files: written to the data folder while they arrive, whole or not at all."""

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
FIELD = b"files"
MOST_FILES = 100
LONGEST_HEADER = 8_000


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


@dataclass
class UploadedFile:
    """One file of an upload."""

    name: str
    path: Path
    size: int = 0
    _hash: Any = field(default_factory=hashlib.sha256)

    @property
    def id(self) -> str:
        """The random name of the file in the data folder."""
        return self.path.name

    @property
    def sha256(self) -> str:
        """The hash of the content."""
        digest: str = self._hash.hexdigest()
        return digest

    def add(self, data: bytes) -> None:
        """Count and hash some of the content."""
        self._hash.update(data)
        self.size += len(data)


async def receive(content_type: str, body: AsyncIterator[bytes], folder: Path) -> Upload:
    """Write every file of a multipart body to the disk.

    The caller must `discard` the upload if it cannot add rows for the files.
    """
    media_type, options = parse_options_header(content_type)
    if media_type != b"multipart/form-data" or b"boundary" not in options:
        raise Refusal(415, "Files are taken as multipart/form-data.")
    upload = Upload(folder)
    try:
        parser = MultipartParser(options[b"boundary"], upload.callbacks())
        async for chunk in body:
            await run_in_threadpool(_parse, parser, chunk)
        await run_in_threadpool(upload.complete)
    except BaseException:
        upload.discard()
        raise
    return upload


def _parse(parser: MultipartParser, chunk: bytes) -> None:
    try:
        parser.write(chunk)
    except FormParserError:
        raise Refusal(400, "The upload is broken: it is not well-formed multipart data.") from None


class Upload:
    """Callbacks of a multipart parser that write its parts into files."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._open: IO[bytes] | None = None
        self._header, self._value = b"", b""
        self._headers: dict[bytes, bytes] = {}
        self._ended = False
        self.files: list[UploadedFile] = []

    def callbacks(self) -> Any:
        """Return the callbacks by the parser's names."""
        callbacks: tuple[Callable[..., None], ...] = (
            self.on_part_begin,
            self.on_header_field,
            self.on_header_value,
            self.on_header_end,
            self.on_headers_finished,
            self.on_part_data,
            self.on_part_end,
            self.on_end,
        )
        return {callback.__name__: callback for callback in callbacks}

    def on_part_begin(self) -> None:
        """Begin a part."""
        self._headers = {}

    def on_header_field(self, data: bytes, start: int, end: int) -> None:
        """Take in some of a header's name."""
        self._header += data[start:end]
        self._check_header()

    def on_header_value(self, data: bytes, start: int, end: int) -> None:
        """Take in some of a header's value."""
        self._value += data[start:end]
        self._check_header()

    def on_header_end(self) -> None:
        """Keep a complete header."""
        self._headers[self._header.lower()] = self._value
        self._header = self._value = b""

    def on_headers_finished(self) -> None:
        """Open a file for the content that follows."""
        _, options = parse_options_header(self._headers.get(b"content-disposition", b""))
        if options.get(b"name") != FIELD or b"filename" not in options:
            raise Refusal(422, "The upload must hold files only, in the field 'files'.")
        if len(self.files) >= MOST_FILES:
            raise Refusal(413, f"At most {MOST_FILES} files are taken at a time.")
        name = clean_name(options[b"filename"].decode("utf-8", "replace"))
        path = self._folder / new_id()
        self._open = os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb")
        self.files.append(UploadedFile(name, path))

    def on_part_data(self, data: bytes, start: int, end: int) -> None:
        """Write some of the content."""
        assert self._open is not None
        self._open.write(data[start:end])
        self.files[-1].add(data[start:end])

    def on_part_end(self) -> None:
        """Flush a complete file to the disk."""
        assert self._open is not None
        self._open.flush()
        os.fsync(self._open.fileno())
        self._open.close()
        self._open = None

    def on_end(self) -> None:
        """Note that the last boundary has arrived."""
        self._ended = True

    def complete(self) -> None:
        """Refuse a body that was cut off, and flush the folder's entries to the disk."""
        if not self._ended:
            raise Refusal(400, "The upload is broken: its end is missing.")
        if not self.files:
            raise Refusal(422, "The upload holds no file.")
        if sys.platform == "win32":
            return  # a folder cannot be opened there
        handle = os.open(self._folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)

    def discard(self) -> None:
        """Remove the files."""
        if self._open is not None:
            self._open.close()
            self._open = None
        for file in self.files:
            file.path.unlink(missing_ok=True)

    def _check_header(self) -> None:
        if len(self._header) + len(self._value) > LONGEST_HEADER:
            raise Refusal(400, "The upload is broken: it has a header without end.")
