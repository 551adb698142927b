"""Checks: what the files contain, and what is wrong with them."""

from __future__ import annotations

from fastapi import APIRouter, Response

from unround.console import serializers
from unround.console.access.permissions import get_or_404
from unround.console.api.dependencies import ChairRoute, ConsoleDep, PathId, ViewerDep
from unround.console.api.responses import csv_responses, error_responses, packed_csv_response
from unround.console.jobs.queue import enqueue
from unround.console.schemas.runs import Check, NewCheck
from unround.console.storage.orm import CheckRow
from unround.runs.contradictions import CONTRADICTIONS

router = APIRouter(tags=["checks"], route_class=ChairRoute)


@router.post("/conferences/{conference}/checks", status_code=202, responses=error_responses(409))
def start_check(
    console: ConsoleDep, viewer: ViewerDep, conference: PathId, request: NewCheck
) -> Check:
    """Read the files in the background and list every issue."""
    row = enqueue(console.database, console.supervisor, CheckRow, conference, request, viewer.label)
    return serializers.check_out(row, None)


@router.get("/checks/{check}", responses=error_responses())
def get_check(console: ConsoleDep, check: PathId) -> Check:
    """Return the state of a check and its findings."""
    progress = console.supervisor.progress(check)
    with console.database.reading() as session:
        return serializers.check_out(get_or_404(session, CheckRow, check), progress)


@router.get("/checks/{check}/issues.csv", response_class=Response, responses=csv_responses())
def get_issues(console: ConsoleDep, check: PathId) -> Response:
    """Return every issue, as `unround check --output` writes them."""
    with console.database.reading() as session:
        packed = get_or_404(session, CheckRow, check).issues_csv
    return packed_csv_response(packed, "issues.csv")


@router.get(
    "/checks/{check}/contradictions.csv", response_class=Response, responses=csv_responses()
)
def get_check_contradictions(console: ConsoleDep, check: PathId) -> Response:
    """Return one row per reviewer who contradicts themselves, for a mail merge."""
    with console.database.reading() as session:
        packed = get_or_404(session, CheckRow, check).contradictions_csv
    return packed_csv_response(packed, CONTRADICTIONS)
