"""Collections of ballots, their links, exports and use in runs (for chairs), and a reviewer's own ballot."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Depends, Query, Response
from fastapi.responses import JSONResponse
from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from unround.ballots.drafts import Drafts, drafts_of_run, read_drafts
from unround.ballots.exports import ExportTarget
from unround.ballots.statements import Unanswered
from unround.console.access.log import note
from unround.console.access.permissions import (
    get_of_conference,
    get_or_404,
    lock_conference,
    lock_owned,
    require_done,
)
from unround.console.api.routes.access import ONLY_HERE
from unround.console.api.routing import (
    ChairRoute,
    ConsoleDep,
    PathId,
    ViewerDep,
    attachment,
    error_responses,
    file_responses,
)
from unround.console.ballots import collections, rankings
from unround.console.ballots.ballot import (
    VersionConflict,
    content_of,
    contradictions_of,
    list_versions,
    open_ballot,
    papers_of,
    save_version,
    version_out,
)
from unround.console.ballots.links import make_ballot_links
from unround.console.context import Console
from unround.console.errors import Absent
from unround.console.jobs.job import link_files
from unround.console.schemas.ballots import (
    Ballot,
    BallotConflict,
    BallotContent,
    BallotDetail,
    BallotLinks,
    BallotVersion,
    BallotVersionDetail,
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
from unround.console.storage.orm import (
    BallotRow,
    BallotVersionRow,
    CollectionRow,
    ConferenceRow,
    FileRow,
    RunRow,
)
from unround.console.storage.uploads import add_files, clean_name

router = APIRouter(tags=["ballots"], route_class=ChairRoute)


@router.get("/conferences/{conference}/collections", responses=error_responses())
def list_collections(console: ConsoleDep, conference: PathId) -> list[CollectionSummary]:
    """List the collections of a conference, newest first."""
    with console.database.reading() as session:
        get_or_404(session, ConferenceRow, conference)
        return collections.collection_summaries(session, conference)


@router.post("/conferences/{conference}/collections/preview", responses=error_responses(409))
def preview_collection(
    console: ConsoleDep, conference: PathId, request: CollectionSource
) -> CollectionPreview:
    """Say which ballots would be made, and who would be left out."""
    drafts, _ = _drafts(console, conference, request)
    return collections.preview_of(drafts)


@router.post(
    "/conferences/{conference}/collections", status_code=201, responses=error_responses(409)
)
def make_collection(
    console: ConsoleDep, viewer: ViewerDep, conference: PathId, request: NewCollection
) -> Collection:
    """Make a collection with one ballot per reviewer. Nobody is invited by that: links are made next."""
    drafts, source = _drafts(console, conference, request.source)
    with console.database.writing() as session:
        lock_conference(session, conference)
        row = collections.make_collection(session, conference, request, drafts, source)
        detail = f"{row.title}: {len(drafts.ballots)} ballots, from {source}"
        note(session, conference, viewer.label, "made ballots", detail)
        return collections.collection_out(session, row, _warnings(console))


@router.get("/collections/{collection}", responses=error_responses())
def get_collection(console: ConsoleDep, collection: PathId) -> Collection:
    """Return a collection with its ballots, and how far the reviewers have come."""
    with console.database.reading() as session:
        row = get_or_404(session, CollectionRow, collection)
        return collections.collection_out(session, row, _warnings(console))


@router.patch("/collections/{collection}", responses=error_responses())
def change_collection(
    console: ConsoleDep, viewer: ViewerDep, collection: PathId, change: CollectionChange
) -> Collection:
    """Close or reopen a collection, or change its title, instructions or deadline."""
    with console.database.writing() as session:
        row = lock_owned(session, CollectionRow, collection)
        changes = collections.change_collection(row, change)
        if changes:
            detail = f"{row.title}: {changes}"
            note(session, row.conference, viewer.label, "changed a collection", detail)
        session.flush()
        return collections.collection_out(session, row, _warnings(console))


@router.delete("/collections/{collection}", status_code=204, responses=error_responses())
def delete_collection(console: ConsoleDep, viewer: ViewerDep, collection: PathId) -> Response:
    """Delete a collection with its ballots, their versions and links."""
    with console.database.writing() as session:
        row = lock_owned(session, CollectionRow, collection)
        note(session, row.conference, viewer.label, "deleted a collection", row.title)
        session.execute(delete(CollectionRow).where(CollectionRow.id == collection))
    return Response(status_code=204)


def _warnings(console: Console) -> list[str]:
    return [ONLY_HERE] if console.settings.is_local else []


def _drafts(console: Console, conference: str, source: CollectionSource) -> tuple[Drafts, str]:
    """Return the ballots to make, and in words from what."""
    with console.database.reading() as session:
        get_or_404(session, ConferenceRow, conference)
        run = source.run and get_of_conference(session, RunRow, source.run, conference)
        files = [get_of_conference(session, FileRow, id, conference) for id in source.files]
    if run:
        require_done(run)
        return drafts_of_run(console.opened_run(run.id).run), f"the run {run.name}"
    with TemporaryDirectory(dir=console.settings.work) as folder:
        paths = link_files(Path(folder), console.settings.uploads, files)
        return read_drafts(paths, source.reading.options()), ", ".join(file.name for file in files)


results_router = APIRouter(
    tags=["ballots"], prefix="/collections/{collection}", route_class=ChairRoute
)
BINARY = "application/octet-stream"


@results_router.post("/links", status_code=201, responses=error_responses())
def make_collection_links(
    console: ConsoleDep, viewer: ViewerDep, collection: PathId, request: BallotLinks
) -> CreatedBallotLinks:
    """Make links to ballots: for all, or as reminders. Their secrets are shown this once."""
    with console.database.writing() as session:
        row = lock_owned(session, CollectionRow, collection)
        ballots = collections.ballots_of(session, collection)
        made = make_ballot_links(session, console.settings, row, ballots, request)
        if made.links:
            detail = f"{len(made.links)} to ballots of {row.title}"
            note(session, row.conference, viewer.label, "made links", detail)
        return made


@results_router.get("/ballots/{ballot}", responses=error_responses())
def get_collection_ballot(
    console: ConsoleDep, viewer: ViewerDep, collection: PathId, ballot: PathId
) -> BallotDetail:
    """Return one ballot with every version. Who looked is logged, not at whose."""
    with console.database.writing() as session:
        row = get_or_404(session, CollectionRow, collection)
        one = get_or_404(session, BallotRow, ballot)
        if one.collection != collection:
            raise Absent
        if console.openings.is_new((viewer.link, collection, "ballot")):
            note(session, row.conference, viewer.label, "looked at ballots", row.title)
        query = select(BallotVersionRow).where(BallotVersionRow.ballot == ballot)
        versions = session.scalars(query.order_by(BallotVersionRow.version)).all()
        papers = papers_of(one)
        contents = [BallotContent.model_validate(version.content) for version in versions]
        newest = content_of(contents[-1]) if contents else None
        handed_in = one.submitted is not None
        found = contradictions_of(newest, papers, row, handed_in) if newest else []
        return BallotDetail(
            line=collections.ballot_lines(session, [one])[0],
            papers=papers,
            contradictions=found,
            versions=[
                BallotVersionDetail(**version_out(version).model_dump(), content=content)
                for version, content in zip(versions, contents, strict=True)
            ],
        )


@results_router.get("/export", response_class=Response, responses=file_responses(BINARY))
def export_collection(
    console: ConsoleDep,
    viewer: ViewerDep,
    collection: PathId,
    to: Annotated[ExportTarget, Query()] = "ranks",
    which: Annotated[Which, Query()] = "saved",
    unanswered: Annotated[Unanswered, Query()] = "keep",
    partial: Annotated[Literal["refuse", "omit"], Query()] = "refuse",
) -> Response:
    """Return the ballots in a format that runs read rankings from, or the changed scores."""
    with console.database.reading() as session:
        row = get_or_404(session, CollectionRow, collection)
        omit = partial == "omit"
        made = rankings.export_ballots(
            session, row, to, which=which, unanswered=unanswered, omit_partial=omit
        )
    with console.database.writing() as session:
        note(session, row.conference, viewer.label, "exported ballots", f"{row.title}: {made.name}")
    return attachment(made.content, made.name, BINARY)


@results_router.post("/use", status_code=201, responses=error_responses(507))
def use_collection(
    console: ConsoleDep, viewer: ViewerDep, collection: PathId, request: UseBallots
) -> RankingFiles:
    """Add the rankings to the conference's files, so that a new run can take them."""
    with console.database.reading() as session:
        row = get_or_404(session, CollectionRow, collection)
        stated = rankings.stated_ballots(session, row, request.which, request.unanswered)
        left = rankings.remaining_contradictions(session, row, request.which, request.unanswered)
    files = [(one.name, one.content) for one in rankings.ranking_files(stated, row.title)]
    with (
        add_files(console.settings.uploads, row.conference, files) as rows,
        console.database.writing() as session,
    ):
        get_or_404(session, CollectionRow, collection)
        earlier = files_named(session, row.conference, rankings.made_names(row.title))
        session.add_all(rows)
        names = ", ".join(one.name for one in rows)
        note(session, row.conference, viewer.label, "made rankings of ballots", names)
    return RankingFiles(
        files=[FileInfo.model_validate(one) for one in rows],
        earlier=earlier,
        ballots=len(stated),
        partial=sum(one.statements.is_partial for one in stated),
        conflicts=left.policy,
        advice=rankings.advice_on(left, stated),
    )


