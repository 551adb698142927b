"""Shards: together they are the problem, wherever each of them lies."""

from __future__ import annotations

import pickle

import numpy as np
from hypothesis import given, settings

import unround
from tests.core.strategies import conferences
from unround.solver.dask_cluster import LEAST_SHARDS, Cuts, Shard
from unround.solver.local import Solver


def shards_of(problem):
    """The reviews of each shard, and the shard as a worker gets it."""
    cuts = Cuts(problem)
    parts = [cuts.part(number) for number in range(cuts.count)]
    shards = [Shard(part.problem, part.paper) for part in parts]
    sent = pickle.loads(pickle.dumps(shards))
    return [(part.review, shard) for part, shard in zip(parts, sent, strict=True)]


@settings(max_examples=40)
@given(conferences())
def test_sweeping_every_shard_is_sweeping_the_problem(instance):
    problem, weight = instance.problem, 0.3
    whole = Solver(problem)
    centres = whole.first_centres(weight)
    means, _ = whole.sweep(centres, weight)
    sums, scores = np.zeros(problem.papers), np.full(len(problem), np.nan)
    for reviews, shard in shards_of(problem):
        sums[shard.paper] += shard.sums(centres, weight)
        scores[reviews] = shard.scores(centres, weight)
    # Every review is in one shard. Its score follows from the centres alone; the order of adding is
    # all that differs.
    assert np.array_equal(scores, whole.scores())
    np.testing.assert_allclose(sums / problem.paper_count, means, rtol=1e-14)


def test_cuts_follow_from_the_size_alone(conference, monkeypatch):
    problem = unround.dequantize(*conference, lam=3.0).internals.problem
    assert Cuts(problem).count == LEAST_SHARDS
    monkeypatch.setattr("unround.solver.dask_cluster.REVIEWS_A_SHARD", len(problem) // 7)
    assert Cuts(problem).count in (7, 8)
