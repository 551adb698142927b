"""unround bulk: score clean tables of many millions of reviews on a GPU, Parquet to Parquet."""

from __future__ import annotations

from pathlib import Path

import click

from unround.cli.options import PATH, epsilon_option
from unround.cli.screen import out, show_json
from unround.gpu import open_gpu
from unround.progress import ProgressBar
from unround.settings import AUTO, Settings, parse_lambda


@click.command(
    "bulk",
    short_help="Score many millions of reviews on a GPU.",
    epilog="Example: unround bulk reviews.parquet --scale 1..10 -o results",
)
@click.argument("reviews", type=PATH)
@click.option("--scale", help="Levels, worst to best: 1..10; 1,3,5 (default: inferred).")
@click.option(
    "--lam",
    default=AUTO,
    show_default=True,
    help="Strength λ: auto, a number above 0, or inf.",
)
@epsilon_option
@click.option(
    "--tolerance",
    type=float,
    default=1e-9,
    show_default=True,
    help="Largest proven error of a score, in level spacings.",
)
@click.option("-o", "--output", type=PATH, required=True, help="Folder for the results.")
@click.option("--force", is_flag=True, help="Replace earlier results.")
@click.option("--quiet", is_flag=True, help="Print only errors.")
@click.option("--json", "as_json", is_flag=True, help="Print the record of the run as JSON.")
def command(
    reviews: Path,
    scale: str | None,
    lam: str,
    epsilon: float,
    tolerance: float,
    output: Path,
    force: bool,
    quiet: bool,
    as_json: bool,
) -> None:
    """Score REVIEWS, one Parquet file, on this machine's NVIDIA GPU.

    REVIEWS has the columns reviewer and paper (integers), score and, optionally, rank (1 = best). It must
    have no missing values and no rankings that contradict scores; use `unround run` where it may. Writes
    OUTPUT/scores and OUTPUT/papers, as Parquet in parts, and bulk.json: all of them, or nothing.
    """
    with ProgressBar(quiet=quiet or as_json) as stages:
        settings = Settings.checked(
            lam=parse_lambda(lam), epsilon=epsilon, scale=scale, tolerance=tolerance
        )
        open_gpu()  # raises if there is none
        from unround.runs.bulk import run_bulk

        record = run_bulk(reviews, output, settings, stages, force=force)
    if as_json:
        show_json(record)
    elif not quiet:
        counts, lam = record["counts"], f"λ = {float(record['lam']):.4g}"
        out().print(
            f"{counts['reviews']:,} reviews of {counts['papers']:,} papers; {lam}; proven to "
            f"{record['certificate']['max_error']:.1e}; written to {output}",
        )
