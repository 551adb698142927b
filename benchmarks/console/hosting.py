"""Host a console for the measurement, with one large conference in its database."""

from __future__ import annotations

import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

import httpx2
import polars as pl
from tests.console.client import Visitor, secret_of
from tests.console.hosting import UnroundServer

from unround.formats.synthetic import named
from unround.simulate import thurstone


@dataclass(frozen=True)
class Hosted:
    """A conference in the console, with a finished and shared run."""

    console: UnroundServer
    conference: str
    run: str
    secrets: tuple[str, ...]  # one an area chair
    reviews: int
    papers: int
    seconds: float  # from the upload to the finished run


def unround(command: str, file: Path, data: Path, database: str | None) -> None:
    """`unround backup` or `unround restore`."""
    given = ["--database", database] if database else []
    words = [sys.executable, "-m", "unround", command, str(file), "--data", str(data), *given]
    subprocess.run(words, check=True, stdout=subprocess.DEVNULL)


def until_ready(server: UnroundServer) -> float:
    """Wait until /readyz says that the console is ready; return the seconds."""
    started = time.perf_counter()
    while httpx2.get(f"{server.url}/readyz").status_code != 200:
        time.sleep(0.1)
    return time.perf_counter() - started


def host(server: UnroundServer, folder: Path, papers: int, area_chairs: int) -> Hosted:
    """Bring a synthetic conference in by the same way as chairs do: upload, run, share, links."""
    files, reviews = _written(folder, papers, area_chairs)
    with Visitor(server.url) as chair:
        conference = chair.enter(server.link).new_conference("Load")
        started = time.perf_counter()
        uploaded = chair.upload(conference, {path.name: path.read_bytes() for path in files})
        run = chair.start(conference, uploaded, name="All", lam="auto+")
        chair.finished(run)
        seconds = time.perf_counter() - started
        chair.patch(f"/api/runs/{run}", json={"shared": True}).raise_for_status()
        chair.assign(conference, run=run)
        links = chair.made(f"/api/conferences/{conference}/links/all", {})
    secrets = tuple(secret_of(link["url"]) for link in links)
    return Hosted(server, conference, run, secrets, reviews, papers, seconds)


def _written(folder: Path, papers: int, area_chairs: int) -> tuple[tuple[Path, Path], int]:
    conference = named(thurstone(papers=papers, reviews_per_paper=4, papers_per_reviewer=4, seed=1))
    chair = pl.format("Area chair {}", pl.col("paper") % area_chairs)
    paths = folder / "reviews.csv", folder / "rankings.csv"
    conference.reviews.with_columns(area_chair=chair).write_csv(paths[0])
    conference.rankings.write_csv(paths[1])
    return paths, conference.reviews.height
