"""unround warm: compile all kernels, by running two small conferences that use every one of them."""

from __future__ import annotations

import warnings

import click
import polars as pl

from unround.cli.screen import out
from unround.progress import ProgressBar, StepProgress

PAPERS = 200
# Many reviews on few levels need other kernels.
MANY_PAPERS, FEW_LEVELS = 6_000, (1, 2, 3)


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
    from unround.pipeline import dequantize
    from unround.reviews.tables import Tables
    from unround.runs.compute import compute_run
    from unround.runs.uncertainty import EstimateOptions
    from unround.settings import Accept, Settings
    from unround.simulate import thurstone

    made, many = thurstone(PAPERS, seed=1), thurstone(MANY_PAPERS, scale=FEW_LEVELS, seed=1)
    # One reviewer states pairs, and one ranks against their own scores.
    one, two, three, four = made.reviews.filter(reviewer=0)["paper"]
    pairs = pl.DataFrame({"reviewer": 0, "better": [one, two, two], "worse": [three, three, four]})
    reversed_rank = pl.when(pl.col("reviewer") == 1).then(5 - pl.col("rank")).otherwise("rank")
    ranks = made.rankings.filter(pl.col("reviewer") > 0).with_columns(rank=reversed_rank)
    estimates = EstimateOptions(True, True, True, Accept.read("25%"))
    with warnings.catch_warnings(action="ignore"):  # small conferences leave much undecided
        progress(0, 2)
        settings = Settings.checked(conflicts="rankings")
        compute_run(Tables.of(made.reviews, [ranks, pairs]), settings, estimates=estimates)
        progress(1, 2)
        dequantize(many.reviews, many.rankings, lam="auto")
        progress(2, 2)
