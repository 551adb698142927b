"""Fetch a venue from OpenReview's API, and make and post edges (per review) and notes (per paper).

openreview-py (the extra `openreview`) is loaded only here and when posting results back.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from importlib import import_module
from typing import Any

import polars as pl

from unround.errors import UnroundError, UsageError
from unround.formats.model import (
    Context,
    ExportedFile,
    ExportOptions,
    FileContent,
    ImportRefused,
    Options,
)
from unround.formats.systems.exports import decided_papers
from unround.formats.systems.openreview.folder import venue_parts
from unround.formats.systems.openreview.rankings import RANKING_NAME
from unround.formats.systems.openreview.records import Record, RecordKind, texts
from unround.formats.systems.openreview.venue import Venue, review_name
from unround.wording import STATISTICS

SECONDS_TO_CONNECT_AND_TO_ANSWER = (10, 600)
_ABSENT = ("NotFoundError", "ForbiddenError")


def connect(baseurl: str, username: str | None, password: str | None) -> Any:
    """Return a client of API v2, logged in; without a name openreview-py uses its own defaults."""
    if baseurl.lower().startswith("http://") and "openreview.net" in baseurl.lower():
        raise ImportRefused(f"{baseurl} would send the password unprotected: use https://")
    with reporting_errors(f"logging in to {baseurl}"):
        client = library().api.OpenReviewClient(
            baseurl=baseurl, username=username, password=password
        )
        client.session.request = partial(
            client.session.request, timeout=SECONDS_TO_CONNECT_AND_TO_ANSWER
        )
    return client


def fetch(venue_id: str, client: Any, options: Options | None = None) -> list[FileContent]:
    """Fetch a venue's groups, review form, reviews and ranking tags, as far as the account sees them."""
    venue, options = _LiveVenue(venue_id, client), options or Options()
    context = Context(venue=venue.group)
    groups = venue.every("groups", prefix=f"{venue.id}/{venue.submission_name}")
    ranking = f"{venue.reviewers_id}/-/{RANKING_NAME}"
    records = {
        RecordKind.INVITATIONS: venue.invitation(f"{venue.id}/-/{review_name(options, context)}"),
        RecordKind.TAGS: venue.every("tags", invitation=ranking)
        if venue.invitation(ranking)
        else [],
    }
    if any(len(texts(group.get("members"))) == 1 for _, group in groups):  # only chairs see them
        records[RecordKind.GROUPS] = groups
    found = {kind: of_kind for kind, of_kind in records.items() if of_kind}
    notes = venue.every("notes", invitation=venue.submission_id, details="replies")
    parts = venue_parts(venue.id, {**found, RecordKind.NOTES: notes}, options, context)
    return [replace(part, file=venue.id) for part in parts]


def library() -> Any:
    """Import openreview-py, or say what to install."""
    try:
        return import_module("openreview")
    except ModuleNotFoundError as error:
        raise ImportRefused(
            "OpenReview's API needs openreview-py: pip install 'unround[openreview]'"
        ) from error


@contextmanager
def reporting_errors(action: str, kind: type[UnroundError] = ImportRefused) -> Iterator[None]:
    """Raise the client's errors as one of ours that names the action."""
    refusal = library().OpenReviewException
    try:
        yield
    except UnroundError:
        raise
    except (refusal, OSError, ValueError, LookupError, TypeError, AttributeError) as error:
        raise kind(f"OpenReview, {action}: {_reason(error)}") from error


