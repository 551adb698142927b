"""What the database said about sessions and permissions, remembered until one of them changes.

A revoked link is dead at once, whoever revoked it and by whatever program: every request asks the
database for its count of such changes, and a new count empties the memory.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Hashable
from concurrent.futures import Future
from datetime import datetime
from typing import TypeVar, cast

from cachetools import LRUCache
from sqlalchemy.orm import Session

from unround.console.access.links import find_session
from unround.console.access.permissions import RunAccess, authorise, authorise_all
from unround.console.access.tokens import hashed
from unround.console.access.viewer import Viewer
from unround.console.errors import Absent
from unround.console.storage.access_version import AccessVersion
from unround.console.storage.database import Database
from unround.console.storage.ids import now

Value = TypeVar("Value")
MOST = 1000  # answers that are remembered beside sessions


class Remembered:
    """The viewers behind session cookies, and what they may open."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._version = AccessVersion(database)
        self._memory = Memory(-1)

    async def current(self) -> Memory:
        """Return the memory, emptied if anything has changed since it was filled."""
        version = await self._version.current()
        if self._memory.version != version:
            self._memory = Memory(version)
        return self._memory

    async def viewer(self, cookie: str) -> Viewer | None:
        """Return the viewer behind a session cookie. To be asked at the start of every request."""
        memory = await self.current()
        found = memory.sessions.get(hashed(cookie))
        if found is None:
            found = await asyncio.to_thread(find_session, self._database, cookie)
            if found is None:
                return None
            memory.remember(cookie, *found)
        viewer, until = found
        return viewer if now() < until else None

    async def access(self, viewer: Viewer, run: str, preview: str | None) -> RunAccess:
        """Return a viewer's permission to see a run's results, or raise why not."""
        if viewer.is_chair:
            key = ("access", viewer, run, preview)
            return await self.recall(key, lambda session: authorise(session, viewer, run, preview))
        everyone = await self.recall(
            ("area chairs", viewer.conference, run),
            lambda session: authorise_all(session, viewer, run),
        )
        if preview is not None or viewer.area_chair not in everyone:
            raise Absent
        return everyone[viewer.area_chair]

    async def recall(self, key: Hashable, read: Callable[[Session], Value]) -> Value:
        """Return what `read` finds in the database, from memory where possible.

        It must depend on nothing but the columns whose changes the database counts. Whoever asks
        for the same while it is read waits for it, and does not read it as well.
        """
        # The same memory to the end: what was read before a change must not outlive it.
        found = self._memory.found
        known = found.get(key)
        if known is not None:
            return cast(Value, await asyncio.wrap_future(known))
        found[key] = reading = Future[object]()
        try:
            value = await self.ask(read)
        except BaseException as error:
            found.pop(key, None)
            reading.set_exception(error)
            raise
        reading.set_result(value)
        return value

    async def ask(self, read: Callable[[Session], Value]) -> Value:
        """Return what `read` finds in the database now."""
        return await asyncio.to_thread(self._read, read)

    def close(self) -> None:
        """Close the connection that reads the count."""
        self._version.close()

    def _read(self, read: Callable[[Session], Value]) -> Value:
        with self._database.reading() as session:
            return read(session)


class Memory:
    """Rows as they were when the count of changes was `version`, or later."""

    def __init__(self, version: int) -> None:
        self.version = version
        self.sessions: dict[str, tuple[Viewer, datetime]] = {}  # by the hash of the cookie
        self.found: LRUCache[Hashable, Future[object]] = LRUCache(MOST)

    def remember(self, cookie: str, viewer: Viewer, until: datetime) -> None:
        """Remember whose a session is, and when it ends."""
        self.sessions[hashed(cookie)] = viewer, until
