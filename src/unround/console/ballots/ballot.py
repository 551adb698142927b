"""A reviewer's ballot: its rows as the documents that people receive, and how it is opened and saved.

A save is confirmed when it is on the disk. It is refused when the reviewer's page does not show the newest
version, so that no tab overwrites another, and when the collection is closed.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from dataclasses import dataclass
from functools import cached_property

from pydantic import TypeAdapter
from sqlalchemy import select
from sqlalchemy.orm import Session

from unround.ballots.content import (
    BallotContent,
    BallotPaper,
    BallotRefused,
    Rules,
    checked,
    empty_content,
)
from unround.ballots.questions import KnownOrder, next_question
from unround.ballots.statements import BallotContradiction, find_contradictions, order_of
from unround.console.errors import Refusal
from unround.console.schemas.ballots import (
    Ballot,
    BallotCollection,
    BallotVersion,
    CollectionOptions,
    NextPair,
    SaveBallot,
    State,
)
from unround.console.storage.orm import BallotRow, BallotVersionRow, CollectionRow, now

CHECKSUM_LENGTH = 12
CONTENT = TypeAdapter(BallotContent)  # of requests, and of the column of versions
CLOSED = "The chairs have closed this ballot. What was saved before counts; nothing else was saved."
PAST = "The deadline has passed. What was saved before counts; nothing else was saved."
CONFLICT = (
    "This ballot was saved in another window meanwhile. Look at what was saved there, and save again "
    "if yours should count instead."
)


def state_of(collection: CollectionRow) -> State:
    """Return whether ballots can be changed: neither closed nor past the deadline."""
    past = collection.deadline is not None and collection.deadline <= now()
    return "closed" if past or collection.state == "closed" else "open"


@dataclass(frozen=True)
class FilledBallot:
    """A ballot with what its reviewer says on it."""

    collection: CollectionRow
    ballot: BallotRow
    content: BallotContent

    @classmethod
    def of(
        cls, collection: CollectionRow, ballot: BallotRow, version: BallotVersionRow | None
    ) -> FilledBallot:
        """Read a version of a ballot; None: before the first."""
        if version is not None:
            return cls(collection, ballot, CONTENT.validate_python(version.content))
        return cls(collection, ballot, empty_content(papers_of(collection, ballot)))

    @cached_property
    def papers(self) -> list[BallotPaper]:
        """The papers in the order in which the reviewer sees them."""
        return papers_of(self.collection, self.ballot)

    @cached_property
    def rules(self) -> Rules:
        """What the collection allows."""
        return Rules(**self.collection.rules)

    @property
    def is_submitted(self) -> bool:
        """Whether the ballot was ever handed in."""
        return self.ballot.submitted is not None

    @cached_property
    def contradictions(self) -> list[BallotContradiction]:
        """The contradictions of the order with the reviewer's scores.

        Where only the best were asked for, reviewers are asked about the others once all places are taken.
        """
        content, top = self.content, self.rules.top_k
        full = top is not None and len(content.placed) >= top
        order = order_of(content, self.rules, submitted=self.is_submitted or full)
        return find_contradictions(content, self.papers, order.above, self.collection.levels)

    @property
    def tally(self) -> dict[str, int]:
        """What chairs see of a ballot in the list, so that nobody has to read them all for it."""
        content = self.content
        answers = Counter[str](one.answer or "unanswered" for one in self.contradictions)
        named = {paper for pair in content.comparisons for paper in (pair.first, pair.second)}
        return {
            "placed": len(named if self.rules.mode == "pairs" else content.placed),
            "cannot_say": len(content.cannot_say),
            "contradictions": len(self.contradictions),
            "changed_scores": len(content.scores),
            **answers,
        }

    @property
    def next_pair(self) -> NextPair | None:
        """The pair to ask about next, in the mode "pairs"."""
        if self.rules.mode != "pairs":
            return None
        left_out, comparisons = set(self.content.cannot_say), self.content.comparisons
        asked = [paper.paper for paper in self.papers if paper.paper not in left_out]
        about = [one for one in comparisons if not left_out & {one.first, one.second}]
        question = next_question(asked, about)
        if question is None:
            return None
        return NextPair(
            first=question.first,
            second=question.second,
            done=len(comparisons),
            left=question.left,
        )


def papers_of(collection: CollectionRow, ballot: BallotRow) -> list[BallotPaper]:
    """Return the papers on a ballot: by the reviewer's scores, or shuffled where these are not shown."""
    papers = [BallotPaper(**paper) for paper in ballot.papers]
    if collection.show_scores:
        return papers
    return sorted(papers, key=lambda one: checksum(ballot.id, one.paper))


