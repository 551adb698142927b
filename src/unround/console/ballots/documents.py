"""Rows of ballots as the documents that reviewers and chairs receive."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from unround.ballots.content import (
    Answered,
    Comparison,
    Content,
    Paper,
    Rules,
    empty_content,
)
from unround.ballots.questions import next_question
from unround.ballots.statements import Contradiction, find_contradictions, order_of
from unround.console.schemas.ballots import (
    Ballot,
    BallotCollection,
    BallotContent,
    BallotContradiction,
    BallotPaper,
    BallotVersion,
    CollectionOptions,
    NextPair,
    State,
)
from unround.console.storage.orm import BallotRow, BallotVersionRow, CollectionRow, now

RECEIPT_LENGTH = 12


def content_of(sent: BallotContent) -> Content:
    """Return what a request says as a value of the rules."""
    return Content(
        groups=tuple(map(tuple, sent.groups)),
        cannot_say=tuple(sent.cannot_say),
        unplaced=tuple(sent.unplaced),
        answers=tuple(Answered(one.above, one.below, one.answer) for one in sent.answers),
        scores=dict(sent.scores),
        comparisons=tuple(
            Comparison(one.first, one.second, one.outcome) for one in sent.comparisons
        ),
    )


def sent_content(content: Content) -> BallotContent:
    """Return a value of the rules as requests and responses write it."""
    return BallotContent.model_validate(json.loads(json.dumps(asdict(content))))


def papers_of(ballot: BallotRow) -> list[Paper]:
    """Return the papers on a ballot."""
    return [Paper(**paper) for paper in ballot.papers]


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
    content: Content, papers: Sequence[Paper], collection: CollectionRow, submitted: bool
) -> list[Contradiction]:
    """Return the contradictions of a ballot's content.

    Where only the best were asked for, reviewers are asked about the others once all places are taken.
    """
    rules = rules_of(collection)
    full = rules.top_k is not None and len(content.placed) >= rules.top_k
    order = order_of(content, rules, submitted=submitted or full)
    return find_contradictions(content, papers, order.above, collection.levels)


def tally(
    content: Content, papers: Sequence[Paper], collection: CollectionRow, submitted: bool
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


def receipt_of(ballot: str, version: int, content: dict[str, Any]) -> str:
    """Return a short text that differs between any two saved states."""
    text = json.dumps([ballot, version, content], sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()[:RECEIPT_LENGTH]


def ballot_out(
    collection: CollectionRow, ballot: BallotRow, version: BallotVersionRow | None
) -> Ballot:
    """Return a reviewer's ballot at one version; None: before the first."""
    papers = papers_of(ballot)
    content = (
        empty_content(papers)
        if version is None
        else content_of(BallotContent.model_validate(version.content))
    )
    handed_in = ballot.submitted is not None
    found = (
        contradictions_of(content, papers, collection, handed_in) if collection.show_scores else []
    )
    return Ballot(
        id=ballot.id,
        collection=_collection(collection),
        reviewer=ballot.name or ballot.reviewer,
        papers=papers_out(papers, with_scores=collection.show_scores),
        version=0 if version is None else version.version,
        saved_at=None if version is None else version.saved,
        submitted_at=ballot.submitted,
        submitted_version=ballot.submitted_version,
        receipt=(
            None if version is None else receipt_of(ballot.id, version.version, version.content)
        ),
        content=sent_content(content),
        contradictions=contradictions_out(found),
        next_pair=_next_pair(content, papers, collection),
        order=order_of(content, rules_of(collection)).groups,
    )


def papers_out(papers: Sequence[Paper], *, with_scores: bool) -> list[BallotPaper]:
    """Return the papers, with the reviewer's own scores where these are shown."""
    return [
        BallotPaper(
            paper=one.paper,
            title=one.title,
            score=one.score if with_scores else None,
            level=one.level if with_scores else None,
        )
        for one in papers
    ]


def contradictions_out(found: Sequence[Contradiction]) -> list[BallotContradiction]:
    """Return contradictions as responses write them."""
    return [BallotContradiction(**asdict(one)) for one in found]


def version_out(row: BallotVersionRow) -> BallotVersion:
    """Return one line of the list of versions."""
    return BallotVersion(
        version=row.version,
        saved_at=row.saved,
        submitted=row.submitted,
        receipt=receipt_of(row.ballot, row.version, row.content),
    )


def _collection(row: CollectionRow) -> BallotCollection:
    return BallotCollection(
        title=row.title,
        instructions=row.instructions,
        options=options_of(row),
        deadline=row.deadline,
        state=state_of(row),
        levels=row.levels if row.show_scores else [],
    )


def _next_pair(
    content: Content, papers: Sequence[Paper], collection: CollectionRow
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
