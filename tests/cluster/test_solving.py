"""engine="dask": the same answers, from shards that stay where they are."""

from __future__ import annotations

import math
import pickle
import re

import numpy as np
import polars as pl
import pytest
from dask import config
from distributed import Client, default_client

import unround
from unround import Dask
from unround.errors import UsageError
from unround.solver.dask_cluster import ClusterSolver, Cuts

SAME = 1e-9


@pytest.mark.parametrize("lam", ["auto", "auto+", 0.01, 7.0, math.inf])
def test_same_scores_as_on_one_machine(cluster, conference, lam):
    here = unround.dequantize(*conference, lam=lam)
    there = unround.dequantize(*conference, lam=lam, engine=Dask(cluster.address))
    assert there.lam == here.lam
    assert np.abs(there.internals.values - here.internals.values).max() <= SAME
    assert there.certificate.max_error <= 1e-9
    if isinstance(lam, str):
        assert there.selection.equals(here.selection)


def test_problem_has_chains_posets_and_single_reviews(conference):
    problem = unround.dequantize(*conference, lam=1.0).internals.problem
    assert problem.chains.member.size
    assert problem.posets.member.size
    assert problem.chains.member.size + problem.posets.member.size < len(problem)


def test_validation_alone(cluster, conference):
    here = unround.select_lambda(conference[0], grid=[1.0, 10.0])
    there = unround.select_lambda(conference[0], grid=[1.0, 10.0], engine=Dask(cluster.address))
    assert (there.lam, there.curve.rows()) == (here.lam, here.curve.rows())


def test_update_on_the_cluster(cluster, conference):
    reviews, rankings = conference
    before = unround.dequantize(reviews, rankings, lam=5.0)
    changed = reviews.with_columns(score=pl.col("score").replace({5: 6}))
    # The change leaves the level 5 unused, which makes a guess of the scale doubtful.
    options = {"conflicts": "scores", "scale": "0..9"}
    here = unround.update(before, changed, rankings, **options)
    there = unround.update(before, changed, rankings, **options, engine=Dask(cluster.address))
    assert np.abs(there.result.internals.values - here.result.internals.values).max() <= SAME


def test_client_of_the_caller_is_used_and_left_open(cluster, conference):
    with Client(cluster.address, set_as_default=False) as client:
        unround.dequantize(*conference, lam=3.0, engine=Dask(client))
        assert client.submit(sum, [1, 2]).result() == 3


def test_the_name_alone_stands_for_the_scheduler_that_dask_uses_itself(cluster, conference):
    here = unround.dequantize(*conference, lam=2.0).internals.values
    with config.set({"scheduler-address": cluster.address}):
        there = unround.dequantize(*conference, lam=2.0, engine="dask")
    assert np.abs(there.internals.values - here).max() <= SAME
    with Client(cluster.address) as client:
        assert client is default_client()
        there = unround.dequantize(*conference, lam=2.0, engine="dask")
        assert client.submit(sum, [1, 2]).result() == 3
    assert np.abs(there.internals.values - here).max() <= SAME


def test_a_connected_engine_is_sent_as_its_address(cluster):
    with Dask(cluster.address).connected() as engine:
        assert pickle.loads(pickle.dumps(engine)) == Dask(cluster.address)


def test_shards_are_sent_once_and_lie_on_every_worker(cluster, conference, monkeypatch):
    sent = []
    cut = Cuts.part
    monkeypatch.setattr(Cuts, "part", lambda cuts, number: sent.append(number) or cut(cuts, number))
    problem = unround.dequantize(*conference, lam=1.0).internals.problem
    with Client(cluster.address, set_as_default=False) as client:
        solver = ClusterSolver(problem, client)
        for lam in (100.0, 10.0, 1.0):
            solver.solve(lam, 1e-9)
        homes = client.who_has(list(solver._shards.values()))
    assert sorted(sent) == list(range(Cuts(problem).count))
    assert len({home for places in homes.values() for home in places}) == 2


def test_large_centres_are_laid_on_the_workers(cluster, conference, monkeypatch):
    monkeypatch.setattr("unround.solver.dask_cluster.SMALL_BYTES", 0)
    here = unround.dequantize(*conference, lam=2.0)
    there = unround.dequantize(*conference, lam=2.0, engine=Dask(cluster.address))
    assert np.abs(there.internals.values - here.internals.values).max() <= SAME


@pytest.mark.parametrize(
    ("engine", "words"),
    [
        ("dask", "needs a scheduler"),
        (Dask(8786), "an address or a distributed.Client"),
        (Dask("somewhere"), "no Dask scheduler answers at somewhere"),
        (Dask("tcp://127.0.0.1:1"), "no Dask scheduler answers"),
    ],
)
def test_engines_that_cannot_be_are_refused(conference, monkeypatch, engine, words):
    monkeypatch.setattr("unround.solver.dask_client.PATIENCE_SECONDS", 0.2)
    with pytest.raises(UsageError, match=words):
        unround.dequantize(*conference, engine=engine)


def test_cluster_without_workers_is_refused(tmp_path, conference, monkeypatch):
    from tests.cluster.conftest import STARTUP, started

    monkeypatch.setattr("unround.solver.dask_client.PATIENCE_SECONDS", 0.5)  # for workers alone
    with (
        started(tmp_path, workers=0) as empty,
        Client(empty.address, timeout=STARTUP, set_as_default=False) as client,
        pytest.raises(UsageError, match=r"has no workers: start some with `dask worker tcp://"),
    ):
        unround.dequantize(*conference, engine=Dask(client))


def test_workers_without_unround_are_refused(tmp_path, conference):
    from tests.cluster.conftest import started

    other = tmp_path / "other" / "unround"
    other.mkdir(parents=True)
    (other / "__init__.py").touch()
    with started(tmp_path, workers=0) as bare:
        bare.add_workers(1, PYTHONPATH=str(other.parent))
        with pytest.raises(
            UsageError, match=f"have no unround, but here it is {re.escape(unround.__version__)}"
        ):
            unround.dequantize(*conference, engine=Dask(bare.address))


def test_closed_client_is_refused(cluster, conference):
    client = Client(cluster.address, set_as_default=False)
    client.close()
    with pytest.raises(UsageError, match="has been closed"):
        unround.dequantize(*conference, engine=Dask(client))


def test_workers_with_another_version_are_refused(cluster, conference, monkeypatch):
    monkeypatch.setattr("unround.solver.dask_client.__version__", "9.9")
    with pytest.raises(
        UsageError, match=rf"have unround {re.escape(unround.__version__)}, but here it is 9\.9"
    ):
        unround.dequantize(*conference, engine=Dask(cluster.address))
