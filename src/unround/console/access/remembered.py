"""What the database said about sessions and permissions, remembered until one of them changes.

A revoked link is dead at once, whoever revoked it and by whatever program: every request asks the
database for its count of such changes, and a new count empties the memory.
"""

from __future__ import annotations

from datetime import datetime

from starlette.concurrency import run_in_threadpool

from unround.console.access.links import find_session
from unround.console.access.permissions import RunAccess, authorise
from unround.console.access.tokens import hashed
from unround.console.access.viewer import Viewer
from unround.console.storage.access_version import AccessVersion
from unround.console.storage.database import Database
from unround.console.storage.ids import now


class Remembered:
    """The viewers behind session cookies, and what they may open."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._version = AccessVersion(database)
        self._memory = _Memory(-1)

    async def viewer(self, cookie: str) -> Viewer | None:
        """Return the viewer behind a session cookie. To be asked at the start of every request."""
        if self._version.is_quick:
            memory = self._current()
        else:
            memory = await run_in_threadpool(self._current)
        key = hashed(cookie)
        found = memory.sessions.get(key)
        if found is None:
            found = await run_in_threadpool(find_session, self._database, cookie)
            if found is None:
                return None
            memory.sessions[key] = found
        viewer, until = found
        return viewer if now() < until else None

    async def access(self, viewer: Viewer, run: str, preview: str | None) -> RunAccess:
        """Return a viewer's permission to see a run's results, or raise why not."""
        # The same memory to the end: what was read before a change must not outlive it.
        memory, key = self._memory, (viewer, run, preview)
        if key not in memory.accesses:
            memory.accesses[key] = await run_in_threadpool(self._authorise, viewer, run, preview)
        return memory.accesses[key]

    def close(self) -> None:
        """Close the connection that reads the count."""
        self._version.close()

    def _current(self) -> _Memory:
        """Return the memory, emptied if anything has changed since it was filled."""
        version = self._version.read()
        if self._memory.version != version:
            self._memory = _Memory(version)
        return self._memory

    def _authorise(self, viewer: Viewer, run: str, preview: str | None) -> RunAccess:
        with self._database.reading() as session:
            return authorise(session, viewer, run, preview)


class _Memory:
    """Rows as they were when the count of changes was `version`, or later."""

    def __init__(self, version: int) -> None:
        self.version = version
        self.sessions: dict[str, tuple[Viewer, datetime]] = {}  # by the hash of the cookie
        self.accesses: dict[tuple[Viewer, str, str | None], RunAccess] = {}
