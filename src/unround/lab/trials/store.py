"""Keep finished trials on disk, one small file each, named by the digest of all its inputs."""

from __future__ import annotations

import json
from pathlib import Path

from unround.formats.files.atomic import whole_file
from unround.lab.trials.trial import Outcome, Row


class Store:
    """A folder of finished trials. Each file is written whole or not at all."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def has(self, key: str) -> bool:
        """Return whether a trial is finished."""
        return self._path(key).is_file()

    def save(self, key: str, outcome: Outcome) -> None:
        """Write a finished trial."""
        rows = [[row.method, row.metric, row.value, row.lam] for row in outcome.rows]
        with whole_file(self._path(key)) as draft:
            draft.write_text(json.dumps({"seed": outcome.seed, "rows": rows}), "utf-8")

    def load(self, key: str) -> Outcome:
        """Read a finished trial."""
        kept = json.loads(self._path(key).read_text("utf-8"))
        return Outcome(kept["seed"], tuple(Row(*row) for row in kept["rows"]))

    def _path(self, key: str) -> Path:
        return self.folder / key[:2] / f"{key}.json"
