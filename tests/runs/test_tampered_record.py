"""A run folder that was changed by hand, and its hashes removed, is refused in words."""

from __future__ import annotations

import json
import warnings
from pathlib import Path
from typing import Any

import pytest

import unround
from unround.formats.model import ImportRefused
from unround.runs.folder import read_run


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """A run folder without hashes, and its record."""
    conference = unround.simulate.thurstone(papers=8, seed=1)
    result = unround.dequantize(conference.reviews, conference.rankings, lam=2.0)
    with warnings.catch_warnings(action="ignore"):  # where the page is not built
        folder = result.save(tmp_path_factory.mktemp("saved") / "run")
    (folder / "SHA256SUMS").unlink()
    return folder, (folder / "run.json").read_text()


@pytest.mark.parametrize(
    ("where", "value"),
    [
        (("lam",), "much"),
        (("lam",), -1),
        (("lam",), None),
        (("settings", "scale"), list(range(1001))),
        (("settings", "scale"), 5),
        (("settings", "scale"), [1, {}]),
        (("settings",), None),
        (("certificate",), 7),
        (("certificate",), {}),
        (("lam",), float("nan")),
        (("lam",), 10**400),
        (("settings", "lam"), "much"),
        (("counts",), None),
        (("ties",), {}),
        (("issues",), [1]),
        (("selection",), "x"),
        (("diagnostics",), 3),
    ],
)
def test_a_record_that_makes_no_sense_is_refused(saved: tuple[Path, str], where: Any, value: Any):
    folder, text = saved
    record = json.loads(text)
    *path, last = where
    inner = record
    for name in path:
        inner = inner[name]
    inner[last] = value
    (folder / "run.json").write_text(json.dumps(record))
    with pytest.raises(ImportRefused, match=r"run\.json is not what `unround run` wrote"):
        unround.load(folder)


def test_statements_without_their_columns_are_refused(saved: tuple[Path, str]) -> None:
    folder, record = saved
    (folder / "run.json").write_text(record)
    (folder / "rankings.csv").write_text("x\n1\n")
    with pytest.raises(ImportRefused, match="do not belong together"):
        read_run(folder)
