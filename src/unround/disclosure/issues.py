"""The issues of a run, in the words that a viewer may read.

A chair gets every sentence as it was recorded. An area chair gets only what is about their papers
alone, in a sentence made anew: recorded ones name reviewers and count papers outside the scope.

Whether an order has room depends on the scores of every paper in a chain, not only of the two that
its issue names. So these issues are found again from what is in scope, and what the run did about
them, which may depend on other papers, is not said.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from unround.disclosure.model import IssueView
from unround.disclosure.snapshot import Snapshot, solved_input
from unround.issues import Kind
from unround.preparation import ABOUT_ROOM
from unround.problem.build import build_problem
from unround.runs.record import issue_record
from unround.wording import PAGE, advice, written_for

# What area chairs may read of what was done; any other words may tell more than is theirs.
ACTIONS = (
    "comparisons inside the cycle set aside",
    "comparison set aside",
    "statement set aside",
    "bound set aside",
    "cells opened",
    "epsilon reduced",
)


@written_for(PAGE)
def all_issues(records: Iterable[Mapping[str, Any]]) -> list[IssueView]:
    """Return every issue, as recorded, with the advice in the console's words."""
    return [
        {
            "kind": record["kind"],
            "message": record["message"],
            "where": list(record["where"]),
            "advice": advice(record["kind"]),
            "action": record["action"],
            "count": record.get("count", 1),
        }
        for record in records
    ]


def issues_within(
    records: Iterable[Mapping[str, Any]], papers: frozenset[str], labels: Mapping[str, str]
) -> list[IssueView]:
    """Return the issues between papers of a scope whose reviewer has a label there."""
    return [
        {
            "kind": record["kind"],
            "message": _SENTENCES[record["kind"]](labels[str(record["reviewer"])], _named(record)),
            "where": [],
            "advice": "",
            "action": next((done for done in ACTIONS if record["action"].startswith(done)), ""),
            "count": 1,
        }
        for record in records
        if record["kind"] in _SENTENCES
        and record["papers"]
        and str(record["reviewer"]) in labels
        and papers.issuperset(map(str, record["papers"]))
    ]


def room_issues(inside: Snapshot) -> list[dict[str, Any]]:
    """Return the issues about room that follow from the reviews and statements of a scope alone."""
    if not inside.reviews.height:
        return []
    reviews, settings, _ = solved_input(inside)
    found = build_problem(reviews, settings)[1]
    return [issue_record(replace(issue, action="")) for issue in found if issue.kind in ABOUT_ROOM]


def _named(record: Mapping[str, Any]) -> list[str]:
    """The papers, each with the score that the reviewer gave it where there is one."""
    papers, scores = record["papers"], record["scores"]
    if len(scores) != len(papers):
        return [str(paper) for paper in papers]
    return [f"{paper} (score {score})" for paper, score in zip(papers, scores, strict=True)]


def _contradiction(who: str, papers: Sequence[str]) -> str:
    return f"{who} ranks {' above '.join(papers)}, against their own scores"


def _cycle(who: str, papers: Sequence[str]) -> str:
    return f"{who} states a cycle among papers {', '.join(papers)}"


def _no_room(who: str, papers: Sequence[str]) -> str:
    return f"{who} ranks {' above '.join(papers)}: epsilon does not fit between their scores"


def _too_far_apart(who: str, papers: Sequence[str]) -> str:
    return (
        f"{who} calls {' and '.join(papers)} about the same, but their statements keep them apart"
    )


def _unreviewed(who: str, papers: Sequence[str]) -> str:
    return f"{who} ranks {', '.join(papers)} without a review of it"


def _self_comparison(who: str, papers: Sequence[str]) -> str:
    return f"{who} says that {', '.join(papers)} is better than itself"


_SENTENCES: dict[str, Callable[[str, Sequence[str]], str]] = {
    Kind.CONTRADICTION: _contradiction,
    Kind.CYCLE: _cycle,
    Kind.NO_ROOM: _no_room,
    Kind.TOO_FAR_APART: _too_far_apart,
    Kind.UNREVIEWED: _unreviewed,
    Kind.SELF: _self_comparison,
}
