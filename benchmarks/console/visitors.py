"""Play area chairs: each opens their link, then looks and reloads about once a second."""

from __future__ import annotations

import asyncio
import random
import time
from dataclasses import dataclass

import httpx2

from benchmarks.console.hosting import HEADERS, Hosted

# What an area chair does and how often. The page asks once for a run; it sorts and exports by itself.
ACTIONS = {
    "open the table": 58,
    "reload the table": 20,
    "list of runs": 20,
    "offline report": 2,
}


@dataclass(frozen=True)
class Visit:
    """One request."""

    action: str
    seconds: float
    status: int
    bytes: int


async def visit_all(hosted: Hosted, seconds: float, pause: float, seed: int = 0) -> list[Visit]:
    """Everything that all area chairs did at once."""
    ready = asyncio.Barrier(len(hosted.secrets))
    made = await asyncio.gather(
        *(
            _one(hosted, secret, ready, seconds, pause, random.Random(f"{seed} {number}"))
            for number, secret in enumerate(hosted.secrets)
        )
    )
    return [visit for visits in made for visit in visits]


async def _one(
    hosted: Hosted,
    secret: str,
    ready: asyncio.Barrier,
    seconds: float,
    pause: float,
    chance: random.Random,
) -> list[Visit]:
    base = f"{hosted.console.url}/api/"
    async with httpx2.AsyncClient(base_url=base, headers=HEADERS, timeout=60) as client:
        await ready.wait()
        visits = [await _timed("enter", client.post("enter", json={"secret": secret}))]
        tag, end = "", time.perf_counter() + seconds
        while time.perf_counter() < end:
            await asyncio.sleep(chance.uniform(0, 2 * pause))
            action = chance.choices(list(ACTIONS), weights=list(ACTIONS.values()))[0]
            request = _request(client, hosted, action, tag)
            started = time.perf_counter()
            response = await client.send(request)
            visits.append(_visit(action, started, response))
            tag = response.headers.get("etag", tag)
    return visits


def _request(client: httpx2.AsyncClient, hosted: Hosted, action: str, tag: str) -> httpx2.Request:
    run = f"runs/{hosted.run}"
    if action == "list of runs":
        return client.build_request("GET", f"conferences/{hosted.conference}")
    if action == "offline report":
        return client.build_request("GET", f"{run}/report.html")
    known = {"If-None-Match": tag} if action == "reload the table" and tag else {}
    return client.build_request("GET", f"{run}/view", headers=known)


async def _timed(action: str, coming: object) -> Visit:
    started = time.perf_counter()
    return _visit(action, started, await coming)  # type: ignore[misc]


def _visit(action: str, started: float, response: httpx2.Response) -> Visit:
    size = int(response.headers.get("content-length", len(response.content)))
    return Visit(action, time.perf_counter() - started, response.status_code, size)
