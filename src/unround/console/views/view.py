"""A finished run as one viewer may see it."""

from __future__ import annotations

import threading
from typing import cast

from sqlalchemy import select

from unround.console.access.permissions import RunAccess
from unround.console.cache import EncodedView
from unround.console.context import Console
from unround.console.storage.orm import AssignmentRow
from unround.console.views.names import view_name
from unround.report.disclosure import Disclosure
from unround.report.model import View
from unround.report.scope import CHAIR, Scope
from unround.report.view import encoded, view

# At most two views are made at once: more would compete for the processor with quick requests.
_ENCODERS = threading.Semaphore(2)


def encoded_view(console: Console, access: RunAccess) -> EncodedView:
    """Return the response body of a view, from memory or from its file where possible."""

    def make() -> EncodedView:
        scope = _scope(console, access)
        owner, name = access.key[:2], view_name(access, scope)
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
