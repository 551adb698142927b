"""After a change of one reviewer: the scores of a fresh solve, within the bound, whatever is stated."""

import math
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import unround
from tests.core.strategies import conferences, contradictory
from unround.audit.influence.one_reviewer import Levels, ReviewerParts
from unround.audit.influence.resolve import SolvedProblem
from unround.certificate import certify
from unround.problem.build import build_problem
from unround.reviews.review_set import Statements
from unround.settings import Policy
from unround.solver.local import Solver

TOLERANCE = 1e-6
ELEVEN = {"scale": range(11), "conflicts": "scores"}  # as simulated


def standing_of(conference, lam, tolerance, **options):
    """A conference as it stands, and its reviewers one by one."""
    result = unround.dequantize(
        conference.reviews, conference.rankings, lam=math.inf, tolerance=1.0, **options
    )
    inside = result.internals
    standing = SolvedProblem(inside.problem, inside.reviews.scale, lam, tolerance)
    return standing, ReviewerParts(inside.reviews, result.settings)


def drawn_change(draw, parts, reviewer):
    """A level up or down in one review, or another rank list, or both: level, rank or None."""
    mine = parts.of(reviewer)
    level = parts.reviews.level[mine].copy()
    which = draw(st.sampled_from(["score", "ranking", "both"]))
    if which != "ranking":
        review = draw(st.integers(0, level.size - 1))
        last = len(parts.reviews.scale.levels) - 1
        level[review] = np.clip(level[review] + draw(st.sampled_from([-1, 1])), 0, last)
    if which == "score":
        return level, None
    ranks = st.lists(st.sampled_from([1.0, 2.0, 3.0, math.nan]), min_size=level.size)
    return level, np.array(draw(ranks)[: level.size])


def whole_after(parts, reviewer, level, rank):
    """The problem of the whole conference after the change, built as if it were new; None if refused."""
    reviews, mine = parts.reviews, parts.of(reviewer)
    levels = reviews.level.copy()
    levels[mine] = level
    said = reviews.statements
    if rank is not None:
        ranks = said.rank.copy()
        ranks[mine] = rank
        others, apart_from = (
            reviews.reviewer[said.better] != reviewer,
            reviews.reviewer[said.alike] != reviewer,
        )
        said = Statements(
            ranks,
            said.better[others],
            said.worse[others],
            said.alike[apart_from],
            said.alike_to[apart_from],
        )
    problem, issues = build_problem(replace(reviews, level=levels, statements=said), parts.settings)
    return None if issues and parts.settings.conflicts is Policy.REFUSE else problem


def check(standing, parts, reviewer, level, rank, lam, tolerance=TOLERANCE):
    """Compare with a fresh solve, and with the certificate, which knows no solver."""
    part = parts.part(reviewer, level, rank)
    problem = whole_after(parts, reviewer, level, rank)
    assert (part is None) == (problem is None)
    if part is None:
        return
    before = standing.scores
    moved = standing.after(parts.of(reviewer).start, part)
    assert moved.bound <= tolerance
    scores = standing.scores
    assert np.array_equal(scores, before)  # everything is put back
    scores[moved.reviews] = moved.scores
    fresh = Solver(problem).solve(lam, 1e-3 * tolerance)
    assert np.abs(scores - fresh.scores).max() <= moved.bound + fresh.bound
    proven = certify(problem, lam, scores).max_error
    assert proven <= (1 + 1 / lam) * 4 * tolerance
    means = np.bincount(problem.paper, scores) / problem.paper_count
    assert means[moved.papers] == pytest.approx(moved.means, abs=1e-12)
    others = np.setdiff1d(np.arange(problem.papers), moved.papers)
    assert means[others] == pytest.approx(standing.means[others], abs=1e-12)


