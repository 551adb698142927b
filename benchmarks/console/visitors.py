"""Play area chairs who look at their papers: all within seconds, for long, or without a pause.

They speak HTTP over plain sockets: on a machine with two cores, the work of a full client library would be
measured in place of the server's.
"""

from __future__ import annotations

import asyncio
import json
import random
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from urllib.parse import urlsplit

import uvloop
from tests.console.client import HEADERS

from benchmarks.console.hosting import Hosted

AT_ONCE = 32  # connections without a pause
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


def rush(hosted: Hosted, within: float) -> list[Visit]:
    """Have every area chair enter at a random moment, look at their papers once, and leave."""

    async def look(browser: _Browser, _chance: random.Random) -> None:
        for action in ("who am I", "list of runs", "open the table"):
            await browser.visit(action)

    return _visits(hosted, within, look)


def stay(hosted: Hosted, within: float, seconds: float, pause: float) -> list[Visit]:
    """Have every area chair enter at a random moment, and then look and reload about once a pause."""

    async def look(browser: _Browser, chance: random.Random) -> None:
        end = time.perf_counter() + seconds
        while time.perf_counter() < end:
            await asyncio.sleep(chance.uniform(0, 2 * pause))
            await browser.visit(*chance.choices(list(ACTIONS), weights=list(ACTIONS.values())))

    return _visits(hosted, within, look)


def most_requests(hosted: Hosted, seconds: float) -> float:
    """Have some area chairs open their tables without a pause; return how many a second are answered."""

    async def one(secret: str) -> int:
        async with await _Browser.open(hosted) as browser:
            await browser.visit("enter", secret)
            while time.perf_counter() < end:
                await browser.visit("open the table")
        return sum(visit.status == 200 for visit in browser.visits)

    async def every() -> list[int]:
        return await asyncio.gather(*map(one, hosted.secrets[:AT_ONCE]))

    end = time.perf_counter() + seconds
    return sum(uvloop.run(every())) / seconds


def _visits(
    hosted: Hosted, within: float, look: Callable[[_Browser, random.Random], Awaitable[None]]
) -> list[Visit]:
    async def one(number: int, secret: str) -> list[Visit]:
        chance = random.Random(number)
        await asyncio.sleep(chance.uniform(0, within))
        async with await _Browser.open(hosted) as browser:
            await browser.visit("enter", secret)
            await look(browser, chance)
        return browser.visits

    async def every() -> list[list[Visit]]:
        return await asyncio.gather(*(one(*person) for person in enumerate(hosted.secrets)))

    return [visit for visits in uvloop.run(every()) for visit in visits]


@dataclass
class _Browser:
    """One connection, the cookie and the ETag that it was given, and every request."""

    hosted: Hosted
    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter
    cookie: str = ""
    tag: str = ""
    visits: list[Visit] = field(default_factory=list)

    @classmethod
    async def open(cls, hosted: Hosted) -> _Browser:
        address = urlsplit(hosted.console.url)
        return cls(hosted, *await asyncio.open_connection(address.hostname, address.port))

    async def __aenter__(self) -> _Browser:
        return self

    async def __aexit__(self, *_: object) -> None:
        self.writer.close()

    async def visit(self, action: str, secret: str = "") -> None:
        """Send a request, read its whole answer, and note how long it took."""
        path = {
            "enter": "enter",
            "who am I": "me",
            "list of runs": f"conferences/{self.hosted.conference}",
            "offline report": f"runs/{self.hosted.run}/report.html",
        }.get(action, f"runs/{self.hosted.run}/view")
        body = json.dumps({"secret": secret}).encode() if secret else b""
        netloc = urlsplit(self.hosted.console.url).netloc
        headers = {"Host": netloc, "Accept-Encoding": "gzip", **HEADERS}
        if self.cookie:
            headers["Cookie"] = self.cookie
        if self.tag and action == "reload the table":
            headers["If-None-Match"] = self.tag
        if body:
            headers |= {"Content-Type": "application/json", "Content-Length": str(len(body))}
        lines = [f"{'POST' if body else 'GET'} /api/{path} HTTP/1.1"]
        lines += [f"{name}: {value}" for name, value in headers.items()]
        started = time.perf_counter()
        self.writer.write("\r\n".join([*lines, "", ""]).encode() + body)
        first, *rest = (await self.reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
        told = {name.lower(): value for name, _, value in (line.partition(": ") for line in rest)}
        size = int(told.get("content-length", 0))
        await self.reader.readexactly(size)
        self.cookie = told.get("set-cookie", self.cookie).partition(";")[0]
        self.tag = told.get("etag", self.tag)
        seconds = time.perf_counter() - started
        self.visits.append(Visit(action, seconds, int(first.split()[1]), size))
