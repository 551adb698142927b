"""Collect OpenReview's notes: reviews, submissions and decisions, each in its newest copy.

Papers go by their submission number where every one has one of its own, else by their forum id.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from unround.formats.model import UNSCORED, ImportRefused
from unround.formats.newest import Copies, modified_at
from unround.formats.systems.openreview.records import (
    RATING_FIELDS,
    as_object,
    as_text,
    field_text,
    submission_group,
    texts,
)
from unround.formats.systems.openreview.score_field import ReviewScore, ScoreFields, confidence

DECISION_NAME = "Decision"
DELETED = "review that was deleted"  # why a review does not count
RATED = {*RATING_FIELDS}
_NOT_BY_REVIEWERS = re.compile("Area_Chair|Program_Chairs|Authors|Action_Editor")
Note = dict[str, Any]


class OpenReviewReview(NamedTuple):
    """A review with its score, or with the reason why it does not count."""

    signature: str
    forum: str
    score: ReviewScore
    out: str
    confidence: str | None
    note: str
    place: str
    modified: int | None  # milliseconds


class NoteCollector:
    """Takes notes one at a time and keeps what is needed of them, but not their texts."""

    def __init__(
        self, name: str, fields: ScoreFields, out: Mapping[str, str] | None = None
    ) -> None:
        self._name, self._fields = name, fields
        self._out = out or {}  # why papers of a venue's ids are out of the running
        self.copies = Copies[OpenReviewReview]()
        self._submissions = Copies[OpenReviewPaper]()
        self._decisions = Copies[tuple[str, str | None]]()
        self.reviews: list[OpenReviewReview] = []
        self.uncounted: list[OpenReviewReview] = []
        self.papers = Papers()
        self.submissions: dict[str, None] = {}  # their forums
        self.others: Counter[str] = Counter()  # replies of other kinds, by invitation
        self.scored_kinds: dict[str, None] = {}  # those that reviewers sign and that have a score
        self.has_replies = False
        self.is_v1 = False
        self._count = 0

    def take(self, file: str, note: Note) -> None:
        """Add a note, and the replies that came with it."""
        self._take_one(file, note)
        self.has_replies = self.has_replies or "replies" in as_object(note.get("details"))
        for reply in _replies(note):
            self._take_one(file, reply)

    def _take_one(self, file: str, note: Note) -> None:
        self._count += 1
        self.is_v1 = self.is_v1 or isinstance(note.get("invitation"), str)
        content, names = as_object(note.get("content")), _invitation_names(note)
        forum = as_text(note.get("forum")) or as_text(note.get("replyto"))
        if self._name in names:
            self._take_review(file, note, content, forum)
        elif not as_text(note.get("replyto")) and content:
            own = forum or as_text(note.get("id"))
            self.submissions[own] = None
            paper = _paper_of(own, note, content, self._out)
            state = "deleted" if paper.deleted else "not deleted"
            self._submissions.add(own, note, file, f"{file}, note {own}", paper, state)
        elif DECISION_NAME in names:
            deleted = bool(note.get("ddate"))
            decision = None if deleted else field_text(content, "decision", "recommendation")
            place = f"{file}, note {self._count}"
            self._decisions.add(
                as_text(note.get("id")), note, file, place, (forum, decision), decision
            )
        else:
            self.others[", ".join(names) or "notes without an invitation"] += 1
            signed = " ".join(texts(note.get("signatures")))
            if names and RATED & content.keys() and not _NOT_BY_REVIEWERS.search(signed):
                self.scored_kinds[names[0]] = None

    def _take_review(self, file: str, note: Note, content: Note, forum: str) -> None:
        identifier = as_text(note.get("referent")) or as_text(note.get("id"))
        place = f"{file}, {f'note {identifier}' if identifier else f'note number {self._count}'}"
        review = self._review(note, content, forum, identifier, place)
        self.copies.add(identifier, note, file, place, review, review.out or review.score.level)

    def _review(
        self, note: Note, content: Note, forum: str, identifier: str, place: str
    ) -> OpenReviewReview:
        deleted = bool(note.get("ddate"))
        if not forum and not deleted:
            raise ImportRefused(
                f"{place} has no forum, so its paper is not known; save it with its forum"
            )
        score = None if deleted else self._fields.read(content, place)
        signature = next(iter(texts(note.get("signatures"))), "")
        if forum:
            self._learn_number(forum, [signature, *_invitations(note)])
        return OpenReviewReview(
            signature=signature or f"{forum}/{identifier or self._count}",
            forum=forum,
            score=score or ReviewScore("", ""),
            out=DELETED if deleted else UNSCORED if score is None else "",
            confidence=confidence(content),
            note=identifier,
            place=place,
            modified=modified_at(note),
        )

    def settle(self, name: str) -> None:
        """Take the newest copy of everything; refuse copies that differ and cannot be ordered."""
        for review in self.copies.newest(name, "review"):
            (self.uncounted if review.out else self.reviews).append(review)
        for paper in self._submissions.newest(name, "submission"):
            known = self.papers[paper.forum]
            number = paper.number or known.number
            self.papers[paper.forum] = replace(paper, number=number, group=known.group)
        for forum, decided in self._decisions.newest(name, "decision"):
            self.papers[forum].decision = decided or self.papers[forum].decision

    def _learn_number(self, forum: str, identifiers: list[str]) -> None:
        """Take the paper's number from ids below it: API v2's to_json() drops it from the submission."""
        paper = self.papers[forum]
        groups = filter(None, map(submission_group, identifiers))
        if not paper.group:
            paper.group, number = next(groups, ("", ""))
            paper.number = paper.number or number


def _replies(note: Note) -> Iterator[Note]:
    details = as_object(note.get("details"))
    replies = details.get("replies") or details.get("directReplies")
    if isinstance(replies, list):
        yield from (reply for reply in replies if isinstance(reply, dict))


def _invitations(note: Note) -> list[str]:
    return texts(note.get("invitations")) or texts(note.get("invitation"))


def _invitation_names(note: Note) -> list[str]:
    """Return the last part of each invitation; in replies to a review, its name is an earlier part."""
    parents = note.get("parentInvitations") or note.get("parent_invitations")
    return [one.rpartition("/")[2] for one in _invitations(note) or texts(parents)]


def _paper_of(
    forum: str, note: Mapping[str, Any], content: dict[str, Any], out: Mapping[str, str]
) -> OpenReviewPaper:
    """Return what a submission's own note says."""
    return OpenReviewPaper(
        forum=forum,
        number=as_text(note.get("number")),
        title=field_text(content, "title"),
        track=field_text(content, "track", "primary_area"),
        venue=field_text(content, "venue"),
        out=_out_of_the_running(note, content, out),
        deleted=bool(note.get("ddate")),
    )


