"""Links, and the sessions that people open with them."""

from __future__ import annotations

from datetime import datetime, timedelta

from sqlalchemy import ColumnElement, delete, or_, select, update
from sqlalchemy.orm import Session

from unround.console.access.audit import note
from unround.console.access.tokens import hashed, new_secret
from unround.console.access.viewer import Viewer
from unround.console.storage.database import Database
from unround.console.storage.ids import new_id, now
from unround.console.storage.orm import AreaChairRow, LinkRow, SessionRow

SESSION_DAYS = 30


def find_viewer(database: Database, cookie: str) -> tuple[Viewer, datetime] | None:
    """Return the viewer behind a session cookie, and when the session expires."""
    moment = now()
    person = AreaChairRow.id, AreaChairRow.name, AreaChairRow.conference
    query = (
        select(LinkRow.id, LinkRow.label, LinkRow.expires, SessionRow.expires, *person)
        .join(SessionRow, SessionRow.link == LinkRow.id)
        .outerjoin(AreaChairRow, AreaChairRow.id == LinkRow.area_chair)
        .where(SessionRow.secret == hashed(cookie), SessionRow.expires > moment, *_valid(moment))
    )
    with database.reading() as session:
        row = session.execute(query).one_or_none()
    if row is None:
        return None
    link, label, link_expires, session_expires, area_chair, name, conference = row
    until = session_expires if link_expires is None else min(session_expires, link_expires)
    if area_chair is None:
        label = f"chair ({label})" if label else "chair"
        return Viewer("chair", link, label, link_expires), until
    return Viewer("area_chair", link, name, link_expires, conference, area_chair, name), until


def enter(database: Database, secret: str, address: str) -> str | None:
    """Open a session for a link's secret and return its cookie.

    None for a link that is unknown, expired or revoked.
    """
    moment = now()
    query = select(LinkRow, AreaChairRow).outerjoin(
        AreaChairRow, AreaChairRow.id == LinkRow.area_chair
    )
    with database.writing() as session:
        row = session.execute(
            query.where(LinkRow.secret == hashed(secret), *_valid(moment))
        ).one_or_none()
        if row is None:
            note(session, None, "nobody", "failed to enter", f"from {address}")
            return None
        link, area_chair = row
        cookie = new_secret()
        session.add(_session_row(link, cookie, moment))
        session.execute(update(LinkRow).where(LinkRow.id == link.id).values(opened=moment))
        name = "chair" if area_chair is None else area_chair.name
        conference = None if area_chair is None else area_chair.conference
        note(session, conference, name, "entered", link.label)
        return cookie


def leave(database: Database, cookie: str) -> None:
    """End a session."""
    with database.writing() as session:
        session.execute(delete(SessionRow).where(SessionRow.secret == hashed(cookie)))


def make_link(
    session: Session, area_chair: str | None, *, days: int | None, label: str
) -> tuple[LinkRow, str]:
    """Make a link; return it with its secret, of which only the hash is stored."""
    secret, moment = new_secret(), now()
    link = LinkRow(
        id=new_id(),
        area_chair=area_chair,
        secret=hashed(secret),
        label=label,
        created=moment,
        expires=None if days is None else moment + timedelta(days=days),
    )
    session.add(link)
    return link, secret


def _session_row(link: LinkRow, cookie: str, moment: datetime) -> SessionRow:
    return SessionRow(
        id=new_id(),
        link=link.id,
        secret=hashed(cookie),
        created=moment,
        expires=moment + timedelta(days=SESSION_DAYS),
    )


def _valid(moment: datetime) -> tuple[ColumnElement[bool], ...]:
    """Conditions of a link that is neither revoked nor expired."""
    return LinkRow.revoked.is_(None), or_(LinkRow.expires.is_(None), LinkRow.expires > moment)
