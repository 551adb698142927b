"""unround convert: any supported input to the plain tables."""

from __future__ import annotations

from pathlib import Path

import click

from unround.cli.options import input_options, reading_options
from unround.cli.screen import Stages, out, plain_errors


@click.command(
    "convert", epilog="Example: unround convert Reviews.xls --rankings Comparisons.txt -o plain"
)
@input_options
@click.option(
    "-o", "--output", type=click.Path(path_type=Path), required=True, help="Folder for the tables."
)
def command(
    reviews: tuple[Path, ...],
    rankings: tuple[Path, ...],
    system: str,
    columns: tuple[str, ...],
    fields: tuple[str, ...],
    ranker: str | None,
    output: Path,
) -> None:
    """Write REVIEWS and rankings as plain tables.

    The folder gets reviews.csv, papers.csv, and rankings.csv, pairs.csv or same.csv where stated.
    """
    from unround.formats.folders import whole_folder
    from unround.formats.importing import import_files
    from unround.formats.writing import write_csv

    with plain_errors(), Stages(quiet=False) as stages:
        options = reading_options(system, columns, fields, ranker)
        imported = import_files(
            reviews, rankings, options, lambda done, total: stages("reading", done, total)
        )
        tables = {"reviews": imported.reviews.table, "papers": imported.papers}
        for sheet in imported.rankings:
            tables["rankings" if "rank" in sheet.table.columns else "pairs"] = sheet.table
        if imported.same is not None:
            tables["same"] = imported.same.table
        with whole_folder(output, force=False) as folder:
            for name, table in tables.items():
                write_csv(table, folder / f"{name}.csv")
    for sentence in (*imported.recognised, *imported.notes):
        out().print(sentence, markup=False)
    for name, table in tables.items():
        out().print(f"{output / name}.csv: {table.height:,} rows", markup=False)
