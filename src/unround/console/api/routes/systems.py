"""Fetch files from a running conference system, and send results to one.

The server contacts only hosts that its administrator listed. The token comes with each request, is used
for that request alone, and is neither stored nor logged.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from contextvars import copy_context
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Thread
from typing import TypeVar

from fastapi import APIRouter
from starlette.concurrency import run_in_threadpool

from unround.console.access.log import note
from unround.console.access.permissions import Viewer, get_or_404
from unround.console.api.routes.ballots import files_named
from unround.console.api.routes.results import system_file
from unround.console.api.routing import ChairRoute, ConsoleDep, PathId, ViewerDep, error_responses
from unround.console.context import Console
from unround.console.errors import RETRY_AFTER, Refusal
from unround.console.schemas.conferences import FileInfo
from unround.console.schemas.results import (
    FetchedFiles,
    SendResults,
    SentResults,
    SystemAccess,
)
from unround.console.storage.orm import ConferenceRow
from unround.console.storage.uploads import add_files
from unround.formats.live import Address, live_address
from unround.formats.registry import system_module
from unround.wording import SYSTEMS

MOST_EXCHANGES = 2  # at a time: an answer may take much memory
Value = TypeVar("Value")
files_router = APIRouter(
    tags=["files"], prefix="/conferences/{conference}/fetch", route_class=ChairRoute
)
results_router = APIRouter(tags=["results"], prefix="/runs/{run}/send", route_class=ChairRoute)


@files_router.post("", status_code=201, responses=error_responses(403, 409, 413, 507))
async def fetch_files(
    console: ConsoleDep, viewer: ViewerDep, conference: PathId, request: SystemAccess
) -> FetchedFiles:
    """Add reviews and ranks of a conference on a running system to the files."""
    address = _allowed(console, request)
    fetch = partial(_fetch, console, address, request.token.get_secret_value())
    contents, notes = await _exchange(console, conference, fetch)
    return await run_in_threadpool(
        _add_files, console, viewer, conference, address, contents, notes
    )


def _fetch(
    console: Console, address: Address, token: str
) -> tuple[list[tuple[str, bytes]], tuple[str, ...]]:
    """Return the files of a conference by name, and notes about them."""
    with TemporaryDirectory(dir=console.settings.work) as folder:
        fetch = system_module(address.system).download
        fetched = fetch(address, token, Path(folder), with_rankings=True)
        paths: tuple[Path, ...] = (*fetched.reviews, *fetched.rankings)
        if sum(path.stat().st_size for path in paths) > console.settings.most_upload:
            most = console.settings.most_upload / 1_000_000
            raise Refusal(413, f"{address.host} answers with more than {most:g} MB.")
        return [(path.name, path.read_bytes()) for path in paths], fetched.notes


def _add_files(
    console: Console,
    viewer: Viewer,
    conference: str,
    address: Address,
    contents: Sequence[tuple[str, bytes]],
    notes: Sequence[str],
) -> FetchedFiles:
    with (
        add_files(console.settings.uploads, conference, contents) as rows,
        console.database.writing() as session,
    ):
        get_or_404(session, ConferenceRow, conference)
        earlier = files_named(session, conference, [name for name, _ in contents])
        session.add_all(rows)
        what = f"fetched from {SYSTEMS[address.system].title}"
        note(session, conference, viewer.label, what, address.url)
    files = [FileInfo.model_validate(row) for row in rows]
    return FetchedFiles(files=files, earlier=earlier, notes=list(notes))


@results_router.post("", responses=error_responses(403, 409))
async def send_results(
    console: ConsoleDep, viewer: ViewerDep, run: PathId, request: SendResults
) -> SentResults:
    """Send what `export` writes to a running system, or only say what that would change there."""
    address = _allowed(console, request)
    access, file = await run_in_threadpool(
        system_file, console, viewer, run, address.system, request.options()
    )
    send = partial(system_module(address.system).push, dry_run=request.dry_run)
    sending = partial(send, address, request.token.get_secret_value(), file.text)
    changes: list[str] = await _exchange(console, access.conference.id, sending)
    if not request.dry_run:
        what = f"sent results to {SYSTEMS[address.system].title}"
        detail = f"{access.run.name}: {address.url}"
        await run_in_threadpool(_note, console, viewer, access.conference.id, what, detail)
    return SentResults(changes=changes)


def _note(console: Console, viewer: Viewer, conference: str, what: str, detail: str) -> None:
    with console.database.writing() as session:
        note(session, conference, viewer.label, what, detail)


async def _exchange(console: Console, conference: str, act: Callable[[], Value]) -> Value:
    """Talk to a system in a thread of its own, which holds up neither pages nor the server's end."""
    under_way = console.exchanges
    if conference in under_way:
        raise Refusal(409, "This conference fetches or sends already. Wait until that has ended.")
    if len(under_way) >= MOST_EXCHANGES:
        raise Refusal(
            503, "Other conferences fetch or send now. Try again in a minute.", RETRY_AFTER
        )
    done: Future[Value] = Future()
    done.set_running_or_notify_cancel()
    context = copy_context()  # messages are written for pages

    def talk() -> None:
        try:
            done.set_result(context.run(act))
        except BaseException as error:
            done.set_exception(error)
        finally:
            under_way.discard(conference)

    under_way.add(conference)
    Thread(target=talk, daemon=True).start()
    return await asyncio.wrap_future(done)


def _allowed(console: Console, request: SystemAccess) -> Address:
    """Return the address; refuse a host that the administrator did not list."""
    address = live_address(f"{request.system}+{request.url}")
    if address is None:
        raise Refusal(422, "The address must begin with https://, as in https://host/conference.")
    if address.host.casefold() not in console.settings.system_hosts:
        raise Refusal(
            403,
            f"This server may not contact {address.host}. Its administrator can allow it: unround serve "
            f"--system-host {address.host}",
        )
    return address
