"""Links to ballots, single ballots, and their way into exports and runs. For chairs."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query, Response
from sqlalchemy import select
from sqlalchemy.orm import Session

from unround.ballots.exports import CHANGED, Target
from unround.ballots.statements import Unanswered
from unround.console.access.audit import note
from unround.console.access.permissions import get_or_404
from unround.console.api.dependencies import ChairRoute, ConsoleDep, PathId, ViewerDep
from unround.console.api.responses import attachment, error_responses
from unround.console.ballots import collections, documents, rankings
from unround.console.ballots.links import make_ballot_links
from unround.console.errors import Absent
from unround.console.schemas.ballots import (
    BallotContent,
    BallotDetail,
    BallotLinks,
    BallotVersionDetail,
    MadeBallotLinks,
    UseBallots,
    UsedBallots,
    Which,
)
from unround.console.schemas.runs import FileInfo
from unround.console.serializers import file_info
from unround.console.storage.orm import BallotRow, BallotVersionRow, CollectionRow, FileRow
from unround.console.storage.uploads import add_files, clean_name

router = APIRouter(tags=["ballots"], prefix="/collections/{collection}", route_class=ChairRoute)
BINARY = "application/octet-stream"
FILE: dict[int | str, dict[str, Any]] = {
    200: {"content": {BINARY: {"schema": {"type": "string", "format": "binary"}}}}
}


@router.post("/links", status_code=201, responses=error_responses())
def make_collection_links(
    console: ConsoleDep, viewer: ViewerDep, collection: PathId, request: BallotLinks
) -> MadeBallotLinks:
    """Make links to ballots: for all, or as reminders. Their secrets are shown this once."""
    with console.database.writing() as session:
        row = get_or_404(session, CollectionRow, collection)
        ballots = collections.ballots_of(session, collection)
        made = make_ballot_links(session, console.settings, row, ballots, request)
        if made.links:
            detail = f"{len(made.links)} to ballots of {row.title}"
            note(session, row.conference, viewer.label, "made links", detail)
        return made


@router.get("/ballots/{ballot}", responses=error_responses())
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
        papers = documents.papers_of(one)
        contents = [BallotContent.model_validate(version.content) for version in versions]
        newest = documents.content_of(contents[-1]) if contents else None
        handed_in = one.submitted is not None
        found = documents.contradictions_of(newest, papers, row, handed_in) if newest else []
        return BallotDetail(
            line=collections.ballot_lines(session, [one])[0],
            papers=documents.papers_out(papers, with_scores=True),
            contradictions=documents.contradictions_out(found),
            versions=[
                BallotVersionDetail(**documents.version_out(version).model_dump(), content=content)
                for version, content in zip(versions, contents, strict=True)
            ],
        )


@router.get("/export", response_class=Response, responses=error_responses() | FILE)
def export_collection(
    console: ConsoleDep,
    viewer: ViewerDep,
    collection: PathId,
    to: Annotated[Target | Literal["scores"], Query()] = "ranks",
    which: Annotated[Which, Query()] = "saved",
    unanswered: Annotated[Unanswered, Query()] = "keep",
    partial: Annotated[Literal["refuse", "omit"], Query()] = "refuse",
) -> Response:
    """Return the ballots in a format that runs read rankings from, or the changed scores."""
    with console.database.reading() as session:
        row = get_or_404(session, CollectionRow, collection)
        if to == CHANGED:
            made = rankings.changed_scores(session, row, which)
        else:
            stated = rankings.stated_ballots(session, row, which, unanswered)
            made = rankings.export_ballots(stated, to, omit_partial=partial == "omit")
    with console.database.writing() as session:
        note(session, row.conference, viewer.label, "exported ballots", f"{row.title}: {made.name}")
    return attachment(made.content, made.name, BINARY)


@router.post("/use", status_code=201, responses=error_responses(507))
def use_collection(
    console: ConsoleDep, viewer: ViewerDep, collection: PathId, request: UseBallots
) -> UsedBallots:
    """Add the rankings to the conference's files, so that a new run can take them."""
    with console.database.reading() as session:
        row = get_or_404(session, CollectionRow, collection)
        stated = rankings.stated_ballots(session, row, request.which, request.unanswered)
        left = rankings.contradicting(session, row, request.which, request.unanswered)
    files = [(one.name, one.content) for one in rankings.ranking_files(stated, row.title)]
    with add_files(console.settings.uploads, row.conference, files) as rows:
        with console.database.writing() as session:
            get_or_404(session, CollectionRow, collection)
            earlier = _files_named(session, row.conference, rankings.made_names(row.title))
            session.add_all(rows)
            names = ", ".join(one.name for one in rows)
            note(session, row.conference, viewer.label, "made rankings of ballots", names)
        return UsedBallots(
            files=[file_info(one) for one in rows],
            earlier=earlier,
            ballots=len(stated),
            partial=sum(one.said.is_partial for one in stated),
            conflicts=left.policy,
            advice=rankings.advice_on(left, stated),
        )


def _files_named(session: Session, conference: str, names: list[str]) -> list[FileInfo]:
    query = select(FileRow).where(
        FileRow.conference == conference, FileRow.name.in_(map(clean_name, names))
    )
    return [file_info(one) for one in session.scalars(query)]
