"""The application: routes behind their guards."""

from __future__ import annotations

from fastapi import FastAPI
from fastapi.routing import APIRoute

from unround import __version__
from unround.console.routes import access, checks, conferences, entering, files, results, runs

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


def api() -> FastAPI:
    """The routes alone. FastAPI's own documentation pages load outside hosts: they are off."""
    app = FastAPI(
        title="unround",
        version=__version__,
        docs_url=None,
        redoc_url=None,
        openapi_url=None,
        generate_unique_id_function=_operation,
    )
    for router in ROUTERS:
        app.include_router(router, prefix="/api")
    return app


def _operation(route: APIRoute) -> str:
    return route.name
