"""unround convert: convert any supported input to plain tables."""

from __future__ import annotations

from pathlib import Path

import click

from unround.cli.options import PATH, input_options
from unround.cli.screen import out
from unround.progress import ProgressBar
from unround.runs.inputs import InputFiles


@click.command(
    "convert",
    short_help="Convert any supported input to plain tables.",
    epilog="Example: unround convert Reviews.xls --rankings Comparisons.txt -o plain",
)
@input_options
@click.option("-o", "--output", type=PATH, required=True, help="Folder for the tables.")
@click.option("--force", is_flag=True, help="Replace earlier tables in that folder.")
def command(inputs: InputFiles, output: Path, force: bool) -> None:
    """Convert REVIEWS and rankings to plain tables.

    Writes reviews.csv and papers.csv, and rankings.csv, pairs.csv or same.csv if there are rankings.
    """
    from unround.output.atomic import whole_folder
    from unround.output.tables import write_csv
    from unround.output.targets import check_target

    with ProgressBar(quiet=False) as stages:
        check_target(output, force=force)
        read = inputs.read(stages)
        tables = {"reviews": read.reviews, "papers": read.papers}
        for table in read.ranking_tables:
            tables["rankings" if "rank" in table.columns else "pairs"] = table
        if read.same is not None and read.same.height:
            tables["same"] = read.same
        with whole_folder(output, force=force) as folder:
            for name, table in tables.items():
                write_csv(table, folder / f"{name}.csv")
    for sentence in (*read.recognised, *read.notes):
        out().print(sentence)
    for name, table in tables.items():
        out().print(f"{output / name}.csv: {table.height:,} rows")
