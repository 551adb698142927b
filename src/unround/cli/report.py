"""unround report: a finished run as a page that opens from disk, for chairs or for area chairs."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass
from itertools import chain, count
from pathlib import Path
from typing import TYPE_CHECKING

import click

from unround.cli.options import FOLDER
from unround.cli.screen import err, out, plain_errors
from unround.progress import ProgressBar, StageProgress

if TYPE_CHECKING:
    from unround.report.area_chairs import AreaChair
    from unround.report.snapshot import Snapshot

INDEX = "index.csv"
INDEX_COLUMNS = ("area_chair", "file", "papers")
LONGEST_NAME = 80


@dataclass(frozen=True)
class Shown:
    """What area chairs may see of the rest, and what the pages are called."""

    stars: bool
    names: bool
    title: str


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
    title: str,
    output: Path,
    force: bool,
) -> None:
    """Write the results in folder RUN as HTML files that open from disk, without a network.

    Each holds the sortable table, the view of every paper and the plots. Without options it is the
    chair's, with everything. An area chair's has their papers and reviews, and nothing about others.
    """
    from unround.report.snapshot import read_snapshot

    if area_chair is not None and all_area_chairs:
        raise click.UsageError("--area-chair is one of --all-area-chairs: name one of the two")
    if area_chair is None and not all_area_chairs and (scope or names or no_stars):
        raise click.UsageError(
            "--scope, --names and --no-stars go with --area-chair or --all-area-chairs"
        )
    shown = Shown(not no_stars, names, title)
    with plain_errors(), ProgressBar(quiet=False) as stages:
        _check_output(output, folder=all_area_chairs, force=force)
        snapshot = read_snapshot(run)
        if all_area_chairs:
            told = _write_all(snapshot, _chairs(snapshot, scope), shown, output, force, stages)
        elif area_chair is not None:
            told = _write_one(snapshot, _chairs(snapshot, scope), area_chair, shown, output)
        else:
            told = _write_chairs_page(snapshot, shown, output)
    out().print(f"{output}: {told}", markup=False, soft_wrap=True)


def _check_output(output: Path, *, folder: bool, force: bool) -> None:
    from unround.errors import UsageError
    from unround.formats.files.atomic import check_target
    from unround.report.page import PageNotBuilt, is_built

    if not is_built():
        raise PageNotBuilt
    if not folder:
        if output.is_dir():
            raise UsageError(f"{output} is a folder; name a file, such as {output}/report.html")
        if output.exists() and not force:
            raise UsageError(f"{output} exists; replace it with --force")
        return
    check_target(output, force=force, mark=INDEX)
    index = output / INDEX
    if index.exists() and not index.read_bytes().startswith(",".join(INDEX_COLUMNS).encode()):
        raise UsageError(f"{output} holds files that are not from unround; name another folder")


def _chairs(snapshot: Snapshot, table: Path | None) -> list[AreaChair]:
    """Those with a paper in the run."""
    from unround.errors import UsageError
    from unround.report.area_chairs import area_chairs_of, read_area_chairs, with_papers_among

    if table is None:
        found = area_chairs_of(snapshot.papers)
        if not found:
            raise UsageError(
                "the run names no area chairs; give a table of area_chair and paper with --scope"
            )
        return found
    found, strangers = with_papers_among(snapshot.papers, read_area_chairs(table))
    if strangers:
        err().print(f"{strangers:,} papers of {table.name} are not in the run", markup=False)
    if not found:
        raise UsageError(f"no paper of {table.name} is in the run: are they the same ids?")
    return found


def _write_chairs_page(snapshot: Snapshot, shown: Shown, output: Path) -> str:
    from unround.formats.files.atomic import whole_file
    from unround.report.page import write_page
    from unround.report.view import view

    with whole_file(output) as draft:
        write_page(view(snapshot, conference=shown.title), draft)
    return f"{snapshot.papers.height:,} papers, {snapshot.reviews.height:,} reviews"


def _write_one(
    snapshot: Snapshot, chairs: list[AreaChair], name: str, shown: Shown, output: Path
) -> str:
    from unround.formats.files.atomic import whole_file
    from unround.report.area_chairs import find_area_chair

    chair = find_area_chair(chairs, name)
    with whole_file(output) as draft:
        _writer(snapshot, shown)(chair, draft)
    return f"{len(chair.papers):,} papers of {chair.name}"


def _write_all(
    snapshot: Snapshot,
    chairs: list[AreaChair],
    shown: Shown,
    output: Path,
    force: bool,
    stages: StageProgress,
) -> str:
    import polars as pl

    from unround.formats.files.atomic import whole_folder
    from unround.formats.files.write import write_csv

    write, files = _writer(snapshot, shown), file_names([chair.name for chair in chairs])
    with whole_folder(output, force=force, mark=INDEX) as folder:
        for done, (chair, file) in enumerate(zip(chairs, files, strict=True), start=1):
            write(chair, folder / file)
            stages("writing", done, len(chairs))
        rows = [
            (chair.name, file, len(chair.papers)) for chair, file in zip(chairs, files, strict=True)
        ]
        write_csv(pl.DataFrame(rows, schema=list(INDEX_COLUMNS), orient="row"), folder / INDEX)
    return f"{len(chairs):,} area chairs"


def _writer(snapshot: Snapshot, shown: Shown) -> Callable[[AreaChair, Path], None]:
    """A function that writes one area chair's page."""
    from unround.report.page import write_page
    from unround.report.scope import Scope
    from unround.report.view import view

    key = snapshot.key()

    def write(chair: AreaChair, path: Path) -> None:
        scope = Scope(chair.name, chair.papers, stars=shown.stars, names=shown.names, key=key)
        write_page(view(snapshot, scope, conference=shown.title), path)

    return write


def file_names(names: list[str]) -> list[str]:
    """A file for every name: plain letters and digits, numbered where two come out the same.

    >>> from unround.cli.report import file_names
    >>> file_names(["Ann Lee", "Zoë / Ünal", "ann lee", "李"])
    ['ann-lee.html', 'zoe-unal.html', 'ann-lee-2.html', 'area-chair.html']
    """
    found: dict[str, None] = {}
    for name in names:
        plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
        stem = re.sub(r"[^a-z0-9]+", "-", plain).strip("-")[:LONGEST_NAME] or "area-chair"
        tries = chain([stem], (f"{stem}-{number}" for number in count(2)))
        found[next(file for file in tries if file not in found)] = None
    return [f"{file}.html" for file in found]
