"""What a server looks after while it runs: jobs that nobody works on, and space of deleted rows."""

from __future__ import annotations

import logging
import threading

from unround.console.errors import storage_error
from unround.console.jobs.supervisor import Supervisor
from unround.console.storage.database import Database, give_back

PAUSE = 5.0  # seconds
PATIENCE = 10.0
logger = logging.getLogger("unround.console")


class Housekeeper:
    """A thread that looks every few seconds. A database that is away is looked at again later."""

    def __init__(self, database: Database, supervisor: Supervisor, pause: float = PAUSE) -> None:
        self._database, self._supervisor, self._pause = database, supervisor, pause
        self._closing = threading.Event()
        self._thread = threading.Thread(target=self._work, name="housekeeping", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Stop."""
        self._closing.set()
        self._thread.join(PATIENCE)

    def _work(self) -> None:
        while not self._closing.wait(self._pause):
            try:
                self._supervisor.sweep()
                while give_back(self._database) and not self._closing.is_set():
                    pass
            except Exception as error:
                if storage_error(error) is None:
                    logger.exception("housekeeping failed")
