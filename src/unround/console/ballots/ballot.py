"""A reviewer's ballot: its rows as the documents that people receive, and how it is opened and saved.

A save is confirmed when it is on the disk. It is refused when the reviewer's page does not show the newest
version, so that no tab overwrites another, and when the collection is closed.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from pydantic import TypeAdapter
from sqlalchemy import select
from sqlalchemy.orm import Session

from unround.ballots.content import (
    BallotPaper,
    BallotRefused,
    Content,
    Rules,
    checked,
    empty_content,
)
from unround.ballots.questions import KnownOrder, next_question
from unround.ballots.statements import BallotContradiction, find_contradictions, order_of
from unround.console.errors import Absent, Refusal
from unround.console.schemas.ballots import (
    Ballot,
    BallotCollection,
    BallotContent,
    BallotVersion,
    CollectionOptions,
    NextPair,
    SaveBallot,
    State,
)
from unround.console.storage.database import Database
from unround.console.storage.orm import BallotRow, BallotVersionRow, CollectionRow, now

CHECKSUM_LENGTH = 12
_CONTENT = TypeAdapter(Content)
CLOSED = "The chairs have closed this ballot. What was saved before counts; nothing else was saved."
PAST = "The deadline has passed. What was saved before counts; nothing else was saved."
CONFLICT = (
    "This ballot was saved in another window meanwhile. Look at what was saved there, and save again "
    "if yours should count instead."
)


def content_of(written: BallotContent | Mapping[str, Any]) -> Content:
    """Return what a request or a saved version says as a value of the rules."""
    values = written.model_dump() if isinstance(written, BallotContent) else written
    return _CONTENT.validate_python(values)


def sent_content(content: Content) -> BallotContent:
    """Return a value of the rules as requests and responses write it."""
    return BallotContent.model_validate(asdict(content))


def papers_of(ballot: BallotRow, *, with_scores: bool = True) -> list[BallotPaper]:
    """Return the papers on a ballot: by the reviewer's scores, or shuffled where these are not shown."""
    papers = [BallotPaper(**paper) for paper in ballot.papers]
    if with_scores:
        return papers
    return sorted(papers, key=lambda one: checksum(ballot.id, one.paper))


def rules_of(collection: CollectionRow) -> Rules:
    """Return what a collection allows."""
    return Rules(**collection.rules)


def options_of(collection: CollectionRow) -> CollectionOptions:
    """Return what a collection allows and shows."""
    return CollectionOptions(**collection.rules, show_scores=collection.show_scores)


def state_of(collection: CollectionRow) -> State:
    """Return whether ballots can be changed: neither closed nor past the deadline."""
    past = collection.deadline is not None and collection.deadline <= now()
    return "closed" if past or collection.state == "closed" else "open"


def contradictions_of(
    content: Content, papers: Sequence[BallotPaper], collection: CollectionRow, submitted: bool
) -> list[BallotContradiction]:
    """Return the contradictions of a ballot's content.

    Where only the best were asked for, reviewers are asked about the others once all places are taken.
    """
    rules = rules_of(collection)
    full = rules.top_k is not None and len(content.placed) >= rules.top_k
    order = order_of(content, rules, submitted=submitted or full)
    return find_contradictions(content, papers, order.above, collection.levels)


def tally(
    content: Content, papers: Sequence[BallotPaper], collection: CollectionRow, submitted: bool
) -> dict[str, int]:
    """Count what chairs see of a ballot in the list, so that nobody has to read them all for it."""
    found = contradictions_of(content, papers, collection, submitted)
    answers = Counter[str](one.answer or "unanswered" for one in found)
    named = {paper for pair in content.comparisons for paper in (pair.first, pair.second)}
    placed = named if rules_of(collection).mode == "pairs" else content.placed
    return {
        "placed": len(placed),
        "cannot_say": len(content.cannot_say),
        "contradictions": len(found),
        "changed_scores": len(content.scores),
        **answers,
    }


