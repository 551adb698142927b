"""Finished runs as each viewer may see them: made when somebody asks, and kept encoded."""

from __future__ import annotations

import asyncio
from typing import cast

from sqlalchemy import select

from unround.console.access.permissions import RunAccess
from unround.console.cache import EncodedView
from unround.console.context import Console
from unround.console.storage.orm import AssignmentRow
from unround.disclosure.model import View
from unround.disclosure.scope import CHAIR, Disclosure, Scope
from unround.disclosure.view import encoded, view


async def encoded_view(console: Console, access: RunAccess) -> EncodedView:
    """Return the response body of a view, from memory where possible.

    Views are made in threads of their own: those who wait for theirs hold up no other request.
    """
    kept = console.views.kept(access.key)
    if kept is not None:
        return kept

    def make() -> EncodedView:
        return EncodedView.of(encoded(_view(console, access)))

    making = console.view_makers.submit(console.views.get, access.key, make)
    return await asyncio.wrap_future(making)


def _view(console: Console, access: RunAccess) -> View:
    run = access.run
    finished = run.finished.isoformat(timespec="seconds") if run.finished else None
    return view(
        console.opened_run(run.id).snapshot,
        _scope(console, access),
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
        decisions=access.conference.show_decisions,
        disclosure=cast(Disclosure, access.conference.disclosure),
        key=bytes.fromhex(access.conference.key),
    )
