"""Links and log of the server as a whole, for its owner: the paths name no conference."""

from __future__ import annotations

from fastapi import APIRouter
from sqlalchemy import select

from unround.console import serializers
from unround.console.access import audit, links
from unround.console.access.audit import note
from unround.console.api.dependencies import ChairRoute, ConsoleDep, ViewerDep
from unround.console.api.responses import error_responses
from unround.console.schemas.access import LogEntry, MadeLink, NewOwnerLink, ServerAccess
from unround.console.storage.orm import LinkRow

router = APIRouter(tags=["server"], prefix="/server", route_class=ChairRoute)


@router.get("/access", responses=error_responses())
def get_server_access(console: ConsoleDep) -> ServerAccess:
    """List the links that open every conference."""
    query = select(LinkRow).where(LinkRow.conference.is_(None))
    with console.database.reading() as session:
        rows = session.scalars(query.order_by(LinkRow.created.desc(), LinkRow.id))
        return ServerAccess(links=[serializers.link_out(row) for row in rows])


@router.post("/links", status_code=201, responses=error_responses())
def make_owner_link(console: ConsoleDep, viewer: ViewerDep, request: NewOwnerLink) -> MadeLink:
    """Make a link for another owner. Its secret is shown this once."""
    with console.database.writing() as session:
        row, secret = links.make_link(
            session, conference=None, days=request.days, label=request.label.strip()
        )
        note(session, None, viewer.label, "made a link", f"for {links.owner_of(row, None)}")
        return serializers.made_link_out(row, console.settings.link(secret), None)


@router.get("/log", responses=error_responses())
def get_server_log(console: ConsoleDep) -> list[LogEntry]:
    """List what concerns the server and no conference, newest first."""
    with console.database.reading() as session:
        return audit.entries(session, None)