def checksum(*parts: object) -> str:
    """Return a short text that differs for other parts, such as two saved states of a ballot."""
    text = json.dumps(parts, sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()[:CHECKSUM_LENGTH]


def ballot_out(
    collection: CollectionRow, ballot: BallotRow, version: BallotVersionRow | None
) -> Ballot:
    """Return a reviewer's ballot at one version; None: before the first."""
    papers = papers_of(ballot, with_scores=collection.show_scores)
    content = empty_content(papers) if version is None else content_of(version.content)
    handed_in = ballot.submitted is not None
    found = (
        contradictions_of(content, papers, collection, handed_in) if collection.show_scores else []
    )
    return Ballot(
        id=ballot.id,
        collection=collection_of(collection),
        reviewer=ballot.name or ballot.reviewer,
        papers=papers if collection.show_scores else [one.without_score() for one in papers],
        version=0 if version is None else version.version,
        saved_at=None if version is None else version.saved,
        submitted_at=ballot.submitted,
        submitted_version=ballot.submitted_version,
        receipt=(
            None if version is None else checksum(ballot.id, version.version, version.content)
        ),
        content=sent_content(content),
        contradictions=found,
        next_pair=_next_pair(content, papers, collection),
        order=order_of(content, rules_of(collection)).groups,
    )


def version_out(row: BallotVersionRow) -> BallotVersion:
    """Return one line of the list of versions."""
    return BallotVersion(
        version=row.version,
        saved_at=row.saved,
        submitted=row.submitted,
        receipt=checksum(row.ballot, row.version, row.content),
    )


def collection_of(row: CollectionRow) -> BallotCollection:
    """Return a collection as a reviewer sees it."""
    return BallotCollection(
        title=row.title,
        instructions=row.instructions,
        options=options_of(row),
        deadline=row.deadline,
        state=state_of(row),
        levels=row.levels if row.show_scores else [],
    )


def _next_pair(
    content: Content, papers: Sequence[BallotPaper], collection: CollectionRow
) -> NextPair | None:
    if rules_of(collection).mode != "pairs":
        return None
    left_out = set(content.cannot_say)
    asked = [paper.paper for paper in papers if paper.paper not in left_out]
    about = [
        one
        for one in content.comparisons
        if one.first not in left_out and one.second not in left_out
    ]
    question = next_question(asked, about)
    if question is None:
        return None
    return NextPair(
        first=question.first,
        second=question.second,
        done=len(content.comparisons),
        left=question.left,
    )


class VersionConflict(Exception):
    """A save on top of a version that is not the newest."""

    def __init__(self, current: Ballot) -> None:
        super().__init__(CONFLICT)
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


def save_version(database: Database, id: str, request: SaveBallot) -> Ballot:
    """Save a ballot as its next version and return it. Raises VersionConflict when a newer one is there."""
    with database.writing(durable=True) as session:
        ballot, collection = _rows(session, id, lock=True)
        same = _saved_before(session, ballot, request.save_id)
        if same is not None:
            return ballot_out(collection, ballot, same)
        if state_of(collection) == "closed":
            raise Refusal(423, CLOSED if collection.state == "closed" else PAST)
        newest = _version(session, ballot)
        if request.base_version != ballot.version:
            raise VersionConflict(ballot_out(collection, ballot, newest))
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
    papers = papers_of(ballot, with_scores=collection.show_scores)
    if request.content.scores and not collection.show_scores:
        raise BallotRefused("this ballot shows no scores, so that none can be changed")
    content = checked(
        content_of(request.content),
        papers,
        rules_of(collection),
        collection.levels,
        submitted=request.submit,
    )
    KnownOrder.of([paper.paper for paper in papers], content.comparisons)  # refuses a cycle
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
    ballot.tally = tally(content, papers, collection, handed_in)
    session.add(row)
    ballot.version, ballot.saved, ballot.opened = row.version, moment, ballot.opened or moment
    if request.submit:
        ballot.submitted, ballot.submitted_version = moment, row.version
    session.flush()
    return row
