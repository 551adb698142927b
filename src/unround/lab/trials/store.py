"""Finished trials on disk, one small file each, under the name that their content follows from."""

from __future__ import annotations

import json
import os
from pathlib import Path

from unround.lab.trials.trial import Outcome, Row


class Store:
    """A folder of finished trials. A file is there whole or not at all."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def has(self, key: str) -> bool:
        """Whether a trial is finished."""
        return self._path(key).is_file()

    def save(self, key: str, outcome: Outcome) -> None:
        """Keep a finished trial."""
        path = self._path(key)
        path.parent.mkdir(parents=True, exist_ok=True)
        draft = path.with_name(f".{path.name}.{os.getpid()}")
        rows = [[row.method, row.metric, row.value, row.lam] for row in outcome.rows]
        draft.write_text(json.dumps({"seed": outcome.seed, "rows": rows}), "utf-8")
        draft.replace(path)

    def load(self, key: str) -> Outcome:
        """A finished trial."""
        kept = json.loads(self._path(key).read_text("utf-8"))
        return Outcome(kept["seed"], tuple(Row(*row) for row in kept["rows"]))

    def _path(self, key: str) -> Path:
        return self.folder / key[:2] / f"{key}.json"
