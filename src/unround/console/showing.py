"""A finished run as the one who asks may see it."""

from __future__ import annotations

import gzip
import json
from dataclasses import dataclass
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from unround.console import rows
from unround.console.describing import found, open_run
from unround.console.encoding import Answer
from unround.console.people import Who
from unround.console.refusals import Absent, Refusal
from unround.console.running import RECORD
from unround.console.state import Console
from unround.console.tables import AreaChair, Assignment, Conference, Run, RunFile
from unround.report.model import View
from unround.report.scope import CHAIR, Scope
from unround.report.snapshot import Snapshot
from unround.report.view import encoded, view


@dataclass(frozen=True)
class Look:
    """One viewer's look at one run. `area_chair` is None for a chair who looks as a chair."""

    run: Run
    conference: Conference
    area_chair: AreaChair | None

    @property
    def key(self) -> tuple[str, str, int]:
        """What the view depends on: results never change, and editions count everything else."""
        viewer = self.area_chair.id if self.area_chair else ""
        return self.run.id, viewer, self.conference.edition


def looking(session: Session, who: Who, run: str, preview: str | None = None) -> Look:
    """A look that the asking one may take; `preview`: a chair's, through an area chair's eyes."""
    row = open_run(session, who, run)
    if preview is not None and not who.is_chair:
        raise Absent
    if row.status != "done":
        raise Refusal(409, "This run has no results: it is not done.")
    viewer = who.area_chair or preview
    area_chair = None if viewer is None else found(session, AreaChair, viewer)
    if area_chair is not None and area_chair.conference != row.conference:
        raise Absent
    return Look(row, found(session, Conference, row.conference), area_chair)


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
