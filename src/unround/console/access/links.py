"""Links, and the sessions that people open with them. Their secrets are stored only as hashes."""

from __future__ import annotations

import hashlib
import secrets
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import cast

from sqlalchemy import bindparam, delete, or_, select, update
from sqlalchemy.orm import Session

from unround.console.access.log import RecentOpenings, note
from unround.console.access.permissions import Viewer
from unround.console.errors import Refusal
from unround.console.schemas.base import Role
from unround.console.storage.database import Database
from unround.console.storage.orm import (
    AreaChairRow,
    BallotRow,
    ConferenceRow,
    LinkRow,
    SessionRow,
    new_id,
    now,
)

SESSION_DAYS = 30
REVIEWER = "a reviewer"
OWNER, PRINTED = "owner", "printed at the start of {:%Y-%m-%d %H:%M} UTC"


# A link with what it depends on. The queries are built once, since every request needs one.
_LINKS = (
    select(LinkRow, AreaChairRow, BallotRow.name, BallotRow.reviewer, ConferenceRow.deleted)
    .outerjoin(AreaChairRow, AreaChairRow.id == LinkRow.area_chair)
    .outerjoin(BallotRow, BallotRow.id == LinkRow.ballot)
    .outerjoin(ConferenceRow, ConferenceRow.id == LinkRow.conference)
)
_BY_SECRET = _LINKS.where(LinkRow.secret == bindparam("secret"))
_BY_COOKIE = _LINKS.join(SessionRow, SessionRow.link == LinkRow.id).where(
    SessionRow.secret == bindparam("secret"), SessionRow.expires > bindparam("moment")
)


@dataclass(frozen=True)
class _OwnedLink:
    """A link, whose it is, and whether its conference was deleted."""

    link: LinkRow
    area_chair: AreaChairRow | None
    name: str | None  # of a reviewer
    reviewer: str | None
    deleted: datetime | None

    @property
    def ending(self) -> tuple[str, str] | None:
        """Why the link opens nothing, for the log and for whoever has it; None while it opens something."""
        link = self.link
        if link.revoked:
            return "revoked", f"This link was revoked on {link.revoked:%Y-%m-%d}."
        if link.expires is not None and link.expires <= now():
            return "expired", f"This link expired on {link.expires:%Y-%m-%d}."
        if self.area_chair is not None and self.area_chair.removed:
            return "of a removed area chair", "You are no longer listed as an area chair."
        if self.deleted:
            return "of a deleted conference", "The conference of this link was deleted."
        return None

    @property
    def viewer(self) -> Viewer:
        """Whoever enters by the link."""
        link, who = self.link, owner_of(self.link, self.area_chair)
        names = {"reviewer": self.name or self.reviewer, "area_chair": who}
        return Viewer(
            role=cast(Role, link.role),
            link=link.id,
            label=who,
            expires=link.expires,
            conference=None if link.ballot else link.conference,
            area_chair=link.area_chair,
            name=names.get(link.role, None if link.printed else link.label) or None,
            ballot=link.ballot,
        )


def find_viewer(session: Session, cookie: str) -> Viewer | None:
    """Return the viewer behind a session cookie."""
    row = session.execute(_BY_COOKIE, {"secret": hashed(cookie), "moment": now()}).one_or_none()
    found = None if row is None else _OwnedLink(*row)
    return None if found is None or found.ending else found.viewer


def enter(database: Database, secret: str, recent: RecentOpenings) -> str:
    """Open a session for a link's secret, and return its cookie.

    Raises 401 for a link that is unknown or opens nothing any more. The attempt is logged, with the
    conference of the link or with the server: each once in ten minutes, so that guessing fills no database.
    """
    with database.reading() as session:  # a wrong secret must not wait for a turn to write
        row = session.execute(_BY_SECRET, {"secret": hashed(secret)}).one_or_none()
    found = None if row is None else _OwnedLink(*row)
    if found is None or found.ending:
        raise _refusal(database, found, recent)
    viewer, cookie, moment = found.viewer, new_secret(), now()
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


def _refusal(database: Database, found: _OwnedLink | None, recent: RecentOpenings) -> Refusal:
    """Log an attempt to enter, and return why it failed."""
    id, conference, who, ending = None, None, "nobody", "an unknown link"
    reason = "This link is mistyped or incomplete."
    if found is not None and found.ending:
        id, conference, who = found.link.id, found.link.conference, found.viewer.label
        ending, reason = f"a link: {found.ending[0]}", found.ending[1]
    if recent.is_new((id, ending)):
        with database.writing() as session:
            note(session, conference, who, "failed to enter", f"with {ending}")
    return Refusal(401, f"{reason} Ask the chairs for a new one.")


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
    in_time = or_(LinkRow.expires.is_(None), LinkRow.expires > now())
    query = select(LinkRow).where(
        LinkRow.conference == conference, LinkRow.revoked.is_(None), in_time
    )
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
