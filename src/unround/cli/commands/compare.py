"""unround compare: measure whether dequantizing helps on a conference, and what contributes."""

from __future__ import annotations

from pathlib import Path

import click

from unround.cli.options import PATH, input_options, method_options
from unround.cli.screen import out
from unround.issues import count_kinds
from unround.progress import ProgressBar
from unround.runs.inputs import InputFiles
from unround.settings import Policy, Settings


@click.command(
    "compare",
    short_help="Measure whether unround helps on your scores.",
    epilog="Example: unround compare reviews.csv --rankings rankings.csv -o comparison",
)
@input_options
@method_options
@click.option(
    "--levels",
    type=click.IntRange(min=2),
    multiple=True,
    help="Number of levels to round to; repeat for several (default: half as many).",
)
@click.option("-o", "--output", type=PATH, required=True, help="Folder for the results.")
@click.option("--force", is_flag=True, help="Replace earlier results in that folder.")
@click.option("--quiet", is_flag=True, help="Print only issues and errors.")
def command(
    inputs: InputFiles,
    settings: Settings,
    levels: tuple[int, ...],
    output: Path,
    force: bool,
    quiet: bool,
) -> None:
    """Round the scores of REVIEWS, keep the rankings, and measure how well each method restores the scores.

    Where rankings contradict scores, both policies are tried. Writes report.html and a table
    into OUTPUT: the error of every method with confidence intervals, what consensus and rankings
    each contribute, and whether other reviewers' scores predict how a reviewer ranks tied papers.
    """
    with ProgressBar(quiet=quiet) as stages:
        from unround.lab.compare import compare_methods
        from unround.lab.pages.comparison import write_comparison
        from unround.output.atomic import whole_folder
        from unround.output.targets import check_target
        from unround.preparation import prepare

        check_target(output, force=force)
        tables = inputs.read(stages)
        if settings.conflicts is Policy.REFUSE:
            settings = settings.changed(conflicts=Policy.SCORES)
        prepared = prepare(tables, settings)
        result = compare_methods(
            prepared.reviews,
            prepared.settings,
            lambda done, total: stages("comparing", done, total),
            levels or (None,),
        )
        with whole_folder(output, force=force) as folder:
            write_comparison(result, folder, tables.notes)
    if quiet:
        return
    if kinds := count_kinds(prepared.issues):
        counts = ", ".join(f"{count:,} {kind}" for kind, count in kinds.most_common())
        out().print(f"Issues, settled as by --conflicts {settings.conflicts}: {counts}")
    for line in result.in_words():
        out().print(line, soft_wrap=True)
    out().print(f"Report: {output / 'report.html'}")