def checksum(*parts: object) -> str:
    """Return a short text that differs for other parts, such as two saved states of a ballot."""
    text = json.dumps(parts, sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()[:CHECKSUM_LENGTH]


def ballot_out(
    collection: CollectionRow, ballot: BallotRow, version: BallotVersionRow | None
) -> Ballot:
    """Return a reviewer's ballot at one version; None: before the first."""
    filled, shows_scores = FilledBallot.of(collection, ballot, version), collection.show_scores
    papers = filled.papers
    return Ballot(
        id=ballot.id,
        collection=collection_of(collection),
        reviewer=ballot.name or ballot.reviewer,
        papers=papers if shows_scores else [one.without_score() for one in papers],
        version=0 if version is None else version.version,
        saved_at=None if version is None else version.saved,
        submitted_at=ballot.submitted,
        submitted_version=ballot.submitted_version,
        receipt=None if version is None else receipt_of(version),
        content=filled.content,
        contradictions=filled.contradictions if shows_scores else [],
        next_pair=filled.next_pair,
        order=order_of(filled.content, filled.rules).groups,
    )


def receipt_of(version: BallotVersionRow) -> str:
    """Return the checksum of a saved state, which reviewers and chairs see alike."""
    return checksum(version.ballot, version.version, version.content)


def version_out(row: BallotVersionRow) -> BallotVersion:
    """Return one line of the list of versions."""
    return BallotVersion(
        version=row.version,
        saved_at=row.saved,
        submitted=row.submitted,
        receipt=receipt_of(row),
    )


def collection_of(row: CollectionRow) -> BallotCollection:
    """Return a collection as a reviewer sees it."""
    return BallotCollection(
        title=row.title,
        instructions=row.instructions,
        options=CollectionOptions(**row.rules, show_scores=row.show_scores),
        deadline=row.deadline,
        state=state_of(row),
        levels=row.levels if row.show_scores else [],
    )


class VersionConflict(Exception):
    """A save on top of a version that is not the newest."""

    def __init__(self, current: Ballot) -> None:
        super().__init__(CONFLICT)
        self.current = current


def newest_ballot(session: Session, ballot: BallotRow) -> Ballot:
    """Return a ballot as it was saved last."""
    return ballot_out(_collection(session, ballot), ballot, _version(session, ballot))


def note_first_opening(session: Session, id: str) -> None:
    """Note when a ballot was opened first."""
    row = session.get(BallotRow, id)
    if row is not None:
        row.opened = row.opened or now()


def list_versions(session: Session, ballot: BallotRow) -> list[BallotVersion]:
    """Return every saved state of a ballot, newest first."""
    query = select(BallotVersionRow).where(BallotVersionRow.ballot == ballot.id)
    rows = session.scalars(query.order_by(BallotVersionRow.version.desc()))
    return [version_out(row) for row in rows]


def save_version(session: Session, ballot: BallotRow, request: SaveBallot) -> Ballot:
    """Save a locked ballot as its next version and return it.

    Raises VersionConflict when a newer one is there.
    """
    collection = _collection(session, ballot)
    same = _saved_before(session, ballot, request.save_id)
    if same is not None:
        return ballot_out(collection, ballot, same)
    if state_of(collection) == "closed":
        raise Refusal(423, CLOSED if collection.state == "closed" else PAST)
    if request.base_version != ballot.version:
        raise VersionConflict(ballot_out(collection, ballot, _version(session, ballot)))
    return ballot_out(collection, ballot, _add_version(session, ballot, collection, request))


def _collection(session: Session, ballot: BallotRow) -> CollectionRow:
    return session.get_one(CollectionRow, ballot.collection)


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
    if request.content.scores and not collection.show_scores:
        raise BallotRefused("this ballot shows no scores, so that none can be changed")
    papers, rules = papers_of(collection, ballot), Rules(**collection.rules)
    content = checked(request.content, papers, rules, collection.levels, submitted=request.submit)
    KnownOrder.of([paper.paper for paper in papers], content.comparisons)  # refuses a cycle
    moment = now()
    row = BallotVersionRow(
        ballot=ballot.id,
        version=ballot.version + 1,
        save_id=request.save_id,
        saved=moment,
        submitted=request.submit,
        content=CONTENT.dump_python(content, mode="json"),
    )
    session.add(row)
    ballot.version, ballot.saved, ballot.opened = row.version, moment, ballot.opened or moment
    if request.submit:
        ballot.submitted, ballot.submitted_version = moment, row.version
    ballot.tally = FilledBallot(collection, ballot, content).tally
    session.flush()
    return row
