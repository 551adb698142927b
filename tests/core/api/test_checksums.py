"""A run folder is read only as it was written."""

from pathlib import Path

import pytest

import unround
from unround.formats.model import ImportRefused


@pytest.fixture
def run(tmp_path: Path) -> Path:
    made = unround.simulate.thurstone(papers=8, seed=1)
    result = unround.dequantize(made.reviews, made.rankings, lam=2.0)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("unround.report.pages._write_page", lambda snapshot, path: "")
        return result.save(tmp_path / "run")


def test_an_untouched_folder_is_read(run: Path) -> None:
    assert unround.load(run).scores.height == 32


@pytest.mark.parametrize("name", ["scores.csv", "explanation.csv", "run.json"])
def test_a_file_that_was_cut_off_is_refused(run: Path, name: str) -> None:
    path = run / name
    lines = path.read_text("utf-8").splitlines(keepends=True)
    path.write_text("".join(lines[:-3]), "utf-8")
    with pytest.raises(ImportRefused, match=rf"{name} is not what `unround run` wrote"):
        unround.load(run)


def test_a_file_that_was_removed_is_refused(run: Path) -> None:
    (run / "explanation.csv").unlink()
    with pytest.raises(ImportRefused, match=r"explanation.csv is not what"):
        unround.load(run)


def test_a_run_of_an_earlier_version_has_no_hashes(run: Path) -> None:
    (run / "SHA256SUMS").unlink()
    assert unround.load(run).lam == 2.0


def test_without_hashes_the_counts_of_the_record_must_be_right(run: Path) -> None:
    (run / "SHA256SUMS").unlink()
    lines = (run / "scores.csv").read_text("utf-8").splitlines(keepends=True)
    (run / "scores.csv").write_text("".join(lines[:-3]), "utf-8")
    with pytest.raises(ImportRefused, match=r"has 29 reviews, but run.json counts 32"):
        unround.load(run)
