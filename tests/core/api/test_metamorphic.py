"""What must not matter does not, and what must follow follows.

Two runs of one program may differ by the sum of their certificates' `max_error` and no more. Where
the program is the same to the last bit (rows in another order, other numbers of threads), so are
the scores and the certificate.
"""

import math
import os
import subprocess
import sys
from functools import cache

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from unround import Scale, dequantize, simulate

pytestmark = pytest.mark.slow

LEVELS = range(1, 5)
# Adding a constant, or comparing after it, rounds once.
ROUNDING = 1e-14

seeds = st.integers(0, 10_000)
lambdas = st.sampled_from([0.3, 1.0, 7.5, 60.0, math.inf])
metamorphic = settings(max_examples=40)


@cache
def conference(seed):
    """Reviews, rank lists with ties for some reviewers, and stated pairs for the others."""
    random = np.random.default_rng(seed)
    drawn = simulate.thurstone(
        papers=int(random.integers(5, 15)),
        reviews_per_paper=int(random.integers(1, 5)),
        papers_per_reviewer=[4, 7, 3],
        noise=0.8,
        scale=Scale(LEVELS),
        seed=random,
    )
    # A quarter of a level per rank: ties are common, and a rank never contradicts a score.
    coarse = pl.Series("rank", 100 - np.floor(drawn.truth * 4.0)).cast(pl.Int64)
    ranked = drawn.reviews.select("reviewer", "paper").with_columns(coarse)
    kept = ranked.filter(pl.Series(random.random(ranked.height) < 0.8))
    pairs = pairs_from(kept.filter(pl.col("reviewer") % 2 == 1))
    stated = pairs.filter(pl.Series(random.random(pairs.height) < 0.6))
    return drawn.reviews, kept.filter(pl.col("reviewer") % 2 == 0), stated


def pairs_from(ranks):
    """Every two papers that a rank list sets apart."""
    apart = ranks.join(ranks, on="reviewer").filter(pl.col("rank") < pl.col("rank_right"))
    return apart.select("reviewer", better="paper", worse="paper_right").sort(pl.all())


def run(reviews, *rankings, lam=1.0, scale=LEVELS, **options):
    return dequantize(reviews, list(rankings), lam=lam, scale=scale, **options)


def scores_of(result):
    return {row[:2]: row[3] for row in result.scores.iter_rows()}


def assert_follows(before, after, *, of, factor=1.0, shift=0.0):
    """after[of(review)] = factor · before[review] + shift, to the sum of both certificates."""
    old, new = scores_of(before), scores_of(after)
    bound = abs(factor) * before.certificate.max_error + after.certificate.max_error + ROUNDING
    for review, score in old.items():
        assert abs(factor * score + shift - new[of(review)]) <= bound


def same(review):
    return review


@metamorphic
@given(seeds, lambdas)
def test_labels_do_not_matter(seed, lam):
    reviews, ranks, pairs = conference(seed)
    random = np.random.default_rng(seed)
    people = dict(enumerate(random.permutation(reviews["reviewer"].max() + 1).tolist()))
    order = random.permutation(reviews["paper"].max() + 1).tolist()
    titles = {paper: f"paper {number}" for paper, number in enumerate(order)}

    def renamed(table):
        papers = [column for column in table.columns if column in ("paper", "better", "worse")]
        return table.with_columns(
            pl.col("reviewer").replace_strict(people, return_dtype=pl.Int64),
            pl.col(papers).replace_strict(titles, return_dtype=pl.String),
        )

    before = run(reviews, ranks, pairs, lam=lam)
    after = run(renamed(reviews), renamed(ranks), renamed(pairs), lam=lam)
    assert_follows(before, after, of=lambda review: (people[review[0]], titles[review[1]]))


def shuffled(seed, *tables):
    return [table.sample(fraction=1.0, shuffle=True, seed=seed) for table in tables]


def ranks_in_parts(seed, reviews, ranks, pairs):
    parts = 2 + seed % 3
    return [reviews, *(ranks.gather_every(parts, offset) for offset in range(parts)), pairs]


def pairs_stated_again(_seed, reviews, ranks, pairs):
    return [reviews, ranks, pairs, pairs]


def implied_pairs_stated(_seed, reviews, ranks, pairs):
    linked = pairs.join(
        pairs, left_on=["reviewer", "worse"], right_on=["reviewer", "better"], suffix="_than_that"
    )
    implied = linked.select("reviewer", "better", worse="worse_than_that")
    return [reviews, ranks, pairs, implied]


