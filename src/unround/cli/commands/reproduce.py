"""unround reproduce: run the paper's experiments, or a researcher's own."""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path

import click

from unround.cli.options import PATH
from unround.cli.screen import err, out
from unround.errors import UsageError
from unround.progress import ProgressBar
from unround.solver.dask_engine import Dask

TRIALS = 20
ALL_CORES = -1  # as joblib says it


@click.command(
    "reproduce",
    short_help="Run the paper's experiments, or your own.",
    epilog="Example: unround reproduce all --data iclr_2017.csv -o experiments",
)
@click.argument("names", nargs=-1, metavar="[NAME ...|all|decisions]")
@click.option(
    "--trials",
    type=click.IntRange(1),
    default=TRIALS,
    show_default=True,
    help="Trials per setting.",
)
@click.option("--data", type=PATH, help="Table of the scores of ICLR 2017.")
@click.option("-o", "--output", type=PATH, required=True, help="Folder for the results.")
@click.option("--jobs", type=click.IntRange(1), help="Number of processes (default: all cores).")
@click.option(
    "--scheduler",
    metavar="ADDRESS",
    help="Run on this Dask cluster, such as tcp://host:8786.",
)
@click.option("--quiet", is_flag=True, help="Print only issues and errors.")
def command(
    names: tuple[str, ...],
    trials: int,
    data: Path | None,
    output: Path,
    jobs: int | None,
    scheduler: str | None,
    quiet: bool,
) -> None:
    """Reproduce the paper's figures and numbers, or run other studies.

    NAME is a study (noise, load, reviews, epsilon, lambdas, iclr, iclr-epsilon, curves, ...), `all` for
    the paper's, `decisions` for intervals and P(accept), or a file (.toml or .py) or folder, such as
    studies/beyond in unround's repository. Writes report.html, tables and figures into OUTPUT.
    Trials finished there are not run again.
    """
    with ProgressBar(quiet=quiet, lines=True) as stages:
        from unround.lab.reproduce import reproduce
        from unround.lab.trials.runner import KEPT

        if scheduler is not None and jobs is not None:
            raise UsageError("--jobs is for this machine: leave it out with --scheduler")
        with nullcontext() if scheduler is None else Dask(scheduler).connected() as cluster:
            try:
                studies, lacking = reproduce(
                    names,
                    output,
                    trials=trials,
                    data=data,
                    jobs=jobs or ALL_CORES,
                    client=cluster and cluster.scheduler,
                    progress=stages,
                )
            except Exception as error:
                error.add_note(f"No report was written; {KEPT}.")
                raise
    if quiet:
        return
    if lacking:
        from unround.lab.catalogue.iclr import HOW_TO_GET

        err().print(f"Left out, because data are missing: {', '.join(lacking)}.")
        err().print(HOW_TO_GET)
    out().print(f"Studies: {', '.join(studies)}")
    out().print(f"Report: {output / 'report.html'}")
