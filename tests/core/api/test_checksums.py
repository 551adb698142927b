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


CUT_OFF = [(name, cut_off) for name in ("scores.csv", "explanation.csv", "run.json")]


@pytest.mark.parametrize(("name", "damage"), [*CUT_OFF, ("explanation.csv", Path.unlink)])
def test_a_file_that_was_cut_off_or_removed_is_refused(
    run: Path, name: str, damage: Callable[[Path], None]
) -> None:
    damage(run / name)
    with pytest.raises(ImportRefused, match=rf"{name} is not what `unround run` wrote"):
        unround.load(run)


def test_without_the_hashes_of_later_versions_the_counts_of_the_record_must_be_right(
    run: Path,
) -> None:
    (run / "SHA256SUMS").unlink()
    assert unround.load(run).lam == 2.0
    cut_off(run / "scores.csv")
    with pytest.raises(ImportRefused, match=r"has 29 reviews, but run.json counts 32"):
        unround.load(run)
