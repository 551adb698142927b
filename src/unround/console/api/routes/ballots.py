"""Collections of ballots, their links, exports and use in runs (for chairs), and a reviewer's own ballot."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated, Any, Literal

from fastapi import Query, Response
from fastapi.responses import JSONResponse
from sqlalchemy import delete

from unround.ballots.drafts import Drafts, drafts_of_run, read_drafts
from unround.ballots.exports import ExportTarget
from unround.ballots.statements import Unanswered
from unround.console.access.permissions import find_row, get_of_conference, require_done
from unround.console.api.guards import ChairBallot, ChairCollection, OwnBallot, OwnConference
from unround.console.api.routing import (
    Durable,
    Reading,
    Writing,
    attachment,
    error_responses,
    file_responses,
    new_router,
)
from unround.console.ballots import collections, rankings
from unround.console.ballots.ballot import (
    VersionConflict,
    list_versions,
    newest_ballot,
    note_first_opening,
    save_version,
)
from unround.console.ballots.links import make_ballot_links
from unround.console.context import Visit
from unround.console.jobs.job import link_files
from unround.console.schemas.ballots import (
    Ballot,
    BallotConflict,
    BallotDetail,
    BallotLinks,
    BallotVersion,
    Collection,
    CollectionChange,
    CollectionPreview,
    CollectionSource,
    CollectionSummary,
    CreatedBallotLinks,
    NewCollection,
    RankingFiles,
    SaveBallot,
    UseBallots,
    Which,
)
from unround.console.schemas.conferences import FileInfo
from unround.console.storage.orm import CollectionRow, FileRow, RunRow
from unround.console.storage.uploads import add_files, files_named

router = new_router("ballots")


@router.get("/conferences/{conference}/collections")
def list_collections(visit: Reading, conference: OwnConference) -> list[CollectionSummary]:
    """List the collections of a conference, newest first."""
    return collections.collection_summaries(visit.session, conference.id)


@router.post("/conferences/{conference}/collections/preview", responses=error_responses(409))
def preview_collection(
    visit: Reading, conference: OwnConference, request: CollectionSource
) -> CollectionPreview:
    """Say which ballots would be made, and who would be left out."""
    drafts, _ = _drafts(visit, conference.id, request)
    return collections.preview_of(drafts)


@router.post(
    "/conferences/{conference}/collections", status_code=201, responses=error_responses(409)
)
def make_collection(
    visit: Reading, conference: OwnConference, request: NewCollection
) -> Collection:
    """Make a collection with one ballot per reviewer. Nobody is invited by that: links are made next."""
    drafts, source = _drafts(visit, conference.id, request.source)
    with visit.change(conference.id) as change:
        row = collections.make_collection(change.session, conference.id, request, drafts, source)
        detail = f"{row.title}: {len(drafts.ballots)} ballots, from {source}"
        change.note(conference.id, "made ballots", detail)
        return _collection(change, row)


@router.get("/collections/{collection}")
def get_collection(visit: Reading, collection: ChairCollection) -> Collection:
    """Return a collection with its ballots, and how far the reviewers have come."""
    return _collection(visit, collection)


@router.patch("/collections/{collection}")
def change_collection(
    visit: Writing, collection: ChairCollection, change: CollectionChange
) -> Collection:
    """Close or reopen a collection, or change its title, instructions or deadline."""
    changes = collections.change_collection(collection, change)
    if changes:
        detail = f"{collection.title}: {changes}"
        visit.note(collection.conference, "changed a collection", detail)
    visit.session.flush()
    return _collection(visit, collection)


@router.delete("/collections/{collection}", status_code=204)
def delete_collection(visit: Writing, collection: ChairCollection) -> None:
    """Delete a collection with its ballots, their versions and links."""
    visit.note(collection.conference, "deleted a collection", collection.title)
    visit.session.execute(delete(CollectionRow).where(CollectionRow.id == collection.id))


def _collection(visit: Visit, row: CollectionRow) -> Collection:
    return collections.collection_out(visit.session, row, visit.console.settings.warnings)


def _drafts(visit: Visit, conference: str, source: CollectionSource) -> tuple[Drafts, str]:
    """Return the ballots to make, and in words from what."""
    session, console = visit.session, visit.console
    run = source.run and get_of_conference(session, RunRow, source.run, conference)
    files = [get_of_conference(session, FileRow, id, conference) for id in source.files]
    if run:
        require_done(run)
        return drafts_of_run(console.opened_run(run.id).run), f"the run {run.name}"
    with TemporaryDirectory(dir=console.settings.work) as folder:
        paths = link_files(Path(folder), console.settings.uploads, files)
        return read_drafts(paths, source.reading.options()), ", ".join(file.name for file in files)


results_router = new_router("ballots", "/collections/{collection}")
BINARY = "application/octet-stream"


@results_router.post("/links", status_code=201)
def make_collection_links(
    visit: Writing, collection: ChairCollection, request: BallotLinks
) -> CreatedBallotLinks:
    """Make links to ballots: for all, or as reminders. Their secrets are shown this once."""
    ballots = collections.ballots_of(visit.session, collection.id)
    made = make_ballot_links(visit.session, visit.console.settings, collection, ballots, request)
    if made.links:
        detail = f"{len(made.links)} to ballots of {collection.title}"
        visit.note(collection.conference, "made links", detail)
    return made


@results_router.get("/ballots/{ballot}")
def get_collection_ballot(
    visit: Reading, collection: ChairCollection, ballot: ChairBallot
) -> BallotDetail:
    """Return one ballot with every version. Who looked is logged, not at whose."""
    detail = collections.ballot_detail(visit.session, collection, ballot)
    if visit.console.openings.is_new((visit.viewer.link, collection.id, "ballot")):
        with visit.change() as change:
            change.note(collection.conference, "looked at ballots", collection.title)
    return detail


@results_router.get("/export", response_class=Response, responses=file_responses(BINARY))
def export_collection(
    visit: Reading,
    collection: ChairCollection,
    to: Annotated[ExportTarget, Query()] = "ranks",
    which: Annotated[Which, Query()] = "saved",
    unanswered: Annotated[Unanswered, Query()] = "keep",
    partial: Annotated[Literal["refuse", "omit"], Query()] = "refuse",
) -> Response:
    """Return the ballots in a format that runs read rankings from, or the changed scores."""
    omit = partial == "omit"
    made = rankings.export_ballots(
        visit.session, collection, to, which=which, unanswered=unanswered, omit_partial=omit
    )
    with visit.change() as change:
        detail = f"{collection.title}: {made.name}"
        change.note(collection.conference, "exported ballots", detail)
    return attachment(made.content, made.name, BINARY)


@results_router.post("/use", status_code=201, responses=error_responses(507))
def use_collection(
    visit: Reading, collection: ChairCollection, request: UseBallots
) -> RankingFiles:
    """Add the rankings to the conference's files, so that a new run can take them."""
    stated = rankings.stated_ballots(visit.session, collection, request.which, request.unanswered)
    left = rankings.remaining_contradictions(
        visit.session, collection, request.which, request.unanswered
    )
    files = [(one.name, one.content) for one in rankings.ranking_files(stated, collection.title)]
    with (
        add_files(visit.console.settings.uploads, collection.conference, files) as rows,
        visit.change(collection.conference) as change,
    ):
        row = find_row(change.session, CollectionRow, collection.id)
        earlier = files_named(change.session, row.conference, rankings.made_names(row.title))
        change.session.add_all(rows)
        names = ", ".join(one.name for one in rows)
        change.note(row.conference, "made rankings of ballots", names)
    return RankingFiles(
        files=[FileInfo.model_validate(one) for one in rows],
        earlier=[FileInfo.model_validate(one) for one in earlier],
        ballots=len(stated),
        partial=sum(one.statements.is_partial for one in stated),
        conflicts=left.policy,
        advice=rankings.advice_on(left, stated),
    )


own_ballot_router = new_router("ballot", "/ballot")
CONFLICT: dict[int | str, dict[str, Any]] = {409: {"model": BallotConflict}}


@own_ballot_router.get("")
def get_ballot(visit: Reading, ballot: OwnBallot) -> Ballot:
    """Return the reviewer's ballot as it was saved last."""
    shown = newest_ballot(visit.session, ballot)
    if ballot.opened is None:
        with visit.change() as change:
            note_first_opening(change.session, ballot.id)
    return shown


@own_ballot_router.put(
    "", response_model=Ballot, responses=error_responses(413, 423, 507) | CONFLICT
)
def save_ballot(visit: Durable, ballot: OwnBallot, request: SaveBallot) -> Ballot | JSONResponse:
    """Save the ballot as its next version. Once this is answered, it is on the disk."""
    try:
        return save_version(visit.session, ballot, request)
    except VersionConflict as conflict:
        body = BallotConflict(detail=str(conflict), current=conflict.current)
        return JSONResponse(body.model_dump(mode="json"), 409)


@own_ballot_router.get("/versions")
def get_ballot_versions(visit: Reading, ballot: OwnBallot) -> list[BallotVersion]:
    """List every saved state of the ballot, newest first."""
    return list_versions(visit.session, ballot)
