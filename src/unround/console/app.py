"""The application: routes behind their guard."""

from __future__ import annotations

import logging
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from fastapi.routing import APIRoute
from starlette.exceptions import HTTPException as AnyHTTPException

from unround import __version__
from unround.console.api.middleware import UNEXPECTED, Guard
from unround.console.api.pages import pages
from unround.console.api.routes import access, checks, conferences, files, results, runs
from unround.console.api.routes import session as entering
from unround.console.context import Console
from unround.console.errors import Absent
from unround.console.storage.database import trouble
from unround.errors import UnroundError

logger = logging.getLogger("unround.console")
ROUTERS = (
    entering.router,
    conferences.router,
    conferences.chairs,
    files.router,
    checks.router,
    runs.router,
    results.router,
    results.chairs,
    access.router,
)


def make_app(console: Console) -> Guard:
    """The whole application for one console."""
    app = api()
    app.state.console = console
    app.include_router(pages(console.settings.front_end))
    return Guard(app, console)


def api() -> FastAPI:
    """The routes alone. FastAPI's own documentation pages load outside hosts: they are off."""
    app = FastAPI(
        title="unround",
        version=__version__,
        docs_url=None,
        redoc_url=None,
        openapi_url=None,
        generate_unique_id_function=_operation,
        redirect_slashes=False,
    )
    for router in ROUTERS:
        app.include_router(router, prefix="/api")
    app.add_exception_handler(AnyHTTPException, _refused)
    app.add_exception_handler(RequestValidationError, _misunderstood)
    app.add_exception_handler(UnroundError, _not_possible)
    app.add_exception_handler(Exception, _unexpected)
    return app


def _operation(route: APIRoute) -> str:
    return route.name


def _refused(_request: Request, problem: Exception) -> JSONResponse:
    assert isinstance(problem, AnyHTTPException)
    return _answer(problem.status_code, str(problem.detail), dict(problem.headers or {}))


def _misunderstood(_request: Request, problem: Exception) -> JSONResponse:
    """What is wrong with a request, in one sentence; an id that cannot be is an id that is not."""
    assert isinstance(problem, RequestValidationError)
    errors: list[Any] = list(problem.errors())
    if any(error["loc"][:1] == ("path",) for error in errors):
        return _refused(_request, Absent())
    said = "; ".join(_sentence(error) for error in errors[:5])
    return _answer(422, f"The request cannot be understood: {said}.")


def _sentence(error: dict[str, Any]) -> str:
    place = " > ".join(str(part) for part in error["loc"][1:] if isinstance(part, str | int))
    words = str(error["msg"]).removeprefix("Value error, ").rstrip(".")
    words = words[:1].lower() + words[1:]
    return f"{place}: {words}"[:300] if place else words[:300]


def _not_possible(_request: Request, problem: Exception) -> JSONResponse:
    return _answer(422, str(problem))


def _unexpected(request: Request, problem: Exception) -> JSONResponse:
    known = trouble(problem)
    if known is None:
        logger.error("%s %s failed", request.method, request.url.path, exc_info=problem)
    return _answer(*(known or (500, UNEXPECTED)))


def _answer(status: int, detail: str, headers: dict[str, str] | None = None) -> JSONResponse:
    return JSONResponse({"detail": detail}, status, headers)
