"""Saved views of the table of papers, for chairs."""

from __future__ import annotations

from fastapi import APIRouter, Response
from sqlalchemy import delete, func, select

from unround.console.access.audit import note
from unround.console.access.permissions import get_of_conference, open_conference
from unround.console.api.dependencies import ChairRoute, ConsoleDep, PathId, ViewerDep
from unround.console.api.responses import error_responses
from unround.console.errors import Refusal
from unround.console.schemas.papers import NewView, SavedView
from unround.console.storage.orm import SavedViewRow, new_id, now

router = APIRouter(tags=["views"], prefix="/conferences/{conference}/views", route_class=ChairRoute)
MOST = 100


@router.get("", responses=error_responses())
def list_views(console: ConsoleDep, viewer: ViewerDep, conference: PathId) -> list[SavedView]:
    """List the saved views of a conference by name."""
    with console.database.reading() as session:
        open_conference(session, viewer, conference)
        query = select(SavedViewRow).where(SavedViewRow.conference == conference)
        return [_out(row) for row in session.scalars(query.order_by(SavedViewRow.name))]


@router.post("", status_code=201, responses=error_responses(409))
def save_view(
    console: ConsoleDep, viewer: ViewerDep, conference: PathId, request: NewView
) -> SavedView:
    """Save a view, in place of one of the same name."""
    name = request.name.strip()
    with console.database.writing() as session:
        open_conference(session, viewer, conference)
        views = SavedViewRow.conference == conference
        session.execute(delete(SavedViewRow).where(views, SavedViewRow.name == name))
        if session.scalar(select(func.count()).select_from(SavedViewRow).where(views)) >= MOST:  # type: ignore[operator]
            raise Refusal(409, f"There are {MOST} views already. Delete one first.")
        row = SavedViewRow(
            id=new_id(),
            conference=conference,
            name=name,
            query=request.query.removeprefix("?"),
            who=viewer.label,
            at=now(),
        )
        session.add(row)
        note(session, conference, viewer.label, "saved a view", name)
        return _out(row)


@router.delete("/{view}", status_code=204, responses=error_responses())
def delete_view(
    console: ConsoleDep, viewer: ViewerDep, conference: PathId, view: PathId
) -> Response:
    """Delete a saved view."""
    with console.database.writing() as session:
        open_conference(session, viewer, conference)
        row = get_of_conference(session, SavedViewRow, view, conference)
        session.delete(row)
        note(session, conference, viewer.label, "deleted a view", row.name)
    return Response(status_code=204)


def _out(row: SavedViewRow) -> SavedView:
    return SavedView(id=row.id, name=row.name, query=row.query, who=row.who, at=row.at)
