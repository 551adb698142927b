"""Machines that go away: lost shards are done anew, and a lost scheduler costs nothing but the run."""

from __future__ import annotations

import os
import signal
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest

import unround
from unround import Dask
from unround.errors import ClusterLost
from unround.formats.synthetic import named, write_conference
from unround.solver import dask_cluster as on_cluster
from unround.solver.dask_cluster import ClusterSolver, Shard


def deadly(work, died: Path):
    """The work of a task, but the first worker to come to it is killed before it is done."""

    def killed_once(shard, **sweep):
        with suppress(FileExistsError), died.open("x") as file:
            file.write(str(os.getpid()))
            file.flush()
            os.kill(os.getpid(), signal.SIGKILL)
        return work(shard, **sweep)

    return killed_once


@pytest.mark.parametrize("task", ["sums", "scores"])
def test_worker_killed_in_the_middle_of_a_task(doomed, conference, monkeypatch, tmp_path, task):
    died = tmp_path / "died"

    def progress(stage, done, total):
        if (stage, done) == ("validating", 3):
            monkeypatch.setattr(Shard, task, deadly(getattr(Shard, task), died))

    here = unround.dequantize(*conference)
    there = unround.dequantize(*conference, engine=Dask(doomed.address), progress=progress)
    assert int(died.read_text()) in [worker.pid for worker in doomed.workers]
    assert there.lam == here.lam
    assert there.selection.equals(here.selection)
    assert np.abs(there.internals.values - here.internals.values).max() <= 1e-9


def test_all_workers_lost(doomed, conference, monkeypatch):
    monkeypatch.setattr(on_cluster, "PATIENCE_SECONDS", 1.0)

    def progress(stage, done, total):
        if (stage, done) == ("validating", 2):
            for worker in doomed.workers:
                worker.kill()
                worker.wait()

    with pytest.raises(ClusterLost, match="no workers left; nothing was written"):
        unround.dequantize(*conference, engine=Dask(doomed.address), progress=progress)


def test_lost_scheduler_leaves_earlier_results_alone(doomed, call, tmp_path, monkeypatch):
    write_conference(named(unround.simulate.thurstone(20, seed=5)), tmp_path)
    files = (tmp_path / "reviews.csv", "--rankings", tmp_path / "rankings.csv")
    out = tmp_path / "out"
    assert call("run", *files, "--lam", "3", "-o", out).exit_code == 0
    before = {path.name: path.read_bytes() for path in out.iterdir()}
    sweep, sweeps = ClusterSolver.sweep, []

    def fatal(solver, centres, weight):
        sweeps.append(weight)
        if len(sweeps) == 5:
            doomed.scheduler.kill()
            doomed.scheduler.wait()
        return sweep(solver, centres, weight)

    monkeypatch.setattr(ClusterSolver, "sweep", fatal)
    cluster = ("--engine", "dask", "--scheduler", doomed.address)
    ended = call("run", *files, "-o", out, "--force", *cluster)
    assert ended.exit_code == 3
    assert "scheduler at tcp://" in ended.output
    assert "is gone; nothing was written" in ended.output
    assert "Traceback" not in ended.output
    assert {path.name: path.read_bytes() for path in out.iterdir()} == before
    assert [path.name for path in tmp_path.iterdir() if "unfinished" in path.name] == []


def test_lost_scheduler_in_the_lab(doomed, call, tmp_path, monkeypatch):
    from unround.lab.trials.runner import Store

    save, saved = Store.save, []

    def fatal(store, key, outcome):
        save(store, key, outcome)
        saved.append(key)
        if len(saved) == 1:
            doomed.scheduler.kill()
            doomed.scheduler.wait()

    monkeypatch.setattr(Store, "save", fatal)
    out = tmp_path / "out"
    ended = call("reproduce", "noise", "--trials", 20, "--scheduler", doomed.address, "-o", out)
    assert ended.exit_code == 3
    assert "finished trials are kept" in ended.output
    assert not (out / "report.html").exists()
    assert len(list((out / "trials").rglob("*.json"))) == len(saved) > 0
