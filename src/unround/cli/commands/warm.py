"""unround warm: compile all kernels, by running small conferences that use every one of them."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator

import click
import polars as pl

from unround.cli.screen import out
from unround.progress import ProgressBar, StepProgress
from unround.settings import Policy

PAPERS = 200
# Among few papers one reviewer's change moves everything, which is solved by other kernels.
FEW_PAPERS = 60
# Many reviews on few levels need other kernels.
MANY_PAPERS, FEW_LEVELS = 6_000, (1, 2, 3)
REVIEWERS_AUDITED = 2


@click.command(
    "warm",
    short_help="Compile everything now, so that the first run is fast.",
    epilog="Example: unround warm",
)
@click.option("--quiet", is_flag=True, help="Print only errors.")
def command(quiet: bool) -> None:
    """Compile unround's numerical kernels, once after installing or upgrading.

    Otherwise the first run compiles them, which takes seconds. The compiled code is stored beside the
    package if that folder is writable, else in the user's cache folder.
    """
    with ProgressBar(quiet=quiet) as stages:
        warm(lambda done, total: stages("compiling", done, total))
    if not quiet:
        out().print("Ready: everything is compiled.")


def warm(progress: StepProgress) -> None:
    """Compile every kernel that is not compiled yet."""
    steps = list(_steps())
    for done, step in enumerate(steps):
        progress(done, len(steps))
        with warnings.catch_warnings(action="ignore"):  # small conferences leave much undecided
            step()
    progress(len(steps), len(steps))


def _steps() -> Iterator[Callable[[], object]]:
    """Yield calls that together use every kernel."""
    from unround.pipeline import dequantize
    from unround.simulate import thurstone
    from unround.uncertainty.calibration import calibrate
    from unround.updates import update

    made, few = thurstone(PAPERS, seed=1), thurstone(FEW_PAPERS, seed=1)
    many = thurstone(MANY_PAPERS, scale=FEW_LEVELS, seed=1)
    reviews, ranks, pairs = made.reviews, made.rankings, _some_pairs(made.rankings)
    reversed_ = _some_reversed(ranks)
    yield lambda: _run(reviews, ranks)
    yield lambda: _run(reviews, pairs)
    yield lambda: dequantize(many.reviews, many.rankings)
    yield lambda: calibrate(many.reviews).papers
    yield lambda: dequantize(reviews, ranks, lam="auto+")
    yield lambda: dequantize(reviews, reversed_, lam=1.0, conflicts="scores")
    yield lambda: dequantize(reviews, reversed_, lam=1.0, conflicts="rankings")
    yield lambda: dequantize(reviews, _some_pairs_reversed(pairs), lam=1.0, conflicts="rankings")
    yield lambda: update(
        dequantize(reviews, ranks, lam=1.0), reviews, reversed_, conflicts="scores"
    )
    yield lambda: _audit(few.reviews, few.rankings, Policy.REFUSE)
    yield lambda: _audit(reviews, pairs, Policy.REFUSE)
    yield lambda: _audit(reviews, reversed_, Policy.SCORES)
    yield lambda: _audit(reviews, reversed_, Policy.RANKINGS)


def _run(reviews: pl.DataFrame, rankings: pl.DataFrame) -> None:
    """Run with every estimate that `unround run` offers."""
    from unround.reviews.tables import Tables
    from unround.runs.compute import compute_run
    from unround.runs.uncertainty import EstimateOptions
    from unround.settings import Accept, Settings

    estimates = EstimateOptions(
        uncertainty=True, calibration=True, stability=True, accept=Accept.read("25%")
    )
    compute_run(Tables.of(reviews, rankings), Settings(), estimates=estimates)


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


def _some_reversed(ranks: pl.DataFrame) -> pl.DataFrame:
    """Return ranks, reversed for every tenth reviewer so that they contradict the scores."""
    worst = pl.col("rank").max().over("reviewer")
    reversed_ = pl.when(pl.col("reviewer") % 10 == 0).then(worst + 1 - pl.col("rank"))
    return ranks.with_columns(rank=reversed_.otherwise(pl.col("rank")))


def _some_pairs(ranks: pl.DataFrame) -> pl.DataFrame:
    """Return partial orders: pairs of papers two or more places apart."""
    both = ranks.join(ranks, on="reviewer", suffix="_below")
    apart = both.filter(pl.col("rank_below") >= pl.col("rank") + 2)
    return apart.select("reviewer", better="paper", worse="paper_below")


def _some_pairs_reversed(pairs: pl.DataFrame) -> pl.DataFrame:
    """Return pairs, reversed for every tenth reviewer."""
    reversed_ = pl.col("reviewer") % 10 == 0
    return pairs.select(
        "reviewer",
        better=pl.when(reversed_).then("worse").otherwise("better"),
        worse=pl.when(reversed_).then("better").otherwise("worse"),
    )
