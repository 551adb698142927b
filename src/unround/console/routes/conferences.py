"""Conferences."""

from __future__ import annotations

from fastapi import APIRouter, Response

from unround.console.asking import Asking, Here, PathId, answers
from unround.console.gate import ChairRoute
from unround.console.schema import (
    Conference,
    ConferenceChange,
    ConferenceSummary,
    NewConference,
)

router = APIRouter(tags=["conferences"], prefix="/conferences")
chairs = APIRouter(tags=["conferences"], prefix="/conferences", route_class=ChairRoute)


@router.get("", responses=answers())
def list_conferences(here: Here, who: Asking) -> list[ConferenceSummary]:
    """All conferences; for an area chair their own."""
    raise NotImplementedError


@router.get("/{conference}", responses=answers())
def get_conference(here: Here, who: Asking, conference: PathId) -> Conference:
    """A conference; for an area chair its name and shared runs."""
    raise NotImplementedError


@chairs.post("", status_code=201, responses=answers())
def make_conference(here: Here, who: Asking, wanted: NewConference) -> Conference:
    """Make a conference."""
    raise NotImplementedError


@chairs.patch("/{conference}", responses=answers())
def change_conference(
    here: Here, who: Asking, conference: PathId, change: ConferenceChange
) -> Conference:
    """Rename a conference, or choose what area chairs see."""
    raise NotImplementedError


@chairs.delete("/{conference}", status_code=204, responses=answers())
def delete_conference(here: Here, who: Asking, conference: PathId) -> Response:
    """Delete a conference with everything of it."""
    raise NotImplementedError
