"""From Parquet to Parquet on the GPU: the scores of `dequantize`, all files or none."""

import json
from functools import partial

import numpy as np
import polars as pl
import pytest
from click.testing import CliRunner

import unround
from tests.gpu.device.conferences import tables
from unround.cli.group import commands
from unround.gpu.dequantize import dequantize_on_gpu
from unround.runs import bulk

GRID = np.array([2.0, 30.0])


@pytest.fixture
def rows():
    """Reviews ranked as scored, with ids that are no numbers from 0, in a random order."""
    reviews, _, _ = tables("total", papers=6, seed=3)
    frame = reviews.select(
        reviewer=pl.col("reviewer") * 7 + 100,
        paper=pl.col("paper") * 13 - 5,
        score=pl.col("score").clip(4, 6),
    )
    return frame.with_columns(rank=7 - pl.col("score")).sample(fraction=1.0, shuffle=True, seed=2)


def score(folder, frame, *words):
    path = folder / "reviews.parquet"
    frame.write_parquet(path)
    done = CliRunner().invoke(
        commands, ["bulk", str(path), "-o", str(folder / "out"), "--scale", "4..6", *words]
    )
    return done, folder / "out"


@pytest.mark.parametrize("words", [(), ("--lam", "8")], ids=["λ chosen", "λ given"])
def test_scores_and_papers_are_those_of_dequantize(tmp_path, rows, monkeypatch, words):
    monkeypatch.setattr(bulk, "PIECE", 10)
    monkeypatch.setattr(bulk, "dequantize_on_gpu", partial(dequantize_on_gpu, grid=GRID))
    done, out = score(tmp_path, rows, *words)
    assert done.exit_code == 0, done.output
    record = json.loads((out / "bulk.json").read_text())
    reviews, ranks = (rows.select("reviewer", "paper", column) for column in ("score", "rank"))
    if words:
        assert (record["lam"], record["selection"]) == (8.0, None)
    else:
        chosen = unround.select_lambda(reviews, scale=[4, 5, 6], grid=GRID)
        assert record["lam"] == chosen.lam
        assert record["selection"]["error"] == chosen.curve["error"].to_list()
    here = unround.dequantize(reviews, ranks, lam=record["lam"], scale=[4, 5, 6])
    assert len(list((out / "scores").iterdir())) == 3
    there = pl.read_parquet(out / "scores" / "*.parquet")
    assert there.select("reviewer", "paper", "score").equals(rows.drop("rank"))
    assert (there["dequantized"] - here.scores["dequantized"]).abs().max() <= 1e-9
    assert (there["percentile"] - here.scores["percentile"]).abs().max() <= 1e-9
    papers = pl.read_parquet(out / "papers" / "*.parquet").sort("paper")
    expected = here.papers.sort("paper")
    assert papers["paper"].to_list() == expected["paper"].to_list()
    for name in ("min", "max", "mean", "median", "spread"):
        assert (papers[name] - expected[f"dequantized_{name}"]).abs().max() <= 1e-9
    assert record["certificate"]["max_error"] <= 1e-9
    assert record["certificate"]["objective"] == pytest.approx(here.certificate.objective, rel=1e-9)
    assert record["counts"] == {
        "reviews": rows.height,
        "papers": 6,
        "reviewers": rows["reviewer"].n_unique(),
    }


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (lambda rows: pl.concat([rows, rows[:1]]), "same reviewer has reviewed before"),
        (lambda rows: rows.with_columns(score=pl.lit(4.5)), "not a level of the scale"),
        (lambda rows: rows.with_columns(rank=pl.col("rank") * 200), "from 1 (best) to 255"),
        (lambda rows: rows.with_columns(rank=pl.when(pl.col("rank") > 1).then("rank")), "empty"),
        (lambda rows: rows.with_columns(paper=pl.col("paper").cast(pl.String)), "whole numbers"),
        (lambda rows: rows.drop("score"), "no column score"),
        (lambda rows: rows[:0], "0 rows"),
        (lambda rows: rows.with_columns(rank="score"), "contradict their scores"),
    ],
)
def test_what_is_not_clean_is_refused_and_nothing_is_written(tmp_path, rows, change, sentence):
    done, out = score(tmp_path, change(rows), "--lam", "8")
    assert done.exit_code == 2, done.output
    assert sentence in done.output
    assert not out.exists()
