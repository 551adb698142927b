"""How a route says whom it is for: by parameters that are opened for the viewer before its handler is called.

    @router.get("/runs/{run}")
    def get_run(visit: Reading, run: ChairRun) -> RunDetail:

`run: ChairRun` is permission and row in one: the handler is called for a chair of the run's conference,
and everybody else is answered 404. All such parameters are opened in one database session, in the thread
that then calls the handler, so that no connection and no lock waits for a thread. A handler without a
guard fails when its route is made.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import wraps
from inspect import Parameter, Signature, iscoroutinefunction, signature
from typing import Annotated, Any, Literal, get_args
from urllib.parse import quote

from fastapi import APIRouter, Depends, Path, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.params import Depends as Dependency
from fastapi.routing import APIRoute
from sqlalchemy.orm import Session
from starlette.concurrency import run_in_threadpool

from unround.console.access.links import find_viewer
from unround.console.access.permissions import Viewer
from unround.console.context import Console, Visit
from unround.console.errors import Refusal
from unround.console.schemas.base import ErrorBody, Id

PathId = Annotated[Id, Path()]
Handler = Callable[..., Any]


# A coroutine, though it waits for nothing: FastAPI runs plain functions in a thread each.
async def _console(request: Request) -> Console:
    console: Console = request.app.state.console
    return console


ConsoleDep = Annotated[Console, Depends(_console)]  # for whom nobody knows yet


@dataclass(frozen=True)
class _Asked:
    """What FastAPI finds for a parameter that is opened later: the request, and the ids that it names."""

    request: Request
    ids: Mapping[str, Any]


class Opened:
    """A parameter that is opened for the viewer, by a function of the visit and of ids in the path.

    A guard raises Absent for a viewer who may not use the route.
    """

    def __init__(self, open: Callable[..., Any], *, is_guard: bool = True) -> None:
        self.open, self.is_guard = open, is_guard
        _, *ids = signature(open, eval_str=True).parameters.values()
        ids = [
            one if one.annotation != one.empty else one.replace(annotation=PathId) for one in ids
        ]
        self.ids = {one.name for one in ids}
        request = Parameter("request", Parameter.POSITIONAL_OR_KEYWORD, annotation=Request)
        self.__signature__ = Signature([request, *ids])  # for FastAPI

    async def __call__(self, request: Request, **ids: Any) -> _Asked:
        """Return what to open, for the handler's thread."""
        return _Asked(request, ids)


Use = Literal["closed", "reading", "writing", "durable"]


class OpenedVisit(Opened):
    """The visit itself, for a handler that reads or writes more. What it writes is committed behind it."""

    def __init__(self, use: Use) -> None:
        super().__init__(lambda visit: visit, is_guard=False)
        self.use = use


Closed = Annotated[Visit, Depends(OpenedVisit("closed"))]  # for coroutines: its session has ended
Reading = Annotated[Visit, Depends(OpenedVisit("reading"))]
Writing = Annotated[Visit, Depends(OpenedVisit("writing"))]
Durable = Annotated[Visit, Depends(OpenedVisit("durable"))]


