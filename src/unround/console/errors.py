"""Reasons to refuse a request, and every exception as an HTTP response with a plain sentence."""

from __future__ import annotations

import logging
from typing import Any

from fastapi import FastAPI, HTTPException, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from sqlalchemy.exc import DBAPIError, IntegrityError, NoResultFound
from sqlalchemy.exc import TimeoutError as PoolTimeout
from sqlalchemy.orm.exc import ObjectDeletedError, StaleDataError
from starlette.exceptions import HTTPException as StarletteHTTPException

from unround.errors import UnroundError

logger = logging.getLogger("unround.console")
UNEXPECTED = "Something went wrong on the server. Its terminal shows what; nothing was changed."
DISK_FULL = "There is no room left on the disk. Nothing was changed."
DATABASE_LOCKED = "The database is locked by another program. Try again in a moment."
DATABASE_AWAY = "The database cannot be reached. Try again in a moment."
DATABASE_STARTS = "The database is starting or stopping. Try again in a moment."
DATABASE_CROWDED = (
    "The database has no connection left for the console. Try again in a moment; if it stays so, raise "
    "PostgreSQL's max_connections."
)
DATABASE_TAKEN = "Another server has taken over this database; this one is stopping."
DATABASE_SHUT = "The database file cannot be opened. Try again in a moment."
FILES_USED_UP = (
    "The server has too many files open. Try again in a moment; if it stays so, raise its limit of open "
    "files."
)
NO_SPACE = (27, 28, 122)  # errno: file too large, no space left, quota exceeded
NO_FILES = (23, 24)  # errno: too many open files, on the machine or in this process
# PostgreSQL's codes: a lock was not granted in time; no memory, no disk is left; no connection is left;
# it is starting, stopping, or has just crashed, or is a copy that is not yet allowed to write.
LOCKED_CODES, FULL_CODES, CROWDED_CODES = ("55P03", "40P01"), ("53100", "53200"), ("53300",)
NO_OWNER = "23503"  # a foreign key names no row
STARTING_CODES = ("57P01", "57P02", "57P03", "25006")
RETRY_AFTER = {"Retry-After": "2"}  # seconds, with every 503


class Refusal(HTTPException):
    """A refused request, with a sentence for the person who sent it."""


class Absent(Refusal):
    """Not there, or not for this viewer: the response is the same."""

    def __init__(self) -> None:
        super().__init__(404, "There is nothing here.")


class DatabaseTaken(Exception):
    """Another server owns the database now: this one writes nothing more, and stops."""


def storage_error(error: BaseException) -> tuple[int, str] | None:
    """Return the status and sentence for a full disk, an unusable database or too many open files.

    None for other errors.
    """
    if isinstance(error, OSError) and not isinstance(error, ConnectionError):
        return _system_error(error)
    if isinstance(error, DatabaseTaken):
        return 503, DATABASE_TAKEN
    if isinstance(error, PoolTimeout):
        return 503, DATABASE_CROWDED
    if not isinstance(error, DBAPIError):
        return None
    below = error.orig.__cause__ if error.orig is not None else None
    if isinstance(below, OSError) and below.errno in NO_FILES:
        return 503, FILES_USED_UP
    return _database_error(error)


def _system_error(error: OSError) -> tuple[int, str] | None:
    if error.errno in NO_SPACE:
        return 507, DISK_FULL
    return (503, FILES_USED_UP) if error.errno in NO_FILES else None


def _database_error(error: DBAPIError) -> tuple[int, str] | None:
    text, code = str(error.orig), postgres_code(error)
    if code in FULL_CODES or "is full" in text or "disk I/O error" in text:
        return 507, DISK_FULL
    if code in LOCKED_CODES or "is locked" in text or "busy" in text:
        return 503, DATABASE_LOCKED
    if code in CROWDED_CODES:
        return 503, DATABASE_CROWDED
    if code in STARTING_CODES:
        return 503, DATABASE_STARTS
    if "unable to open database file" in text:
        return 503, DATABASE_SHUT
    lost = error.connection_invalidated or code.startswith("08")
    lost = lost or isinstance(error.orig, ConnectionError)
    if lost or any(word in text.lower() for word in ("connect", "network", "communication")):
        return 503, DATABASE_AWAY
    return None


def postgres_code(error: DBAPIError) -> str:
    """Return PostgreSQL's code of an error, or an empty text."""
    details: Any = error.orig.args[0] if error.orig is not None and error.orig.args else None
    return str(details.get("C", "")) if isinstance(details, dict) else ""


def add_handlers(app: FastAPI) -> None:
    """Answer refusals with their sentence. All other exceptions reach the guard, which answers them."""

    # Coroutines, though they wait for nothing: plain functions would run in a thread each.
    @app.exception_handler(StarletteHTTPException)
    async def refused(_request: Request, error: StarletteHTTPException) -> JSONResponse:
        return refusal_response(error)

    @app.exception_handler(RequestValidationError)
    async def misunderstood(_request: Request, error: RequestValidationError) -> JSONResponse:
        """Return what is wrong with a request. A malformed id is answered like an unknown one: 404."""
        details: list[Any] = list(error.errors())
        if any(detail["loc"][:1] == ("path",) for detail in details):
            return refusal_response(Absent())
        sentences = "; ".join(_sentence(detail) for detail in details[:5])
        return refusal_response(Refusal(422, f"The request cannot be understood: {sentences}."))


def _sentence(detail: dict[str, Any]) -> str:
    place = " > ".join(str(part) for part in detail["loc"][1:] if isinstance(part, str | int))
    words = str(detail["msg"]).removeprefix("Value error, ").rstrip(".")
    words = words[:1].lower() + words[1:]
    return f"{place}: {words}"[:300] if place else words[:300]


def _is_deleted(error: Exception) -> bool:
    """Return whether a row that a request works on was deleted meanwhile, or the row that owns it."""
    if isinstance(error, NoResultFound | ObjectDeletedError | StaleDataError):
        return True
    return isinstance(error, IntegrityError) and (
        postgres_code(error) == NO_OWNER or "FOREIGN KEY" in str(error.orig)
    )


def refusal_of(error: Exception, request: str) -> Refusal:
    """Return the refusal for an exception of a route; an unexpected exception is logged."""
    if isinstance(error, Refusal):
        return error
    if isinstance(error, UnroundError):
        return Refusal(422, str(error))
    if _is_deleted(error):
        return Absent()
    storage = storage_error(error)
    if storage is None:
        logger.error("%s failed", request, exc_info=error)
    status, sentence = storage or (500, UNEXPECTED)
    return Refusal(status, sentence, RETRY_AFTER if status == 503 else None)


def refusal_response(refusal: StarletteHTTPException) -> JSONResponse:
    """Return the HTTP response of a refusal."""
    headers = dict(refusal.headers or {})
    return JSONResponse({"detail": str(refusal.detail)}, refusal.status_code, headers)
