"""Compile every kernel that a run can need, by small conferences that need them all."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator

import polars as pl

from unround.compiler import KERNELS
from unround.pipeline import dequantize
from unround.progress import StepProgress
from unround.reviews.tables import Tables
from unround.runs.perform import perform_tables
from unround.runs.sureness import Accept, Asked
from unround.settings import Settings
from unround.simulate import Conference, thurstone
from unround.uncertainty.calibration import calibrate
from unround.updates import update

PAPERS = 200
# Errors of many reviews on few levels, and how sure calibrated papers are, take other kernels.
MANY_PAPERS, FEW_LEVELS = 6_000, (1, 2, 3)
EVERYTHING = Asked(uncertainty=True, calibration=True, stability=True, accept=Accept.read("25%"))


def warm(progress: StepProgress) -> int:
    """Compile what is not compiled yet; return how many kernels are ready to be called."""
    steps = list(_steps(thurstone(PAPERS, seed=1)))
    for done, step in enumerate(steps):
        progress(done, len(steps))
        with warnings.catch_warnings(action="ignore"):  # small conferences tell little
            step()
    progress(len(steps), len(steps))
    return sum(bool(kernel.signatures) for kernel in KERNELS)


def _steps(made: Conference) -> Iterator[Callable[[], object]]:
    reviews, ranks, pairs = made.reviews, made.rankings, _some_pairs(made.rankings)
    turned = _turned_for_some(ranks)
    many = thurstone(MANY_PAPERS, scale=FEW_LEVELS, seed=1)
    yield lambda: _run(reviews, ranks)
    yield lambda: _run(reviews, pairs)
    yield lambda: dequantize(many.reviews, many.rankings)
    yield lambda: calibrate(many.reviews).papers
    yield lambda: dequantize(reviews, ranks, lam="auto+")
    yield lambda: dequantize(reviews, turned, lam=1.0, conflicts="scores")
    yield lambda: dequantize(reviews, turned, lam=1.0, conflicts="rankings")
    yield lambda: dequantize(reviews, _turned_pairs(pairs), lam=1.0, conflicts="rankings")
    yield lambda: update(dequantize(reviews, ranks, lam=1.0), reviews, turned, conflicts="scores")


def _run(reviews: pl.DataFrame, rankings: pl.DataFrame) -> None:
    perform_tables(Tables.of(reviews, rankings), Settings(), asked=EVERYTHING)


def _turned_for_some(ranks: pl.DataFrame) -> pl.DataFrame:
    """Return ranks of which every tenth reviewer's contradict their scores."""
    worst = pl.col("rank").max().over("reviewer")
    turned = pl.when(pl.col("reviewer") % 10 == 0).then(worst + 1 - pl.col("rank"))
    return ranks.with_columns(rank=turned.otherwise(pl.col("rank")))


def _some_pairs(ranks: pl.DataFrame) -> pl.DataFrame:
    """Return orders that are no chains: papers two or more places apart, and neighbours free."""
    both = ranks.join(ranks, on="reviewer", suffix="_below")
    apart = both.filter(pl.col("rank_below") >= pl.col("rank") + 2)
    return apart.select("reviewer", better="paper", worse="paper_below")


def _turned_pairs(pairs: pl.DataFrame) -> pl.DataFrame:
    """Return pairs of which every tenth reviewer's are turned round."""
    turned = pl.col("reviewer") % 10 == 0
    return pairs.select(
        "reviewer",
        better=pl.when(turned).then("worse").otherwise("better"),
        worse=pl.when(turned).then("better").otherwise("worse"),
    )
