"""Resampling reviewers: the drawn program is the one that the drawn tables would give."""

from __future__ import annotations

from collections import Counter

import numpy as np
import polars as pl
import pytest

import unround
from unround.preparation import prepare
from unround.reviews.tables import Tables
from unround.settings import Settings
from unround.uncertainty.stability import above_line, resample, stability


def conference(seed=2):
    made = unround.simulate.thurstone(papers=30, seed=seed, papers_per_reviewer=[3, 5])
    ranks = made.rankings.filter(pl.col("reviewer") % 2 == 0)
    odd = made.rankings.filter(pl.col("reviewer") % 2 == 1)
    pairs = (
        odd.join(odd, on="reviewer", suffix="_worse")
        .filter(pl.col("rank") + 1 < pl.col("rank_worse"))
        .select("reviewer", better="paper", worse="paper_worse")
    )
    return made.reviews, [ranks, pairs]


def copied(table, drawn):
    """The rows of the drawn reviewers, each copy under a name of its own that sorts as drawn."""
    copies = [
        table.filter(pl.col("reviewer") == reviewer).with_columns(reviewer=pl.lit(number))
        for number, reviewer in enumerate(drawn)
    ]
    return pl.concat(copies)


@pytest.mark.parametrize("seed", range(5))
def test_a_drawn_program_is_that_of_the_drawn_tables(seed):
    reviews, rankings = conference(seed)
    prepared = prepare(Tables(reviews, rankings), Settings())
    count = len(prepared.reviews.reviewers)
    drawn = np.sort(np.random.default_rng(seed).integers(0, count, count))
    ours = resample(prepared.problem, prepared.reviews.reviewer, drawn)
    names = reviews["reviewer"].unique().sort()
    chosen = names.gather(drawn).to_list()
    tables = copied(reviews, chosen), [copied(table, chosen) for table in rankings]
    scale = prepared.reviews.scale
    result = unround.dequantize(*tables, lam=3.0, scale=scale)
    theirs = result.internals.problem
    assert ours.problem.papers == theirs.papers
    # Theirs are in the order of copies: the n-th time that ours have a review, it is of the n-th copy.
    seen, order = Counter(), []
    for place, review in enumerate(ours.review.tolist()):
        first = np.searchsorted(drawn, prepared.reviews.reviewer[review])
        order.append((first + seen[review], review, place))
        seen[review] += 1
    order = np.array([place for *_, place in sorted(order)])
    for name in ("given", "lower", "upper", "paper"):
        np.testing.assert_array_equal(getattr(ours.problem, name)[order], getattr(theirs, name))
    mine, other = ours.problem.comparisons, theirs.comparisons
    place = np.argsort(order)
    pairs = [
        set(zip(one.tolist(), two.tolist(), strict=True))
        for one, two in (
            (place[mine.above], place[mine.below]),
            (other.above, other.below),
        )
    ]
    assert pairs[0] == pairs[1]
    assert len(pairs[0]) > 10


def test_the_side_of_the_line_is_counted_over_the_draws():
    reviews, rankings = conference()
    result = unround.dequantize(reviews, rankings)
    found = stability(result, accept=8, draws=60)
    papers = found.papers.sort("mean", descending=True)
    # Papers far from the line keep their side, and those at the line do not always.
    assert papers["stays"][0] > 0.9
    assert papers["stays"][-1] > 0.9
    assert papers["stays"][6:10].min() < 0.9
    assert (papers["low"] <= papers["high"]).all()
    assert 0.8 < found.share_of_pairs < 1.0
    assert stability(result, accept=8, draws=60).papers.equals(found.papers)


def test_a_paper_without_a_mean_is_below_the_line():
    assert above_line(np.array([1.0, np.nan, 3.0, 2.0]), 2).tolist() == [False, False, True, True]


@pytest.mark.slow
def test_choices_that_move_a_paper_over_the_line_are_named():
    result = unround.dequantize(*conference(), lam=0.5)
    named = [
        text
        for accept in range(2, 28, 5)
        for text in stability(result, accept=accept, draws=1).papers["depends_on"].to_list()
    ]
    moved = [text for text in named if text]
    assert 0 < len(moved) < len(named)
    assert {name for text in moved for name in text.split(", ")} <= {"λ", "ε"}


def test_choices_are_open_to_a_run_that_went_on_without_most_statements():
    reviews, (ranks, pairs) = conference(seed=5)
    strangers = pl.concat([ranks.with_columns(paper=pl.col("paper") + far) for far in (100, 200)])
    options = {"lam": 0.5, "conflicts": "scores", "allow_loss": True}
    result = unround.dequantize(reviews, [pairs, strangers], **options)
    assert "most-lost" in {str(issue.kind) for issue in result.issues}
    papers = stability(result, accept=22, draws=1).papers
    assert "λ" in papers["depends_on"].to_list()


@pytest.mark.parametrize(
    ("accept", "words"),
    [(0, "from 1 to 29"), (30, "from 1 to 29"), (-1, "-1 is neither"), (True, "True is neither")],
)
def test_a_line_outside_the_conference_is_refused(accept, words):
    result = unround.dequantize(*conference())
    with pytest.raises(unround.UsageError, match=words):
        stability(result, accept=accept)
