"""Encoded views as files: after a restart they lie ready, and nobody waits for their making."""

from __future__ import annotations

import logging
import threading
import zlib
from collections.abc import Collection
from pathlib import Path
from uuid import uuid4

from unround.console.cache import EncodedView

logger = logging.getLogger("unround.console")
Owner = tuple[str, str]  # a run, and an area chair or the chairs ("")


class ViewStore:
    """A folder of encoded views, at most one file for each run and viewer."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._names: dict[Owner, str] = {}  # as far as they were used since the start
        self._guard = threading.Lock()

    def get(self, owner: Owner, name: str) -> EncodedView | None:
        """Return a view if its file is there and whole."""
        try:
            found = EncodedView.packed_before((self._folder / name).read_bytes())
        except (OSError, EOFError, zlib.error):
            return None
        self._use(owner, name)
        return found

    def put(self, owner: Owner, name: str, view: EncodedView) -> None:
        """Write a view in place of the viewer's earlier one. A full disk only costs time later."""
        draft = self._folder / f"{name}.{uuid4().hex}"
        try:
            draft.write_bytes(view.packed)
            draft.chmod(0o600)
            draft.replace(self._folder / name)
        except OSError:
            logger.warning("a view could not be kept for the next start", exc_info=True)
            draft.unlink(missing_ok=True)
            return
        self._use(owner, name)

    def keep_only(self, runs: Collection[str]) -> None:
        """Delete the views of all other runs, and files that nobody has used since the start."""
        with self._guard:
            self._names = {owner: name for owner, name in self._names.items() if owner[0] in runs}
            used = set(self._names.values())
            for path in self._folder.iterdir():
                if path.name.partition(".")[0] not in used:
                    path.unlink(missing_ok=True)

    def _use(self, owner: Owner, name: str) -> None:
        with self._guard:
            earlier = self._names.get(owner, name)
            self._names[owner] = name
            if earlier != name and earlier not in self._names.values():
                (self._folder / earlier).unlink(missing_ok=True)