def ranks_as_pairs(_seed, reviews, ranks, pairs):
    return [reviews, pairs_from(ranks), pairs]


OTHERWISE = [shuffled, ranks_in_parts, ranks_as_pairs, pairs_stated_again, implied_pairs_stated]


@pytest.mark.parametrize("otherwise", OTHERWISE)
@metamorphic
@given(seed=seeds, lam=lambdas)
def test_the_same_said_otherwise_changes_no_bit(otherwise, seed, lam):
    tables = conference(seed)
    before, after = run(*tables, lam=lam), run(*otherwise(seed, *tables), lam=lam)
    assert scores_of(before) == scores_of(after)
    assert before.certificate == after.certificate


@pytest.mark.parametrize("seed", range(3))
def test_row_order_changes_no_bit_of_validation(seed):
    tables = conference(seed)
    before, after = run(*tables, lam="auto"), run(*shuffled(seed, *tables), lam="auto")
    assert before.lam == after.lam
    assert before.selection.equals(after.selection)
    assert scores_of(before) == scores_of(after)


@metamorphic
@given(seeds, lambdas, st.sampled_from([1, 2]), st.integers(-50, 50))
def test_scores_on_a_scale_moved_and_stretched_follow_it(seed, lam, factor, shift):
    """ε is relative to the spacing, so that it doubles too where levels are twice as far apart."""
    reviews, ranks, pairs = conference(seed)
    moved = reviews.with_columns(pl.col("score") * factor + shift)
    before = run(reviews, ranks, pairs, lam=lam)
    after = run(moved, ranks, pairs, lam=lam, scale=[factor * level + shift for level in LEVELS])
    assert_follows(before, after, of=same, factor=factor, shift=shift)


@metamorphic
@given(seeds, lambdas)
def test_scale_and_rankings_turned_upside_down_mirror_the_result(seed, lam):
    reviews, ranks, pairs = conference(seed)
    before = run(reviews, ranks, pairs, lam=lam)
    after = run(
        reviews.with_columns(-pl.col("score")),
        ranks.with_columns(rank=200 - pl.col("rank")),
        pairs.rename({"better": "worse", "worse": "better"}),
        lam=lam,
        scale=[-level for level in reversed(LEVELS)],
    )
    assert_follows(before, after, of=same, factor=-1.0)


@metamorphic
@given(seeds, lambdas)
def test_reviewer_elsewhere_changes_nothing_here(seed, lam):
    reviews, ranks, pairs = conference(seed)
    elsewhere = pl.DataFrame({"reviewer": [-1, -1], "paper": [-7, -8], "score": [1, 4]})
    before = run(reviews, ranks, pairs, lam=lam)
    after = run(pl.concat([elsewhere, reviews]), ranks, pairs, lam=lam)
    assert_follows(before, after, of=same)
    assert scores_of(after)[-1, -7] == pytest.approx(1.0, abs=after.certificate.max_error)


@metamorphic
@given(seeds, lambdas)
def test_conference_held_twice_gives_each_half_the_same(seed, lam):
    tables = conference(seed)
    doubled = [
        pl.concat([table, table.with_columns(pl.exclude("rank", "score") + 1000)])
        for table in tables
    ]
    before, after = run(*tables, lam=lam), run(*doubled, lam=lam)
    assert_follows(before, after, of=same)
    assert_follows(before, after, of=lambda review: (review[0] + 1000, review[1] + 1000))


# Conferences are cut into blocks for threads from a size on that no test should wait for.
PRINT_EVERY_BIT = """
import unround
from unround.solver import local
local.LEAST_FOR_BLOCKS = 1
drawn = unround.simulate.thurstone(papers=40, seed=5)
result = unround.dequantize(drawn.reviews, drawn.rankings, lam=0.7)
print(local.lay_out(result.internals.problem).blocks)
print([value.hex() for value in result.internals.values.tolist()], result.certificate)
"""
THREADS = ["UNROUND_THREADS", "NUMBA_NUM_THREADS", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"]


def test_threads_change_no_bit():
    printed = [
        subprocess.run(
            [sys.executable, "-c", PRINT_EVERY_BIT],
            env={**os.environ, **dict.fromkeys(THREADS, count)},
            check=True,
            capture_output=True,
            text=True,
        ).stdout
        for count in ("1", "2")
    ]
    assert printed[0] == printed[1]
    assert printed[0].startswith("4\n")
    assert printed[0].count("0x") == 160
