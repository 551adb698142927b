"""unround run --engine dask and unround reproduce --scheduler: the same files as on one machine."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl
import pytest

import unround
from unround.formats.importer import import_files
from unround.formats.synthetic import named

STUDY = """
[[study]]
name = "tiny"
title = "A tiny study"
data = "thurstone"
methods = ["quantized", "proposed"]
metrics = ["kendall"]
sweep = { noise = [0.5, 1.0] }
fixed = { papers = 12 }
"""


def in_partitions(table: pl.DataFrame, folder: Path, count: int) -> Path:
    """A table as a folder of Parquet files, as Dask and Spark write them."""
    folder.mkdir()
    (folder / "_SUCCESS").touch()
    rows = -(-table.height // count)
    for number, part in enumerate(table.iter_slices(rows)):
        part.write_parquet(folder / f"part.{number}.parquet")
    return folder


@pytest.fixture(scope="module")
def files(tmp_path_factory) -> tuple[object, ...]:
    """A conference in folders of Parquet files, as arguments of a command."""
    folder = tmp_path_factory.mktemp("input")
    conference = named(unround.simulate.thurstone(24, seed=5))
    reviews = in_partitions(conference.reviews, folder / "reviews", 12)
    rankings = in_partitions(conference.rankings, folder / "rankings", 3)
    return reviews, "--rankings", rankings


def assert_same_run(here: Path, there: Path) -> None:
    for name in ("scores.csv", "papers.csv"):
        one, other = pl.read_csv(here / name), pl.read_csv(there / name)
        assert one.columns == other.columns
        for column in one.columns:
            if one[column].dtype.is_float():
                gap = np.abs(one[column].to_numpy() - other[column].to_numpy())
                assert np.nanmax(gap) <= 1e-9, column
            else:
                assert one[column].equals(other[column]), column


def test_partitions_are_one_table_and_the_run_is_the_same(cluster, files, call, tmp_path):
    here = call("run", *files, "-o", tmp_path / "here")
    assert here.exit_code == 0, here.output

    there = call(
        "run", *files, "-o", tmp_path / "there", "--engine", "dask", "--scheduler", cluster.address
    )
    assert there.exit_code == 0, there.output
    assert_same_run(tmp_path / "here", tmp_path / "there")


def test_many_files_alike_are_counted(files):
    found = import_files([files[0]], [files[2]])
    assert found.recognised[0].startswith("part.0.parquet and 11 more like it: table (")
    assert len(found.recognised) == 4


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--engine", "dask"), "needs a scheduler"),
        (("--scheduler", "tcp://127.0.0.1:1"), "add --engine dask"),
        (("--engine", "dask", "--scheduler", "nowhere"), "no Dask scheduler answers at nowhere"),
    ],
)
def test_options_that_do_not_fit_together(call, files, tmp_path, options, words):
    ended = call("run", *files, "-o", tmp_path / "out", *options)
    assert ended.exit_code == 2
    assert words in ended.output
    assert not (tmp_path / "out").exists()


def test_lab_on_the_cluster_gives_the_same_trials(cluster, call, tmp_path):
    (tmp_path / "tiny.toml").write_text(STUDY)
    words = ("reproduce", tmp_path / "tiny.toml", "--trials", 2)
    here = call(*words, "--jobs", 1, "-o", tmp_path / "here")
    assert here.exit_code == 0, here.output
    there = call(*words, "--scheduler", cluster.address, "-o", tmp_path / "there")
    assert there.exit_code == 0, there.output
    trials = sorted(path.name for path in (tmp_path / "here" / "trials").rglob("*.json"))
    assert len(trials) == 4
    for name in trials:
        one, other = (next((tmp_path / run).rglob(name)) for run in ("here", "there"))
        assert one.read_bytes() == other.read_bytes()
    here, there = (tmp_path / run / "report.html" for run in ("here", "there"))
    assert here.read_bytes() == there.read_bytes()


def test_lab_counts_no_jobs_on_a_cluster(call, tmp_path):
    words = ("reproduce", "noise", "--jobs", 2, "--scheduler", "tcp://127.0.0.1:1")
    ended = call(*words, "-o", tmp_path / "out")
    assert ended.exit_code == 2
    assert "leave it out with --scheduler" in ended.output
