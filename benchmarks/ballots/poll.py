"""One poll: reviewers vote while the server is killed; all that was confirmed is looked for afterwards."""

from __future__ import annotations

import asyncio
import random
import signal
import threading
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.console.client import Visitor
from tests.console.hosting import UnroundServer

from benchmarks.ballots.voters import Voted, vote_all


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
    with UnroundServer(data, database=database) as server:
        with _chair(server) as chair:
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
        server.end(signal.SIGKILL)  # nothing may be left in memory
        server.start()
        with _chair(server) as chair:
            lost, doubled = _missing(chair, collection, voted)
            counts = chair.read(f"/api/collections/{collection}")["counts"]
    return Poll(
        reviewers=reviewers,
        seconds=taken,
        kills=kills,
        confirmed=sum(len(one.confirmed) for one in voted),
        lost=lost,
        doubled=doubled,
        sent_again=sum(one.sent_again for one in voted),
        refused=[text for one in voted for text in one.refused],
        submitted=counts["submitted"],
        times=[time for one in voted for time in one.seconds],
    )


def _made(chair: Visitor, reviewers: int, papers: int) -> tuple[str, list[dict[str, Any]]]:
    """Make a collection of ballots with so many papers each, and their links."""
    conference = chair.new_conference("Poll")
    distinct = reviewers * papers // 3 + papers
    rows = [
        f"reviewer{number:05d}@example.org,{(number * papers + place) % distinct},"
        f"{(number + place) % 5 + 1}"
        for number in range(reviewers)
        for place in range(papers)
    ]
    table = "\n".join(["reviewer,paper,score", *rows])
    wanted = {
        "title": "Rankings",
        "source": {"files": chair.upload(conference, {"papers.csv": table.encode()})},
    }
    made = chair.made(f"/api/conferences/{conference}/collections", wanted)["id"]
    return made, chair.made(f"/api/collections/{made}/links", {})["links"]


def _kill(
    server: UnroundServer, seconds: float, kills: int, seed: int, ended: threading.Event
) -> None:
    """Kill the server at random moments, and start it again at once."""
    chance = random.Random(f"kills {seed}")
    moments = sorted(chance.uniform(0.02, 0.98) * seconds for _ in range(kills))
    started = time.perf_counter()
    for moment in moments:
        ended.wait(max(0.0, moment - (time.perf_counter() - started)))
        server.end(signal.SIGKILL)
        server.start()


def _missing(chair: Visitor, collection: str, voted: Sequence[Voted]) -> tuple[int, int]:
    """Count the confirmed saves that are not there as they were, and versions beyond them."""
    lost = doubled = 0
    for one in voted:
        ballot = chair.read(f"/api/collections/{collection}/ballots/{one.ballot}")
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
def _chair(server: UnroundServer) -> Iterator[Visitor]:
    with Visitor(server.url) as chair:
        yield chair.enter(server.link)
