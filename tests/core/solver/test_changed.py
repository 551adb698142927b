"""After a change of one reviewer: the means of a whole solve, within the bound, whatever is stated."""

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import unround
from tests.core.strategies import conferences, contradictory
from unround.problem.build import build_problem
from unround.reviews.review_set import Ids, ReviewSet, Statements
from unround.settings import Policy, Settings
from unround.solver.changed import SolvedProblem
from unround.solver.local import Solver

TOLERANCE = 1e-6


def built(conference, **options):
    """The reviews and settings of a conference."""
    given = unround.dequantize(
        conference.reviews, conference.rankings, lam=math.inf, tolerance=1.0, **options
    )
    conflicts = given.settings.conflicts
    conflicts = Policy.SCORES if conflicts is Policy.REFUSE else conflicts
    return given.internals.reviews, replace(given.settings, conflicts=conflicts)


def alone(reviews: ReviewSet, mine, level, rank) -> ReviewSet:
    """One reviewer's reviews with other scores and ranks, as a small conference."""
    return ReviewSet(
        reviewer=np.zeros(mine.size, dtype=np.int64),
        paper=np.arange(mine.size),
        level=level,
        row=reviews.row[mine],
        scale=reviews.scale,
        reviewers=Ids(np.zeros(1, dtype=np.int64)),
        papers=Ids(np.arange(mine.size)),
        statements=Statements.ranks_only(rank),
    )


def without_statements_of(reviews: ReviewSet, mine, rank) -> Statements:
    said = reviews.statements
    ranks = said.rank.copy()
    ranks[mine] = rank
    pairs, alike = (~np.isin(one, mine) for one in (said.better, said.alike))
    return Statements(
        ranks, said.better[pairs], said.worse[pairs], said.alike[alike], said.alike_to[alike]
    )


def check(reviews: ReviewSet, chosen: Settings, solved: SolvedProblem, mine, level, rank):
    """Compare with a fresh solve of the whole conference."""
    levels = reviews.level.copy()
    levels[mine] = level
    statements = without_statements_of(reviews, mine, rank)
    problem, _ = build_problem(replace(reviews, level=levels, statements=statements), chosen)
    fresh = Solver(problem).solve(solved.lam, 1e-3 * TOLERANCE)
    expected = np.bincount(problem.paper, fresh.scores) / problem.paper_count
    changed, _ = build_problem(alone(reviews, mine, level, rank), chosen)
    before = solved.means.copy()
    found = solved.near(mine).after(changed)
    assert np.array_equal(solved.means, before)
    assert found.bound <= TOLERANCE
    means = before.copy()
    means[found.papers] = found.means
    assert np.abs(means - expected).max() <= found.bound + fresh.bound + 1e-12


@pytest.mark.slow
@settings(max_examples=60)
@given(
    data=st.data(),
    instance=st.one_of(
        *(conferences(kind) for kind in ("mixed", "ties", "pairs", "total")),
        *(contradictory(policy) for policy in ("scores", "rankings")),
    ),
)
def test_any_scores_and_ranks_of_one_reviewer(data, instance):
    reviews, chosen = built(instance, **instance.options)
    solved = SolvedProblem(build_problem(reviews, chosen)[0], instance.lam, TOLERANCE)
    for _ in range(4):
        reviewer = data.draw(st.integers(0, len(reviews.reviewers) - 1))
        mine = np.flatnonzero(reviews.reviewer == reviewer)
        last = len(reviews.scale.levels) - 1
        level = np.array(data.draw(st.lists(st.integers(0, last), min_size=30)))[: mine.size]
        ranks = st.lists(st.sampled_from([1.0, 2.0, 3.0, math.nan]), min_size=30)
        check(reviews, chosen, solved, mine, level, np.array(data.draw(ranks))[: mine.size])


@pytest.mark.parametrize("lam", [0.01, 1.0, 20.0, math.inf])
def test_a_change_far_from_most_papers_looks_at_few_where_the_pull_is_weak(lam):
    conference = unround.simulate.thurstone(300, reviews_per_paper=3, papers_per_reviewer=3, seed=4)
    reviews, chosen = built(conference, scale=range(11), conflicts="scores")
    solved = SolvedProblem(build_problem(reviews, chosen)[0], lam, TOLERANCE)
    for reviewer in (0, 50, 299):
        mine = np.flatnonzero(reviews.reviewer == reviewer)
        level = np.clip(reviews.level[mine] + 1, 0, 10)
        rank = np.arange(mine.size, dtype=np.float64)
        check(reviews, chosen, solved, mine, level, rank)
        changed, _ = build_problem(alone(reviews, mine, level, rank), chosen)
        papers = solved.near(mine).after(changed).papers
        assert papers.size < 300 if lam >= 20 else papers.size <= 300
