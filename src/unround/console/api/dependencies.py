"""Parameters that many routes share: the console, the viewer and ids in the path."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import Depends, Path, Request

from unround.console.access.viewer import Viewer
from unround.console.context import Console
from unround.console.schemas import ErrorBody, Id


# Coroutines, though they wait for nothing: FastAPI runs plain functions in a thread each.
async def _console(request: Request) -> Console:
    console: Console = request.app.state.console
    return console


async def _viewer(request: Request) -> Viewer:
    viewer: Viewer = request.state.viewer
    return viewer


ConsoleDep = Annotated[Console, Depends(_console)]
ViewerDep = Annotated[Viewer, Depends(_viewer)]
PathId = Annotated[Id, Path()]


def error_responses(*codes: int) -> dict[int | str, dict[str, Any]]:
    """Describe the errors that every route can give, and these."""
    return {code: {"model": ErrorBody} for code in (401, 404, 422, 503, *codes)}
