"""A run folder is read only as it was written."""

from collections.abc import Callable
from pathlib import Path

import pytest

import unround
from unround.formats.model import ImportRefused


@pytest.fixture
def run(tmp_path: Path) -> Path:
    made = unround.simulate.thurstone(papers=8, seed=1)
    result = unround.dequantize(made.reviews, made.rankings, lam=2.0)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("unround.report.pages.write_run_page", lambda run, path: "")
        return result.save(tmp_path / "run")


def cut_off(path: Path) -> None:
    lines = path.read_text("utf-8").splitlines(keepends=True)
    path.write_text("".join(lines[:-3]), "utf-8")


def added(path: Path) -> None:
    path.write_text("reviewer,paper,same_as\n0,1,2\n")


@pytest.mark.parametrize(
    ("name", "damage", "words"),
    [
        ("scores.csv", cut_off, "scores.csv is not what `unround run` wrote"),
        ("explanation.csv", cut_off, "explanation.csv is not what `unround run` wrote"),
        ("run.json", cut_off, "run.json is not what `unround run` wrote"),
        ("rankings.csv", Path.unlink, "rankings.csv is not what `unround run` wrote"),
        ("same.csv", added, "same.csv is not what `unround run` wrote"),
        *(
            (name, Path.unlink, f"not the result of `unround run`: {name} is missing")
            for name in ("scores.csv", "papers.csv", "explanation.csv", "run.json", "SHA256SUMS")
        ),
    ],
)
def test_a_file_that_was_changed_removed_or_added_is_refused(
    run: Path, name: str, damage: Callable[[Path], None], words: str
) -> None:
    damage(run / name)
    with pytest.raises(ImportRefused, match=words):
        unround.load(run)
