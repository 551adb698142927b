"""unround report: write a finished run as HTML pages, for the chair or for area chairs."""

from __future__ import annotations

from pathlib import Path

import click

from unround.cli.options import PATH, choice_option
from unround.cli.screen import err, out
from unround.disclosure.scope import DEFAULT, DISCLOSURES, Disclosure
from unround.progress import ProgressBar


@click.command(
    "report",
    short_help="Write a finished run as an HTML page, or one per area chair.",
    epilog="Example: unround report results --all-area-chairs -o pages",
)
@click.argument("run", type=PATH)
@click.option(
    "--all-area-chairs", is_flag=True, help="Write one page per area chair into a folder."
)
@click.option(
    "--areachairs",
    type=PATH,
    help="Table of area_chair, paper and optionally email (default: as in papers.csv).",
)
@click.option(
    "--names", is_flag=True, help="Show area chairs the reviewers' names instead of pseudonyms."
)
@click.option(
    "--no-stars",
    is_flag=True,
    help="Hide from area chairs where rankings hold papers of others.",
)
@click.option("--decisions", is_flag=True, help="Show area chairs the decisions in the files.")
@choice_option(
    "--disclosure",
    choices=DISCLOSURES,
    default=DEFAULT,
    meaning="What area chairs see: the run's order; numbers computed from their papers alone; or exact "
    "numbers, from which hidden scores can be computed.",
)
@click.option("--title", default="Conference", show_default=True, help="Name of the conference.")
@click.option(
    "-o",
    "--output",
    type=PATH,
    required=True,
    help="File to write, or with --all-area-chairs a folder.",
)
@click.option("--force", is_flag=True, help="Replace an existing file or folder.")
def command(
    run: Path,
    all_area_chairs: bool,
    areachairs: Path | None,
    names: bool,
    no_stars: bool,
    decisions: bool,
    disclosure: Disclosure,
    title: str,
    output: Path,
    force: bool,
) -> None:
    """Write the results in folder RUN as HTML pages that open from disk, without a network.

    A page has a sortable table, a view of every paper, and plots. The chair's page shows everything; an
    area chair's shows their own papers and reviews only.
    """
    from unround.disclosure.area_chairs import area_chairs_of_run
    from unround.disclosure.scope import Scope
    from unround.disclosure.snapshot import read_snapshot
    from unround.report import pages
    from unround.runs.folder import pseudonym_key

    about_area_chairs = areachairs or names or no_stars or decisions or disclosure != DEFAULT
    if about_area_chairs and not all_area_chairs:
        raise click.UsageError(
            "--areachairs, --names, --no-stars, --decisions and --disclosure need --all-area-chairs"
        )
    with ProgressBar() as stages:
        pages.check_output(output, folder=all_area_chairs, force=force)
        snapshot = read_snapshot(run)
        if all_area_chairs:
            chairs, strangers = area_chairs_of_run(snapshot.papers, areachairs)
            if areachairs is not None and strangers:
                err().print(f"{strangers:,} papers of {areachairs.name} are not in the run")
            shown = Scope(
                stars=not no_stars,
                names=names,
                decisions=decisions,
                disclosure=disclosure,
                key=pseudonym_key(run),
            )
            pages.write_all(snapshot, chairs, shown, output, title, force=force, progress=stages)
            written = f"{len(chairs):,} area chairs"
        else:
            pages.write_snapshot(snapshot, output, title)
            written = f"{snapshot.papers.height:,} papers, {snapshot.reviews.height:,} reviews"
    out().print(f"{output}: {written}", soft_wrap=True)
