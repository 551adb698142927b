"""Rows of the database as the API gives them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeVar

from sqlalchemy.orm import Session

from unround.console.access.viewer import Who
from unround.console.errors import Absent, Refusal
from unround.console.storage.orm import (
    AreaChair,
    Base,
    Conference,
    Run,
)

Row = TypeVar("Row", bound=Base)


def found(session: Session, table: type[Row], id: str) -> Row:
    """A row that must be there."""
    row = session.get(table, id)
    if row is None:
        raise Absent
    return row


def own_conference(session: Session, who: Who, id: str) -> Conference:
    """A conference that the asking one may look at."""
    if not who.belongs_to(id):
        raise Absent
    return found(session, Conference, id)


def open_run(session: Session, who: Who, id: str) -> Run:
    """A run that the asking one may look at: area chairs only what is done and shared."""
    run = found(session, Run, id)
    if not who.is_chair and not (
        who.conference == run.conference and run.shared and run.status == "done"
    ):
        raise Absent
    return run


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
