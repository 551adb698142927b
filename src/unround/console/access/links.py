"""Who asks: a chair, who sees everything, or an area chair of one conference."""

from __future__ import annotations

from datetime import datetime, timedelta

from sqlalchemy import ColumnElement, delete, or_, select, update
from sqlalchemy.orm import Session

from unround.console.access.audit import note
from unround.console.access.tokens import hashed, new_secret
from unround.console.access.viewer import Who
from unround.console.storage.database import Database
from unround.console.storage.ids import new_id, now
from unround.console.storage.orm import AreaChair, Link, Visit

SESSION_DAYS = 30


def who_is(database: Database, cookie: str) -> tuple[Who, datetime] | None:
    """The owner of a session whose link still holds, and how long it does if nobody ends it."""
    moment = now()
    person = AreaChair.id, AreaChair.name, AreaChair.conference
    asked = (
        select(Link.id, Link.label, Link.expires, Visit.expires, *person)
        .join(Visit, Visit.link == Link.id)
        .outerjoin(AreaChair, AreaChair.id == Link.area_chair)
        .where(Visit.secret == hashed(cookie), Visit.expires > moment, *_holds(moment))
    )
    with database.reading() as session:
        found = session.execute(asked).one_or_none()
    if found is None:
        return None
    link, label, expires, ends, area_chair, name, conference = found
    until = ends if expires is None else min(ends, expires)
    if area_chair is None:
        return Who("chair", link, f"chair ({label})" if label else "chair", expires), until
    return Who("area_chair", link, name, expires, conference, area_chair, name), until


def enter(database: Database, secret: str, address: str) -> str | None:
    """A new session's secret for a link's. None for one that is wrong, expired or revoked."""
    moment = now()
    asked = select(Link, AreaChair).outerjoin(AreaChair, AreaChair.id == Link.area_chair)
    with database.writing() as session:
        found = session.execute(
            asked.where(Link.secret == hashed(secret), *_holds(moment))
        ).one_or_none()
        if found is None:
            note(session, None, "nobody", "failed to enter", f"from {address}")
            return None
        link, area_chair = found
        cookie = new_secret()
        session.add(_visit(link, cookie, moment))
        session.execute(update(Link).where(Link.id == link.id).values(opened=moment))
        who = "chair" if area_chair is None else area_chair.name
        conference = None if area_chair is None else area_chair.conference
        note(session, conference, who, "entered", link.label)
        return cookie


def leave(database: Database, cookie: str) -> None:
    """End a session."""
    with database.writing() as session:
        session.execute(delete(Visit).where(Visit.secret == hashed(cookie)))


def make_link(
    session: Session, area_chair: str | None, *, days: int | None, label: str
) -> tuple[Link, str]:
    """A new link and its secret, which is not kept."""
    secret, moment = new_secret(), now()
    link = Link(
        id=new_id(),
        area_chair=area_chair,
        secret=hashed(secret),
        label=label,
        created=moment,
        expires=None if days is None else moment + timedelta(days=days),
    )
    session.add(link)
    return link, secret


def _visit(link: Link, cookie: str, moment: datetime) -> Visit:
    return Visit(
        id=new_id(),
        link=link.id,
        secret=hashed(cookie),
        created=moment,
        expires=moment + timedelta(days=SESSION_DAYS),
    )


def _holds(moment: datetime) -> tuple[ColumnElement[bool], ...]:
    """Conditions of a link that is neither revoked nor expired."""
    return Link.revoked.is_(None), or_(Link.expires.is_(None), Link.expires > moment)
