"""One poll: reviewers vote while the server is killed; all that was confirmed is looked for afterwards."""

from __future__ import annotations

import asyncio
import random
import threading
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx2

from benchmarks.ballots.killed_server import KilledServer
from benchmarks.ballots.voters import HEADERS, Voted, vote_all


@dataclass(frozen=True)
class Poll:
    """What became of a poll."""

    reviewers: int
    seconds: float  # from the first reviewer to the last
    kills: int
    confirmed: int  # saves
    lost: int  # confirmed and not there, or not what was confirmed
    doubled: int  # versions that nobody was told of: saved twice, or never confirmed
    sent_again: int
    refused: list[str]
    submitted: int
    times: list[float]  # of saves that were answered at once


def poll(
    data: Path,
    database: str | None,
    *,
    reviewers: int,
    papers: int,
    seconds: float,
    pause: float,
    kills: int,
    seed: int = 0,
) -> Poll:
    """Hold a poll of so many seconds and kill the server so many times meanwhile."""
    server = KilledServer(data, database)
    secret = server.start()
    try:
        with _chair(server, secret) as chair:
            collection, links = _made(chair, reviewers, papers)
        ended = threading.Event()
        killer = threading.Thread(target=_kill, args=(server, seconds, kills, seed, ended))
        killer.start()
        started = time.perf_counter()
        try:
            # In a thread of its own: the caller's may have an event loop already.
            with ThreadPoolExecutor(1) as thread:
                votes = vote_all(server.url, links, seconds, pause, seed)
                voted = thread.submit(asyncio.run, votes).result()
        finally:
            ended.set()
            killer.join()
        taken = time.perf_counter() - started
        server.kill()  # nothing may be left in memory
        with _chair(server, server.start()) as chair:
            lost, doubled = _missing(chair, collection, voted)
            counts = _done(chair.get(f"collections/{collection}")).json()["counts"]
    finally:
        server.stop()
    return Poll(
        reviewers=reviewers,
        seconds=taken,
        kills=server.kills - 1,
        confirmed=sum(len(one.confirmed) for one in voted),
        lost=lost,
        doubled=doubled,
        sent_again=sum(one.sent_again for one in voted),
        refused=[text for one in voted for text in one.refused],
        submitted=counts["submitted"],
        times=[time for one in voted for time in one.seconds],
    )


def _made(chair: httpx2.Client, reviewers: int, papers: int) -> tuple[str, list[dict[str, Any]]]:
    """Make a collection of ballots with so many papers each, and their links."""
    conference = _done(chair.post("conferences", json={"name": "Poll"})).json()["id"]
    distinct = reviewers * papers // 3 + papers
    rows = [
        f"reviewer{number:05d}@example.org,{(number * papers + place) % distinct},"
        f"{(number + place) % 5 + 1}"
        for number in range(reviewers)
        for place in range(papers)
    ]
    table = "\n".join(["reviewer,paper,score", *rows])
    path = f"conferences/{conference}/files"
    file = _done(chair.post(path, params={"name": "papers.csv"}, content=table.encode()))
    wanted = {"title": "Rankings", "source": {"files": [file.json()["id"]]}}
    made = _done(chair.post(f"conferences/{conference}/collections", json=wanted)).json()["id"]
    links = _done(chair.post(f"collections/{made}/links", json={})).json()["links"]
    return made, links


def _kill(
    server: KilledServer, seconds: float, kills: int, seed: int, ended: threading.Event
) -> None:
    """Kill the server at random moments, and start it again at once."""
    chance = random.Random(f"kills {seed}")
    moments = sorted(chance.uniform(0.02, 0.98) * seconds for _ in range(kills))
    started = time.perf_counter()
    for moment in moments:
        ended.wait(max(0.0, moment - (time.perf_counter() - started)))
        server.kill()
        server.start()


def _missing(chair: httpx2.Client, collection: str, voted: Sequence[Voted]) -> tuple[int, int]:
    """Count the confirmed saves that are not there as they were, and versions beyond them."""
    lost = doubled = 0
    for one in voted:
        ballot = _done(chair.get(f"collections/{collection}/ballots/{one.ballot}")).json()
        there = {version["version"]: version for version in ballot["versions"]}
        lost += sum(
            version not in there
            or there[version]["content"] != content
            or there[version]["receipt"] != one.receipts[version]
            for version, content in one.confirmed.items()
        )
        doubled += len(there.keys() - one.confirmed.keys())
    return lost, doubled


@contextmanager
def _chair(server: KilledServer, secret: str) -> Iterator[httpx2.Client]:
    with httpx2.Client(base_url=f"{server.url}/api/", headers=HEADERS, timeout=120) as chair:
        _done(chair.post("enter", json={"secret": secret}))
        yield chair


def _done(response: httpx2.Response) -> httpx2.Response:
    if response.is_error:
        path = response.request.url.path
        raise RuntimeError(f"{path}: {response.status_code} {response.text[:300]}")
    return response
