"""unround warm: compile all kernels now, so that the first run need not.

Small conferences that need every kernel are solved, calibrated and audited.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator

import click
import polars as pl

from unround.cli.screen import out
from unround.progress import ProgressBar, StepProgress
from unround.settings import Policy

PAPERS = 200
# Errors of many reviews on few levels, and how sure calibrated papers are, take other kernels.
MANY_PAPERS, FEW_LEVELS = 6_000, (1, 2, 3)
REVIEWERS_AUDITED = 2


@click.command(
    "warm",
    short_help="Compile everything once, after installing.",
    epilog="Example: unround warm",
)
@click.option("--quiet", is_flag=True, help="Print nothing but errors.")
def command(quiet: bool) -> None:
    """Compile the parts of unround that are machine code, once after installing or upgrading.

    Otherwise the first run that needs a part compiles it, which takes seconds. What is compiled is kept
    beside the package where that folder can be written, else in the user's cache folder.
    """
    with ProgressBar(quiet=quiet) as stages:
        warm(lambda done, total: stages("compiling", done, total))
    if not quiet:
        out().print("Ready: everything is compiled.")


def warm(progress: StepProgress) -> None:
    """Compile what is not compiled yet."""
    steps = list(_steps())
    for done, step in enumerate(steps):
        progress(done, len(steps))
        with warnings.catch_warnings(action="ignore"):  # small conferences leave much undecided
            step()
    progress(len(steps), len(steps))


def _steps() -> Iterator[Callable[[], object]]:
    """Yield calls that need all kernels between them."""
    from unround.pipeline import dequantize
    from unround.simulate import thurstone
    from unround.uncertainty.calibration import calibrate
    from unround.updates import update

    made, many = thurstone(PAPERS, seed=1), thurstone(MANY_PAPERS, scale=FEW_LEVELS, seed=1)
    reviews, ranks, pairs = made.reviews, made.rankings, _some_pairs(made.rankings)
    turned = _turned_for_some(ranks)
    yield lambda: _run(reviews, ranks)
    yield lambda: _run(reviews, pairs)
    yield lambda: dequantize(many.reviews, many.rankings)
    yield lambda: calibrate(many.reviews).papers
    yield lambda: dequantize(reviews, ranks, lam="auto+")
    yield lambda: dequantize(reviews, turned, lam=1.0, conflicts="scores")
    yield lambda: dequantize(reviews, turned, lam=1.0, conflicts="rankings")
    yield lambda: dequantize(reviews, _turned_pairs(pairs), lam=1.0, conflicts="rankings")
    yield lambda: update(dequantize(reviews, ranks, lam=1.0), reviews, turned, conflicts="scores")
    yield lambda: _audit(reviews, pairs, Policy.REFUSE)
    yield lambda: _audit(reviews, turned, Policy.SCORES)
    yield lambda: _audit(reviews, turned, Policy.RANKINGS)


def _run(reviews: pl.DataFrame, rankings: pl.DataFrame) -> None:
    """Do all that `unround run` can be asked for."""
    from unround.reviews.tables import Tables
    from unround.runs.compute import compute_run_of_tables
    from unround.runs.uncertainty import Accept, EstimateOptions
    from unround.settings import Settings

    estimates = EstimateOptions(
        uncertainty=True, calibration=True, stability=True, accept=Accept.read("25%")
    )
    compute_run_of_tables(Tables.of(reviews, rankings), Settings(), estimates=estimates)


def _audit(reviews: pl.DataFrame, rankings: pl.DataFrame, conflicts: Policy) -> None:
    """Audit the influence of a few reviewers."""
    from unround.audit.influence.audit import MOST_SOLVED, audit_influence
    from unround.disclosure.snapshot import Snapshot
    from unround.pipeline import dequantize

    snapshot = Snapshot.of(dequantize(reviews, rankings, lam=1.0, conflicts=conflicts))
    for most_solved in (0, MOST_SOLVED):  # by search, and by solving every change
        audit_influence(
            snapshot,
            sample=REVIEWERS_AUDITED,
            most_solved=most_solved,
            progress=lambda *_: None,
        )


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
