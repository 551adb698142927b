"""The log of who did what, for chairs to read."""

from __future__ import annotations

from sqlalchemy import or_, select
from sqlalchemy.orm import Session

from unround.console.schema import LogEntry
from unround.console.secrets import now
from unround.console.tables import Entry

NEWEST = 1000


def note(session: Session, conference: str | None, who: str, action: str, detail: str = "") -> None:
    """Write a line, in the transaction of what it tells about."""
    session.add(Entry(at=now(), conference=conference, who=who, action=action, detail=detail))


def entries(session: Session, conference: str) -> list[LogEntry]:
    """The newest lines about a conference, and those about no conference."""
    wanted = (
        select(Entry)
        .where(or_(Entry.conference == conference, Entry.conference.is_(None)))
        .order_by(Entry.id.desc())
        .limit(NEWEST)
    )
    return [
        LogEntry(when=line.at, who=line.who, action=line.action, detail=line.detail)
        for line in session.scalars(wanted)
    ]
