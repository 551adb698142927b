"""The ASGI application: routes, error handlers and two middlewares."""

from __future__ import annotations

from fastapi import FastAPI
from fastapi.routing import APIRoute

from unround import __version__
from unround.console.api import monitoring
from unround.console.api.middleware import Guard, RequestMetrics
from unround.console.api.pages import pages
from unround.console.api.routes import (
    access,
    area_chairs,
    audits,
    ballot,
    ballot_results,
    ballots,
    checks,
    conferences,
    files,
    papers,
    results,
    runs,
    saved_views,
    server,
    session,
)
from unround.console.context import Console
from unround.console.errors import add_handlers

ROUTERS = (
    session.router,
    conferences.router,
    conferences.chairs,
    files.router,
    checks.router,
    runs.router,
    results.router,
    results.chairs,
    audits.router,
    papers.router,
    saved_views.router,
    access.router,
    area_chairs.router,
    ballots.router,
    ballot_results.router,
    ballot.router,
    server.router,
)


def make_app(console: Console) -> FastAPI:
    """Return the whole application of a console."""
    app = api()
    app.state.console = console
    app.include_router(monitoring.router)
    app.include_router(pages(console.settings.front_end))
    app.add_middleware(Guard, console=console)
    app.add_middleware(RequestMetrics, metrics=console.metrics)  # the last one sees requests first
    return app


def api() -> FastAPI:
    """Return the API alone. FastAPI's documentation pages load outside hosts, so they are off."""
    app = FastAPI(
        title="unround",
        version=__version__,
        docs_url=None,
        redoc_url=None,
        openapi_url=None,
        generate_unique_id_function=_operation_id,
        redirect_slashes=False,
    )
    for router in ROUTERS:
        app.include_router(router, prefix="/api")
    add_handlers(app)
    return app


def _operation_id(route: APIRoute) -> str:
    return route.name
