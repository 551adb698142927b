"""Conferences."""

from __future__ import annotations

from secrets import token_hex

from fastapi import APIRouter, Response
from sqlalchemy import delete, select

from unround.console import serializers
from unround.console.access.audit import note
from unround.console.access.permissions import get_or_404, open_conference
from unround.console.api.dependencies import ChairRoute, ConsoleDep, PathId, ViewerDep
from unround.console.api.responses import error_responses
from unround.console.schemas.runs import (
    Conference,
    ConferenceChange,
    ConferenceSummary,
    NewConference,
)
from unround.console.storage.orm import TABLES, ConferenceRow, FileRow, new_id, now

router = APIRouter(tags=["conferences"], prefix="/conferences")
chairs = APIRouter(tags=["conferences"], prefix="/conferences", route_class=ChairRoute)


@router.get("", responses=error_responses())
def list_conferences(console: ConsoleDep, viewer: ViewerDep) -> list[ConferenceSummary]:
    """List all conferences; for an area chair their own."""
    with console.database.reading() as session:
        return serializers.conference_summaries(session, viewer)


@router.get("/{conference}", responses=error_responses())
def get_conference(console: ConsoleDep, viewer: ViewerDep, conference: PathId) -> Conference:
    """Return a conference; for an area chair its name and shared runs."""
    with console.database.reading() as session:
        row = open_conference(session, viewer, conference)
        return serializers.conference_out(session, viewer, row)


@chairs.post("", status_code=201, responses=error_responses())
def make_conference(console: ConsoleDep, viewer: ViewerDep, request: NewConference) -> Conference:
    """Make a conference."""
    with console.database.writing() as session:
        row = ConferenceRow(
            id=new_id(), name=request.name.strip(), created=now(), key=token_hex(32)
        )
        session.add(row)
        session.flush()
        note(session, row.id, viewer.label, "made the conference", row.name)
        return serializers.conference_out(session, viewer, row)


@chairs.patch("/{conference}", responses=error_responses())
def change_conference(
    console: ConsoleDep, viewer: ViewerDep, conference: PathId, change: ConferenceChange
) -> Conference:
    """Rename a conference, or choose what area chairs see."""
    with console.database.writing() as session:
        row = get_or_404(session, ConferenceRow, conference)
        values = change.model_dump(exclude_none=True)
        for name, value in values.items():
            setattr(row, name, value.strip() if isinstance(value, str) else value)
        row.edition += 1
        detail = ", ".join(f"{name}: {value}" for name, value in values.items())
        note(session, row.id, viewer.label, "changed the conference", detail)
        session.flush()
        changed = serializers.conference_out(session, viewer, row)
    console.on_visibility_change(conference)
    return changed


@chairs.delete("/{conference}", status_code=204, responses=error_responses())
def delete_conference(console: ConsoleDep, viewer: ViewerDep, conference: PathId) -> Response:
    """Delete a conference with everything in it."""
    with console.database.writing() as session:
        row = get_or_404(session, ConferenceRow, conference)
        files = session.scalars(select(FileRow.id).where(FileRow.conference == conference)).all()
        jobs = [
            id
            for table in TABLES.values()
            for id in session.scalars(select(table.id).where(table.conference == conference))
        ]
        note(session, None, viewer.label, "deleted a conference", row.name)
        session.execute(delete(ConferenceRow).where(ConferenceRow.id == conference))
    for job in jobs:
        console.supervisor.stop(job)
    for file in files:
        (console.settings.uploads / file).unlink(missing_ok=True)
    return Response(status_code=204)
