"""A reviewer's side: open a ballot, save it, and see what was saved.

A save is confirmed when it is on the disk. It is refused when the reviewer's page does not show the
newest version, so that no tab overwrites another, and when the collection is closed.
"""

from __future__ import annotations

from sqlalchemy import select
from sqlalchemy.orm import Session

from unround.ballots.content import checked
from unround.console.ballots.documents import (
    ballot_out,
    content_of,
    papers_of,
    rules_of,
    sent_content,
    state_of,
    tally,
    version_out,
)
from unround.console.errors import Absent, Refusal
from unround.console.schemas.ballots import Ballot, BallotVersion, SaveBallot
from unround.console.storage.database import Database
from unround.console.storage.orm import BallotRow, BallotVersionRow, CollectionRow, now

CLOSED = "The chairs have closed this ballot. What was saved before counts; nothing else was saved."
PAST = "The deadline has passed. What was saved before counts; nothing else was saved."
OVERTAKEN = (
    "This ballot was saved in another window meanwhile. Look at what was saved there, and save again "
    "if yours should count instead."
)


class Overtaken(Exception):
    """A save on top of a version that is not the newest."""

    def __init__(self, current: Ballot) -> None:
        super().__init__(OVERTAKEN)
        self.current = current


def open_ballot(database: Database, id: str) -> Ballot:
    """Return the newest version of a ballot, and note when it was opened first."""
    with database.reading() as session:
        ballot, collection = _rows(session, id)
        document = ballot_out(collection, ballot, _version(session, ballot))
        seen_before = ballot.opened is not None
    if not seen_before:
        with database.writing() as session:
            row = session.get(BallotRow, id)
            if row is not None:
                row.opened = row.opened or now()
    return document


def list_versions(database: Database, id: str) -> list[BallotVersion]:
    """Return every saved state of a ballot, newest first."""
    with database.reading() as session:
        _rows(session, id)
        query = select(BallotVersionRow).where(BallotVersionRow.ballot == id)
        rows = session.scalars(query.order_by(BallotVersionRow.version.desc()))
        return [version_out(row) for row in rows]


def save_ballot(database: Database, id: str, request: SaveBallot) -> Ballot:
    """Save a ballot as its next version and return it. Raises Overtaken when a newer one is there."""
    with database.writing(durable=True) as session:
        ballot, collection = _rows(session, id, lock=True)
        same = _saved_before(session, ballot, request.save_id)
        if same is not None:
            return ballot_out(collection, ballot, same)
        if state_of(collection) == "closed":
            raise Refusal(423, CLOSED if collection.state == "closed" else PAST)
        newest = _version(session, ballot)
        if request.base_version != ballot.version:
            raise Overtaken(ballot_out(collection, ballot, newest))
        saved = _add_version(session, ballot, collection, request)
        return ballot_out(collection, ballot, saved)


def _rows(session: Session, id: str, *, lock: bool = False) -> tuple[BallotRow, CollectionRow]:
    ballot = session.get(BallotRow, id, with_for_update=lock or None)
    if ballot is None:
        raise Absent
    return ballot, session.get_one(CollectionRow, ballot.collection)


def _version(session: Session, ballot: BallotRow) -> BallotVersionRow | None:
    return session.get(BallotVersionRow, (ballot.id, ballot.version))


def _saved_before(session: Session, ballot: BallotRow, save_id: str) -> BallotVersionRow | None:
    return session.scalar(
        select(BallotVersionRow).where(
            BallotVersionRow.ballot == ballot.id, BallotVersionRow.save_id == save_id
        )
    )


def _add_version(
    session: Session, ballot: BallotRow, collection: CollectionRow, request: SaveBallot
) -> BallotVersionRow:
    papers = papers_of(ballot)
    content = checked(
        content_of(request.content),
        papers,
        rules_of(collection),
        collection.levels,
        submitted=request.submit,
    )
    moment = now()
    row = BallotVersionRow(
        ballot=ballot.id,
        version=ballot.version + 1,
        save_id=request.save_id,
        saved=moment,
        submitted=request.submit,
        content=sent_content(content).model_dump(mode="json"),
    )
    handed_in = request.submit or ballot.submitted is not None
    # This refuses answers that go round in a circle.
    ballot.tally = tally(content, papers, collection, handed_in)
    session.add(row)
    ballot.version, ballot.saved, ballot.opened = row.version, moment, ballot.opened or moment
    if request.submit:
        ballot.submitted, ballot.submitted_version = moment, row.version
    session.flush()
    return row
