"""Area chairs, their papers, links, and the log. For chairs."""

from __future__ import annotations

import shutil
from pathlib import Path
from tempfile import TemporaryDirectory

from fastapi import APIRouter, UploadFile
from sqlalchemy import delete, func, select
from sqlalchemy.orm import Session

from unround.console import serializers
from unround.console.access import area_chairs, audit, links
from unround.console.access.audit import note
from unround.console.access.permissions import get_of_conference, get_or_404, require_done
from unround.console.access.viewer import Viewer
from unround.console.api.chair_route import ChairRoute
from unround.console.api.dependencies import ConsoleDep, PathId, ViewerDep, error_responses
from unround.console.context import Console
from unround.console.errors import Refusal
from unround.console.schemas import (
    Access,
    AreaChair,
    AssignmentResult,
    Link,
    LinkChange,
    LogEntry,
    MadeLink,
    NewLink,
    NewLinks,
)
from unround.console.storage.ids import now
from unround.console.storage.orm import (
    AreaChairRow,
    AssignmentRow,
    ConferenceRow,
    LinkRow,
    RunRow,
    SessionRow,
)
from unround.console.storage.uploads import clean_name
from unround.formats.model import ImportRefused
from unround.report.area_chairs import TableRefused, read_area_chairs

router = APIRouter(tags=["access"], route_class=ChairRoute)


@router.get("/conferences/{conference}/access", responses=error_responses())
def get_access(console: ConsoleDep, conference: PathId) -> Access:
    """Return the area chairs and links of a conference."""
    with console.database.reading() as session:
        get_or_404(session, ConferenceRow, conference)
        return _access(session, conference)


@router.post("/conferences/{conference}/area-chairs", responses=error_responses(400, 413))
def import_area_chairs(
    console: ConsoleDep, viewer: ViewerDep, conference: PathId, file: UploadFile
) -> AssignmentResult:
    """Replace the assignments by a table of area_chair, paper and optionally email.

    When something in the table is wrong, all of it is listed and nothing is changed.
    """
    with TemporaryDirectory(dir=console.settings.work) as folder:
        path = Path(folder) / clean_name(file.filename or "table")
        with path.open("wb") as copy:
            shutil.copyfileobj(file.file, copy)
        try:
            people = read_area_chairs(path)
        except TableRefused as refused:
            return AssignmentResult(area_chairs=0, papers=0, issues=list(refused.issues))
        except ImportRefused as error:
            return AssignmentResult(area_chairs=0, papers=0, issues=[str(error)])
    with console.database.writing() as session:
        row = get_or_404(session, ConferenceRow, conference)
        result = area_chairs.replace(session, row, people)
        _note_assignment(session, row.id, viewer, result, path.name)
    _announce_change(console, conference)
    return result


@router.post("/conferences/{conference}/area-chairs/from-run/{run}", responses=error_responses(409))
def take_area_chairs(
    console: ConsoleDep, viewer: ViewerDep, conference: PathId, run: PathId
) -> AssignmentResult:
    """Replace the assignments by the area chairs that a run's papers name."""
    with console.database.writing() as session:
        row = get_or_404(session, ConferenceRow, conference)
        source = get_of_conference(session, RunRow, run, conference)
        require_done(source)
        result = area_chairs.take_from_run(session, row, run)
        _note_assignment(session, row.id, viewer, result, source.name)
    _announce_change(console, conference)
    return result


@router.post("/conferences/{conference}/links", status_code=201, responses=error_responses())
def make_link(
    console: ConsoleDep, viewer: ViewerDep, conference: PathId, request: NewLink
) -> MadeLink:
    """Make a link. Its secret is shown this once."""
    with console.database.writing() as session:
        get_or_404(session, ConferenceRow, conference)
        person = None
        if request.area_chair is not None:
            person = get_of_conference(session, AreaChairRow, request.area_chair, conference)
        return _new_link(session, console, viewer, conference, person, request.days, request.label)


@router.post("/conferences/{conference}/links/all", status_code=201, responses=error_responses())
def make_links(
    console: ConsoleDep, viewer: ViewerDep, conference: PathId, request: NewLinks
) -> list[MadeLink]:
    """Make a link for every area chair."""
    with console.database.writing() as session:
        get_or_404(session, ConferenceRow, conference)
        return [
            _new_link(session, console, viewer, conference, person, request.days, "")
            for person in _area_chairs(session, conference)
        ]


