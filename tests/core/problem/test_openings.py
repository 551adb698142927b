"""Cells open by the least total square: against Clarabel, under other names, and where it once failed."""

import math
from dataclasses import replace

import numpy as np
import polars as pl
import pytest
from scipy import sparse

from tests.core import oracle
from tests.core.tables import ranks_of, reviews_of
from unround import dequantize
from unround.certificate import certify
from unround.certificate.bound import opening_errors
from unround.problem.build import build_problem
from unround.reviews.reader import read
from unround.scale import Scale
from unround.settings import Policy, Settings
from unround.solver.local import Solver

EPSILON = 0.05
RULE = Settings(conflicts=Policy.RANKINGS)
# Ten papers ranked 1 to 10: a general non-negative least-squares routine stopped short on these scores.
FAILED = [4, 2, 3, 3, 2, 3, 2, 1, 1, 2]


def closed_cells(problem):
    lower, upper = problem.lower.copy(), problem.upper.copy()
    opened = problem.openings
    lower[opened.review], upper[opened.review] = opened.lower, opened.upper
    return lower, upper


def openings(problem):
    """How far each cell opened, down and up."""
    lower, upper = closed_cells(problem)
    return lower - problem.lower, problem.upper - upper


def distances_by_clarabel(problem):
    """The distances of best scores from their cells: min Σ s² with s ≥ |y − cell|; variables y, then s."""
    (lower, upper), pairs = closed_cells(problem), problem.comparisons
    size = lower.size
    order = oracle.constraints(problem)[0][: pairs.gap.size]
    unit, none = sparse.identity(size), sparse.csc_matrix(order.shape)
    rows = sparse.bmat([[order, none], [-unit, unit], [unit, unit]], format="csc")
    least = np.concatenate([pairs.gap, -upper, lower])
    squares = sparse.block_diag([1e-300 * unit, 2.0 * unit], format="csc")
    return np.array(oracle.minimum(squares, np.zeros(2 * size), rows, least, 1e-10).x)[size:]


