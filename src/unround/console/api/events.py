"""The progress of a run as server-sent events."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

from fastapi import Request
from fastapi.sse import EventSourceResponse, format_sse_event
from starlette.concurrency import run_in_threadpool

from unround.console.access.links import find_viewer
from unround.console.access.permissions import get_or_404
from unround.console.context import Console
from unround.console.schemas import JobProgress
from unround.console.serializers import progress_of
from unround.console.storage.orm import UNFINISHED, RunRow

STEP = 0.2  # seconds
BEATS = 10  # steps between two keep-alive comments


async def follow_progress(request: Request, console: Console, run: str) -> EventSourceResponse:
    """Stream a run's progress until the run ends, or the viewer's session does."""
    first = await run_in_threadpool(_progress, console, run)  # 404 before the stream begins
    cookie = request.cookies[console.settings.cookie]
    return EventSourceResponse(
        _events(console, run, first, cookie),
        headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"},
    )


async def _events(
    console: Console, run: str, progress: JobProgress, cookie: str
) -> AsyncIterator[bytes]:
    yield _event(progress)
    steps = 0
    while progress.status in UNFINISHED:
        await asyncio.sleep(STEP)
        steps += 1
        if steps % BEATS == 0 and not await run_in_threadpool(
            find_viewer, console.database, cookie
        ):
            return
        latest = console.supervisor.progress(run)
        if latest is None or latest.status not in UNFINISHED:
            latest = await run_in_threadpool(_progress, console, run)
        if latest != progress:
            progress = latest
            yield _event(progress)
        elif steps % BEATS == 0:
            yield format_sse_event(comment="still here")


def _progress(console: Console, run: str) -> JobProgress:
    live = console.supervisor.progress(run)
    with console.database.reading() as session:
        return progress_of(get_or_404(session, RunRow, run), live)


def _event(progress: JobProgress) -> bytes:
    return format_sse_event(event="progress", data_str=progress.model_dump_json())
