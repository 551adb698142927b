"""What monitors ask: `/healthz`, `/readyz`, and Prometheus's metrics at an address of their own."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Iterator
from contextlib import contextmanager

from fastapi import APIRouter, Request
from fastapi.responses import JSONResponse
from prometheus_client import Metric, start_http_server
from prometheus_client.core import GaugeMetricFamily, InfoMetricFamily
from prometheus_client.registry import Collector
from sqlalchemy import text
from starlette.concurrency import run_in_threadpool

from unround import __version__
from unround.console.context import Console
from unround.console.errors import storage_error

PATHS = ("/healthz", "/readyz")
PATIENCE = 5.0  # seconds for the database to answer
LEAST_FREE = 100_000_000  # bytes on the disk of the data folder
router = APIRouter(include_in_schema=False)


@router.get("/healthz")
async def healthz() -> JSONResponse:
    """Say that the process answers. Restart it when this does not."""
    return JSONResponse({"alive": True})


@router.get("/readyz")
async def readyz(request: Request) -> JSONResponse:
    """Say whether requests can be served now, and if not, what is missing."""
    console: Console = request.app.state.console
    try:
        missing = await asyncio.wait_for(run_in_threadpool(missing_parts, console), PATIENCE)
    except TimeoutError:
        missing = {"database": "It does not answer."}
    return JSONResponse({"ready": not missing, "missing": missing}, 503 if missing else 200)


def missing_parts(console: Console) -> dict[str, str]:
    """Return what is missing for the console to serve, with a sentence each."""
    missing = {}
    database = database_error(console)
    if database is not None:
        missing["database"] = database
    if shutil.disk_usage(console.settings.data).free < LEAST_FREE:
        missing["disk"] = f"Less than {LEAST_FREE // 1_000_000} MB are free for the data folder."
    return missing


def database_error(console: Console) -> str | None:
    """Return why the database cannot be used now, or None."""
    owner = console.database.owner
    if owner is not None and owner.lost:
        return "Another server has taken over this database."
    try:
        with console.database.reading() as session:
            session.execute(text("SELECT 1"))
    except Exception as error:
        known = storage_error(error)
        return known[1] if known else f"It fails ({type(error).__name__})."
    return None


class StateCollector(Collector):
    """Looks up the state of a console whenever Prometheus asks for the metrics."""

    def __init__(self, console: Console) -> None:
        self._console = console

    def collect(self) -> Iterator[Metric]:
        """Yield the version, the jobs, the views in memory, and the state of database and disk."""
        console = self._console
        yield InfoMetricFamily("unround", "The version of unround.", {"version": __version__})
        jobs = GaugeMetricFamily(
            "unround_jobs", "Checks and runs that wait or run now.", labels=("kind", "status")
        )
        for kind_and_status, number in console.supervisor.counts().items():
            jobs.add_metric(kind_and_status, number)
        yield jobs
        yield GaugeMetricFamily(
            "unround_views_kept", "Views in memory.", len(console.views.cached_keys())
        )
        yield GaugeMetricFamily(
            "unround_database_up", "Whether the database answers.", database_error(console) is None
        )
        yield GaugeMetricFamily(
            "unround_disk_free_bytes",
            "Free space for the data folder.",
            shutil.disk_usage(console.settings.data).free,
        )


@contextmanager
def serve_metrics(console: Console, host: str, port: int) -> Iterator[int]:
    """Serve the metrics while the block runs; yield the port. Raises OSError."""
    registry, collector = console.metrics.registry, StateCollector(console)
    server, thread = start_http_server(port, host, registry)
    registry.register(collector)
    try:
        yield server.server_port
    finally:
        registry.unregister(collector)
        server.shutdown()
        server.server_close()
        thread.join()