class GuardedRoute(APIRoute):
    """A route whose handler has a guard."""

    def __init__(self, path: str, endpoint: Handler, **options: Any) -> None:
        self._opened = _opened_by(path, endpoint)
        visits = (one.use for one in self._opened.values() if isinstance(one, OpenedVisit))
        self._use: Use = next(visits, "closed")
        super().__init__(path, self._around(endpoint), **options)

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        """Return the handler. What is wrong with a request is told only to whom the route is for."""
        handler = super().get_route_handler()

        async def guarded(request: Request) -> Response:
            try:
                return await handler(request)
            except RequestValidationError:
                await run_in_threadpool(self._authorise, request)
                raise

        return guarded

    def _around(self, handler: Handler) -> Handler:
        """Return the handler as FastAPI calls it, with what is to be opened.

        A coroutine: FastAPI checks what a plain function returns in one more thread.
        """

        def in_thread(given: Mapping[str, Any]) -> Any:
            with self._opening(given, self._use) as complete:
                return handler(**complete)

        async def call(**given: Any) -> Any:
            if iscoroutinefunction(handler):
                return await handler(**await run_in_threadpool(self._complete, given))
            return await run_in_threadpool(in_thread, given)

        return wraps(handler)(call)

    def _authorise(self, request: Request) -> None:
        """Raise 401 or 404 unless the route is for the viewer."""
        ids = request.path_params
        self._complete(
            {
                name: _Asked(request, {id: ids[id] for id in one.ids & ids.keys()})
                for name, one in self._opened.items()
            }
        )

    def _complete(self, given: Mapping[str, Any]) -> Mapping[str, Any]:
        with self._opening(given, "closed") as complete:
            return complete

    @contextmanager
    def _opening(self, given: Mapping[str, Any], use: Use) -> Iterator[Mapping[str, Any]]:
        """Open the parameters in one session; a handler that uses it is called within the block."""
        asked: dict[str, _Asked] = {name: given[name] for name in self._opened}
        request = next(iter(asked.values())).request
        console: Console = request.app.state.console

        def open_for(visit: Visit) -> Mapping[str, Any]:
            opened = self._opened.items()
            return {**given, **{name: one.open(visit, **asked[name].ids) for name, one in opened}}

        with console.database.reading() as session:  # strangers do not wait for a turn to write
            visit = Visit(console, session, _viewer(console, session, request))
            if use in ("closed", "reading"):
                yield open_for(visit)
                return
        with visit.change(durable=use == "durable") as change:
            yield open_for(change)


def _opened_by(path: str, handler: Handler) -> Mapping[str, Opened]:
    """Return the parameters of a handler that are opened for the viewer.

    Raises TypeError where nothing guards the handler, or an id of its path.
    """
    parameters = signature(handler, eval_str=True).parameters.values()
    opened = {
        parameter.name: one.dependency
        for parameter in parameters
        for one in get_args(parameter.annotation)
        if isinstance(one, Dependency) and isinstance(one.dependency, Opened)
    }
    unguarded = [one.name for one in parameters if one.annotation == PathId]
    if unguarded or not any(one.is_guard for one in opened.values()):
        what = f"{path}: {', '.join(unguarded) or handler.__name__}"
        raise TypeError(f"{what} needs a guard, such as a parameter of the type ChairRun")
    return opened


def _viewer(console: Console, session: Session, request: Request) -> Viewer:
    """Return the viewer behind the session cookie, or raise 401."""
    cookie = request.cookies.get(console.settings.cookie)
    viewer = find_viewer(session, cookie) if cookie else None
    if viewer is None:
        raise Refusal(401, "Open the console by your link.")
    return viewer


def error_responses(*codes: int) -> dict[int | str, dict[str, Any]]:
    """Describe errors of a route, beside those that every route can give."""
    return {code: {"model": ErrorBody} for code in codes}


COMMON_ERRORS = error_responses(401, 404, 422, 503)


def new_router(tag: str, prefix: str = "") -> APIRouter:
    """Return a router whose handlers need a guard."""
    return APIRouter(tags=[tag], prefix=prefix, route_class=GuardedRoute, responses=COMMON_ERRORS)


def attachment(content: bytes, name: str, media_type: str) -> Response:
    """Return a file to be saved, never opened in the console's own origin."""
    plain = "".join(letter if letter.isascii() else "-" for letter in name)
    headers = {"Content-Disposition": f'attachment; filename="{plain}"'}
    if plain != name:
        headers["Content-Disposition"] += f"; filename*=UTF-8''{quote(name)}"
    return Response(content, media_type=media_type, headers=headers)


def file_responses(*media_types: str) -> dict[int | str, dict[str, Any]]:
    """Describe the responses of a route that gives files of these types."""
    binary = {"schema": {"type": "string", "format": "binary"}}
    contents = {name: {} if name == "application/json" else binary for name in media_types}
    return {**error_responses(409), 200: {"content": contents}}
