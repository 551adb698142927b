"""Who may see what: area chairs, their papers, links, and the log. For chairs."""

from __future__ import annotations

import shutil
from pathlib import Path
from tempfile import TemporaryDirectory

import polars as pl
from fastapi import APIRouter, UploadFile
from sqlalchemy import delete, func, select
from sqlalchemy.orm import Session

from unround.console import serializers as describing
from unround.console.access import area_chairs as assigning
from unround.console.access import audit as log
from unround.console.access import links as people
from unround.console.access.audit import note
from unround.console.access.permissions import found
from unround.console.access.viewer import Who
from unround.console.api.chair_route import ChairRoute
from unround.console.api.dependencies import Asking, Here, PathId, answers
from unround.console.context import Console
from unround.console.errors import Absent, Refusal
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
from unround.console.storage import orm as tables
from unround.console.storage.ids import now
from unround.console.storage.uploads import clean_name
from unround.formats.model import ImportRefused
from unround.report.area_chairs import TableRefused, area_chairs_of, read_area_chairs

router = APIRouter(tags=["access"], route_class=ChairRoute)


@router.get("/conferences/{conference}/access", responses=answers())
def get_access(here: Here, conference: PathId) -> Access:
    """Area chairs and links."""
    with here.database.reading() as session:
        found(session, tables.Conference, conference)
        return _access(session, conference)


@router.post("/conferences/{conference}/area-chairs", responses=answers(400, 413))
def import_area_chairs(
    here: Here, who: Asking, conference: PathId, file: UploadFile
) -> AssignmentResult:
    """Replace the assignments by a table of area_chair, paper and maybe email.

    When there are problems, all are listed and nothing is changed.
    """
    with TemporaryDirectory(dir=here.settings.work) as folder:
        path = Path(folder) / clean_name(file.filename or "table")
        with path.open("wb") as copy:
            shutil.copyfileobj(file.file, copy)
        try:
            chairs = read_area_chairs(path)
        except TableRefused as refused:
            return AssignmentResult(area_chairs=0, papers=0, problems=list(refused.problems))
        except ImportRefused as problem:
            return AssignmentResult(area_chairs=0, papers=0, problems=[str(problem)])
    with here.database.writing() as session:
        row = found(session, tables.Conference, conference)
        imported = assigning.replace(session, row, chairs)
        if not imported.problems:
            _note_assignment(session, row.id, who, imported, path.name)
    here.sessions.forget()
    here.on_shown(conference)
    return imported


@router.post("/conferences/{conference}/area-chairs/from-run/{run}", responses=answers(409))
def take_area_chairs(here: Here, who: Asking, conference: PathId, run: PathId) -> AssignmentResult:
    """Replace the assignments by the area chairs that a run's papers name."""
    with here.database.writing() as session:
        row = found(session, tables.Conference, conference)
        source = found(session, tables.Run, run)
        if source.conference != conference:
            raise Absent
        if source.status != "done":
            raise Refusal(409, "This run has no results: it is not done.")
        papers = session.execute(
            select(tables.Paper.paper, tables.Paper.area_chair).where(tables.Paper.run == run)
        )
        table = pl.DataFrame(
            [tuple(paper) for paper in papers],
            schema={"paper": pl.String, "area_chair": pl.String},
            orient="row",
        )
        imported = assigning.replace(session, row, area_chairs_of(table))
        if not imported.problems:
            _note_assignment(session, row.id, who, imported, source.name)
    here.sessions.forget()
    here.on_shown(conference)
    return imported


@router.post("/conferences/{conference}/links", status_code=201, responses=answers())
def make_link(here: Here, who: Asking, conference: PathId, wanted: NewLink) -> MadeLink:
    """Make a link. Its secret is shown this once."""
    with here.database.writing() as session:
        found(session, tables.Conference, conference)
        person = None
        if wanted.area_chair is not None:
            person = found(session, tables.AreaChair, wanted.area_chair)
            if person.conference != conference:
                raise Absent
        return _made(session, here, who, conference, person, wanted.days, wanted.label)


