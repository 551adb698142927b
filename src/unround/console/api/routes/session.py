"""Signing in by a link's secret, signing out, and the current viewer."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request, Response

from unround.console.access import links
from unround.console.api.routing import ConsoleDep, ViewerDep, error_responses
from unround.console.errors import Refusal
from unround.console.schemas.access import Credentials, Me

router = APIRouter(tags=["entering"])
COOKIE: dict[str, Any] = {"path": "/", "httponly": True, "samesite": "strict"}


@router.post("/enter", status_code=204, responses=error_responses())
def enter(console: ConsoleDep, credentials: Credentials) -> Response:
    """Exchange a link's secret for a session."""
    cookie = links.enter(console.database, credentials.secret)
    if cookie is None:
        reason = links.note_failure(console.database, credentials.secret, console.openings)
        raise Refusal(401, f"{reason} Ask the chairs for a new one.")
    response = Response(status_code=204)
    response.set_cookie(
        console.settings.cookie,
        cookie,
        max_age=links.SESSION_DAYS * 86_400,
        secure=console.settings.is_secure,
        **COOKIE,
    )
    return response


@router.post("/leave", status_code=204, responses=error_responses())
def leave(request: Request, console: ConsoleDep) -> Response:
    """End the session."""
    links.leave(console.database, request.cookies[console.settings.cookie])
    response = Response(status_code=204)
    response.delete_cookie(console.settings.cookie, secure=console.settings.is_secure, **COOKIE)
    return response


@router.get("/me", responses=error_responses())
async def me(viewer: ViewerDep) -> Me:
    """Return who is signed in."""
    return Me.model_validate(viewer)
