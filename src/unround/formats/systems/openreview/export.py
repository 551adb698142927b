"""Make OpenReview's edges (one per review) and notes (one per paper) from a finished run.

Edges show in the edge browser. Notes of a CustomStage show in the area chairs' console, which can
then sort by their fields. Chairs create the invitations for both; this module makes the content.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import polars as pl

from unround.errors import UnroundError, UsageError
from unround.formats.systems.openreview.api import asking, library

NOTE_FIELDS = {
    "dq_mean": "dequantized_mean",
    "dq_min": "dequantized_min",
    "dq_max": "dequantized_max",
    "dq_spread": "dequantized_spread",
}
NOTE_DECIMALS = 4
_COMMITTEES = ("Reviewers", "Area_Chairs", "Senior_Area_Chairs", "Program_Committee")


def edges(
    scores: pl.DataFrame, papers: pl.DataFrame, invitation: str, readers: Sequence[str] = ()
) -> list[dict[str, Any]]:
    """Return one edge per review, from submission to reviewer; its weight is the dequantized score.

    Bulk posting checks nothing against the invitation, so that each edge says who may read it:
    `readers`, and else the venue alone.
    """
    venue = _venue(invitation)
    forums = _forums(papers if "forum" in papers.columns else scores)
    allowed = {
        "readers": list(readers) or [venue],
        "writers": [venue],
        "signatures": [venue],
    }
    return [
        {
            "invitation": invitation,
            "head": _forum(forums, row["paper"]),
            "tail": str(row["reviewer"]),
            "weight": float(row["dequantized"]),
            "label": str(row["score"]),
            **allowed,
        }
        for row in scores.select("reviewer", "paper", "score", "dequantized").iter_rows(named=True)
        if row["dequantized"] is not None
    ]


def notes(
    papers: pl.DataFrame, invitation: str, signature: str | None = None
) -> list[dict[str, Any]]:
    """Return one note edit per paper with mean, minimum, maximum and spread of its dequantized scores.

    `invitation` is that of a CustomStage, such as VENUE/Submission{number}/-/Dequantized_Scores, in
    which {number} stands for the paper's number. `signature` is VENUE/Program_Chairs if not given.
    """
    _need(papers, "papers", ("paper", *NOTE_FIELDS.values()))
    signed = signature or f"{_venue(invitation)}/Program_Chairs"
    forums = _forums(papers)
    return [
        {
            "invitation": _numbered(invitation, row["paper"]),
            "signatures": [signed],
            "note": {
                "forum": _forum(forums, row["paper"]),
                "replyto": _forum(forums, row["paper"]),
                "signatures": [signed],
                "content": {
                    name: {"value": round(float(row[column]), NOTE_DECIMALS)}
                    for name, column in NOTE_FIELDS.items()
                    if row[column] is not None
                },
            },
        }
        for row in papers.iter_rows(named=True)
    ]


def post_edges(client: Any, posted: Sequence[Mapping[str, Any]]) -> int:
    """Post edges in bulk and return how many OpenReview accepted.

    Edges of an earlier run stay: remove them first with client.delete_edges(invitation).
    """
    made = library()
    with asking(f"posting {len(posted)} edges", UnroundError):
        ready = [made.api.Edge(**edge) for edge in posted]
        return len(made.tools.post_bulk_edges(client, ready))


def post_notes(client: Any, posted: Sequence[Mapping[str, Any]]) -> int:
    """Post note edits one by one; return how many OpenReview accepted. An error says how many were.

    A stage usually allows one note a paper: to post a later run, delete the earlier notes first.
    """
    make = library().api.Note
    for done, edit in enumerate(posted):
        try:
            with asking(f"posting to {edit['invitation']}", UnroundError):
                client.post_note_edit(
                    invitation=edit["invitation"],
                    signatures=edit["signatures"],
                    note=make(**edit["note"]),
                )
        except UnroundError as error:
            raise UnroundError(f"{error}; {done} of {len(posted)} notes had been posted") from error
    return len(posted)


def _venue(invitation: str) -> str:
    owner, mark, _ = invitation.partition("/-/")
    if not mark:
        raise UsageError(
            f"{invitation!r} is no invitation such as VENUE/Reviewers/-/Dequantized_Score"
        )
    parent, _, last = owner.rpartition("/")
    return parent if last in _COMMITTEES or "{number}" in last else owner


def _forums(papers: pl.DataFrame) -> dict[str, str]:
    """Return the forum of each paper."""
    if "forum" not in papers.columns:
        raise UsageError(
            "the table of papers has no column 'forum': OpenReview needs each submission's forum "
            "id; import the reviews from OpenReview's notes"
        )
    return {str(paper): forum or "" for paper, forum in papers.select("paper", "forum").iter_rows()}


def _forum(forums: Mapping[str, str], paper: object) -> str:
    forum = forums.get(str(paper))
    if not forum:
        raise UsageError(f"the forum of paper {paper} is not known: OpenReview needs it")
    return forum


def _numbered(invitation: str, paper: object) -> str:
    if "{number}" in invitation and not str(paper).isdecimal():
        raise UsageError(
            f"the invitation {invitation} needs submission numbers, but a paper's id is {paper!r}"
        )
    return invitation.replace("{number}", str(paper))


def _need(table: pl.DataFrame, name: str, columns: Sequence[str]) -> None:
    missing = [column for column in columns if column not in table.columns]
    if missing:
        raise UsageError(
            f"the table of {name} has no column {', '.join(missing)}; "
            f"found: {', '.join(table.columns)}"
        )
