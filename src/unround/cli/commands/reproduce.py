"""unround reproduce: the paper's experiments, those beyond it, and a researcher's own."""

from __future__ import annotations

import os
from pathlib import Path

import click

from unround.cli.options import FOLDER, EngineOption
from unround.cli.screen import err, out
from unround.errors import UsageError
from unround.progress import ProgressBar
from unround.settings import EngineName
from unround.solver.engine import DASK, LOCAL

TRIALS = 20


@click.command(
    "reproduce",
    short_help="Run the paper's experiments, and more.",
    epilog="Example: unround reproduce all --data PeerRead -o experiments",
)
@click.argument("names", nargs=-1, metavar="[NAME ...|all|beyond|decisions|ballots]")
@click.option(
    "--trials",
    type=click.IntRange(1),
    default=TRIALS,
    show_default=True,
    help="Trials per setting.",
)
@click.option(
    "--data", type=FOLDER, help="ICLR 2017's scores: a PeerRead checkout, or a table of scores."
)
@click.option("-o", "--output", type=FOLDER, required=True, help="Folder for the results.")
@click.option("--jobs", type=click.IntRange(1), help="Processes at a time.  [default: all cores]")
@click.option(
    "--scheduler",
    metavar="ADDRESS",
    help="Run on the cluster of this Dask scheduler, such as tcp://host:8786.",
)
@click.option("--quiet", is_flag=True, help="Print nothing but issues and errors.")
def command(
    names: tuple[str, ...],
    trials: int,
    data: Path | None,
    output: Path,
    jobs: int | None,
    scheduler: str | None,
    quiet: bool,
) -> None:
    """Redraw the paper's figures and numbers, or run further studies.

    NAME is a study (noise, load, reviews, epsilon, lambdas, iclr, iclr-epsilon, curves, ..), `all`
    for the paper's, `beyond` for those beyond it, `decisions` for intervals and P(accept), `ballots` for
    what asking reviewers is worth, or a file (.toml or .py) or folder of your own. OUTPUT gets
    report.html, REPORT.md, tables and figures. Trials that are finished there are not run again.
    """
    with ProgressBar(quiet=quiet) as stages:
        from unround.lab.reproduce import reproduce
        from unround.lab.trials.runner import KEPT

        if scheduler is not None and jobs is not None:
            raise UsageError("--jobs counts processes of this machine: leave it out on a cluster")
        where: EngineName = LOCAL if scheduler is None else DASK
        with EngineOption(where, scheduler).connected() as client:
            try:
                done = reproduce(
                    names,
                    output,
                    trials=trials,
                    data=data,
                    jobs=jobs or cores(),
                    client=client,
                    progress=stages,
                )
            except Exception as error:
                error.add_note(f"No report was written; {KEPT}.")
                raise
    if quiet:
        return
    if done.lacking:
        from unround.lab.catalogue.iclr import HOW_TO_GET

        err().print(f"Left out for want of data: {', '.join(done.lacking)}.")
        err().print(HOW_TO_GET)
    out().print(f"Studies: {', '.join(done.studies)}")
    if done.glance:
        out().print(done.glance)
    out().print(f"Report: {output / 'report.html'}")


def cores() -> int:
    """Return the number of processors that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
