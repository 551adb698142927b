"""Host a console for the measurement, with one large conference in its database."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

import httpx2
import polars as pl

from unround.formats.synthetic import named
from unround.simulate import thurstone

LINK = re.compile(r"(http://127\.0\.0\.1:\d+)/enter#([\w-]+)")
HEADERS = {"X-Unround": "1"}


@dataclass(frozen=True)
class Console:
    """A running server."""

    url: str
    secret: str  # the chair's
    process: int


@dataclass(frozen=True)
class Hosted:
    """A conference in the console, with a finished and shared run."""

    console: Console
    conference: str
    run: str
    secrets: tuple[str, ...]  # one an area chair
    reviews: int
    papers: int
    seconds: float  # from the upload to the finished run


@contextmanager
def console(
    data: Path,
    database: str | None,
    program: Sequence[str] = ("-m", "unround"),
    environment: Mapping[str, str] = MappingProxyType({}),
) -> Iterator[Console]:
    """`unround serve` in a process of its own."""
    given = ["--database", database] if database else []
    process = subprocess.Popen(
        [sys.executable, *program, "serve", "--port", "0", "--data", str(data), *given],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONUNBUFFERED": "1", **environment},
    )
    assert process.stdout is not None
    try:
        for line in process.stdout:
            if found := LINK.search(line):
                yield Console(found[1], found[2], process.pid)
                return
        raise RuntimeError("the server gave no link")
    finally:
        process.terminate()
        process.wait(timeout=30)
        process.stdout.close()


def unround(command: str, file: Path, data: Path, database: str | None) -> None:
    """`unround backup` or `unround restore`."""
    given = ["--database", database] if database else []
    words = [sys.executable, "-m", "unround", command, str(file), "--data", str(data), *given]
    subprocess.run(words, check=True, stdout=subprocess.DEVNULL)


def until_ready(server: Console) -> float:
    """Wait until /readyz says that the console is ready; return the seconds."""
    started = time.perf_counter()
    while httpx2.get(f"{server.url}/readyz").status_code != 200:
        time.sleep(0.1)
    return time.perf_counter() - started


def host(server: Console, folder: Path, papers: int, area_chairs: int) -> Hosted:
    """Bring a synthetic conference in by the same way as chairs do: upload, run, share, links."""
    files, reviews = _written(folder, papers, area_chairs)
    with httpx2.Client(base_url=f"{server.url}/api/", headers=HEADERS, timeout=120) as chair:
        _done(chair.post("enter", json={"secret": server.secret}))
        conference = _done(chair.post("conferences", json={"name": "Load"})).json()["id"]
        started = time.perf_counter()
        uploads = f"conferences/{conference}/files"
        uploaded = [
            chair.post(uploads, params={"name": path.name}, content=path.read_bytes())
            for path in files
        ]
        wanted = {"name": "All", "files": [_done(answer).json()["id"] for answer in uploaded]}
        run = _done(chair.post(f"conferences/{conference}/runs", json=wanted)).json()["id"]
        while (state := _done(chair.get(f"runs/{run}")).json())["status"] in ("queued", "running"):
            time.sleep(0.1)
        if state["status"] != "done":
            raise RuntimeError(f"the run ended as {state['status']}: {state['reason']}")
        seconds = time.perf_counter() - started
        _done(chair.patch(f"runs/{run}", json={"shared": True}))
        path = f"conferences/{conference}/area-chairs/from-run/{run}"
        planned = _done(chair.post(path)).json()
        _done(chair.post(path, params={"edition": planned["edition"]}))
        links = _done(chair.post(f"conferences/{conference}/links/all", json={})).json()
    secrets = tuple(link["url"].partition("#")[2] for link in links)
    return Hosted(server, conference, run, secrets, reviews, papers, seconds)


def _written(folder: Path, papers: int, area_chairs: int) -> tuple[tuple[Path, Path], int]:
    conference = named(thurstone(papers=papers, reviews_per_paper=4, papers_per_reviewer=4, seed=1))
    chair = pl.format("Area chair {}", pl.col("paper") % area_chairs)
    paths = folder / "reviews.csv", folder / "rankings.csv"
    conference.reviews.with_columns(area_chair=chair).write_csv(paths[0])
    conference.rankings.write_csv(paths[1])
    return paths, conference.reviews.height


def _done(response: httpx2.Response) -> httpx2.Response:
    if response.is_error:
        raise RuntimeError(
            f"{response.request.url.path}: {response.status_code} {response.text[:300]}"
        )
    return response
