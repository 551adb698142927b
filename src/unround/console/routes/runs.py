"""Runs: started, followed, shared, cancelled."""

from __future__ import annotations

from fastapi import APIRouter, Request
from fastapi.responses import StreamingResponse

from unround.console.asking import Asking, Here, PathId, answers
from unround.console.gate import ChairRoute
from unround.console.schema import NewRun, Progress, Run, RunChange

router = APIRouter(tags=["runs"], route_class=ChairRoute)


@router.post("/conferences/{conference}/runs", status_code=202, responses=answers(409))
def start_run(here: Here, who: Asking, conference: PathId, wanted: NewRun) -> Run:
    """Start a run in the background."""
    raise NotImplementedError


@router.get("/runs/{run}", responses=answers())
def get_run(here: Here, run: PathId) -> Run:
    """A run's settings and state."""
    raise NotImplementedError


@router.patch("/runs/{run}", responses=answers(409))
def change_run(here: Here, who: Asking, run: PathId, change: RunChange) -> Run:
    """Share a finished run with area chairs, or stop sharing it."""
    raise NotImplementedError


@router.post("/runs/{run}/cancel", responses=answers())
def cancel_run(here: Here, who: Asking, run: PathId) -> Run:
    """Stop a run that has not ended; one that has stays as it is."""
    raise NotImplementedError


@router.get(
    "/runs/{run}/events",
    response_class=StreamingResponse,
    responses={
        **answers(),
        200: {"model": Progress, "content": {"text/event-stream": {}}},
    },
)
async def follow_run(request: Request, here: Here, run: PathId) -> StreamingResponse:
    """Server-sent events named "progress", each a Progress; ends with the run."""
    raise NotImplementedError
