"""Links, and the sessions that people open with them."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import (
    BindParameter,
    ColumnElement,
    Select,
    bindparam,
    delete,
    or_,
    select,
    update,
)
from sqlalchemy.orm import Session

from unround.console.access.audit import note
from unround.console.access.tokens import hashed, new_secret
from unround.console.access.viewer import Viewer
from unround.console.storage.database import Database
from unround.console.storage.ids import new_id, now
from unround.console.storage.orm import AreaChairRow, BallotRow, LinkRow, SessionRow, Utc

SESSION_DAYS = 30
REVIEWER = "a reviewer"
OWNER, PRINTED = "owner", "printed at the start of {:%Y-%m-%d %H:%M} UTC"


def find_viewer(database: Database, cookie: str) -> Viewer | None:
    """Return the viewer behind a session cookie."""
    found = find_session(database, cookie)
    return found[0] if found else None


def find_session(database: Database, cookie: str) -> tuple[Viewer, datetime] | None:
    """Return the viewer behind a session cookie, and when the session or its link ends."""
    with database.engine.connect() as connection:
        row = connection.execute(
            _BY_COOKIE, {"cookie": hashed(cookie), "moment": now()}
        ).one_or_none()
    if row is None:
        return None
    until = row.until if row.expires is None else min(row.until, row.expires)
    return _viewer(row), until


def _viewer(row: Any) -> Viewer:
    if row.ballot is not None:
        name = row.reviewer_name or row.reviewer
        return Viewer("reviewer", row.id, REVIEWER, row.expires, name=name, ballot=row.ballot)
    if row.area_chair is not None:
        return Viewer(
            "area_chair", row.id, row.name, row.expires, row.conference, row.area_chair, row.name
        )
    name = None if row.printed else row.label
    who = _title(row.label, row.conference, printed=row.printed)
    return Viewer("chair", row.id, who, row.expires, row.conference, name=name or None)


def enter(database: Database, secrets: Sequence[str]) -> list[str | None]:
    """Open a session for each link's secret and return its cookie.

    None for a link that is unknown, expired, revoked, or of an area chair who was removed.
    """
    moment = now()
    query = _by_secret(secrets).where(*_valid(moment))
    with database.reading() as session:  # wrong secrets must not take turns with those who write
        if session.execute(query).first() is None:
            return [None] * len(secrets)
    with database.writing() as session:
        found = {link.secret: (link, chair) for link, chair in session.execute(query)}
        cookies = [new_secret() if hashed(secret) in found else None for secret in secrets]
        for secret, cookie in zip(secrets, cookies, strict=True):
            if cookie is not None:
                link, area_chair = found[hashed(secret)]
                session.add(_session_row(link, cookie, moment))
                if link.ballot is None:  # when reviewers came is kept with their ballots
                    note(session, link.conference, owner_of(link, area_chair), "entered")
        session.flush()
        opened = update(LinkRow).where(LinkRow.id.in_([link.id for link, _ in found.values()]))
        session.execute(opened.values(opened=moment))
        return cookies


def note_failure(database: Database, secret: str) -> None:
    """Log a failed attempt: to the conference whose link has ended, otherwise to the server."""
    moment = now()
    with database.writing() as session:
        row = session.execute(_by_secret([secret])).one_or_none()
        if row is None:
            note(session, None, "nobody", "failed to enter", "with an unknown link")
            return
        link, area_chair = row
        reason = (
            "revoked"
            if link.revoked
            else "expired"
            if link.expires is not None and link.expires <= moment
            else "of a removed area chair"
        )
        who = owner_of(link, area_chair)
        note(session, link.conference, who, "failed to enter", f"with a link: {reason}")


def leave(database: Database, cookie: str) -> None:
    """End a session."""
    with database.writing() as session:
        session.execute(delete(SessionRow).where(SessionRow.secret == hashed(cookie)))


def make_link(
    session: Session,
    *,
    conference: str | None,
    area_chair: str | None = None,
    ballot: str | None = None,
    days: int | None,
    label: str,
    printed: bool = False,
) -> tuple[LinkRow, str]:
    """Make a link; return it with its secret, of which only the hash is stored."""
    secret, moment = new_secret(), now()
    link = LinkRow(
        id=new_id(),
        conference=conference,
        area_chair=area_chair,
        ballot=ballot,
        printed=printed,
        secret=hashed(secret),
        label=label,
        created=moment,
        expires=None if days is None else moment + timedelta(days=days),
    )
    session.add(link)
    return link, secret


def renew_printed(session: Session, days: int) -> str:
    """Give the owner's printed link a new secret and end every other printed one.

    Sessions that were opened with it stay: a restart of the server signs nobody out.
    """
    moment = now()
    label = PRINTED.format(moment)
    query = select(LinkRow).where(LinkRow.printed, LinkRow.revoked.is_(None))
    current, *others = session.scalars(query.order_by(LinkRow.created.desc())).all() or [
        make_link(session, conference=None, days=days, label=label, printed=True)[0]
    ]
    for link in others:
        revoke(session, link)
    secret = new_secret()
    current.secret, current.label, current.created = hashed(secret), label, moment
    current.expires = moment + timedelta(days=days)
    return secret


def revoke(session: Session, link: LinkRow) -> None:
    """End a link and every session that was opened with it."""
    link.revoked = link.revoked or now()
    session.execute(delete(SessionRow).where(SessionRow.link == link.id))


def open_links(conference: str) -> Select[LinkRow]:
    """Select the links of a conference that are neither revoked nor expired."""
    return select(LinkRow).where(LinkRow.conference == conference, *_not_ended(now()))


def owner_of(link: LinkRow, area_chair: AreaChairRow | None) -> str:
    """Return whose link this is, for the log, which names no reviewers."""
    if link.ballot is not None:
        return REVIEWER
    if area_chair is not None:
        return area_chair.name
    return _title(link.label, link.conference, printed=link.printed)


def _title(label: str, conference: str | None, *, printed: bool) -> str:
    role = OWNER if conference is None else "chair"
    return role if printed or not label else f"{label} ({role})"


def _by_secret(secrets: Sequence[str]) -> Select[LinkRow, AreaChairRow | None]:
    return (
        select(LinkRow, AreaChairRow)
        .outerjoin(AreaChairRow, AreaChairRow.id == LinkRow.area_chair)
        .where(LinkRow.secret.in_([hashed(secret) for secret in secrets]))
    )


def _session_row(link: LinkRow, cookie: str, moment: datetime) -> SessionRow:
    return SessionRow(
        id=new_id(),
        link=link.id,
        secret=hashed(cookie),
        created=moment,
        expires=moment + timedelta(days=SESSION_DAYS),
    )


def _not_ended(moment: datetime | BindParameter[datetime]) -> tuple[ColumnElement[bool], ...]:
    """Conditions of a link that is neither revoked nor expired."""
    return LinkRow.revoked.is_(None), or_(LinkRow.expires.is_(None), LinkRow.expires > moment)


def _valid(moment: datetime | BindParameter[datetime]) -> tuple[ColumnElement[bool], ...]:
    """Conditions of a link that opens something: its area chair, if any, was not removed."""
    return *_not_ended(moment), AreaChairRow.removed.is_(None)


# Built once: building it anew takes longer than the database takes to answer it.
_BY_COOKIE = (
    select(
        LinkRow.id,
        LinkRow.label,
        LinkRow.printed,
        LinkRow.expires,
        SessionRow.expires.label("until"),
        LinkRow.conference,
        AreaChairRow.id.label("area_chair"),
        AreaChairRow.name,
        LinkRow.ballot,
        BallotRow.reviewer,
        BallotRow.name.label("reviewer_name"),
    )
    .join(SessionRow, SessionRow.link == LinkRow.id)
    .outerjoin(AreaChairRow, AreaChairRow.id == LinkRow.area_chair)
    .outerjoin(BallotRow, BallotRow.id == LinkRow.ballot)
    .where(
        SessionRow.secret == bindparam("cookie"),
        SessionRow.expires > bindparam("moment", type_=Utc()),
        *_valid(bindparam("moment", type_=Utc())),
    )
)