@router.patch("/links/{link}", responses=error_responses(409))
def change_link(console: ConsoleDep, viewer: ViewerDep, link: PathId, change: LinkChange) -> Link:
    """Change when a link expires."""
    with console.database.writing() as session:
        row = get_or_404(session, LinkRow, link)
        if row.revoked is not None:
            raise Refusal(409, "A revoked link stays revoked. Make a new one.")
        row.expires = change.expires
        until = "never" if row.expires is None else row.expires.isoformat(timespec="minutes")
        _note_link(session, row, viewer, "changed a link's end", until)
    console.sessions.forget()
    return serializers.link_out(row)


@router.post("/links/{link}/revoke", responses=error_responses())
def revoke_link(console: ConsoleDep, viewer: ViewerDep, link: PathId) -> Link:
    """Revoke a link and end every session that was opened with it."""
    with console.database.writing() as session:
        row = get_or_404(session, LinkRow, link)
        if row.revoked is None:
            row.revoked = now()
            _note_link(session, row, viewer, "revoked a link", row.label)
        session.execute(delete(SessionRow).where(SessionRow.link == link))
    console.sessions.forget()
    return serializers.link_out(row)


@router.get("/conferences/{conference}/log", responses=error_responses())
def get_log(console: ConsoleDep, conference: PathId) -> list[LogEntry]:
    """List who did what, newest first."""
    with console.database.reading() as session:
        get_or_404(session, ConferenceRow, conference)
        return audit.entries(session, conference)


def _area_chairs(session: Session, conference: str) -> list[AreaChairRow]:
    query = select(AreaChairRow).where(AreaChairRow.conference == conference)
    return list(session.scalars(query.order_by(AreaChairRow.name)))


def _access(session: Session, conference: str) -> Access:
    ids = select(AreaChairRow.id).where(AreaChairRow.conference == conference)
    counting = (
        select(AssignmentRow.area_chair, func.count())
        .where(AssignmentRow.area_chair.in_(ids))
        .group_by(AssignmentRow.area_chair)
    )
    papers: dict[str, int] = {row[0]: row[1] for row in session.execute(counting)}
    by_area_chair: dict[str | None, list[Link]] = {}
    query = select(LinkRow).order_by(LinkRow.created.desc(), LinkRow.id)
    for row in session.scalars(
        query.where(LinkRow.area_chair.in_(ids) | LinkRow.area_chair.is_(None))
    ):
        by_area_chair.setdefault(row.area_chair, []).append(serializers.link_out(row))
    people = [
        AreaChair(
            id=one.id,
            name=one.name,
            email=one.email,
            papers=papers.get(one.id, 0),
            links=by_area_chair.get(one.id, []),
        )
        for one in _area_chairs(session, conference)
    ]
    return Access(area_chairs=people, chair_links=by_area_chair.get(None, []))


def _announce_change(console: Console, conference: str) -> None:
    console.sessions.forget()
    console.on_visibility_change(conference)


def _new_link(
    session: Session,
    console: Console,
    viewer: Viewer,
    conference: str,
    person: AreaChairRow | None,
    days: int | None,
    label: str,
) -> MadeLink:
    row, secret = links.make_link(session, person.id if person else None, days=days, label=label)
    owner = person.name if person else "another chair"
    note(session, conference, viewer.label, "made a link", f"for {owner}")
    return serializers.made_link_out(row, f"{console.settings.url}/enter#{secret}", person)


def _note_link(session: Session, row: LinkRow, viewer: Viewer, action: str, detail: str) -> None:
    person = session.get(AreaChairRow, row.area_chair) if row.area_chair else None
    text = ": ".join(filter(None, (person.name if person else "", detail)))
    note(session, person.conference if person else None, viewer.label, action, text)


def _note_assignment(
    session: Session, conference: str, viewer: Viewer, result: AssignmentResult, source: str
) -> None:
    if result.issues:
        return
    detail = f"{result.area_chairs} with {result.papers} papers, from {source}"
    note(session, conference, viewer.label, "replaced the area chairs", detail)
