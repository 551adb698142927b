"""One sweep: every score pulled towards its paper's centre and projected, whatever the layout."""

import threading
from dataclasses import replace

import numpy as np
import polars as pl
import pytest

import unround
from tests.core import oracle
from unround.preparation import prepare
from unround.reviews.tables import Tables
from unround.settings import Settings
from unround.solver import local
from unround.solver.kernels.posets import LEAST_TO_RESUME
from unround.solver.local import Solver, for_each

WEIGHT = 0.6
DRAWN = unround.simulate.thurstone(papers=20, papers_per_reviewer=6, seed=3)


def mixed_problem():
    """Reviewers of six papers in turn rank them all, rank them in pairs, state pairs, or rank none."""
    kind = pl.col("reviewer").rank("dense") % 4
    in_pairs = (pl.col("rank") + 1) // 2
    ranks = DRAWN.rankings.with_columns(rank=pl.when(kind == 1).then(in_pairs).otherwise("rank"))
    by_rank = pl.col("paper").sort_by("rank")
    pairs = (
        DRAWN.rankings.filter(kind == 2)
        .group_by("reviewer", maintain_order=True)
        .agg(better=by_rank.gather([0, 1, 1, 2]), worse=by_rank.gather([2, 2, 3, 5]))
        .explode("better", "worse")
    )
    return prepare(Tables(DRAWN.reviews, [ranks.filter(kind < 2), pairs]), Settings()).problem


def crossing_pairs(papers):
    """One reviewer's papers of one score; each stands above the second and the third after it."""
    reviews = pl.DataFrame({"reviewer": "a", "paper": range(papers), "score": 5})
    steps = [(paper, paper + step) for step in (2, 3) for paper in range(papers - step)]
    pairs = pl.DataFrame(
        {
            "reviewer": "a",
            "better": [one for one, _ in steps],
            "worse": [other for _, other in steps],
        }
    )
    settings = Settings(scale=unround.Scale(range(1, 11)), epsilon=0.01)
    return prepare(Tables(reviews, pairs), settings).problem


PROBLEM = mixed_problem()
CENTRES = np.random.default_rng(1).uniform(2.0, 9.0, PROBLEM.papers)


def plain_sweep(problem, centres):
    """The scores of one sweep by Clarabel: the closest point to z + w (m − z) in cells and order."""
    wish = problem.given + WEIGHT * (centres[problem.paper] - problem.given)
    return oracle.solve(replace(problem, given=wish), np.inf).scores


def test_the_problem_has_components_of_every_kind():
    chains, posets = PROBLEM.chains, PROBLEM.posets
    ties = np.diff(chains.start) > [chains.height[last - 1] + 1 for last in chains.start[1:]]
    assert ties.any()
    assert not ties.all()
    assert posets.start.size > 4
    assert PROBLEM.singles.size > 4


@pytest.mark.parametrize("problem", [PROBLEM, crossing_pairs(12)], ids=["mixed", "one poset"])
def test_a_sweep_is_the_closest_point_in_cells_and_order(problem):
    centres = CENTRES[: problem.papers]
    solver = Solver(problem)
    means, moved = solver.sweep(centres, WEIGHT)
    scores = solver.scores()
    np.testing.assert_allclose(scores, plain_sweep(problem, centres), rtol=0, atol=1e-6)
    by_paper = np.bincount(problem.paper, scores) / np.bincount(problem.paper)
    np.testing.assert_allclose(means, by_paper, rtol=0, atol=1e-12)
    assert moved == pytest.approx(np.abs(by_paper - centres).max(), abs=1e-12)


@pytest.mark.parametrize("blocks", [2, 3, 7])
def test_blocks_share_the_reviews_and_change_no_score(monkeypatch, blocks):
    whole = Solver(PROBLEM)
    whole.sweep(CENTRES, WEIGHT)
    monkeypatch.setattr(local, "LEAST_FOR_BLOCKS", len(PROBLEM))
    monkeypatch.setattr(local, "BLOCKS", blocks)
    cut = Solver(PROBLEM)
    sums = cut.block_sums(CENTRES, WEIGHT)
    assert cut.scores().tolist() == whole.scores().tolist()
    assert sums.shape == (blocks, PROBLEM.papers)
    assert np.all(sums.sum(axis=1) > 0.0)
    np.testing.assert_allclose(sums.sum(axis=0), np.bincount(PROBLEM.paper, cut.scores()))


def test_small_problems_are_one_block(monkeypatch):
    monkeypatch.setattr(local, "LEAST_FOR_BLOCKS", len(PROBLEM) + 1)
    assert local.lay_out(PROBLEM).blocks == 1


@pytest.mark.parametrize("together", [1, 7, 20])
def test_how_many_centres_are_fetched_together_changes_no_score(monkeypatch, together):
    solver = Solver(PROBLEM)
    solver.sweep(CENTRES, WEIGHT)
    monkeypatch.setattr(local, "TOGETHER", together)
    other = Solver(PROBLEM)
    other.sweep(CENTRES, WEIGHT)
    assert other.scores().tolist() == solver.scores().tolist()


@pytest.mark.parametrize("papers", [LEAST_TO_RESUME - 1, LEAST_TO_RESUME])
def test_a_second_sweep_of_a_poset_is_that_of_a_new_solver(papers):
    """Large posets resume from the last sweep, which must not show."""
    problem = crossing_pairs(papers)
    first, second = np.random.default_rng(2).uniform(4.0, 6.0, (2, papers))
    solver, new = Solver(problem), Solver(problem)
    solver.sweep(first, WEIGHT)
    solver.sweep(second, WEIGHT)
    new.sweep(second, WEIGHT)
    np.testing.assert_allclose(solver.scores(), new.scores(), rtol=0, atol=1e-12)
    np.testing.assert_allclose(new.scores(), plain_sweep(problem, second), rtol=0, atol=1e-6)


def test_first_centres_are_where_sweeps_of_scores_alone_stay():
    alone = Solver(prepare(Tables(DRAWN.reviews), Settings()).problem)
    centres = alone.first_centres(WEIGHT)
    assert alone.sweep(centres, WEIGHT)[1] <= 1e-14
    assert Solver(PROBLEM).first_centres(WEIGHT).tolist() == centres.tolist()


@pytest.fixture
def threads(monkeypatch):
    """Choose the threads of this test, by UNROUND_THREADS."""

    def choose(text):
        monkeypatch.setenv("UNROUND_THREADS", text)
        for kept in (local._threads, local._pool):
            kept.cache_clear()

    yield choose
    monkeypatch.undo()
    for kept in (local._threads, local._pool):
        kept.cache_clear()


@pytest.mark.parametrize(
    ("chosen", "blocks", "elsewhere"),
    [("1", 3, False), ("2", 1, False), ("2", 3, True)],
)
def test_several_blocks_are_done_by_several_threads_if_there_are_any(
    threads, chosen, blocks, elsewhere
):
    threads(chosen)
    done = {}
    for_each(lambda block: done.update({block: threading.current_thread()}), blocks)
    assert sorted(done) == list(range(blocks))
    here = threading.current_thread()
    assert all((thread is not here) == elsewhere for thread in done.values())


@pytest.mark.parametrize("nonsense", ["", "0", "two", "-1"])
def test_threads_that_are_no_number_are_the_processors(threads, nonsense):
    threads(nonsense)
    assert local._threads() == len(local.os.sched_getaffinity(0))
    threads("3")
    assert local._threads() == 3
