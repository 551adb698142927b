"""Reasons to refuse a request, and every exception as an HTTP response with a plain sentence."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from typing import Any

from fastapi import FastAPI, HTTPException, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from sqlalchemy.exc import DBAPIError
from starlette.exceptions import HTTPException as StarletteHTTPException

from unround.errors import UnroundError
from unround.glossary import PAGE, told

logger = logging.getLogger("unround.console")
UNEXPECTED = "Something went wrong on the server. Its terminal shows what; nothing was changed."
DISK_FULL = "There is no room left on the disk. Nothing was changed."
DATABASE_LOCKED = "The database is locked by another program. Try again in a moment."
DATABASE_AWAY = "The database cannot be reached. Try again in a moment."
NO_SPACE = (27, 28, 122)  # errno: file too large, no space left, quota exceeded
# PostgreSQL's codes: a lock was not granted in time; no connection, no memory, no disk is left.
LOCKED_CODES, FULL_CODES = ("55P03", "40P01", "53300"), ("53100", "53200")


class Refusal(HTTPException):
    """A refused request, with a sentence for the person who sent it."""

    def __init__(self, status: int, detail: str, headers: Mapping[str, str] | None = None) -> None:
        super().__init__(status, detail, headers)


class Absent(Refusal):
    """Not there, or not for this viewer: the response is the same."""

    def __init__(self) -> None:
        super().__init__(404, "There is nothing here.")


def storage_error(error: BaseException) -> tuple[int, str] | None:
    """Return the status and sentence for a full disk or an unusable database; None for other errors."""
    if isinstance(error, OSError) and not isinstance(error, ConnectionError):
        return (507, DISK_FULL) if error.errno in NO_SPACE else None
    if not isinstance(error, DBAPIError):
        return None
    text, code = str(error.orig), postgres_code(error)
    if code in FULL_CODES or "is full" in text or "disk I/O error" in text:
        return 507, DISK_FULL
    if code in LOCKED_CODES or "is locked" in text or "busy" in text:
        return 503, DATABASE_LOCKED
    if error.connection_invalidated or "connect" in text.lower() or "network" in text.lower():
        return 503, DATABASE_AWAY
    return None


def postgres_code(error: DBAPIError) -> str:
    """Return PostgreSQL's code of an error, or an empty text."""
    details: Any = error.orig.args[0] if error.orig is not None and error.orig.args else None
    return str(details.get("C", "")) if isinstance(details, dict) else ""


def add_handlers(app: FastAPI) -> None:
    """Answer every exception of a route with a status and a sentence."""
    app.add_exception_handler(StarletteHTTPException, _http_error)
    app.add_exception_handler(RequestValidationError, _invalid_request)
    app.add_exception_handler(UnroundError, _unround_error)
    app.add_exception_handler(Exception, _unexpected_error)


def _http_error(_request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, StarletteHTTPException)
    return _response(error.status_code, str(error.detail), dict(error.headers or {}))


def _invalid_request(request: Request, error: Exception) -> JSONResponse:
    """Tell what is wrong with a request. A malformed id is answered like an unknown one: 404."""
    assert isinstance(error, RequestValidationError)
    details: list[Any] = list(error.errors())
    if any(detail["loc"][:1] == ("path",) for detail in details):
        return _http_error(request, Absent())
    sentences = "; ".join(_sentence(detail) for detail in details[:5])
    return _response(422, f"The request cannot be understood: {sentences}.")


def _sentence(detail: dict[str, Any]) -> str:
    place = " > ".join(str(part) for part in detail["loc"][1:] if isinstance(part, str | int))
    words = str(detail["msg"]).removeprefix("Value error, ").rstrip(".")
    words = words[:1].lower() + words[1:]
    return f"{place}: {words}"[:300] if place else words[:300]


def _unround_error(_request: Request, error: Exception) -> JSONResponse:
    return _response(422, told(str(error), PAGE))


def _unexpected_error(request: Request, error: Exception) -> JSONResponse:
    storage = storage_error(error)
    if storage is None:
        logger.error("%s %s failed", request.method, request.url.path, exc_info=error)
    return _response(*(storage or (500, UNEXPECTED)))


def _response(status: int, detail: str, headers: dict[str, str] | None = None) -> JSONResponse:
    return JSONResponse({"detail": detail}, status, headers)
