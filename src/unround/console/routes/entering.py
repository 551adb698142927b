"""Entering by a link's secret, leaving, and who one is."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response

from unround.console.asking import Asking, Here, answers
from unround.console.schema import Enter, Me, Problem

router = APIRouter(tags=["entering"])


@router.post("/enter", status_code=204, responses={**answers(), 429: {"model": Problem}})
def enter(request: Request, here: Here, secret: Enter) -> Response:
    """Exchange a link's secret for a session."""
    raise NotImplementedError


@router.post("/leave", status_code=204, responses=answers())
def leave(request: Request, here: Here) -> Response:
    """End the session."""
    raise NotImplementedError


@router.get("/me", responses=answers())
def me(who: Asking) -> Me:
    """Who is asking."""
    raise NotImplementedError
