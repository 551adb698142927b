"""Runs: start, follow, share and cancel."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response
from fastapi.responses import StreamingResponse

from unround.console import serializers
from unround.console.access.audit import note
from unround.console.access.permissions import get_or_404
from unround.console.api.chair_route import ChairRoute
from unround.console.api.dependencies import ConsoleDep, PathId, ViewerDep, error_responses
from unround.console.api.events import follow_progress
from unround.console.api.files import csv_responses, packed_csv_response
from unround.console.errors import Refusal
from unround.console.jobs.queue import enqueue
from unround.console.schemas import JobProgress, NewRun, Run, RunChange
from unround.console.storage.orm import RunRow
from unround.runs.contradictions import CONTRADICTIONS

router = APIRouter(tags=["runs"], route_class=ChairRoute)


@router.post("/conferences/{conference}/runs", status_code=202, responses=error_responses(409))
def start_run(console: ConsoleDep, viewer: ViewerDep, conference: PathId, request: NewRun) -> Run:
    """Start a run in the background."""
    row = enqueue(console.database, console.supervisor, RunRow, conference, request, viewer.label)
    return serializers.run_out(row, None)


@router.get("/runs/{run}", responses=error_responses())
def get_run(console: ConsoleDep, run: PathId) -> Run:
    """Return a run's settings and state."""
    progress = console.supervisor.progress(run)
    with console.database.reading() as session:
        return serializers.run_out(get_or_404(session, RunRow, run), progress)


@router.patch("/runs/{run}", responses=error_responses(409))
def change_run(console: ConsoleDep, viewer: ViewerDep, run: PathId, change: RunChange) -> Run:
    """Share a finished run with area chairs, or stop sharing it."""
    with console.database.writing() as session:
        row = get_or_404(session, RunRow, run)
        if change.shared and row.status != "done":
            raise Refusal(409, "Only a run that is done can be shared.")
        row.shared = change.shared
        action = "shared a run" if change.shared else "stopped sharing a run"
        note(session, row.conference, viewer.label, action, row.name)
    console.on_visibility_change(row.conference)
    return serializers.run_out(row, None)


@router.post("/runs/{run}/cancel", responses=error_responses())
def cancel_run(console: ConsoleDep, viewer: ViewerDep, run: PathId) -> Run:
    """Stop a run that has not ended; one that has stays as it is."""
    with console.database.reading() as session:
        get_or_404(session, RunRow, run)
    stopped = console.supervisor.cancel("run", run)
    with console.database.writing() as session:
        row = get_or_404(session, RunRow, run)
        if stopped:
            note(session, row.conference, viewer.label, "cancelled a run", row.name)
    return serializers.run_out(row, console.supervisor.progress(run))


@router.get("/runs/{run}/contradictions.csv", response_class=Response, responses=csv_responses())
def get_run_contradictions(console: ConsoleDep, run: PathId) -> Response:
    """Return one row per reviewer who contradicts themselves, for a mail merge."""
    with console.database.reading() as session:
        packed = get_or_404(session, RunRow, run).contradictions_csv
    return packed_csv_response(packed, CONTRADICTIONS)


@router.get(
    "/runs/{run}/events",
    response_class=StreamingResponse,
    responses={
        **error_responses(),
        200: {"model": JobProgress, "content": {"text/event-stream": {}}},
    },
)
async def follow_run(request: Request, console: ConsoleDep, run: PathId) -> StreamingResponse:
    """Server-sent events named "progress", each a JobProgress; ends with the run."""
    return await follow_progress(request, console, run)
