"""Checks: what the files contain, and what is wrong with them."""

from __future__ import annotations

import gzip

from fastapi import APIRouter, Response

from unround.console import serializers
from unround.console.access.permissions import get_or_404
from unround.console.api.chair_route import ChairRoute
from unround.console.api.dependencies import ConsoleDep, PathId, ViewerDep, error_responses
from unround.console.errors import Absent
from unround.console.jobs.queue import enqueue
from unround.console.schemas import Check, NewCheck
from unround.console.storage.orm import CheckRow

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


@router.get(
    "/checks/{check}/issues.csv",
    response_class=Response,
    responses={**error_responses(), 200: {"content": {"text/csv": {"schema": {"type": "string"}}}}},
)
def get_issues(console: ConsoleDep, check: PathId) -> Response:
    """Return every issue, as `unround check --output` writes them."""
    with console.database.reading() as session:
        packed = get_or_404(session, CheckRow, check).issues_csv
    if packed is None:
        raise Absent
    headers = {"Content-Disposition": 'attachment; filename="issues.csv"'}
    return Response(gzip.decompress(packed), media_type="text/csv", headers=headers)
