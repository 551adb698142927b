"""unround run: compute scores from exports, and write tables, record and report."""

from __future__ import annotations

from pathlib import Path

import click

from unround.cli import NOT_SOLVED
from unround.cli.options import (
    PATH,
    GroupedCommand,
    engine_options,
    estimate_options,
    input_options,
    method_options,
)
from unround.cli.screen import err, show_json, show_lines, show_summary
from unround.errors import InputRefused
from unround.progress import ProgressBar
from unround.runs.inputs import InputFiles
from unround.runs.record import missing_reason
from unround.runs.uncertainty import EstimateOptions
from unround.settings import AUTO_PLUS, TOLERANCE_SPACINGS, Settings, parse_lambda
from unround.solver.engine import Engine


@click.command(
    "run",
    cls=GroupedCommand,
    short_help="Compute real-valued scores.",
    epilog="Example: unround run reviews.csv --rankings rankings.csv -o results",
)
@input_options
@method_options
@click.option(
    "--lam",
    default=AUTO_PLUS,
    show_default=True,
    help="Strength λ: auto+, auto, a number above 0, or inf.",
)
@click.option(
    "--tolerance",
    type=float,
    default=TOLERANCE_SPACINGS,
    show_default=True,
    help="Largest proven error of a score, in level spacings.",
)
@estimate_options
@engine_options
@click.option("-o", "--output", type=PATH, help="Folder for the results (not with --dry-run).")
@click.option("--force", is_flag=True, help="Replace earlier results in that folder.")
@click.option("--dry-run", is_flag=True, help="Compute and print, but write no file.")
@click.option(
    "--no-checks",
    is_flag=True,
    help="Leave out what the data say about themselves.",
)
@click.option("--quiet", is_flag=True, help="Print only issues and errors.")
@click.option("--json", "as_json", is_flag=True, help="Print the run's record as JSON.")
def command(
    inputs: InputFiles,
    settings: Settings,
    lam: str,
    tolerance: float,
    estimates: EstimateOptions,
    engine: Engine,
    output: Path | None,
    force: bool,
    dry_run: bool,
    no_checks: bool,
    quiet: bool,
    as_json: bool,
) -> None:
    """Compute real-valued scores from REVIEWS (files or folders) and rankings.

    Writes scores.csv, papers.csv, run.json, the explanation of every move, and report.html for the
    browser into OUTPUT: all of them, or nothing.
    """
    from unround.output.targets import check_target
    from unround.report.pages import write_run_page
    from unround.runs.compute import compute_run
    from unround.runs.folder import save_run

    if dry_run:
        output = None
    elif output is None:
        raise click.UsageError("name a folder for the results with -o, or only try with --dry-run")
    left_out = ""
    with ProgressBar(quiet=quiet or as_json) as stages:
        settings = settings.changed(lam=parse_lambda(lam), tolerance=tolerance)
        if output is not None:
            check_target(output, force=force)
        with engine.connected() as connected:
            tables = inputs.read(stages)
            try:
                result, run = compute_run(
                    tables,
                    settings,
                    estimates=estimates,
                    checks=not no_checks,
                    engine=connected,
                    progress=stages,
                )
            except InputRefused:
                for sentence in (*tables.recognised, *tables.notes):
                    err().print(sentence, soft_wrap=True)
                raise
        if output is not None:
            left_out = save_run(run, output, page=write_run_page, force=force)
    if left_out and not quiet:
        err().print(left_out, soft_wrap=True)
    if as_json:
        show_json(run.record)
    elif not quiet:
        if result.issues:
            show_lines(result.issues, 5, "run.json has them all")
        where = "nothing written (dry run)" if output is None else str(output)
        show_summary(result, run, where)
    if reason := missing_reason(run.record):
        err().print(f"Not computed: {reason}", soft_wrap=True)
        raise click.exceptions.Exit(NOT_SOLVED)
