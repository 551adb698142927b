"""Connections that are ended: headers that do not arrive, and readers that do not read.

Without limits, somebody who opens connections and sends half a header, or asks for a page and never
reads it, holds memory and descriptors for as long as they like. A body that was refused before its
end is another matter: it is read on and thrown away for a while, so that the answer is not lost on
a browser that is still sending.
"""

from __future__ import annotations

import asyncio
import sys
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

HEADER_SECONDS = 20.0  # for the headers of a request to arrive
HEADER_BYTES = 32_768
READER_SECONDS = 60.0  # without a byte taken by the reader
BODY_SECONDS = 60.0  # for the rest of a body that was answered already
MOST_CONNECTIONS = 5_000
SPARE_FILES = 200  # descriptors for the database, uploads and workers
_Base: Any = HttpToolsProtocol


def raise_file_limit() -> int:
    """Allow as many open files as the system lets us, and return how many connections fit."""
    if sys.platform == "win32":
        return MOST_CONNECTIONS
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = MOST_CONNECTIONS + SPARE_FILES
    if hard != resource.RLIM_INFINITY:
        wanted = min(wanted, hard)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
        soft = wanted
    return MOST_CONNECTIONS if soft > MOST_CONNECTIONS else max(soft - SPARE_FILES, 50)


class ImpatientProtocol(_Base):  # type: ignore[misc]
    """uvicorn's protocol, with a time for headers, for readers and for bodies already answered."""

    header_seconds, reader_seconds, body_seconds = HEADER_SECONDS, READER_SECONDS, BODY_SECONDS

    def connection_made(self, transport: asyncio.Transport) -> None:
        """Begin to wait for the first request."""
        super().connection_made(transport)
        self._header_bytes, self._body_arrives = 0, False
        self._header_timer: asyncio.TimerHandle | None = None
        self._reader_timer: asyncio.TimerHandle | None = None
        self._body_timer: asyncio.TimerHandle | None = None
        self._wait_for_headers()

    def data_received(self, data: bytes) -> None:
        """Count the bytes of headers that are not complete."""
        if not self._body_arrives:
            self._wait_for_headers()
            self._header_bytes += len(data)
        super().data_received(data)
        if self._header_bytes > HEADER_BYTES and self._header_timer is not None:
            self.transport.abort()

    def on_message_begin(self) -> None:
        """Begin to wait for the headers of a request that came with the end of another."""
        self._wait_for_headers()
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        """Go on to the body, if there is one."""
        self._cancel_header_timer()
        self._body_arrives = True
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        """Be ready for the next request."""
        self._cancel_body_timer()
        self._body_arrives = False
        super().on_message_complete()

    def on_response_complete(self) -> None:
        """Read on for a while where the request was answered before its end."""
        super().on_response_complete()
        if self._body_arrives and self.cycle.response_complete:
            self._body_timer = self.loop.call_later(self.body_seconds, self.transport.abort)

    def pause_writing(self) -> None:
        """Begin to wait for the reader."""
        self.flow.pause_writing()
        self._wait_for_reader(self.transport.get_write_buffer_size())

    def resume_writing(self) -> None:
        """Go on: the reader reads."""
        self._cancel_reader_timer()
        self.flow.resume_writing()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop every wait."""
        self._cancel_header_timer()
        self._cancel_reader_timer()
        self._cancel_body_timer()
        super().connection_lost(exc)

    def _wait_for_headers(self) -> None:
        if self._header_timer is None:
            self._header_timer = self.loop.call_later(self.header_seconds, self.transport.abort)

    def _wait_for_reader(self, waiting: int) -> None:
        """Look again later, and end the connection if not a byte was taken until then."""
        self._reader_timer = self.loop.call_later(self.reader_seconds, self._look, waiting)

    def _look(self, waiting: int) -> None:
        left = self.transport.get_write_buffer_size()
        if left >= waiting:
            self.transport.abort()
        else:
            self._wait_for_reader(left)

    def _cancel_header_timer(self) -> None:
        self._header_bytes = 0
        if self._header_timer is not None:
            self._header_timer.cancel()
            self._header_timer = None

    def _cancel_reader_timer(self) -> None:
        if self._reader_timer is not None:
            self._reader_timer.cancel()
            self._reader_timer = None

    def _cancel_body_timer(self) -> None:
        if self._body_timer is not None:
            self._body_timer.cancel()
            self._body_timer = None
