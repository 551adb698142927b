"""Who may open what: every rule about rows of the database, in one place.

The server's owner may open everything, a chair everything of one conference. An area chair may open
their own conference and, of its runs, those that are done and shared. A reviewer may open their own
ballot, which no path names, and nothing else. What a viewer may not open is
answered like an unknown id: 404. Which papers and fields of an opened run an area chair receives is
decided in `unround.disclosure.view`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime
from typing import TypeVar

from sqlalchemy import Select, select
from sqlalchemy.orm import Session

from unround.console.errors import Absent, Refusal
from unround.console.schemas.base import ID_PATTERN, Role
from unround.console.storage.orm import (
    AreaChairRow,
    AssignmentRow,
    Base,
    CollectionRow,
    ConferenceRow,
    FileRow,
    JobRow,
    LinkRow,
    RunRow,
    SavedViewRow,
)

Row = TypeVar("Row", bound=Base)
Owned = TypeVar(
    "Owned", AreaChairRow, CollectionRow, FileRow, JobRow, LinkRow, RunRow, SavedViewRow
)


@dataclass(frozen=True)
class Viewer:
    """The person behind a session: the owner, a chair, an area chair or a reviewer."""

    role: Role
    link: str
    label: str  # for the log
    expires: datetime | None
    conference: str | None = None  # None: the server's owner
    area_chair: str | None = None
    name: str | None = None
    ballot: str | None = None  # of a reviewer, who may open this and nothing else

    @property
    def is_chair(self) -> bool:
        """Whether the viewer sees everything of the conferences that they may open."""
        return self.role == "chair"

    @property
    def is_staff(self) -> bool:
        """Whether the viewer may open anything of their conference but a ballot."""
        return self.role in ("chair", "area_chair")

    @property
    def opens(self) -> str | None:
        """The one conference that the viewer may open, or None."""
        return self.conference if self.is_staff else None

    @property
    def is_owner(self) -> bool:
        """Whether the viewer may open every conference."""
        return self.is_chair and self.conference is None


# Conferences that nobody opens until they are restored.
IN_BIN = select(ConferenceRow.id).where(ConferenceRow.deleted.is_not(None))


def visible_conferences(viewer: Viewer) -> Select[ConferenceRow]:
    """Select the conferences that a viewer may open."""
    conferences = select(ConferenceRow).where(ConferenceRow.deleted.is_(None))
    if viewer.is_owner:
        return conferences
    return conferences.where(ConferenceRow.id == viewer.opens)


def visible_runs(viewer: Viewer) -> Select[RunRow]:
    """Select the runs that a viewer may open."""
    runs = select(RunRow).where(RunRow.conference.not_in(IN_BIN))
    if viewer.is_owner:
        return runs
    runs = runs.where(RunRow.conference == viewer.opens)
    return runs if viewer.is_chair else runs.where(RunRow.shared, RunRow.status == "done")


def open_conference(session: Session, viewer: Viewer, id: str) -> ConferenceRow:
    """Return a conference that the viewer may open, or raise 404."""
    return _one(session, visible_conferences(viewer).where(ConferenceRow.id == _checked(id)))


def open_run(session: Session, viewer: Viewer, id: str) -> RunRow:
    """Return a run that the viewer may open, or raise 404."""
    return _one(session, visible_runs(viewer).where(RunRow.id == _checked(id)))


def own_conference(session: Session, viewer: Viewer, id: str) -> ConferenceRow:
    """Return a conference to a chair of it, or raise 404."""
    if not viewer.is_chair:
        raise Absent
    return open_conference(session, viewer, id)


def own_row(session: Session, viewer: Viewer, table: type[Owned], id: str) -> Owned:
    """Return a row to a chair of its conference, or raise 404. Links of no conference are the owner's."""
    row = find_row(session, table, id)
    if row.conference is not None:
        own_conference(session, viewer, row.conference)
    elif not viewer.is_owner:
        raise Absent
    return row


def find_row(session: Session, table: type[Row], id: str) -> Row:
    """Return a row by its id, or raise 404. Whoever asks has yet to be allowed to see it."""
    row = session.get(table, _checked(id))
    if row is None:
        raise Absent
    return row


def lock_conference(session: Session, id: str, *, in_bin: bool = False) -> ConferenceRow:
    """Return a conference, or raise 404; other changes that lock it wait until this one ends.

    What the session has read before is read again, since it may have changed while this one waited.
    """
    session.expire_all()
    row = session.get(ConferenceRow, id, with_for_update={"key_share": True})
    if row is None or (row.deleted is not None) != in_bin:
        raise Absent
    return row


def get_of_conference(session: Session, table: type[Owned], id: str, conference: str) -> Owned:
    """Return a row that belongs to this conference, or raise 404. Removed area chairs are absent."""
    row = find_row(session, table, id)
    if row.conference != conference or (isinstance(row, AreaChairRow) and row.removed):
        raise Absent
    return row


def require_done(run: RunRow) -> None:
    """Raise 409 for a run without results."""
    if run.status != "done":
        raise Refusal(409, "This run has no results: it is not done.")


@dataclass(frozen=True)
class RunAccess:
    """Permission to see a run's results: all of them, or as one area chair (`area_chair`)."""

    run: RunRow
    conference: ConferenceRow
    area_chair: AreaChairRow | None

    @property
    def key(self) -> tuple[str, str, str, int]:
        """What the view depends on: results never change, and `edition` counts other changes."""
        seen_by = self.area_chair.id if self.area_chair else ""
        return self.run.id, self.run.name, seen_by, self.conference.edition


def open_results(
    session: Session, viewer: Viewer, run_id: str, preview: str | None = None
) -> RunAccess:
    """Return permission to see a run's results, or raise 404, or 409 where it has none.

    `preview` is the area chair whose view a chair wants to see.
    """
    run = open_run(session, viewer, run_id)
    if preview is not None and not viewer.is_chair:
        raise Absent
    require_done(run)
    seen_by = viewer.area_chair or preview
    area_chair = (
        None
        if seen_by is None
        else get_of_conference(session, AreaChairRow, seen_by, run.conference)
    )
    return RunAccess(run, session.get_one(ConferenceRow, run.conference), area_chair)


def present_area_chairs(session: Session, conference: str) -> list[AreaChairRow]:
    """Return the area chairs of a conference that were not removed, by name."""
    present = AreaChairRow.conference == conference, AreaChairRow.removed.is_(None)
    return list(session.scalars(select(AreaChairRow).where(*present).order_by(AreaChairRow.name)))


def assigned_papers(session: Session, conference: str) -> dict[str, frozenset[str]]:
    """Return the papers of a conference's area chairs, by the ids of those that have any."""
    owned = select(AssignmentRow.area_chair, AssignmentRow.paper).join(
        AreaChairRow, AreaChairRow.id == AssignmentRow.area_chair
    )
    papers: dict[str, set[str]] = {}
    for area_chair, paper in session.execute(owned.where(AreaChairRow.conference == conference)):
        papers.setdefault(area_chair, set()).add(paper)
    return {id: frozenset(own) for id, own in papers.items()}


def _checked(id: str) -> str:
    """Return an id, or raise 404 for what is none: PostgreSQL takes no NUL in a text."""
    if not re.fullmatch(ID_PATTERN, id):
        raise Absent
    return id


def _one(session: Session, rows: Select[Row]) -> Row:
    row = session.scalar(rows)
    if row is None:
        raise Absent
    return row