def contradictory(seed, reviewers=400):
    """Reviewers with 2 to 12 papers, each ranking them at random: lists, lists with ties, or pairs."""
    random = np.random.default_rng(seed)
    reviews, ranks, pairs, same = [], [], [], []
    for reviewer in range(reviewers):
        load = int(random.integers(2, 13))
        reviews += [(reviewer, paper, int(random.integers(1, 6))) for paper in range(load)]
        kind = reviewer % 4
        if kind < 2:
            most = load if kind == 0 else max(2, load // 2)
            order = random.permutation(load) if kind == 0 else random.integers(0, most, load)
            ranks += [(reviewer, paper, int(order[paper]) + 1) for paper in range(load)]
            continue
        place = random.permutation(load)
        for _ in range(int(random.integers(1, 2 * load))):
            one, other = random.choice(load, 2, replace=False)
            better, worse = (one, other) if place[one] > place[other] else (other, one)
            pairs.append((reviewer, int(better), int(worse)))
        if kind == 3 and load > 3:
            one, other = random.choice(load, 2, replace=False)
            same.append((reviewer, int(one), int(other)))
    tables = (("paper", "score"), ("paper", "rank"), ("better", "worse"), ("paper", "same_as"))
    frames = [
        pl.DataFrame(rows, schema=["reviewer", *columns], orient="row")
        for rows, columns in zip((reviews, ranks, pairs, same), tables, strict=True)
    ]
    return frames[0], frames[1:3], frames[3]


def problem_of(reviews, rankings, same=None, settings=RULE):
    _, known, findings = read(reviews, rankings, same, Scale([1, 2, 3, 4, 5]))
    assert not findings.fatal
    return build_problem(known, settings)[0]


@pytest.mark.parametrize("seed", range(5))
def test_openings_are_the_least_ones_and_proven_to_be(seed):
    """2,000 reviewers in all, most of them with contradictions."""
    problem = problem_of(*contradictory(seed))
    down, up = openings(problem)
    assert np.all((down >= 0) & (up >= 0) & ((down == 0) | (up == 0)))
    assert np.mean(down + up > 1e-6) > 0.3
    distances = distances_by_clarabel(problem)
    np.testing.assert_allclose(down + up, distances, atol=1e-4)
    assert np.sum(down**2 + up**2) <= np.sum(distances**2) * (1 + 1e-9)
    proven = opening_errors(problem)
    assert proven.max() < 1e-12
    assert np.count_nonzero(proven) > 250


def test_the_shape_that_failed_is_right_under_any_names():
    def scores_by_rank(names):
        reviews = reviews_of(dict(zip(names, FAILED, strict=True)))
        ranks = ranks_of({name: place for place, name in enumerate(names, start=1)})
        return dequantize(reviews, ranks, lam=1.0, conflicts="rankings", scale=range(1, 6))

    expected = scores_by_rank(range(10))
    assert expected.certificate.max_error < 1e-12
    problem = expected.internals.problem
    np.testing.assert_allclose(sum(openings(problem)), distances_by_clarabel(problem), atol=1e-5)
    random = np.random.default_rng(0)
    for _ in range(50):
        again = scores_by_rank([f"p{name}" for name in random.permutation(10)])
        np.testing.assert_allclose(
            again.scores["dequantized"], expected.scores["dequantized"], atol=1e-12
        )


def test_scores_do_not_depend_on_the_names_of_papers():
    reviews, (ranks, pairs), same = contradictory(9)
    options = {"lam": 2.0, "conflicts": "rankings", "scale": [1, 2, 3, 4, 5]}
    before = dequantize(reviews, [ranks, pairs], same=same, **options).scores
    other = np.random.default_rng(1).permutation(12)
    renamed = [
        table.with_columns(
            pl.col(name).replace_strict(list(range(12)), other.tolist())
            for name in ("paper", "better", "worse", "same_as")
            if name in table.columns
        )
        for table in (reviews, ranks, pairs, same)
    ]
    after = dequantize(renamed[0], renamed[1:3], same=renamed[3], **options).scores
    np.testing.assert_allclose(after["dequantized"], before["dequantized"], atol=1e-11)


@pytest.mark.parametrize("seed", range(20))
def test_the_bound_holds_for_openings_that_are_not_the_least(seed):
    """Cells widened by some accident: what is proven must reach to where the right scores are."""
    random = np.random.default_rng(seed)
    right = problem_of(*contradictory(seed, reviewers=4))
    off = 10.0 ** random.uniform(-7, -1) * random.random((2, len(right)))
    opened = np.isin(np.arange(len(right)), right.openings.review)
    wrong = replace(
        right,
        lower=right.lower - off[0] * opened * (random.random(len(right)) < 0.3),
        upper=right.upper + off[1] * opened * (random.random(len(right)) < 0.3),
    )
    for lam in (0.5, 5.0, math.inf):
        best = Solver(right).solve(lam, 1e-11).scores
        found = Solver(wrong).solve(lam, 1e-11).scores
        assert certify(wrong, lam, found).max_error >= np.abs(found - best).max() - 1e-9


def dense_pairs(papers, gap_free, seed=0):
    """One reviewer who compares papers at random, with few different scores: many paths need the same."""
    random = np.random.default_rng(seed)
    place = random.permutation(papers)
    one, other = random.integers(0, papers, (2, papers * papers // 2))
    apart = one != other
    one, other = one[apart], other[apart]
    better = np.where(place[one] > place[other], one, other)
    reviews = {
        "reviewer": "ann",
        "paper": np.arange(papers),
        "score": random.integers(1, 6, papers),
    }
    pairs = {"reviewer": "ann", "better": better, "worse": one + other - better}
    settings = replace(RULE, epsilon=0.0 if gap_free else 1.0)
    return problem_of(pl.DataFrame(reviews), pl.DataFrame(pairs), settings=settings)


@pytest.mark.parametrize("gap_free", [True, False])
@pytest.mark.parametrize(("papers", "seeds"), [(12, 60), (24, 60), (60, 4)])
def test_many_equal_needs_are_met_exactly(papers, seeds, gap_free):
    """SciPy's non-negative least squares ended elsewhere in 3 of 2,000 orders like these."""
    for seed in range(seeds):
        problem = dense_pairs(papers, gap_free, seed)
        assert opening_errors(problem).max(initial=0.0) < 1e-10