class _LiveVenue(Venue):
    """One venue's groups, notes, tags and invitations."""

    def __init__(self, venue_id: str, client: Any) -> None:
        self._client = client
        with reporting_errors(f"looking for the venue {venue_id}"):
            self.group = {**vars(client.get_group(venue_id)), "id": venue_id}
        super().__init__(self.group)

    def every(self, kind: str, **query: str) -> list[Record]:
        """Fetch all notes, groups or tags that answer a query."""
        with reporting_errors(f"reading the {kind} of {next(iter(query.values()))}"):
            found = getattr(self._client, f"get_all_{kind}")(**query)
            return [(self.id, vars(one)) for one in found]

    def invitation(self, invitation: str) -> list[Record]:
        """Fetch one invitation; none if it does not exist or may not be seen."""
        refusal = library().OpenReviewException
        with reporting_errors(f"reading the invitation {invitation}"):
            try:
                return [(self.id, vars(self._client.get_invitation(invitation)))]
            except refusal as error:
                if _error(error).get("name") in _ABSENT:
                    return []
                raise


def _error(error: BaseException) -> dict[str, Any]:
    first = error.args[0] if error.args else None
    return first if isinstance(first, dict) else {}


def _reason(error: BaseException) -> str:
    message = _error(error).get("message") or str(error) or type(error).__name__
    return str(message).split("\n", 1)[0][:300]


NOTE_DECIMALS = 4
_COMMITTEES = ("Reviewers", "Area_Chairs", "Senior_Area_Chairs", "Program_Committee")


def export(
    target: str, scores: pl.DataFrame, papers: pl.DataFrame, options: ExportOptions
) -> ExportedFile:
    """Return an edge for each review, a note for each paper ("openreview-notes"), or decisions (CSV)."""
    if target == "openreview-decisions":
        rows = [(paper, decision, "") for paper, decision in decided_papers(papers)]
        return ExportedFile("csv", pl.DataFrame(rows, orient="row").write_csv(include_header=False))
    if not options.invitation:
        raise UsageError(
            f"{target} needs the invitation to post to (--invitation on the command line), such as "
            "VENUE/-/Dequantized_Score"
        )
    if target == "openreview":
        items = edges(scores, papers, options.invitation)
    else:
        items = notes(papers, options.invitation)
    return ExportedFile("json", json.dumps(items, indent=1, ensure_ascii=False) + "\n")


def post(client: Any, target: str, text: str) -> int:
    """Post what `export` returned; return how many edges or notes OpenReview accepted."""
    return (post_edges if target == "openreview" else post_notes)(client, json.loads(text))


def edges(scores: pl.DataFrame, papers: pl.DataFrame, invitation: str) -> list[dict[str, Any]]:
    """Return one edge per review, from submission to reviewer; its weight is the dequantized score.

    Bulk posting checks nothing against the invitation, so each edge states that the venue alone reads it.
    """
    venue = _venue(invitation)
    forums = _forums(papers if "forum" in papers.columns else scores)
    allowed = {"readers": [venue], "writers": [venue], "signatures": [venue]}
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


def notes(papers: pl.DataFrame, invitation: str) -> list[dict[str, Any]]:
    """Return one note edit per paper with every statistic of its dequantized scores.

    `invitation` is that of a CustomStage, such as VENUE/Submission{number}/-/Dequantized_Scores, in
    which {number} stands for the paper's number. VENUE/Program_Chairs sign the notes.
    """
    fields = {f"dq_{name}": f"dequantized_{name}" for name in STATISTICS}
    missing = [name for name in ("paper", *fields.values()) if name not in papers.columns]
    if missing:
        raise UsageError(
            f"the table of papers has no column {', '.join(missing)}; found: {', '.join(papers.columns)}"
        )
    signed = f"{_venue(invitation)}/Program_Chairs"
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
                    for name, column in fields.items()
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
    with reporting_errors(f"posting {len(posted)} edges", UnroundError):
        ready = [made.api.Edge(**edge) for edge in posted]
        return len(made.tools.post_bulk_edges(client, ready))


def post_notes(client: Any, posted: Sequence[Mapping[str, Any]]) -> int:
    """Post note edits one by one; return how many OpenReview accepted. An error says how many were.

    A stage usually allows one note a paper: to post a later run, delete the earlier notes first.
    """
    make = library().api.Note
    for done, edit in enumerate(posted):
        try:
            with reporting_errors(f"posting to {edit['invitation']}", UnroundError):
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
