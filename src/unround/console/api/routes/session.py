"""Signing in by a link's secret, signing out, and the current viewer."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request, Response

from unround.console.access import links
from unround.console.access.permissions import visible_runs
from unround.console.api.guards import SignedIn
from unround.console.api.routing import COMMON_ERRORS, ConsoleDep, Reading, Writing, new_router
from unround.console.schemas.access import Credentials, Me
from unround.console.storage.orm import RunRow

door = APIRouter(tags=["entering"], responses=COMMON_ERRORS)  # for everybody
router = new_router("entering")
COOKIE: dict[str, Any] = {"path": "/", "httponly": True, "samesite": "strict"}


@door.post("/enter", status_code=204)
def enter(console: ConsoleDep, credentials: Credentials) -> Response:
    """Exchange a link's secret for a session."""
    cookie = links.enter(console.database, credentials.secret, console.openings)
    response = Response(status_code=204)
    response.set_cookie(
        console.settings.cookie,
        cookie,
        max_age=links.SESSION_DAYS * 86_400,
        secure=console.settings.is_secure,
        **COOKIE,
    )
    return response


@router.post("/leave", status_code=204)
def leave(visit: Writing, request: Request, viewer: SignedIn) -> Response:
    """End the session."""
    name, secure = visit.console.settings.cookie, visit.console.settings.is_secure
    links.leave(visit.session, request.cookies[name])
    response = Response(status_code=204)
    response.delete_cookie(name, secure=secure, **COOKIE)
    return response


@router.get("/me")
def me(visit: Reading, viewer: SignedIn) -> Me:
    """Return who is signed in, and where they start."""
    home = None
    if viewer.area_chair is not None:
        newest = visible_runs(viewer).order_by(RunRow.created.desc(), RunRow.id)
        home = visit.session.scalar(newest.with_only_columns(RunRow.id).limit(1))
    return Me(
        role=viewer.role,
        name=viewer.name,
        conference=viewer.conference,
        expires=viewer.expires,
        home=home,
    )