def files_named(session: Session, conference: str, names: list[str]) -> list[FileInfo]:
    """Return the conference's files with one of these names."""
    query = select(FileRow).where(
        FileRow.conference == conference, FileRow.name.in_(map(clean_name, names))
    )
    return [FileInfo.model_validate(one) for one in session.scalars(query)]


own_ballot_router = APIRouter(tags=["ballot"], prefix="/ballot")


def _own_ballot(viewer: ViewerDep) -> str:
    """Return the id of the viewer's ballot, or raise 404 for everybody but reviewers."""
    if viewer.ballot is None:
        raise Absent
    return viewer.ballot


OwnBallot = Annotated[str, Depends(_own_ballot)]
CONFLICT: dict[int | str, dict[str, Any]] = {409: {"model": BallotConflict}}


@own_ballot_router.get("", responses=error_responses())
def get_ballot(console: ConsoleDep, ballot: OwnBallot) -> Ballot:
    """Return the reviewer's ballot as it was saved last."""
    return open_ballot(console.database, ballot)


@own_ballot_router.put(
    "", response_model=Ballot, responses=error_responses(413, 423, 507) | CONFLICT
)
def save_ballot(
    console: ConsoleDep, ballot: OwnBallot, request: SaveBallot
) -> Ballot | JSONResponse:
    """Save the ballot as its next version. Once this is answered, it is on the disk."""
    try:
        return save_version(console.database, ballot, request)
    except VersionConflict as conflict:
        body = BallotConflict(detail=str(conflict), current=conflict.current)
        return JSONResponse(body.model_dump(mode="json"), 409)


@own_ballot_router.get("/versions", responses=error_responses())
def get_ballot_versions(console: ConsoleDep, ballot: OwnBallot) -> list[BallotVersion]:
    """List every saved state of the ballot, newest first."""
    return list_versions(console.database, ballot)
