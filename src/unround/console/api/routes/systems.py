"""Fetch files from a running conference system, and send results to one.

The server contacts only hosts that its administrator listed. The token comes with each request, is used
for that request alone, and is neither stored nor logged.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from contextvars import copy_context
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Lock, Thread
from typing import TypeVar

from unround.console.access.permissions import RunAccess
from unround.console.api.guards import ChairResults, OwnConference
from unround.console.api.routes.results import system_file
from unround.console.api.routing import Closed, error_responses, new_router
from unround.console.context import Console, Visit
from unround.console.errors import RETRY_AFTER, Refusal
from unround.console.schemas.conferences import FileInfo
from unround.console.schemas.results import (
    FetchedFiles,
    SendResults,
    SentResults,
    SystemAccess,
)
from unround.console.storage.uploads import add_files, files_named
from unround.formats.live import Address, live_address
from unround.formats.registry import system_module
from unround.wording import SYSTEMS

MOST_EXCHANGES = 2  # at a time: an answer may take much memory
_TURN = Lock()
Value = TypeVar("Value")
files_router = new_router("files", "/conferences/{conference}/fetch")
results_router = new_router("results", "/runs/{run}/send")


@files_router.post("", status_code=201, responses=error_responses(403, 409, 413, 507))
async def fetch_files(
    visit: Closed, conference: OwnConference, request: SystemAccess
) -> FetchedFiles:
    """Add reviews and ranks of a conference on a running system to the files."""
    return await _in_own_thread(lambda: _fetch(visit, conference.id, request))


def _fetch(visit: Visit, conference: str, request: SystemAccess) -> FetchedFiles:
    console = visit.console
    address = _allowed(console, request)
    with _exchange(console, conference), TemporaryDirectory(dir=console.settings.work) as folder:
        fetch = system_module(address.system).download
        token = request.token.get_secret_value()
        fetched = fetch(address, token, Path(folder), with_rankings=True)
        paths: tuple[Path, ...] = (*fetched.reviews, *fetched.rankings)
        if sum(path.stat().st_size for path in paths) > console.settings.most_upload:
            most = console.settings.most_upload / 1_000_000
            raise Refusal(413, f"{address.host} answers with more than {most:g} MB.")
        contents = [(path.name, path.read_bytes()) for path in paths]
    with (
        add_files(console.settings.uploads, conference, contents) as rows,
        visit.change(conference) as change,
    ):
        earlier = files_named(change.session, conference, [name for name, _ in contents])
        change.session.add_all(rows)
        change.note(conference, f"fetched from {SYSTEMS[address.system].title}", address.url)
    return FetchedFiles(
        files=[FileInfo.model_validate(row) for row in rows],
        earlier=[FileInfo.model_validate(row) for row in earlier],
        notes=list(fetched.notes),
    )


@results_router.post("", responses=error_responses(403, 409))
async def send_results(visit: Closed, access: ChairResults, request: SendResults) -> SentResults:
    """Send what `export` writes to a running system, or only say what that would change there."""
    return await _in_own_thread(lambda: _send(visit, access, request))


def _send(visit: Visit, access: RunAccess, request: SendResults) -> SentResults:
    console = visit.console
    address = _allowed(console, request)
    file = system_file(console, access, address.system, request.options())
    send = system_module(address.system).push
    token, conference = request.token.get_secret_value(), access.conference.id
    with _exchange(console, conference):
        changes: list[str] = send(address, token, file.text, dry_run=request.dry_run)
    if not request.dry_run:
        with visit.change() as change:
            what = f"sent results to {SYSTEMS[address.system].title}"
            change.note(conference, what, f"{access.run.name}: {address.url}")
    return SentResults(changes=changes)


async def _in_own_thread(act: Callable[[], Value]) -> Value:
    """Return what a function returns that may take long; it holds up neither pages nor the server's end."""
    done: Future[Value] = Future()
    done.set_running_or_notify_cancel()
    context = copy_context()  # messages are written for pages

    def run() -> None:
        try:
            done.set_result(context.run(act))
        except BaseException as error:
            done.set_exception(error)

    Thread(target=run, daemon=True).start()
    return await asyncio.wrap_future(done)


@contextmanager
def _exchange(console: Console, conference: str) -> Iterator[None]:
    """Talk to another system while the block runs: each conference once at a time, the server twice."""
    with _TURN:
        if conference in console.exchanges:
            raise Refusal(
                409, "This conference fetches or sends already. Wait until that has ended."
            )
        if len(console.exchanges) >= MOST_EXCHANGES:
            raise Refusal(
                503, "Other conferences fetch or send now. Try again in a minute.", RETRY_AFTER
            )
        console.exchanges.add(conference)
    try:
        yield
    finally:
        console.exchanges.discard(conference)


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