def _out_of_the_running(
    note: Mapping[str, Any], content: dict[str, Any], out: Mapping[str, str]
) -> str:
    """Return why a submission no longer counts: its venue, or the invitation it answers to, names it."""
    venueid, venue = (field_text(content, name) or "" for name in ("venueid", "venue"))
    if venueid in out:
        return out[venueid]
    ids = [venueid.rpartition("/")[2], *_invitation_names(dict(note))]
    beginnings = {one.lower().replace("_", " ") for one in ids}
    words = venue.lower().replace("_", " ")
    for mark, why in (("withdrawn ", "withdrawn"), ("desk rejected ", "desk-rejected")):
        if any(one.startswith(mark) for one in beginnings) or f"{mark}submission" in words:
            return why
    return ""


@dataclass
class OpenReviewPaper:
    """What is known of one paper. `group` is the submission's own, such as ../Submission12."""

    forum: str = ""
    number: str = ""
    group: str = ""
    title: str | None = None
    track: str | None = None
    venue: str | None = None
    decision: str | None = None
    out: str = ""  # "withdrawn" or "desk-rejected"; empty if it is in the running
    deleted: bool = False


class Papers(defaultdict[str, OpenReviewPaper]):
    """The papers seen so far, by forum."""

    def __init__(self) -> None:
        super().__init__(OpenReviewPaper)

    def ids(self, forums: Iterable[str], already: Mapping[str, str]) -> dict[str, str]:
        """Return the id of each forum's paper. `already` holds the ids from files read before."""
        distinct = list(dict.fromkeys(forums))
        numbers = {forum: already.get(forum) or self[forum].number for forum in distinct}
        fresh = [number for forum, number in numbers.items() if forum not in already]
        unique = len(set(fresh)) == len(fresh) and not set(already.values()).intersection(fresh)
        if all(fresh) and unique:
            return numbers
        return {forum: already.get(forum) or forum for forum in distinct}
