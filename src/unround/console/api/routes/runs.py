"""Runs: started, followed, shared, cancelled."""

from __future__ import annotations

from fastapi import APIRouter, Request
from fastapi.responses import StreamingResponse

from unround.console import serializers as describing
from unround.console.access.audit import note
from unround.console.access.permissions import found
from unround.console.api.chair_route import ChairRoute
from unround.console.api.dependencies import Asking, Here, PathId, answers
from unround.console.api.events import following
from unround.console.errors import Refusal
from unround.console.jobs.queue import checked_request
from unround.console.schemas import JobProgress, NewRun, Run, RunChange
from unround.console.storage import orm as tables
from unround.console.storage.ids import new_id, now

router = APIRouter(tags=["runs"], route_class=ChairRoute)


@router.post("/conferences/{conference}/runs", status_code=202, responses=answers(409))
def start_run(here: Here, who: Asking, conference: PathId, wanted: NewRun) -> Run:
    """Start a run in the background."""
    with here.database.writing() as session:
        files = checked_request(session, conference, "run", wanted)
        row = tables.Run(
            id=new_id(),
            conference=conference,
            name=wanted.name.strip(),
            status="queued",
            created=now(),
            shared=False,
            request=wanted.model_dump(mode="json"),
            inputs=[file.model_dump(mode="json") for file in files],
        )
        session.add(row)
        note(session, conference, who.label, "started a run", row.name)
    here.supervisor.submit("run", row.id)
    return describing.run(row, None)


@router.get("/runs/{run}", responses=answers())
def get_run(here: Here, run: PathId) -> Run:
    """A run's settings and state."""
    known = here.supervisor.progress(run)
    with here.database.reading() as session:
        return describing.run(found(session, tables.Run, run), known)


@router.patch("/runs/{run}", responses=answers(409))
def change_run(here: Here, who: Asking, run: PathId, change: RunChange) -> Run:
    """Share a finished run with area chairs, or stop sharing it."""
    with here.database.writing() as session:
        row = found(session, tables.Run, run)
        if change.shared and row.status != "done":
            raise Refusal(409, "Only a run that is done can be shared.")
        row.shared = change.shared
        action = "shared a run" if change.shared else "stopped sharing a run"
        note(session, row.conference, who.label, action, row.name)
    here.on_shown(row.conference)
    return describing.run(row, None)


@router.post("/runs/{run}/cancel", responses=answers())
def cancel_run(here: Here, who: Asking, run: PathId) -> Run:
    """Stop a run that has not ended; one that has stays as it is."""
    with here.database.reading() as session:
        found(session, tables.Run, run)
    stopped = here.supervisor.cancel("run", run)
    with here.database.writing() as session:
        row = found(session, tables.Run, run)
        if stopped:
            note(session, row.conference, who.label, "cancelled a run", row.name)
    return describing.run(row, here.supervisor.progress(run))


@router.get(
    "/runs/{run}/events",
    response_class=StreamingResponse,
    responses={
        **answers(),
        200: {"model": JobProgress, "content": {"text/event-stream": {}}},
    },
)
async def follow_run(request: Request, here: Here, run: PathId) -> StreamingResponse:
    """Server-sent events named "progress", each a JobProgress; ends with the run."""
    return await following(request, here, run)
