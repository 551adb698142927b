"""Play reviewers: each opens their link, places paper after paper, and submits.

A save that is not confirmed, because the server is away, is sent again with the same id until it is.
"""

from __future__ import annotations

import asyncio
import random
import time
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

import httpx2
from tests.console.client import HEADERS, secret_of

AGAIN, LONGEST = 0.25, 4.0  # seconds before a request is sent again
OVERLOADED = (500, 502, 503, 504)


@dataclass
class Voted:
    """What one reviewer did: every save that the server confirmed."""

    ballot: str
    confirmed: dict[int, dict[str, Any]] = field(default_factory=dict)  # version -> content
    receipts: dict[int, str] = field(default_factory=dict)
    seconds: list[float] = field(default_factory=list)  # of saves that were answered at once
    sent_again: int = 0
    refused: list[str] = field(default_factory=list)
    submitted: bool = False


async def vote_all(
    url: str, links: list[dict[str, Any]], seconds: float, pause: float, seed: int = 0
) -> list[Voted]:
    """Let every reviewer vote, beginning at a random moment of so many seconds."""
    return list(
        await asyncio.gather(
            *(
                _vote(url, link, seconds, pause, random.Random(f"{seed} {number}"))
                for number, link in enumerate(links)
            )
        )
    )


async def _vote(
    url: str, link: dict[str, Any], seconds: float, pause: float, chance: random.Random
) -> Voted:
    voted = Voted(link["ballot"])
    await asyncio.sleep(chance.uniform(0, seconds))
    async with (
        httpx2.AsyncClient(
            base_url=f"{url}/api/",
            headers=HEADERS,
            timeout=30,
            verify=False,  # there is no TLS on loopback: 2,000 stores of certificates would fill the memory
        ) as client
    ):
        secret = secret_of(link["url"])
        await _answered(voted, client, "POST", "enter", {"secret": secret})
        ballot = (await _answered(voted, client, "GET", "ballot", None)).json()
        papers = [paper["paper"] for paper in ballot["papers"]]
        chance.shuffle(papers)
        for placed in range(1, len(papers) + 1):
            content = {"groups": [[paper] for paper in papers[:placed]]}
            last = placed == len(papers)
            ballot = await _save(voted, client, ballot, content, chance, submit=last)
            if ballot is None:
                return voted
            await asyncio.sleep(chance.uniform(0, 2 * pause))
        voted.submitted = True
    return voted


async def _save(
    voted: Voted,
    client: httpx2.AsyncClient,
    ballot: dict[str, Any],
    content: dict[str, Any],
    chance: random.Random,
    *,
    submit: bool,
) -> Any:
    save_id = str(UUID(int=chance.getrandbits(128)))
    body = {"save_id": save_id, "base_version": ballot["version"], "content": content}
    started, before = time.perf_counter(), voted.sent_again
    answer = await _answered(voted, client, "PUT", "ballot", {**body, "submit": submit})
    if answer.status_code != 200:
        voted.refused.append(f"{answer.status_code} {answer.text[:200]}")
        return None
    if voted.sent_again == before:
        voted.seconds.append(time.perf_counter() - started)
    saved = answer.json()
    voted.confirmed[saved["version"]] = saved["content"]
    voted.receipts[saved["version"]] = saved["receipt"]
    return saved


async def _answered(
    voted: Voted, client: httpx2.AsyncClient, method: str, path: str, body: Any
) -> httpx2.Response:
    """Send a request until the server answers it, each time after a longer pause."""
    pause = AGAIN
    while True:
        try:
            answer = await client.request(method, path, json=body)
        except httpx2.TransportError:
            pass
        else:
            if answer.status_code not in OVERLOADED:
                return answer
        voted.sent_again += 1
        await asyncio.sleep(pause)
        pause = min(2 * pause, LONGEST)
