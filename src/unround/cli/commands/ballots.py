"""unround ballots: collect rankings from reviewers, from the command line."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

from unround.ballots.exports import CHANGED, TARGETS, ExportTarget
from unround.ballots.statements import Unanswered
from unround.cli.options import (
    PATH,
    check_data,
    check_public_url,
    choice_option,
    data_options,
)
from unround.cli.screen import out
from unround.errors import UsageError
from unround.formats.cells import counted
from unround.formats.model import Options
from unround.output.atomic import whole_file
from unround.output.targets import check_file

if TYPE_CHECKING:
    from unround.console.schemas.ballots import CollectionForm, CollectionOptions, Which
    from unround.console.settings import ConsoleSettings
    from unround.console.storage.database import Database

OWNER = "owner"  # the actor in the log: whoever has access to the data


@click.group(
    "ballots",
    short_help="Collect rankings from reviewers.",
    epilog="Example: unround ballots status",
)
def command() -> None:
    """Collect rankings from reviewers, who each open one ballot in the console by a link.

    The commands work on the console's data, also while `unround serve` is running.
    """


@command.command(
    "make",
    short_help="Create one ballot per reviewer, and a table of links.",
    epilog='Example: unround ballots make reviews.csv --conference "Conference 2026" --title Rankings '
    "--public-url https://unround.example.org -o links.csv",
)
@click.argument("files", nargs=-1, required=True, type=PATH)
@click.option("--conference", required=True, help="Conference, by name or id; created if new.")
@click.option("--title", required=True, help="Title that reviewers see above their ballot.")
@click.option("-o", "--output", type=PATH, required=True, help="Table of links to write.")
@click.option("--force", is_flag=True, help="Replace an existing file.")
@click.option("--public-url", metavar="URL", help="Address at which reviewers reach the console.")
@click.option(
    "--days", type=click.IntRange(1, 3650), help="Days until the links expire (default: never)."
)
@click.option("--instructions", type=PATH, help="Text file with instructions for reviewers.")
@click.option(
    "--deadline",
    type=click.DateTime(["%Y-%m-%d", "%Y-%m-%d %H:%M", "%Y-%m-%dT%H:%M"]),
    metavar="TIME",
    help="Time in UTC, such as 2026-05-01 12:00, after which nothing is saved.",
)
@click.option("--pairs", is_flag=True, help="Ask about pairs of papers instead of a list.")
@click.option(
    "--top",
    type=click.IntRange(1, 500),
    metavar="N",
    help="Ask for the best N papers only.",
)
@click.option("--no-ties", is_flag=True, help="Do not allow ties.")
@click.option("--no-skip", is_flag=True, help="Require that every paper is ranked.")
@click.option("--hide-scores", is_flag=True, help="Do not show reviewers their own scores.")
@data_options
def make(
    files: Sequence[Path],
    conference: str,
    title: str,
    output: Path,
    force: bool,
    public_url: str | None,
    days: int | None,
    instructions: Path | None,
    deadline: datetime | None,
    pairs: bool,
    top: int | None,
    no_ties: bool,
    no_skip: bool,
    hide_scores: bool,
    settings: ConsoleSettings,
) -> None:
    """Create one ballot per reviewer in FILES, and a table of links: name, email, link, expires.

    FILES are reviews from any system, or a table of reviewer, paper and optionally title and e-mail. The
    links are shown only here: keep the table private, and delete it when the mails are sent.
    """
    check_file(output, force=force)
    check_public_url(public_url)
    if pairs and top is not None:
        raise UsageError("--top is for lists: leave out --top or --pairs")
    if deadline is not None and deadline.replace(tzinfo=UTC) <= datetime.now(UTC):
        raise UsageError(f"the deadline {deadline:%Y-%m-%d %H:%M} UTC has passed; give a later one")
    from unround.ballots.drafts import read_drafts
    from unround.console.access.log import note
    from unround.console.ballots.collections import (
        ballots_of,
        find_or_make_conference,
        make_collection,
    )
    from unround.console.ballots.links import make_ballot_links
    from unround.console.schemas.ballots import BallotLinks, CollectionOptions
    from unround.console.storage.open_data import open_beside, plain_database_errors

    options = CollectionOptions(
        ties=not no_ties,
        top_k=top,
        may_skip=not no_skip,
        show_scores=not hide_scores,
        mode="pairs" if pairs else "list",
    )
    form = _form(title, instructions, options, deadline)
    settings = replace(settings, public_url=public_url)
    drafts = read_drafts(files, Options())
    source = ", ".join(path.name for path in files)
    # The table appears once the links are in the database, so that every link in it works.
    with (
        open_beside(settings) as opened,
        whole_file(output) as draft,
        plain_database_errors(),  # here, where none is taken for an error of writing
        opened.writing() as session,
    ):
        row = find_or_make_conference(session, conference)
        collection = make_collection(session, row.id, form, drafts, source)
        wanted = BallotLinks(days=days)
        links = make_ballot_links(
            session, settings, collection, ballots_of(session, collection.id), wanted
        )
        note(session, row.id, OWNER, "made ballots", f"{collection.title}: {len(links.links)}")
        draft.chmod(0o600)
        draft.write_text(links.csv, "utf-8")
        id = collection.id
    ballots, papers = counted(len(drafts.ballots), "ballot"), counted(drafts.papers, "paper")
    _say(f"{ballots} with {papers}. Collection {id}")
    for remark in drafts.notes:
        _say(remark)
    if drafts.too_short:
        _say(f"No ballot for {counted(len(drafts.too_short), 'reviewer')} with only one paper.")
    if drafts.without_email:
        without = counted(len(drafts.without_email), "reviewer")
        _say(f"No e-mail address for {without} in the table of links.")
    _say(
        f"Links: {output}"
        + ("" if settings.public_url else "; without --public-url they work on this machine only")
    )


def _form(
    title: str, instructions: Path | None, options: CollectionOptions, deadline: datetime | None
) -> CollectionForm:
    """Return what a collection says and allows; refuse texts that the console would refuse."""
    from pydantic import ValidationError

    from unround.console.schemas.ballots import CollectionForm

    try:
        text = instructions.read_text("utf-8") if instructions else ""
        return CollectionForm(title=title, instructions=text, options=options, deadline=deadline)
    except ValidationError as refused:
        mistakes = (f"--{one['loc'][0]}: {one['msg']}" for one in refused.errors())
        raise UsageError("; ".join(mistakes)) from None
    except (OSError, UnicodeDecodeError):
        raise UsageError(
            f"--instructions: {instructions} is no UTF-8 text that can be read"
        ) from None


@command.command(
    "status",
    short_help="Show how many ballots were handed in.",
    epilog="Example: unround ballots status",
)
@data_options
def status(settings: ConsoleSettings) -> None:
    """List all collections, with how many of their ballots were handed in; no names are shown."""
    from sqlalchemy import select

    from unround.console.access.permissions import IN_BIN
    from unround.console.ballots.collections import collection_summaries
    from unround.console.storage.orm import ConferenceRow

    conferences = select(ConferenceRow).where(ConferenceRow.id.not_in(IN_BIN))
    with _opened(settings) as opened, opened.reading() as session:
        collections = [
            (row.name, one)
            for row in session.scalars(conferences.order_by(ConferenceRow.name))
            for one in collection_summaries(session, row.id)
        ]
    for name, one in collections:
        _say(
            f"{one.id}  {name}: {one.title} ({one.state}): {one.submitted:,} of "
            f"{one.ballots:,} handed in"
        )
    if not collections:
        _say("There are no collections.")


@command.command(
    "close",
    short_help="Close or reopen a collection.",
    epilog="Example: unround ballots close Rankings",
)
@click.argument("collection")
@click.option("--reopen", is_flag=True, help="Reopen it instead.")
@data_options
def close(collection: str, reopen: bool, settings: ConsoleSettings) -> None:
    """Close a COLLECTION by its title or id; what reviewers saved counts, and they can save no more."""
    from unround.console.access.log import note
    from unround.console.ballots.ballot import state_of
    from unround.console.ballots.collections import change_collection, find_collection
    from unround.console.schemas.ballots import CollectionChange

    with _opened(settings) as opened, opened.writing() as session:
        row = find_collection(session, collection)
        change = change_collection(row, CollectionChange(state="open" if reopen else "closed"))
        if change:
            note(session, row.conference, OWNER, "changed a collection", f"{row.title}: {change}")
        state, title = state_of(row), row.title
    _say(f"{title}: {state}")
    if reopen and state == "closed":
        raise UsageError("the deadline has passed; change it on the collection's page")


@command.command(
    "export",
    short_help="Export the rankings for a run or another system.",
    epilog="Example: unround ballots export Rankings --to ranks -o rankings.csv",
)
@click.argument("collection")
@choice_option(
    "--to",
    "target",
    choices=(*TARGETS, CHANGED),
    default="ranks",
    meaning="Format to write; --rankings reads all but scores.",
)
@click.option("-o", "--output", type=PATH, required=True, help="File to write.")
@click.option("--force", is_flag=True, help="Replace an existing file.")
@click.option(
    "--submitted", is_flag=True, help="Only ballots that were handed in, not those only saved."
)
@choice_option(
    "--unanswered",
    choices=("keep", "drop"),
    default="keep",
    meaning="Keep or drop comparisons that contradict scores and were not answered.",
)
@click.option("--omit-partial", is_flag=True, help="Leave out ballots that ranks cannot express.")
@data_options
def export(
    collection: str,
    target: ExportTarget,
    output: Path,
    force: bool,
    submitted: bool,
    unanswered: Unanswered,
    omit_partial: bool,
    settings: ConsoleSettings,
) -> None:
    """Export the rankings of a COLLECTION by its title or id.

    Comparisons that a reviewer withdrew are left out. ranks, hotcrp and openreview hold ranks; pairs,
    workbook and cmt hold everything; same holds pairs about the same. scores lists the scores
    that reviewers would change, for the chair; a run does not read it.
    """
    check_file(output, force=force)
    from unround.console.access.log import note
    from unround.console.ballots import rankings
    from unround.console.ballots.collections import find_collection

    which: Which = "submitted" if submitted else "saved"
    with _opened(settings) as opened, opened.writing() as session:
        row = find_collection(session, collection)
        made = rankings.export_ballots(
            session, row, target, which=which, unanswered=unanswered, omit_partial=omit_partial
        )
        with whole_file(output) as draft:
            draft.write_bytes(made.content)
        note(session, row.conference, OWNER, "exported ballots", f"{row.title}: {output.name}")
    _say(f"{counted(made.count, 'changed score' if target == CHANGED else 'ballot')} in {output}")
    if made.left_out:
        _say(f"{counted(made.left_out, 'ballot')} left out that ranks cannot express.")


@contextmanager
def _opened(settings: ConsoleSettings) -> Iterator[Database]:
    """Open a console's data; refuse if there are none."""
    from unround.console.storage.open_data import open_beside

    check_data(settings)
    with open_beside(settings) as opened:
        yield opened


def _say(line: str) -> None:
    out().print(line, soft_wrap=True)
