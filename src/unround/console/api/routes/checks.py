"""Checks: what is in the files, and what is wrong with them."""

from __future__ import annotations

import gzip

from fastapi import APIRouter, Response

from unround.console import serializers as describing
from unround.console.access.audit import note
from unround.console.access.permissions import found
from unround.console.api.chair_route import ChairRoute
from unround.console.api.dependencies import Asking, Here, PathId, answers
from unround.console.errors import Absent
from unround.console.jobs.queue import checked_request
from unround.console.schemas import Check, NewCheck
from unround.console.storage import orm as tables
from unround.console.storage.ids import new_id, now

router = APIRouter(tags=["checks"], route_class=ChairRoute)


@router.post("/conferences/{conference}/checks", status_code=202, responses=answers(409))
def start_check(here: Here, who: Asking, conference: PathId, wanted: NewCheck) -> Check:
    """Read the files in the background, and list every problem."""
    with here.database.writing() as session:
        files = checked_request(session, conference, "check", wanted)
        row = tables.Check(
            id=new_id(),
            conference=conference,
            status="queued",
            created=now(),
            request=wanted.model_dump(mode="json"),
        )
        session.add(row)
        note(session, conference, who.label, "checked", ", ".join(file.name for file in files))
    here.supervisor.submit("check", row.id)
    return describing.check(row, None)


@router.get("/checks/{check}", responses=answers())
def get_check(here: Here, check: PathId) -> Check:
    """What a check has found."""
    known = here.supervisor.progress(check)
    with here.database.reading() as session:
        return describing.check(found(session, tables.Check, check), known)


@router.get(
    "/checks/{check}/issues.csv",
    response_class=Response,
    responses={**answers(), 200: {"content": {"text/csv": {"schema": {"type": "string"}}}}},
)
def get_issues(here: Here, check: PathId) -> Response:
    """Every problem, as `unround check --output` writes them."""
    with here.database.reading() as session:
        packed = found(session, tables.Check, check).issues_csv
    if packed is None:
        raise Absent
    headers = {"Content-Disposition": 'attachment; filename="issues.csv"'}
    return Response(gzip.decompress(packed), media_type="text/csv", headers=headers)