@pytest.mark.slow
@settings(max_examples=40)
@given(
    data=st.data(),
    instance=st.one_of(
        *(conferences(kind) for kind in ("mixed", "ties", "pairs", "total")),
        *(contradictory(policy) for policy in ("scores", "rankings")),
    ),
)
def test_statements_that_hold_and_contradictory_ones_by_every_policy(data, instance):
    standing, parts = standing_of(instance, instance.lam, TOLERANCE, **instance.options)
    for _ in range(4):
        reviewer = data.draw(st.integers(0, len(parts) - 1))
        level, rank = drawn_change(data.draw, parts, reviewer)
        check(standing, parts, reviewer, level, rank, instance.lam)


@pytest.fixture(scope="module")
def conference():
    """300 reviews with rank lists, a ring of papers large enough for changes to die out on the way."""
    return unround.simulate.thurstone(300, reviews_per_paper=3, papers_per_reviewer=3, seed=4)


@pytest.mark.parametrize(("lam", "tolerance"), [(50.0, 1e-6), (50.0, 1e-9), (0.05, 1e-6)])
def test_ranked_conference_to_the_tolerance_asked_for(conference, lam, tolerance):
    standing, parts = standing_of(conference, lam, tolerance, **ELEVEN)
    assert standing.bound <= tolerance
    for reviewer in range(0, len(parts), 37):
        level = parts.reviews.level[parts.of(reviewer)].copy()
        level[0] += 1 if level[0] < 10 else -1
        check(standing, parts, reviewer, level, None, lam, tolerance)


def test_the_work_is_that_of_the_papers_reached(conference):
    standing, parts = standing_of(conference, 50.0, 1e-6, **ELEVEN)
    level = parts.reviews.level[parts.of(0)].copy()
    level[0] -= 1
    moved = standing.after(0, parts.part(0, level))
    assert moved.work < len(parts.reviews) / 4
    assert moved.papers.size < 60
    closer, _ = standing_of(conference, 50.0, 1e-9, **ELEVEN)
    assert closer.after(0, parts.part(0, level)).work > moved.work


def test_nothing_changed_moves_nothing(conference):
    standing, parts = standing_of(conference, 50.0, 1e-9, **ELEVEN)
    for reviewer in range(0, len(parts), 20):
        part = parts.part(reviewer)
        assert isinstance(part, Levels)  # a rank list that agrees with the scores: the quick way
        moved = standing.after(parts.of(reviewer).start, part)
        assert moved.scores == pytest.approx(standing.scores[moved.reviews], abs=1e-15)
        assert moved.work == parts.of(reviewer).stop - parts.of(reviewer).start


def test_a_change_that_stops_too_early_says_so(conference, monkeypatch):
    """The bound is added up anew from the scores: it does not believe the threshold that stopped it."""
    standing, parts = standing_of(conference, 50.0, 1e-9, **ELEVEN)
    level = parts.reviews.level[parts.of(0)].copy()
    level[0] -= 1
    part, problem = parts.part(0, level), whole_after(parts, 0, level, None)
    monkeypatch.setattr(SolvedProblem, "_allowed", lambda self, own: math.inf)
    moved = standing.after(0, part)
    scores = standing.scores
    scores[moved.reviews] = moved.scores
    error = np.abs(scores - Solver(problem).solve(50.0, 1e-12).scores).max()
    assert 1e-9 < error <= moved.bound


def test_infinite_lambda_moves_only_the_reviewer_themself():
    reviews = pl.DataFrame({"reviewer": [1, 1, 2], "paper": [1, 2, 1], "score": [4, 4, 6]})
    ranks = pl.DataFrame({"reviewer": [1, 1], "paper": [1, 2], "rank": [1, 2]})
    conference = SimpleNamespace(reviews=reviews, rankings=ranks)
    standing, parts = standing_of(conference, math.inf, 1e-9, scale=range(1, 11))
    moved = standing.after(0, parts.part(0, rank=np.array([2.0, 1.0])))
    assert moved.reviews.tolist() == [0, 1]
    assert moved.scores == pytest.approx([3.975, 4.025], abs=1e-12)
    assert moved.bound == 0.0
