"""Saved ballots -> the rankings of a run: an export, or files of the conference."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from sqlalchemy import and_, select
from sqlalchemy.orm import Session

from unround.ballots.content import BallotRefused
from unround.ballots.exports import (
    NAMES,
    Stated,
    Target,
    csv_bytes,
    exported,
    pair_table,
    partial,
    rank_table,
    same_table,
)
from unround.ballots.statements import Unanswered, statements_of
from unround.console.ballots.documents import content_of, papers_of, rules_of
from unround.console.ballots.schemas import BallotContent, Which
from unround.console.storage.ballot_rows import BallotRow, BallotVersionRow, CollectionRow

Policy = Literal["refuse", "scores", "rankings"]
NOBODY = "no ballot is saved yet: there is nothing to export"


@dataclass(frozen=True)
class MadeFile:
    """A file of rankings."""

    name: str
    content: bytes


def stated_ballots(
    session: Session, collection: CollectionRow, which: Which, unanswered: Unanswered
) -> list[Stated]:
    """Return what the ballots say: of each the version saved last, or the one submitted last."""
    number = BallotRow.version if which == "saved" else BallotRow.submitted_version
    version = and_(BallotVersionRow.ballot == BallotRow.id, BallotVersionRow.version == number)
    query = (
        select(BallotRow, BallotVersionRow)
        .join(BallotVersionRow, version)
        .where(BallotRow.collection == collection.id)
        .order_by(BallotRow.reviewer, BallotRow.id)
    )
    rules = rules_of(collection)
    stated = []
    for ballot, saved in session.execute(query):
        said = statements_of(
            content_of(BallotContent.model_validate(saved.content)),
            papers_of(ballot),
            rules,
            collection.levels,
            submitted=ballot.submitted is not None,
            unanswered=unanswered,
        )
        if said.ranks or said.pairs or said.same:
            stated.append(Stated(ballot.reviewer, ballot.email, said))
    if not stated:
        raise BallotRefused(NOBODY)
    return stated


def export_ballots(stated: Sequence[Stated], to: Target, *, omit_partial: bool) -> MadeFile:
    """Return ballots in one format; those that it cannot hold are refused or left out."""
    if omit_partial:
        stated = [one for one in stated if not one.said.is_partial]
    return MadeFile(NAMES[to], exported(stated, to))


def ranking_files(stated: Sequence[Stated], title: str) -> list[MadeFile]:
    """Return the ballots as files of a run, each reviewer in one: ranks, comparisons; and ties."""
    tables = {
        "rankings": rank_table(stated),
        "comparisons": pair_table(stated, of_ranks=False),
        "about the same": same_table(stated),
    }
    return [
        MadeFile(f"{name}, {title}.csv", csv_bytes(table))
        for name, table in tables.items()
        if table.height
    ]


def suited_policy(session: Session, collection: CollectionRow, unanswered: Unanswered) -> Policy:
    """Return the policy for contradictions that does what reviewers answered.

    Where all that is left was answered in favour of the order, "rankings"; where nobody answered, the
    usual "scores", which sets aside what contradicts; "refuse" where nothing contradicts.
    """
    query = select(BallotRow.tally).where(BallotRow.collection == collection.id)
    tallies = [counts for counts in session.scalars(query) if counts]
    kept = sum(
        counts.get("order", 0) + counts.get("both", 0) + counts.get("changed_scores", 0)
        for counts in tallies
    )
    waiting = sum(counts.get("unanswered", 0) for counts in tallies) if unanswered == "keep" else 0
    if kept:
        return "rankings"
    return "scores" if waiting else "refuse"


def advice_on(policy: Policy, stated: Sequence[Stated]) -> str:
    """Say in words how to run on the files."""
    partly = len(partial(stated))
    told = {
        "refuse": "Nothing contradicts the scores any more: any policy gives the same run.",
        "scores": (
            "Some contradictions have no answer. Choose Scores rule to set these comparisons aside, or "
            "ask the reviewers first."
        ),
        "rankings": (
            "Choose Rankings rule: where reviewers said that their order stands, the score gives way. "
            "Comparisons that they took back are not in the files."
        ),
    }[policy]
    return f"{told} {partly:,} ballots are in the file of comparisons." if partly else told
