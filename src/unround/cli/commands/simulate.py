"""unround simulate: write a synthetic conference as files."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from unround.cli.screen import out
from unround.scale import Scale
from unround.wording import CONFERENCE_SYSTEMS

if TYPE_CHECKING:
    from unround.formats.synthetic import NamedConference

SHAPES = ("csv", *CONFERENCE_SYSTEMS)


@click.command(
    "simulate",
    short_help="Generate a synthetic conference.",
    epilog="Example: unround simulate --papers 60 --seed 1 --format hotcrp -o demo",
)
@click.option(
    "--papers", type=click.IntRange(1), default=60, show_default=True, help="Number of papers."
)
@click.option(
    "--reviews-per-paper",
    type=click.IntRange(1),
    default=4,
    show_default=True,
    help="Reviews per paper.",
)
@click.option(
    "--papers-per-reviewer",
    type=click.IntRange(1),
    default=4,
    show_default=True,
    help="Papers per reviewer.",
)
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
@click.option(
    "--format",
    "shape",
    type=click.Choice(SHAPES),
    default="csv",
    show_default=True,
    help="System whose export format is used.",
)
@click.option(
    "-o", "--output", type=click.Path(path_type=Path), required=True, help="Folder for the files."
)
def command(
    papers: int,
    reviews_per_paper: int,
    papers_per_reviewer: int,
    noise: float,
    scale: str,
    seed: int,
    shape: str,
    output: Path,
) -> None:
    """Generate a conference with reviews and rankings, in a system's export format."""
    from unround import simulate
    from unround.formats.synthetic import named
    from unround.output.atomic import whole_folder
    from unround.output.targets import check_target

    check_target(output, force=False)
    conference = simulate.thurstone(
        papers,
        reviews_per_paper=reviews_per_paper,
        papers_per_reviewer=papers_per_reviewer,
        noise=noise,
        scale=None if scale is None else Scale.of(scale),
        seed=seed,
    )
    with whole_folder(output, force=False) as folder:
        written = [path.name for path in _write(shape, named(conference, seed), folder)]
    out().print(f"{conference.reviews.height:,} reviews of {papers:,} papers:")
    for name in written:
        out().print(f"  {output / name}")


def _write(shape: str, conference: NamedConference, folder: Path) -> list[Path]:
    from unround.formats.registry import system_module

    written: list[Path] = system_module(shape).write_conference(conference, folder)
    return written
