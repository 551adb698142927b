"""unround report: a finished run as a page that opens from disk, for chairs or for area chairs."""

from __future__ import annotations

from pathlib import Path

import click

from unround.cli.options import FOLDER
from unround.cli.screen import err, out
from unround.disclosure.scope import DEFAULT, DISCLOSURES, Disclosure
from unround.progress import ProgressBar


@click.command(
    "report",
    short_help="Write a finished run as a page, for each area chair if wanted.",
    epilog="Example: unround report results --all-area-chairs -o pages",
)
@click.argument("run", type=FOLDER)
@click.option("--area-chair", help="Only what this area chair may see.")
@click.option("--all-area-chairs", is_flag=True, help="A page for every area chair, into a folder.")
@click.option(
    "--scope",
    type=FOLDER,
    help="Table of area_chair, paper and perhaps email: whose papers are whose. Without it, as "
    "papers.csv has it.",
)
@click.option("--names", is_flag=True, help="Area chairs see reviewers' names, not pseudonyms.")
@click.option(
    "--no-stars",
    is_flag=True,
    help="Area chairs do not see that a ranking holds papers that are not theirs.",
)
@click.option(
    "--disclosure",
    type=click.Choice(DISCLOSURES),
    default=DEFAULT,
    show_default=True,
    help="What numbers area chairs get: the order of the run and no distances; numbers computed from "
    "their papers alone; or the exact numbers, from which hidden scores can be computed.",
)
@click.option("--title", default="Conference", show_default=True, help="Name of the conference.")
@click.option(
    "-o",
    "--output",
    type=FOLDER,
    required=True,
    help="File to write; with --all-area-chairs, folder.",
)
@click.option("--force", is_flag=True, help="Replace what is there.")
def command(
    run: Path,
    area_chair: str | None,
    all_area_chairs: bool,
    scope: Path | None,
    names: bool,
    no_stars: bool,
    disclosure: Disclosure,
    title: str,
    output: Path,
    force: bool,
) -> None:
    """Write the results in folder RUN as HTML files that open from disk, without a network.

    Each holds the sortable table, the view of every paper and the plots. Without options it is the
    chair's, with everything. An area chair's has their papers and reviews, and nothing about others.
    """
    from unround.disclosure.area_chairs import find_area_chair
    from unround.disclosure.snapshot import read_snapshot
    from unround.report import pages
    from unround.report.pages import write_snapshot

    if area_chair is not None and all_area_chairs:
        raise click.UsageError("--area-chair is one of --all-area-chairs: name one of the two")
    if (
        area_chair is None
        and not all_area_chairs
        and (scope or names or no_stars or disclosure != DEFAULT)
    ):
        raise click.UsageError(
            "--scope, --names, --no-stars and --disclosure go with --area-chair or --all-area-chairs"
        )
    shown = pages.PageOptions(not no_stars, names, title, disclosure)
    with ProgressBar() as stages:
        pages.check_output(output, folder=all_area_chairs, force=force)
        snapshot = read_snapshot(run)
        if area_chair is None and not all_area_chairs:
            write_snapshot(snapshot, output, title)
            written = f"{snapshot.papers.height:,} papers, {snapshot.reviews.height:,} reviews"
        else:
            chairs, strangers = pages.area_chairs(snapshot, scope)
            if scope is not None and strangers:
                err().print(f"{strangers:,} papers of {scope.name} are not in the run")
            if area_chair is not None:
                chair = find_area_chair(chairs, area_chair)
                pages.write_one(snapshot, chair, shown, output)
                written = f"{len(chair.papers):,} papers of {chair.name}"
            else:
                pages.write_all(snapshot, chairs, shown, output, force=force, progress=stages)
                written = f"{len(chairs):,} area chairs"
    out().print(f"{output}: {written}", soft_wrap=True)
