"""A finished run as the one who asks may see it."""

from __future__ import annotations

import gzip
import json
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from unround.console.access.permissions import Look
from unround.console.cache import Answer
from unround.console.context import Console
from unround.console.errors import Absent
from unround.console.storage import results as rows
from unround.console.storage.orm import Assignment, Run, RunFile
from unround.report.model import View
from unround.report.scope import CHAIR, Scope
from unround.report.snapshot import Snapshot
from unround.report.view import encoded, view
from unround.runs.folder import RECORD


def encoded_view(here: Console, look: Look, whole: Snapshot | None = None) -> Answer:
    """The view as it goes out, from memory if it was asked for before.

    Who has the whole run at hand saves reading the rows that this view needs.
    """
    return here.views.get(look.key, lambda: encoded(_made_view(here, look, whole)))


def whole_run(here: Console, run: Run) -> Snapshot:
    """Every row of a run."""
    with here.database.reading() as session:
        return _loaded(session, run, None)


def _made_view(here: Console, look: Look, whole: Snapshot | None) -> View:
    run = look.run
    with here.database.reading() as session:
        scope = _scope(session, look)
        viewer = look.area_chair.id if look.area_chair else None
        snapshot = whole or _loaded(session, run, viewer)
    finished = run.finished.isoformat(timespec="seconds") if run.finished else None
    return view(snapshot, scope, conference=look.conference.name, name=run.name, finished=finished)


def _loaded(session: Session, run: Run, area_chair: str | None) -> Snapshot:
    record = json.loads(run_file(session, run.id, RECORD))
    return rows.load(session, run.id, run.kinds or {}, record, area_chair)


def run_file(session: Session, run: str, name: str) -> bytes:
    """A file of a run."""
    packed: Any = session.scalar(
        select(RunFile.content).where(RunFile.run == run, RunFile.name == name)
    )
    if packed is None:
        raise Absent
    return gzip.decompress(packed)


def _scope(session: Session, look: Look) -> Scope:
    if look.area_chair is None:
        return CHAIR
    papers = session.scalars(
        select(Assignment.paper).where(Assignment.area_chair == look.area_chair.id)
    )
    return Scope(
        area_chair=look.area_chair.name,
        papers=frozenset(papers),
        stars=look.conference.show_stars,
        names=look.conference.show_names,
        key=bytes.fromhex(look.conference.key),
    )
