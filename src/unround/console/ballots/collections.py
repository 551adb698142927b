"""A chair's side: make a collection of ballots, change it, and see how far the reviewers have come.

On the command line, people name conferences and collections by what they call them, or by their ids.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, fields
from datetime import datetime
from secrets import token_hex
from statistics import median

from sqlalchemy import func, or_, select
from sqlalchemy.orm import Session, defer

from unround.ballots.content import BallotPaper, BallotRefused, Rules
from unround.ballots.drafts import Draft, Drafts
from unround.console.access.log import note
from unround.console.access.permissions import IN_BIN
from unround.console.ballots.ballot import (
    CONTENT,
    FilledBallot,
    collection_of,
    state_of,
    version_out,
)
from unround.console.schemas.ballots import (
    BallotDetail,
    BallotLine,
    BallotVersionDetail,
    Collection,
    CollectionChange,
    CollectionCounts,
    CollectionForm,
    CollectionPreview,
    CollectionSummary,
    ContradictionCounts,
)
from unround.console.storage.orm import (
    BallotRow,
    BallotVersionRow,
    CollectionRow,
    ConferenceRow,
    LinkRow,
    new_id,
    now,
)
from unround.errors import UsageError

EXAMPLES = 5
# Columns of a ballot that its line shows; in the tally are counts of its newest version.
LINE_COLUMNS = (
    "id",
    "reviewer",
    "name",
    "email",
    "opened",
    "saved",
    "submitted",
    "version",
    "tally",
)


def preview_of(drafts: Drafts) -> CollectionPreview:
    """Say what would be made."""
    sizes = [len(ballot.papers) for ballot in drafts.ballots]
    return CollectionPreview(
        ballots=len(drafts.ballots),
        reviewers=len(drafts.ballots) + len(drafts.too_short),
        papers=drafts.papers,
        too_short=len(drafts.too_short),
        too_short_examples=list(drafts.too_short[:EXAMPLES]),
        without_email=len(drafts.without_email),
        without_email_examples=list(drafts.without_email[:EXAMPLES]),
        with_scores=bool(drafts.levels),
        levels=list(drafts.levels),
        fewest_papers=min(sizes, default=0),
        most_papers=max(sizes, default=0),
        notes=list(drafts.notes),
    )


def make_collection(
    session: Session, conference: str, request: CollectionForm, drafts: Drafts, source: str
) -> CollectionRow:
    """Add a collection with one ballot per reviewer."""
    if not drafts.ballots:
        raise BallotRefused("no reviewer has two papers or more: there is nothing to rank")
    row = CollectionRow(
        id=new_id(),
        conference=conference,
        created=now(),
        title=request.title.strip(),
        instructions=request.instructions,
        rules={one.name: getattr(request.options, one.name) for one in fields(Rules)},
        show_scores=request.options.show_scores,
        levels=list(drafts.levels),
        source=source,
        state="open",
        deadline=request.deadline,
    )
    session.add(row)
    session.flush()
    session.add_all(_ballot(row.id, draft) for draft in drafts.ballots)
    session.flush()
    return row


def change_collection(row: CollectionRow, change: CollectionChange) -> str:
    """Change a collection as a chair asked, and return what was changed, for the log."""
    named = change.model_fields_set
    changes = []
    for name in ("title", "instructions", "show_scores", "state"):
        value = getattr(change, name)
        if value is not None and value != getattr(row, name):
            setattr(row, name, value.strip() if name == "title" else value)
            changes.append(name if name == "instructions" else f"{name}: {value}")
    if "deadline" in named and change.deadline != row.deadline:
        row.deadline = change.deadline
        changes.append(f"deadline: {_moment(row.deadline)}")
    return ", ".join(changes)


def collection_summaries(session: Session, conference: str) -> list[CollectionSummary]:
    """List the collections of a conference, newest first."""
    counting = (
        select(
            BallotRow.collection,
            func.count(),
            func.count(BallotRow.saved),
            func.count(BallotRow.submitted),
        )
        .join(CollectionRow, CollectionRow.id == BallotRow.collection)
        .where(CollectionRow.conference == conference)
        .group_by(BallotRow.collection)
    )
    counts = {row[0]: row[1:] for row in session.execute(counting)}
    query = select(CollectionRow).where(CollectionRow.conference == conference)
    return [
        CollectionSummary(
            id=row.id,
            title=row.title,
            created=row.created,
            state=state_of(row),
            deadline=row.deadline,
            ballots=counts.get(row.id, (0, 0, 0))[0],
            saved=counts.get(row.id, (0, 0, 0))[1],
            submitted=counts.get(row.id, (0, 0, 0))[2],
        )
        for row in session.scalars(query.order_by(CollectionRow.created.desc(), CollectionRow.id))
    ]


def collection_out(
    session: Session, row: CollectionRow, warnings: Sequence[str] = ()
) -> Collection:
    """Return a collection with its ballots and what became of them."""
    lines = ballot_lines(session, row.id)
    opened = [one for one in lines if one.opened]
    return Collection(
        **dict(collection_of(row)) | {"levels": row.levels},
        id=row.id,
        conference=row.conference,
        closed_by_chairs=row.state == "closed",
        created=row.created,
        source=row.source,
        counts=CollectionCounts(
            ballots=len(lines),
            invited=sum(one.invited is not None for one in lines),
            opened=len(opened),
            saved=sum(one.version > 0 for one in lines),
            submitted=sum(one.submitted is not None for one in lines),
        ),
        opened_not_saved=sum(one.version == 0 for one in opened),
        saved_not_submitted=sum(one.version > 0 and one.submitted is None for one in lines),
        median_minutes=_median_minutes(lines),
        contradictions=_contradictions(session, row.id),
        warnings=list(warnings),
        ballots=lines,
    )


def ballots_of(session: Session, collection: str) -> list[BallotRow]:
    """Return the ballots of a collection by reviewer, their papers unread until they are asked for."""
    query = select(BallotRow).where(BallotRow.collection == collection)
    ordered = query.order_by(BallotRow.reviewer, BallotRow.id)
    return list(session.scalars(ordered.options(defer(BallotRow.papers))))


def ballot_lines(session: Session, collection: str, ballot: str | None = None) -> list[BallotLine]:
    """Return a line for each ballot of a collection by reviewer, or for one. The database counts."""
    links = select(func.min(LinkRow.created)).where(LinkRow.ballot == BallotRow.id)
    invited = links.scalar_subquery().label("invited")
    papers = func.json_array_length(BallotRow.papers).label("papers")
    columns = [getattr(BallotRow, name) for name in LINE_COLUMNS]
    query = select(*columns, papers, invited).where(BallotRow.collection == collection)
    if ballot is not None:
        query = query.where(BallotRow.id == ballot)
    rows = session.execute(query.order_by(BallotRow.reviewer, BallotRow.id)).mappings()
    return [BallotLine.model_validate({**(row["tally"] or {}), **row}) for row in rows]


def ballot_detail(session: Session, collection: CollectionRow, ballot: BallotRow) -> BallotDetail:
    """Return one ballot with every version, oldest first."""
    query = select(BallotVersionRow).where(BallotVersionRow.ballot == ballot.id)
    saved = session.scalars(query.order_by(BallotVersionRow.version)).all()
    newest = FilledBallot.of(collection, ballot, saved[-1]) if saved else None
    return BallotDetail(
        line=ballot_lines(session, collection.id, ballot.id)[0],
        papers=[BallotPaper(**paper) for paper in ballot.papers],
        contradictions=newest.contradictions if newest else [],
        versions=[
            BallotVersionDetail(
                **dict(version_out(one)), content=CONTENT.validate_python(one.content)
            )
            for one in saved
        ],
    )


def _ballot(collection: str, draft: Draft) -> BallotRow:
    return BallotRow(
        id=new_id(),
        collection=collection,
        reviewer=draft.reviewer,
        name=draft.name,
        email=draft.email,
        papers=[asdict(paper) for paper in draft.papers],
        version=0,
    )


def _contradictions(session: Session, collection: str) -> ContradictionCounts:
    tallies = [
        tally or {}
        for tally in session.scalars(
            select(BallotRow.tally).where(BallotRow.collection == collection)
        )
    ]

    def total(name: str) -> int:
        return sum(counts.get(name, 0) for counts in tallies)

    answers = ("unanswered", "order", "score", "both", "unsure", "changed_scores")
    return ContradictionCounts(
        ballots=sum(bool(counts.get("contradictions")) for counts in tallies),
        asked=total("contradictions"),
        **{name: total(name) for name in answers},
    )


def _median_minutes(ballots: Iterable[BallotLine]) -> float | None:
    spans = [
        (one.submitted - one.opened).total_seconds() / 60.0
        for one in ballots
        if one.submitted is not None and one.opened is not None
    ]
    return round(median(spans), 1) if spans else None


def _moment(value: datetime | None) -> str:
    return "none" if value is None else value.isoformat(timespec="minutes")


def find_conference(session: Session, named: str, *, in_bin: bool = False) -> ConferenceRow | None:
    """Return the conference of this name or id, if there is one; refuse a name that several have.

    in_bin  whether conferences in the bin count, too
    """
    same = or_(ConferenceRow.id == named, ConferenceRow.name == named)
    query = select(ConferenceRow).where(same)
    rows = session.scalars(query if in_bin else query.where(ConferenceRow.id.not_in(IN_BIN))).all()
    if len(rows) > 1:
        ids = ", ".join(row.id for row in rows)
        raise UsageError(f"{len(rows)} conferences are named {named}: name one by its id, {ids}")
    return next(iter(rows), None)


def find_or_make_conference(session: Session, named: str) -> ConferenceRow:
    """Return the conference of this name or id; make it if there is none of that name."""
    row = find_conference(session, named)
    if row is not None:
        return row
    row = ConferenceRow(id=new_id(), name=named.strip(), created=now(), key=token_hex(32))
    session.add(row)
    session.flush()
    note(session, row.id, "owner", "made the conference", row.name)
    return row


def find_collection(session: Session, named: str) -> CollectionRow:
    """Return the collection of this title or id, of a conference that is not in the bin."""
    same = or_(CollectionRow.id == named, CollectionRow.title == named)
    there = CollectionRow.conference.not_in(IN_BIN)
    rows = session.scalars(select(CollectionRow).where(same, there)).all()
    if len(rows) != 1:
        ids = ", ".join(row.id for row in rows)
        raise UsageError(
            f"{len(rows)} collections are titled {named}: name one by its id, {ids}"
            if rows
            else f"there is no collection {named}; `unround ballots status` lists them"
        )
    return rows[0]
