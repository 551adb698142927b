"""Links, and the sessions that people open with them. Their secrets are stored only as hashes."""

from __future__ import annotations

import hashlib
import secrets
from datetime import datetime, timedelta
from typing import cast

from sqlalchemy import BindParameter, ColumnElement, bindparam, delete, or_, select, update
from sqlalchemy.orm import Session

from unround.console.access.log import RecentOpenings, note
from unround.console.access.permissions import IN_BIN, Viewer
from unround.console.schemas.base import Role
from unround.console.storage.database import Database
from unround.console.storage.orm import AreaChairRow, BallotRow, LinkRow, SessionRow, new_id, now

SESSION_DAYS = 30
REVIEWER = "a reviewer"
OWNER, PRINTED = "owner", "printed at the start of {:%Y-%m-%d %H:%M} UTC"


def _not_ended(moment: datetime | BindParameter[datetime]) -> tuple[ColumnElement[bool], ...]:
    """Conditions of a link that is neither revoked nor expired."""
    return LinkRow.revoked.is_(None), or_(LinkRow.expires.is_(None), LinkRow.expires > moment)


# Queries for `secret`, a hash, at a `moment`. They are built once, since every request needs one.
_MOMENT: BindParameter[datetime] = bindparam("moment")
_VALID = (
    *_not_ended(_MOMENT),
    AreaChairRow.removed.is_(None),
    or_(LinkRow.conference.is_(None), LinkRow.conference.not_in(IN_BIN)),
)
_LINKS_AND_PEOPLE = (
    select(LinkRow, AreaChairRow, BallotRow.name, BallotRow.reviewer)
    .outerjoin(AreaChairRow, AreaChairRow.id == LinkRow.area_chair)
    .outerjoin(BallotRow, BallotRow.id == LinkRow.ballot)
)
_BY_SECRET = _LINKS_AND_PEOPLE.where(LinkRow.secret == bindparam("secret"))
_TO_ENTER = _BY_SECRET.where(*_VALID)
_BY_COOKIE = (
    _LINKS_AND_PEOPLE.join(SessionRow, SessionRow.link == LinkRow.id)
    .where(SessionRow.secret == bindparam("secret"), SessionRow.expires > _MOMENT)
    .where(*_VALID)
)


def find_viewer(session: Session, cookie: str) -> Viewer | None:
    """Return the viewer behind a session cookie."""
    row = session.execute(_BY_COOKIE, {"secret": hashed(cookie), "moment": now()}).one_or_none()
    return None if row is None else _viewer(*row)


def _viewer(
    link: LinkRow, area_chair: AreaChairRow | None, name: str | None, reviewer: str | None
) -> Viewer:
    who, label = owner_of(link, area_chair), None if link.printed else link.label
    names = {"reviewer": name or reviewer, "area_chair": who}
    return Viewer(
        role=cast(Role, link.role),
        link=link.id,
        label=who,
        expires=link.expires,
        conference=None if link.ballot else link.conference,
        area_chair=link.area_chair,
        name=names.get(link.role, label) or None,
        ballot=link.ballot,
    )


def enter(database: Database, secret: str) -> str | None:
    """Open a session for a link's secret, and return its cookie.

    None for a link that is unknown, expired or revoked, or whose area chair or conference is gone.
    """
    moment = now()
    with database.reading() as session:  # a wrong secret must not wait for a turn to write
        row = session.execute(_TO_ENTER, {"secret": hashed(secret), "moment": moment}).one_or_none()
    if row is None:
        return None
    viewer, cookie = _viewer(*row), new_secret()
    # A link that is revoked in between opens nothing: every request looks at its session's link.
    with database.writing() as session:
        session.add(
            SessionRow(
                id=new_id(),
                link=viewer.link,
                secret=hashed(cookie),
                created=moment,
                expires=moment + timedelta(days=SESSION_DAYS),
            )
        )
        session.execute(update(LinkRow).where(LinkRow.id == viewer.link).values(opened=moment))
        if viewer.ballot is None:  # when reviewers came is kept with their ballots
            note(session, viewer.conference, viewer.label, "entered")
    return cookie


def note_failure(database: Database, secret: str, recent: RecentOpenings) -> str:
    """Return why a secret opens nothing, and log the attempt.

    A link that ended is logged with its conference, unknown links with the server: each once in ten
    minutes, so that guessing fills no database.
    """
    conference, who, ending = None, "nobody", "an unknown link"
    reason = "This link is mistyped or incomplete."
    with database.reading() as session:
        row = session.execute(_BY_SECRET, {"secret": hashed(secret)}).one_or_none()
    if row is not None:
        link, area_chair, *_ = row
        ending, reason = _end_of(link, area_chair)
        conference, who, ending = link.conference, owner_of(link, area_chair), f"a link: {ending}"
    if recent.is_new((None if row is None else link.id, ending)):
        with database.writing() as session:
            note(session, conference, who, "failed to enter", f"with {ending}")
    return reason


def _end_of(link: LinkRow, area_chair: AreaChairRow | None) -> tuple[str, str]:
    """Return why a link no longer opens anything: for the log, and for whoever has it."""
    if link.revoked:
        return "revoked", f"This link was revoked on {link.revoked:%Y-%m-%d}."
    if link.expires is not None and link.expires <= now():
        return "expired", f"This link expired on {link.expires:%Y-%m-%d}."
    if area_chair is not None and area_chair.removed:
        return "of a removed area chair", "You are no longer listed as an area chair."
    return "of a deleted conference", "The conference of this link was deleted."


def leave(session: Session, cookie: str) -> None:
    """End the session of a cookie."""
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


def open_links(session: Session, conference: str) -> dict[str, list[LinkRow]]:
    """Return the links that are neither revoked nor expired, by their area chair or ballot."""
    found: dict[str, list[LinkRow]] = {}
    query = select(LinkRow).where(LinkRow.conference == conference, *_not_ended(now()))
    for link in session.scalars(query):
        found.setdefault(link.area_chair or link.ballot or "", []).append(link)
    return found


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


def new_secret() -> str:
    """Return 256 random bits as text that is safe in a URL."""
    return secrets.token_urlsafe(32)


def hashed(secret: str) -> str:
    """Hash a secret. One round of SHA-256 suffices, because the secret is random."""
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()
