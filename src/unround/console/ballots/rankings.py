"""Saved ballots -> the rankings of a run: an export, or files of the conference."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import polars as pl
from sqlalchemy import and_, select
from sqlalchemy.orm import Session

from unround.ballots.content import BallotRefused, level_of
from unround.ballots.exports import (
    CHANGED,
    FORMATS,
    ExportTarget,
    ReviewerBallot,
    csv_bytes,
    encode_ballots,
    pair_table,
    partial_ballots,
    rank_table,
    same_table,
)
from unround.ballots.statements import Unanswered, statements_of
from unround.console.ballots.ballot import FilledBallot
from unround.console.schemas.ballots import Which
from unround.console.storage.orm import BallotRow, BallotVersionRow, CollectionRow
from unround.formats.cells import counted
from unround.settings import PolicyName
from unround.wording import POLICIES

KINDS = ("rankings", "comparisons", "about the same")  # of files of a run
NOBODY = {
    "saved": "no ballot that was saved orders any papers yet: there is nothing to export",
    "submitted": "no ballot that was handed in orders any papers yet: there is nothing to export",
}


@dataclass(frozen=True)
class MadeFile:
    """A file of rankings: how many ballots or changed scores it holds, and how many are left out."""

    name: str
    content: bytes
    count: int = 0
    left_out: int = 0


def stated_ballots(
    session: Session, collection: CollectionRow, which: Which, unanswered: Unanswered
) -> list[ReviewerBallot]:
    """Return what the ballots say: of each the version saved last, or the one submitted last."""
    stated = []
    for filled in _counted_ballots(session, collection, which):
        ballot = filled.ballot
        said = statements_of(
            filled.content,
            filled.papers,
            filled.rules,
            collection.levels,
            submitted=filled.is_submitted,
            unanswered=unanswered,
        )
        if said.ranks or said.pairs or said.same:
            stated.append(ReviewerBallot(ballot.reviewer, ballot.email, said, ballot.name))
    if not stated:
        raise BallotRefused(NOBODY[which])
    return stated


def _counted_ballots(
    session: Session, collection: CollectionRow, which: Which
) -> Iterator[FilledBallot]:
    """Yield the ballots that count, by reviewer, each with the version that counts."""
    number = BallotRow.version if which == "saved" else BallotRow.submitted_version
    version = and_(BallotVersionRow.ballot == BallotRow.id, BallotVersionRow.version == number)
    query = (
        select(BallotRow, BallotVersionRow)
        .join(BallotVersionRow, version)
        .where(BallotRow.collection == collection.id)
        .order_by(BallotRow.reviewer, BallotRow.id)
    )
    for ballot, saved in session.execute(query):
        yield FilledBallot.of(collection, ballot, saved)


def export_ballots(
    session: Session,
    collection: CollectionRow,
    to: ExportTarget,
    *,
    which: Which,
    unanswered: Unanswered,
    omit_partial: bool,
) -> MadeFile:
    """Return ballots in one format, or the changed scores; ballots that it cannot hold are refused."""
    if to == CHANGED:
        return _changed_scores(session, collection, which)
    stated = stated_ballots(session, collection, which, unanswered)
    partial = partial_ballots(stated) if omit_partial else []
    kept = [one for one in stated if one not in partial]
    return MadeFile(FORMATS[to].name, encode_ballots(kept, to), len(kept), len(partial))


def _changed_scores(session: Session, collection: CollectionRow, which: Which) -> MadeFile:
    """Return the scores that reviewers would change, for the chairs: a run never reads them."""
    rows = [
        (of.reviewer, of.email, one.paper, one.title, str(one.score), str(new))
        for filled in _counted_ballots(session, collection, which)
        for of in (filled.ballot,)
        for one in filled.papers
        if (new := filled.content.scores.get(one.paper)) is not None
        and level_of(new, collection.levels) != one.level
    ]
    columns = ("reviewer", "email", "paper", "title", "given", "would_give")
    table = pl.DataFrame(rows, schema=dict.fromkeys(columns, pl.String), orient="row")
    return MadeFile("changed-scores.csv", csv_bytes(table), table.height)


def made_names(title: str) -> list[str]:
    """Return the names of all files of a run that a collection of this title can become."""
    return [f"{kind}, {title}.csv" for kind in KINDS]


def ranking_files(stated: Sequence[ReviewerBallot], title: str) -> list[MadeFile]:
    """Return the ballots as files of a run, each reviewer in one: ranks, comparisons; and ties."""
    tables = (rank_table(stated), pair_table(stated, of_ranks=False), same_table(stated))
    return [
        MadeFile(name, csv_bytes(table))
        for name, table in zip(made_names(title), tables, strict=True)
        if table.height
    ]


@dataclass(frozen=True)
class RemainingContradictions:
    """Contradictions left in the rankings: the reviewer confirmed the order, or gave no answer."""

    confirmed: int
    unanswered: int

    @property
    def policy(self) -> PolicyName:
        """The policy of a run that does what reviewers answered.

        "rankings" where any reviewer confirmed their order; where nobody answered, the usual "scores",
        which sets comparisons aside; "refuse" where nothing contradicts.
        """
        if self.confirmed:
            return "rankings"
        return "scores" if self.unanswered else "refuse"


def remaining_contradictions(
    session: Session, collection: CollectionRow, which: Which, unanswered: Unanswered
) -> RemainingContradictions:
    """Count the contradictions that the policy of a run has to settle."""
    counts = Counter[str]()
    for filled in _counted_ballots(session, collection, which):
        counts.update(filled.tally)
    confirmed = counts["order"] + counts["both"] + counts["changed_scores"]
    return RemainingContradictions(confirmed, counts["unanswered"] if unanswered == "keep" else 0)


def advice_on(left: RemainingContradictions, stated: Sequence[ReviewerBallot]) -> str:
    """Return how to run on the files, in sentences."""
    partly = len(partial_ballots(stated))
    sentences = [_ADVICE[left.policy]]
    if left.confirmed and left.unanswered:
        sentences.append(
            f"{counted(left.unanswered, 'contradiction')} without an answer would count in the same way: "
            "leave them out, or ask again first."
        )
    if partly:
        sentences.append(f"{counted(partly, 'ballot')} went into the file of comparisons.")
    return " ".join(sentences)


_ADVICE: dict[PolicyName, str] = {
    "refuse": "Nothing contradicts the scores any more: any policy gives the same run.",
    "scores": (
        f"Some contradictions have no answer. Choose {POLICIES['scores'].title} to set these "
        "comparisons aside, or ask the reviewers first."
    ),
    "rankings": (
        f"Choose {POLICIES['rankings'].title}: where reviewers said that their order stands, or would "
        "change a score, the score gives way. Comparisons that they took back are not in the files."
    ),
}
