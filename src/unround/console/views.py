"""Views of finished runs, as each viewer may see them: made by a job or when asked for, and kept encoded."""

from __future__ import annotations

import asyncio

from sqlalchemy import select

from unround.console.access.permissions import RunAccess
from unround.console.access.scopes import scope_of, scope_values, titles
from unround.console.cache import EncodedView
from unround.console.context import Console
from unround.console.jobs.queue import made_view
from unround.console.storage.orm import AssignmentRow
from unround.disclosure.scope import CHAIR, Scope
from unround.disclosure.view import encoded, view


async def encoded_view(console: Console, access: RunAccess) -> EncodedView:
    """Return the response body of a view, from memory where possible.

    Views are made in threads of their own: those who wait for theirs hold up no other request.
    """
    kept = console.views.kept(access.key)
    if kept is not None:
        return kept
    making = console.view_makers.submit(
        console.views.get, access.key, lambda: _view(console, access)
    )
    return await asyncio.wrap_future(making)


def _view(console: Console, access: RunAccess) -> EncodedView:
    """Return the view that a job has made of this edition, or else make it."""
    with console.database.reading() as session:
        made = made_view(session, access)
    if made:
        return EncodedView(made)
    shown = view(
        console.opened_run(access.run.id).snapshot,
        _scope(console, access),
        **titles(access.conference, access.run),
    )
    return EncodedView.of(encoded(shown))


def _scope(console: Console, access: RunAccess) -> Scope:
    if access.area_chair is None:
        return CHAIR
    own = select(AssignmentRow.paper).where(AssignmentRow.area_chair == access.area_chair.id)
    with console.database.reading() as session:
        papers = session.scalars(own).all()
    return scope_of(scope_values(access.conference, access.area_chair, papers))
