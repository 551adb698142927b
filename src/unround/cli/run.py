"""unround run: from exports to scores.csv, papers.csv and run.json."""

from __future__ import annotations

from pathlib import Path

import click

from unround.cli.options import (
    input_options,
    method_options,
    parse_lambda,
    parse_scale,
    reading_options,
)
from unround.cli.screen import Stages, err, issue_line, plain_errors, show_json, show_summary


@click.command(
    "run",
    epilog="Example: unround run reviews.csv --rankings rankings.csv --conflicts scores -o results",
)
@input_options
@method_options
@click.option(
    "--lam", default="auto", show_default=True, help="Strength λ: auto, a number above 0, or inf."
)
@click.option(
    "-o", "--output", type=click.Path(path_type=Path), required=True, help="Folder for the results."
)
@click.option("--force", is_flag=True, help="Replace earlier results in that folder.")
@click.option("--dry-run", is_flag=True, help="Do everything but write.")
@click.option("--quiet", is_flag=True, help="Print nothing but problems.")
@click.option("--json", "as_json", is_flag=True, help="Print the run's record as JSON.")
def command(
    reviews: tuple[Path, ...],
    rankings: tuple[Path, ...],
    system: str,
    columns: tuple[str, ...],
    fields: tuple[str, ...],
    ranker: str | None,
    scale: str | None,
    epsilon: float,
    conflicts: str,
    unranked: str,
    same_within: float | None,
    lam: str,
    output: Path,
    force: bool,
    dry_run: bool,
    quiet: bool,
    as_json: bool,
) -> None:
    """Compute real-valued scores from REVIEWS (files or folders) and rankings.

    Writes OUTPUT/scores.csv, papers.csv and run.json, all of them or none.
    """
    from unround.formats.folders import check_target, whole_folder
    from unround.formats.importing import Imported, import_files
    from unround.formats.runs import paper_table, run_record, score_table, write_run
    from unround.pipeline import dequantize

    found: list[Imported] = []
    with plain_errors(found), Stages(quiet=quiet or as_json) as stages:
        if not dry_run:
            check_target(output, force=force)
        options = reading_options(system, columns, fields, ranker)
        imported = import_files(
            reviews, rankings, options, lambda done, total: stages("reading", done, total)
        )
        found.append(imported)
        result = dequantize(
            imported.reviews.table,
            [sheet.table for sheet in imported.rankings],
            lam=parse_lambda(lam),
            epsilon=epsilon,
            scale=parse_scale(scale) or imported.scale,
            conflicts=conflicts,
            same=imported.same.table if imported.same else None,
            same_within=same_within,
            unranked=unranked,
            progress=stages,
        )
        papers, record = paper_table(result, imported), run_record(result, imported)
        if not dry_run:
            with whole_folder(output, force=force) as folder:
                write_run(folder, score_table(result), papers, record)
    if as_json:
        show_json(record)
    elif not quiet:
        for issue in result.issues[:5]:
            err().print(f"- {issue_line(issue, imported)}", markup=False)
        show_summary(record, papers, "nothing written (dry run)" if dry_run else str(output))
