"""Signing in by a link's secret, signing out, and the current viewer."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request, Response

from unround.console.access import links
from unround.console.api.routing import ConsoleDep, ViewerDep, error_responses
from unround.console.context import Console
from unround.console.errors import Refusal
from unround.console.schemas.access import Credentials, Me

router = APIRouter(tags=["entering"])
COOKIE: dict[str, Any] = {"path": "/", "httponly": True, "samesite": "strict"}


@router.post("/enter", status_code=204, responses=error_responses(429))
def enter(request: Request, console: ConsoleDep, credentials: Credentials) -> Response:
    """Exchange a link's secret for a session."""
    address = request.client.host if request.client else "unknown"
    # The right secret first: it cannot be guessed, and nobody's failures may hold it up.
    cookie = links.enter(console.database, credentials.secret)
    if cookie is None:
        raise _failure(console, credentials.secret, address)
    console.throttle.succeeded(address)
    response = Response(status_code=204)
    response.set_cookie(
        console.settings.cookie,
        cookie,
        max_age=links.SESSION_DAYS * 86_400,
        secure=console.settings.is_secure,
        **COOKIE,
    )
    return response


def _failure(console: Console, secret: str, address: str) -> Refusal:
    """Return the refusal of a wrong secret: to wait, or why it opens nothing."""
    wait = console.throttle.wait(address)
    if wait:
        return Refusal(
            429,
            f"Too many failed tries. Try again in {wait} seconds.",
            {"Retry-After": str(wait)},
        )
    console.throttle.failed(address)
    reason = links.note_failure(console.database, secret)
    return Refusal(401, f"{reason} Ask the chairs for a new one.")


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
