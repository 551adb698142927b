"""How sure a run is: what it writes when it is asked, what it keeps, and what it cannot tell."""

from __future__ import annotations

import json
import re
from pathlib import Path

import polars as pl
import pytest

import unround
from unround.formats.synthetic import named, write_conference
from unround.runs.uncertainty import ESTIMATE_FILES
from unround.settings import Accept


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """A conference with titles and tracks."""
    folder = tmp_path_factory.mktemp("conference")
    write_conference(named(unround.simulate.thurstone(24, seed=5)), folder)
    return folder / "reviews.csv", "--rankings", folder / "rankings.csv"


@pytest.fixture(scope="module")
def found(files):
    """The result of these files in Python, its posterior and its calibration."""
    reviews, _, rankings = files
    result = unround.dequantize(unround.read(reviews, rankings=rankings))
    return result, unround.posterior(result), unround.calibrate(result)


@pytest.fixture(scope="module")
def folder(call, files, tmp_path_factory) -> Path:
    out = tmp_path_factory.mktemp("run") / "out"
    asked = ("--uncertainty", "--accept", "25%", "--calibrate", "--stability")
    ended = call("run", *files, *asked, "-o", out)
    assert ended.exit_code == 0, ended.output
    assert re.search(
        r"line 6 in: .* drops? out; \d+ papers? too close", " ".join(ended.output.split())
    )
    assert "by a model" in " ".join(ended.output.split())
    return out


def test_the_files_hold_what_the_library_says(folder, found):
    _, posterior, calibration = found
    written = pl.read_csv(folder / "uncertainty.csv")
    assert written.columns == [*posterior.papers.columns, "p_accept"]
    assert written.drop("p_accept").equals(posterior.papers)
    assert written["p_accept"].equals(posterior.p_top(6)["probability"], check_names=False)
    assert pl.read_csv(folder / "calibration.csv").equals(calibration.papers)
    assert pl.read_csv(folder / "reviewers.csv").equals(calibration.reviewers)
    stability = pl.read_csv(folder / "stability.csv")
    assert stability.columns == ["paper", "mean", "low", "high", "stays", "depends_on"]
    record = json.loads((folder / "run.json").read_text())
    assert record["uncertainty"]["accept"] == {"asked": "25%", "papers": 6}
    assert record["uncertainty"]["draws"] == posterior.diagnostics.draws
    assert record["uncertainty"]["rhat"] == posterior.diagnostics.rhat
    assert record["calibration"]["verdict"] == calibration.verdict
    assert record["stability"]["accept"] == 6


def test_places_among_all_and_within_tracks(folder):
    places = pl.read_csv(folder / "places.csv")
    tracks = pl.read_csv(folder / "papers.csv").select("paper", "track")
    last = places.filter(within="track").group_by("paper").agg(pl.col("place").max())
    sizes = tracks.with_columns(papers=pl.len().over("track"))
    assert last.join(sizes, on="paper").filter(pl.col("place") > pl.col("papers")).is_empty()
    whole = places.filter(within="all")
    assert whole["paper"].n_unique() == 24
    assert whole.group_by("paper").agg(pl.col("share").max())["share"].to_list() == [1.0] * 24


def test_a_run_that_was_asked_nothing_has_nothing_of_it(call, files, tmp_path):
    call("run", *files, "-o", tmp_path / "out")
    assert not [name for name in ESTIMATE_FILES if (tmp_path / "out" / name).exists()]
    assert not {"uncertainty", "calibration", "stability"} & set(
        json.loads((tmp_path / "out" / "run.json").read_text())
    )
    loaded = unround.load(tmp_path / "out")
    assert (loaded.uncertainty, loaded.places, loaded.stability) == (None, None, None)


def test_saving_and_loading_keeps_it(found, folder, tmp_path):
    result, posterior, calibration = found
    kept = {"posterior": posterior, "calibration": calibration}
    kept["stability"] = unround.stability(result, draws=5)
    loaded = unround.load(result.save(tmp_path / "kept", **kept))
    assert loaded.uncertainty.equals(posterior.papers)
    assert loaded.calibration.equals(calibration.papers)
    assert loaded.reviewers.equals(calibration.reviewers)
    assert loaded.stability.columns == ["paper", "mean", "low", "high"]  # no line was drawn
    assert loaded.places.equals(unround.load(folder).places)


def test_chains_that_did_not_mix_cost_the_intervals_and_not_the_run(
    call, files, tmp_path, monkeypatch
):
    monkeypatch.setattr("unround.uncertainty.sampling.ENOUGH_DRAWS", 1e9)
    monkeypatch.setattr("unround.uncertainty.sampling.MOST_EVERY", 4)
    ended = call("run", *files, "--uncertainty", "-o", tmp_path / "out")
    assert ended.exit_code == 3
    assert "Not computed: the sampler did not mix" in " ".join(ended.output.split())
    assert (tmp_path / "out" / "scores.csv").exists()
    assert not (tmp_path / "out" / "uncertainty.csv").exists()
    note = json.loads((tmp_path / "out" / "run.json").read_text())["uncertainty"]
    assert not note["mixed"]
    assert "did not mix" in note["reason"]


def test_too_few_people_to_compare_are_reported(call, tmp_path):
    (tmp_path / "one.csv").write_text("reviewer,paper,score\na,1,3\na,2,4\na,3,5\n")
    ended = call(
        "run", tmp_path / "one.csv", "--scale", "1..5", "--calibrate", "-o", tmp_path / "out"
    )
    assert ended.exit_code == 3
    assert "at least two reviewers" in " ".join(ended.output.split())
    assert (tmp_path / "out" / "scores.csv").exists()


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--accept", "many"), "'many' is neither a number of papers"),
        (("--uncertainty", "--accept", "many"), "'many' is neither a number of papers"),
        (("--uncertainty", "--accept", "120%"), "'120%' is neither a number of papers"),
        (("--uncertainty", "--accept", "25"), "there are 24 papers: 25 of them"),
    ],
)
def test_a_line_that_makes_no_sense_is_wrong_usage(call, files, tmp_path, options, words):
    ended = call("run", *files, *options, "-o", tmp_path / "out")
    assert ended.exit_code == 2
    assert words in " ".join(ended.output.split())
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("text", "papers"), [("0", 0), ("7", 7), ("12.5%", 3), ("10%", 2), ("100 %", 20)]
)
def test_a_line_is_a_number_or_a_share(text, papers):
    assert Accept.read(text).papers(20) == papers
    assert Accept.read(str(Accept.read(text))) == Accept.read(text)


def test_a_line_asks_for_the_uncertainty(call, files, tmp_path):
    ended = call("run", *files, "--accept", "5", "-o", tmp_path / "out")
    assert ended.exit_code == 0
    assert " 5 in: " in ended.output
