"""`/healthz` and `/readyz`: whether the process lives, and whether it can serve. For programs."""

from __future__ import annotations

import asyncio
import shutil

from fastapi import APIRouter, Request
from fastapi.responses import JSONResponse
from sqlalchemy import text
from starlette.concurrency import run_in_threadpool

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
    if not console.supervisor.is_alive():
        missing["jobs"] = "No thread starts checks and runs. Restart the server."
    if shutil.disk_usage(console.settings.data).free < LEAST_FREE:
        missing["disk"] = f"Less than {LEAST_FREE // 1_000_000} MB are free for the data folder."
    return missing


def database_error(console: Console) -> str | None:
    """Return why the database cannot be used now, or None."""
    owner = console.database.owner
    if owner is not None and owner.lost.is_set():
        return "Another server has taken over this database."
    try:
        with console.database.reading() as session:
            session.execute(text("SELECT 1"))
    except Exception as error:
        told = storage_error(error)
        return told[1] if told else f"It fails ({type(error).__name__})."
    return None
