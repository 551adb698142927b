"""Conferences and collections by what a person calls them on the command line."""

from __future__ import annotations

from secrets import token_hex

from sqlalchemy import or_, select
from sqlalchemy.orm import Session

from unround.console.access.audit import note
from unround.console.storage.orm import CollectionRow, ConferenceRow, new_id, now
from unround.errors import UsageError


def find_or_make_conference(session: Session, named: str) -> ConferenceRow:
    """Return the conference of this name or id; make it if there is none of that name."""
    same = or_(ConferenceRow.id == named, ConferenceRow.name == named)
    rows = session.scalars(select(ConferenceRow).where(same)).all()
    if len(rows) > 1:
        ids = ", ".join(row.id for row in rows)
        raise UsageError(f"{len(rows)} conferences are named {named}: name one by its id, {ids}")
    if rows:
        return rows[0]
    row = ConferenceRow(id=new_id(), name=named.strip(), created=now(), key=token_hex(32))
    session.add(row)
    session.flush()
    note(session, row.id, "owner", "made the conference", row.name)
    return row


def find_collection(session: Session, named: str) -> CollectionRow:
    """Return the collection of this title or id."""
    same = or_(CollectionRow.id == named, CollectionRow.title == named)
    rows = session.scalars(select(CollectionRow).where(same)).all()
    if len(rows) != 1:
        ids = ", ".join(row.id for row in rows)
        raise UsageError(
            f"{len(rows)} collections are titled {named}: name one by its id, {ids}"
            if rows
            else f"there is no collection {named}; `unround ballots status` lists them"
        )
    return rows[0]
