"""Checks: what is in the files, and what is wrong with them."""

from __future__ import annotations

from fastapi import APIRouter, Response

from unround.console.asking import Asking, Here, PathId, answers
from unround.console.gate import ChairRoute
from unround.console.schema import Check, NewCheck

router = APIRouter(tags=["checks"], route_class=ChairRoute)


@router.post("/conferences/{conference}/checks", status_code=202, responses=answers(409))
def start_check(here: Here, who: Asking, conference: PathId, wanted: NewCheck) -> Check:
    """Read the files in the background, and list every problem."""
    raise NotImplementedError


@router.get("/checks/{check}", responses=answers())
def get_check(here: Here, check: PathId) -> Check:
    """What a check has found."""
    raise NotImplementedError


@router.get(
    "/checks/{check}/issues.csv",
    response_class=Response,
    responses={**answers(), 200: {"content": {"text/csv": {}}}},
)
def get_issues(here: Here, check: PathId) -> Response:
    """Every problem, as `unround check --output` writes them."""
    raise NotImplementedError
