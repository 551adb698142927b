"""How far a run has come, as server-sent events."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

from fastapi import Request
from fastapi.responses import StreamingResponse
from starlette.concurrency import run_in_threadpool

from unround.console.access.permissions import found
from unround.console.context import Console
from unround.console.schemas import JobProgress
from unround.console.serializers import progress_of
from unround.console.storage.orm import UNFINISHED, Run

STEP = 0.2
BEATS = 10  # steps between two signs of life


async def following(request: Request, here: Console, run: str) -> StreamingResponse:
    """An answer that goes on until the run ends, the viewer leaves or their link does."""
    first = await run_in_threadpool(_now, here, run)  # an unknown run is told at once
    cookie = request.cookies[here.settings.cookie]
    return StreamingResponse(
        _events(here, run, first, cookie),
        media_type="text/event-stream",
        headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"},
    )


async def _events(
    here: Console, run: str, progress: JobProgress, cookie: str
) -> AsyncIterator[str]:
    yield _event(progress)
    steps = 0
    while progress.status in UNFINISHED:
        await asyncio.sleep(STEP)
        steps += 1
        latest = here.supervisor.progress(run)
        if latest is None or latest.status not in UNFINISHED:
            latest = await run_in_threadpool(_now, here, run)
        if latest != progress:
            progress = latest
            yield _event(progress)
        elif steps % BEATS == 0:
            if await run_in_threadpool(here.sessions.look_up, cookie) is None:
                return
            yield ": still here\n\n"


def _now(here: Console, run: str) -> JobProgress:
    known = here.supervisor.progress(run)
    with here.database.reading() as session:
        return progress_of(found(session, Run, run), known)


def _event(progress: JobProgress) -> str:
    return f"event: progress\ndata: {progress.model_dump_json()}\n\n"
