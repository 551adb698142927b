"""unround simulate: write a synthetic conference as files."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import click

from unround.cli.options import PATH
from unround.cli.screen import out
from unround.scale import Scale

_number = partial(click.option, type=click.IntRange(1), show_default=True)


@click.command(
    "simulate",
    short_help="Generate a synthetic conference.",
    epilog="Example: unround simulate --papers 60 --seed 1 -o demo",
)
@_number("--papers", default=60, help="Number of papers.")
@_number("--reviews-per-paper", default=4, help="Reviews per paper.")
@_number("--papers-per-reviewer", default=4, help="Papers per reviewer.")
@click.option(
    "--noise",
    type=click.FloatRange(0),
    default=0.5,
    show_default=True,
    help="Standard deviation of reviewers' opinions.",
)
@click.option(
    "--scale", default="1,2,3,4,5,6,7,8,9,10", show_default=True, help="Levels, worst to best."
)
@click.option(
    "--seed",
    type=int,
    default=0,
    show_default=True,
    help="Same seed, same files.",
)
@click.option("-o", "--output", type=PATH, required=True, help="Folder for the files.")
@click.option("--force", is_flag=True, help="Replace earlier files in that folder.")
def command(
    papers: int,
    reviews_per_paper: int,
    papers_per_reviewer: int,
    noise: float,
    scale: str,
    seed: int,
    output: Path,
    force: bool,
) -> None:
    """Generate a conference with reviews and rankings, as CSV files."""
    from unround import simulate
    from unround.formats.synthetic import named, write_conference
    from unround.output.atomic import whole_folder
    from unround.output.targets import check_target

    check_target(output, force=force)
    conference = simulate.thurstone(
        papers,
        reviews_per_paper=reviews_per_paper,
        papers_per_reviewer=papers_per_reviewer,
        noise=noise,
        scale=Scale.of(scale),
        seed=seed,
    )
    with whole_folder(output, force=force) as folder:
        written = [path.name for path in write_conference(named(conference, seed), folder)]
    out().print(f"{conference.reviews.height:,} reviews of {papers:,} papers:")
    for name in written:
        out().print(f"  {output / name}")
