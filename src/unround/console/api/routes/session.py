"""Entering by a link's secret, leaving, and who one is."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response

from unround.console.access import links as people
from unround.console.api.dependencies import Asking, Here, answers
from unround.console.errors import Refusal
from unround.console.schemas import Enter, Me

router = APIRouter(tags=["entering"])


@router.post("/enter", status_code=204, responses=answers(429))
def enter(request: Request, here: Here, wanted: Enter) -> Response:
    """Exchange a link's secret for a session."""
    address = request.client.host if request.client else "unknown"
    wait = here.throttle.wait(address)
    if wait:
        raise Refusal(
            429,
            f"Too many failed tries. Try again in {wait} seconds.",
            {"Retry-After": str(wait)},
        )
    cookie = people.enter(here.database, wanted.secret, address)
    if cookie is None:
        here.throttle.failed(address)
        raise Refusal(401, "This link does not open anything. Ask the chair for a new one.")
    here.throttle.succeeded(address)
    answer = Response(status_code=204)
    answer.set_cookie(
        here.settings.cookie,
        cookie,
        max_age=people.SESSION_DAYS * 86_400,
        path="/",
        secure=here.settings.is_secure,
        httponly=True,
        samesite="strict",
    )
    return answer


@router.post("/leave", status_code=204, responses=answers())
def leave(request: Request, here: Here) -> Response:
    """End the session."""
    people.leave(here.database, request.cookies[here.settings.cookie])
    here.sessions.forget()
    answer = Response(status_code=204)
    answer.delete_cookie(
        here.settings.cookie,
        path="/",
        secure=here.settings.is_secure,
        httponly=True,
        samesite="strict",
    )
    return answer


@router.get("/me", responses=answers())
def me(who: Asking) -> Me:
    """Who is asking."""
    return Me(role=who.role, name=who.name, conference=who.conference, expires=who.expires)
