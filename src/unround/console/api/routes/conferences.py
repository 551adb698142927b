"""Conferences."""

from __future__ import annotations

from secrets import token_hex

from fastapi import APIRouter, Response
from sqlalchemy import delete, select

from unround.console import serializers as describing
from unround.console.access.audit import note
from unround.console.access.permissions import found, own_conference
from unround.console.api.chair_route import ChairRoute
from unround.console.api.dependencies import Asking, Here, PathId, answers
from unround.console.schemas import Conference, ConferenceChange, ConferenceSummary, NewConference
from unround.console.storage import orm as tables
from unround.console.storage.ids import new_id, now

router = APIRouter(tags=["conferences"], prefix="/conferences")
chairs = APIRouter(tags=["conferences"], prefix="/conferences", route_class=ChairRoute)


@router.get("", responses=answers())
def list_conferences(here: Here, who: Asking) -> list[ConferenceSummary]:
    """All conferences; for an area chair their own."""
    with here.database.reading() as session:
        return describing.summaries(session, who)


@router.get("/{conference}", responses=answers())
def get_conference(here: Here, who: Asking, conference: PathId) -> Conference:
    """A conference; for an area chair its name and shared runs."""
    with here.database.reading() as session:
        return describing.conference(session, who, own_conference(session, who, conference))


@chairs.post("", status_code=201, responses=answers())
def make_conference(here: Here, who: Asking, wanted: NewConference) -> Conference:
    """Make a conference."""
    with here.database.writing() as session:
        row = tables.Conference(
            id=new_id(), name=wanted.name.strip(), created=now(), key=token_hex(32)
        )
        session.add(row)
        session.flush()
        note(session, row.id, who.label, "made the conference", row.name)
        return describing.conference(session, who, row)


@chairs.patch("/{conference}", responses=answers())
def change_conference(
    here: Here, who: Asking, conference: PathId, change: ConferenceChange
) -> Conference:
    """Rename a conference, or choose what area chairs see."""
    with here.database.writing() as session:
        row = found(session, tables.Conference, conference)
        changed = change.model_dump(exclude_none=True)
        for name, value in changed.items():
            setattr(row, name, value.strip() if isinstance(value, str) else value)
        row.edition += 1
        told = ", ".join(f"{name}: {value}" for name, value in changed.items())
        note(session, row.id, who.label, "changed the conference", told)
        session.flush()
        described = describing.conference(session, who, row)
    here.on_shown(conference)
    return described


@chairs.delete("/{conference}", status_code=204, responses=answers())
def delete_conference(here: Here, who: Asking, conference: PathId) -> Response:
    """Delete a conference with everything of it."""
    with here.database.writing() as session:
        row = found(session, tables.Conference, conference)
        files = list(
            session.scalars(select(tables.File.id).where(tables.File.conference == conference))
        )
        jobs = [
            id
            for table in (tables.Check, tables.Run)
            for id in session.scalars(select(table.id).where(table.conference == conference))
        ]
        note(session, None, who.label, "deleted a conference", row.name)
        session.execute(delete(tables.Conference).where(tables.Conference.id == conference))
    here.sessions.forget()
    for job in jobs:
        here.supervisor.stop(job)
    for file in files:
        (here.settings.uploads / file).unlink(missing_ok=True)
    return Response(status_code=204)
