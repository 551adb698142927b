"""What routes ask for: the console they stand in, and who is asking."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import Depends, Path, Request

from unround.console.access.viewer import Who
from unround.console.context import Console
from unround.console.schemas import ErrorBody, Id


def _console(request: Request) -> Console:
    console: Console = request.app.state.console
    return console


def _who(request: Request) -> Who:
    who: Who = request.state.who
    return who


Here = Annotated[Console, Depends(_console)]
Asking = Annotated[Who, Depends(_who)]
PathId = Annotated[Id, Path()]


def answers(*codes: int) -> dict[int | str, dict[str, Any]]:
    """The refusals that every route can give, and these."""
    return {code: {"model": ErrorBody} for code in (401, 404, 422, 503, *codes)}