@router.post("/conferences/{conference}/links/all", status_code=201, responses=answers())
def make_links(here: Here, who: Asking, conference: PathId, wanted: NewLinks) -> list[MadeLink]:
    """Make a link for every area chair."""
    with here.database.writing() as session:
        found(session, tables.Conference, conference)
        everyone = _area_chairs(session, conference)
        return [
            _made(session, here, who, conference, person, wanted.days, "") for person in everyone
        ]


@router.patch("/links/{link}", responses=answers(409))
def change_link(here: Here, who: Asking, link: PathId, change: LinkChange) -> Link:
    """Give a link another end."""
    with here.database.writing() as session:
        row = found(session, tables.Link, link)
        if row.revoked is not None:
            raise Refusal(409, "A revoked link stays revoked. Make a new one.")
        row.expires = change.expires
        until = "never" if row.expires is None else row.expires.isoformat(timespec="minutes")
        _note_link(session, row, who, "changed a link's end", until)
    here.sessions.forget()
    return describing.link(row)


@router.post("/links/{link}/revoke", responses=answers())
def revoke_link(here: Here, who: Asking, link: PathId) -> Link:
    """End a link and every session that came by it."""
    with here.database.writing() as session:
        row = found(session, tables.Link, link)
        if row.revoked is None:
            row.revoked = now()
            _note_link(session, row, who, "revoked a link", row.label)
        session.execute(delete(tables.Visit).where(tables.Visit.link == link))
    here.sessions.forget()
    return describing.link(row)


@router.get("/conferences/{conference}/log", responses=answers())
def get_log(here: Here, conference: PathId) -> list[LogEntry]:
    """Who did what, newest first."""
    with here.database.reading() as session:
        found(session, tables.Conference, conference)
        return log.entries(session, conference)


def _area_chairs(session: Session, conference: str) -> list[tables.AreaChair]:
    wanted = select(tables.AreaChair).where(tables.AreaChair.conference == conference)
    return list(session.scalars(wanted.order_by(tables.AreaChair.name)))


def _access(session: Session, conference: str) -> Access:
    everyone = _area_chairs(session, conference)
    mine = select(tables.AreaChair.id).where(tables.AreaChair.conference == conference)
    counted = (
        select(tables.Assignment.area_chair, func.count())
        .where(tables.Assignment.area_chair.in_(mine))
        .group_by(tables.Assignment.area_chair)
    )
    counts: dict[str, int] = {row[0]: row[1] for row in session.execute(counted)}
    links: dict[str | None, list[Link]] = {}
    wanted = select(tables.Link).order_by(tables.Link.created.desc(), tables.Link.id)
    for row in session.scalars(
        wanted.where(tables.Link.area_chair.in_(mine) | tables.Link.area_chair.is_(None))
    ):
        links.setdefault(row.area_chair, []).append(describing.link(row))
    return Access(
        area_chairs=[
            AreaChair(
                id=one.id,
                name=one.name,
                email=one.email,
                papers=counts.get(one.id, 0),
                links=links.get(one.id, []),
            )
            for one in everyone
        ],
        chair_links=links.get(None, []),
    )


def _made(
    session: Session,
    here: Console,
    who: Who,
    conference: str,
    person: tables.AreaChair | None,
    days: int | None,
    label: str,
) -> MadeLink:
    area_chair = person.id if person else None
    row, secret = people.make_link(session, area_chair, days=days, label=label)
    whose = person.name if person else "another chair"
    note(session, conference, who.label, "made a link", f"for {whose}")
    return describing.made_link(row, f"{here.settings.url}/enter#{secret}", person)


def _note_link(session: Session, row: tables.Link, who: Who, action: str, detail: str) -> None:
    person = session.get(tables.AreaChair, row.area_chair) if row.area_chair else None
    whose = ": ".join(filter(None, (person.name if person else "", detail)))
    note(session, person.conference if person else None, who.label, action, whose)


def _note_assignment(
    session: Session, conference: str, who: Who, imported: AssignmentResult, source: str
) -> None:
    told = f"{imported.area_chairs} with {imported.papers} papers, from {source}"
    note(session, conference, who.label, "replaced the area chairs", told)
