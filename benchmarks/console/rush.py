"""Play a rush: every area chair opens their link within some seconds, and looks at their papers.

The visitors speak HTTP over plain sockets: on a machine with two cores, the work of a full client
library would be measured in place of the server's.
"""

from __future__ import annotations

import asyncio
import json
import random
import time
from dataclasses import dataclass
from urllib.parse import urlsplit

import uvloop

from benchmarks.console.hosting import HEADERS, Hosted
from benchmarks.console.visitors import Visit

AT_ONCE = 32  # connections without a pause


def rush(hosted: Hosted, within: float, seed: int = 0) -> list[Visit]:
    """Have every area chair enter at a random moment, and return all their requests."""
    chance = random.Random(seed)
    moments = [chance.uniform(0, within) for _ in hosted.secrets]
    return uvloop.run(_all(hosted, moments))


async def _all(hosted: Hosted, moments: list[float]) -> list[Visit]:
    people = zip(hosted.secrets, moments, strict=True)
    visits = await asyncio.gather(*(_one(hosted, secret, moment) for secret, moment in people))
    return [visit for one in visits for visit in one]


def most_requests(hosted: Hosted, seconds: float) -> float:
    """Have some area chairs open their tables without a pause; return how many a second are answered."""
    return uvloop.run(_without_pause(hosted, seconds)) / seconds


async def _without_pause(hosted: Hosted, seconds: float) -> int:
    end = time.perf_counter() + seconds

    async def one(secret: str) -> int:
        browser = await _browser(hosted)
        await browser.request("POST", "enter", json.dumps({"secret": secret}).encode())
        answered = 0
        while time.perf_counter() < end:
            status = await browser.request("GET", f"runs/{hosted.run}/view")
            answered += status == 200
        browser.writer.close()
        return answered

    return sum(await asyncio.gather(*map(one, hosted.secrets[:AT_ONCE])))


async def _one(hosted: Hosted, secret: str, moment: float) -> list[Visit]:
    await asyncio.sleep(moment)
    started = time.perf_counter()
    browser = await _browser(hosted)
    entered = await browser.request("POST", "enter", json.dumps({"secret": secret}).encode())
    visits = [Visit("enter", time.perf_counter() - started, entered, 0)]
    for action, path in (
        ("who am I", "me"),
        ("list of runs", f"conferences/{hosted.conference}"),
        ("open the table", f"runs/{hosted.run}/view"),
    ):
        started = time.perf_counter()
        status = await browser.request("GET", path)
        visits.append(Visit(action, time.perf_counter() - started, status, browser.size))
    browser.writer.close()
    return visits


async def _browser(hosted: Hosted) -> _Browser:
    address = urlsplit(hosted.console.url)
    reader, writer = await asyncio.open_connection(address.hostname, address.port)
    return _Browser(reader, writer, address.netloc)


@dataclass
class _Browser:
    """One connection, and the cookie that it was given."""

    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter
    host: str
    cookie: str = ""
    size: int = 0  # of the last body

    async def request(self, method: str, path: str, body: bytes = b"") -> int:
        """Send a request, read its whole answer, and return the status."""
        headers = {"Host": self.host, "Accept-Encoding": "gzip", **HEADERS}
        if self.cookie:
            headers["Cookie"] = self.cookie
        if body:
            headers |= {"Content-Type": "application/json", "Content-Length": str(len(body))}
        lines = [f"{method} /api/{path} HTTP/1.1", *(f"{k}: {v}" for k, v in headers.items())]
        self.writer.write("\r\n".join([*lines, "", ""]).encode() + body)
        first, *rest = (await self.reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
        told = dict(line.lower().split(": ", 1) for line in rest if line)
        if "set-cookie" in told:  # its value keeps its case
            (line,) = (line for line in rest if line.lower().startswith("set-cookie"))
            self.cookie = line.split(": ", 1)[1].partition(";")[0]
        self.size = int(told.get("content-length", 0))
        await self.reader.readexactly(self.size)
        return int(first.split()[1])
