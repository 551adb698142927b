"""unround compare: measure whether dequantizing helps on this conference."""

from __future__ import annotations

from pathlib import Path

import click

from unround.cli.options import FOLDER, input_options, method_options
from unround.cli.screen import out, plain_errors
from unround.progress import ProgressBar
from unround.runs.inputs import Inputs
from unround.runs.method import ConstraintOptions


@click.command(
    "compare",
    short_help="Measure whether it helps on your scores.",
    epilog="Example: unround compare reviews.csv --rankings rankings.csv -o comparison",
)
@input_options
@method_options
@click.option("-o", "--output", type=FOLDER, required=True, help="Folder for the results.")
@click.option("--quiet", is_flag=True, help="Print nothing but issues and errors.")
def command(inputs: Inputs, method: ConstraintOptions, output: Path, quiet: bool) -> None:
    """Round the scores of REVIEWS once more and see which method restores them best.

    OUTPUT gets report.html, REPORT.md, tables and figures: the error of every method with
    confidence intervals, and the validation curve.
    """
    with plain_errors(), ProgressBar(quiet=quiet) as stages:
        from unround.lab.compare import judge, label_of
        from unround.lab.figures import check_installed
        from unround.lab.pages.comparison_report import described, write_comparison
        from unround.lab.reproduce import check_folder
        from unround.pipeline import prepare
        from unround.runs.inputs import tables_of
        from unround.settings import Settings

        check_installed()
        check_folder(output)
        tables = tables_of(inputs.read(stages))
        scale = method.scale or tables.scale
        settings = Settings.checked(
            method.epsilon, method.conflicts, method.unranked, method.same_within, scale
        )
        prepared = prepare(tables, settings)
        judgement = judge(
            prepared.reviews,
            settings,
            lambda done, total: stages("comparing", done, total),
        )
        try:
            write_comparison(judgement, output, tables.notes)
        except Exception as failure:
            failure.add_note(f"{output} may hold a part of the results.")
            raise
    if quiet:
        return
    out().print(described(judgement), markup=False)
    for name in judgement.main.estimates:
        error = judgement.main.resampled.error(name)
        out().print(
            f"  {label_of(name):<40} {error.value:.4f}  ({error.low:.4f} to {error.high:.4f})",
            markup=False,
        )
    out().print(judgement.main.verdict(), markup=False)
    out().print(f"Report: {output / 'report.html'}", markup=False)
