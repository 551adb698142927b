"""A finished run as one viewer may see it."""

from __future__ import annotations

import hashlib
import json
import threading
from functools import cache
from pathlib import Path
from typing import cast

from sqlalchemy import select

import unround
from unround.console.access.permissions import RunAccess
from unround.console.cache import EncodedView
from unround.console.context import Console
from unround.console.storage.orm import AssignmentRow
from unround.disclosure.model import View
from unround.disclosure.scope import CHAIR, Disclosure, Scope
from unround.disclosure.view import encoded, view

# At most two views are made at once: more would compete for the processor with quick requests.
_ENCODERS = threading.Semaphore(2)


def encoded_view(console: Console, access: RunAccess) -> EncodedView:
    """Return the response body of a view, from memory or from its file where possible."""

    def make() -> EncodedView:
        scope = _scope(console, access)
        owner, name = access.key[:2], _view_name(access, scope)
        found = console.stored.get(owner, name)
        if found is None:
            with _ENCODERS:
                found = EncodedView.of(encoded(_view(console, access, scope)))
            console.stored.put(owner, name, found)
        return found

    return console.views.get(access.key, make)


def _view(console: Console, access: RunAccess, scope: Scope) -> View:
    run = access.run
    finished = run.finished.isoformat(timespec="seconds") if run.finished else None
    return view(
        console.opened_run(run.id).snapshot,
        scope,
        conference=access.conference.name,
        name=run.name,
        finished=finished,
    )


def _scope(console: Console, access: RunAccess) -> Scope:
    if access.area_chair is None:
        return CHAIR
    query = select(AssignmentRow.paper).where(AssignmentRow.area_chair == access.area_chair.id)
    with console.database.reading() as session:
        papers = frozenset(session.scalars(query))
    return Scope(
        area_chair=access.area_chair.name,
        papers=papers,
        stars=access.conference.show_stars,
        names=access.conference.show_names,
        disclosure=cast(Disclosure, access.conference.disclosure),
        key=bytes.fromhex(access.conference.key),
    )


def _view_name(access: RunAccess, scope: Scope) -> str:
    """Return the name of a view's file: a hash of all that the view depends on.

    The code that makes views is part of it: a file found by its name is right, also after a restored
    backup or under another version of unround.
    """
    run = access.run
    seen = (scope.area_chair, sorted(scope.papers), scope.stars, scope.names, scope.disclosure)
    told = (access.conference.name, run.id, run.name, run.finished and run.finished.isoformat())
    content = json.dumps([_code(), *told, *seen, scope.key.hex()])
    return hashlib.sha256(content.encode()).hexdigest()


@cache
def _code() -> str:
    """Return a hash of all of unround's code."""
    digest = hashlib.sha256()
    for path in sorted(Path(unround.__path__[0]).rglob("*.py")):
        digest.update(path.read_bytes())
    return digest.hexdigest()
