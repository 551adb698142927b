"""unround run --engine dask and unround reproduce --scheduler: the same files as on one machine."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl
import pytest

import unround
from unround.formats import importer as importing
from unround.formats import parquet_folder
from unround.formats.model import ImportRefused, Options
from unround.formats.parquet_folder import Partition, partitions, read_partition
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


def test_partitions_are_read_by_the_workers(cluster, files, call, tmp_path, monkeypatch):
    here = call("run", *files, "-o", tmp_path / "here")
    assert here.exit_code == 0, here.output

    def not_here(*_):
        raise AssertionError("read on this machine")

    monkeypatch.setattr(parquet_folder, "read_plain", not_here)
    monkeypatch.setattr("unround.formats.systems.plain.read_tables", not_here)
    there = call(
        "run", *files, "-o", tmp_path / "there", "--engine", "dask", "--scheduler", cluster.address
    )
    assert there.exit_code == 0, there.output
    assert_same_run(tmp_path / "here", tmp_path / "there")


def test_many_files_alike_are_counted(files):
    found = importing.import_files([files[0]], [files[2]])
    assert found.recognised[0].startswith("part.0.parquet and 11 more like it: table (")
    assert len(found.recognised) == 4


def test_rows_are_in_the_order_of_the_parts(files, tmp_path):
    assert [path.name for path in partitions(files[0])][8:] == [
        "part.8.parquet",
        "part.9.parquet",
        "part.10.parquet",
        "part.11.parquet",
    ]
    (tmp_path / "mixed").mkdir()
    (tmp_path / "mixed" / "part.0.parquet").write_bytes(b"PAR1")
    (tmp_path / "mixed" / "notes.txt").write_text("x")
    assert partitions(tmp_path / "mixed") == []


def test_problem_in_a_partition_is_found_where_it_stands(cluster, call, tmp_path):
    table = pl.DataFrame(
        {
            "reviewer": [1, 1, 2, 2, 3, 3],
            "paper": [7, 8, 7, 8, 7, 7],
            "score": [3, 4, None, 5, 4, 2],
        }
    )
    folder = in_partitions(table, tmp_path / "reviews", 2)
    ended = call(
        "run", folder, "-o", tmp_path / "out", "--engine", "dask", "--scheduler", cluster.address
    )
    assert ended.exit_code == 1
    assert "reviewer 3 reviews paper 7 twice" in ended.output
    assert "[part.1.parquet, row 2; part.1.parquet, row 3]" in " ".join(ended.output.split())
    assert not (tmp_path / "out").exists()


def test_broken_partition_is_refused_in_plain_words(cluster, call, tmp_path):
    table = pl.DataFrame({"reviewer": [1, 2], "paper": [7, 7], "score": [3, 4]})
    folder = in_partitions(table, tmp_path / "reviews", 2)
    path = folder / "part.1.parquet"
    whole = path.read_bytes()
    path.write_bytes(whole[:4] + bytes(40) + whole[44:])
    ended = call(
        "run", folder, "-o", tmp_path / "out", "--engine", "dask", "--scheduler", cluster.address
    )
    assert ended.exit_code == 1, ended.output
    assert "part.1.parquet is not a readable Parquet file" in ended.output


def test_workers_that_do_not_see_the_files(tmp_path):
    with pytest.raises(ImportRefused, match="they must see the input under the same path"):
        read_partition(Partition(tmp_path / "elsewhere.parquet", Options()))


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--engine", "dask"), "needs a scheduler"),
        (("--scheduler", "tcp://127.0.0.1:1"), "choose that engine too"),
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
