"""Notes -> the reviews among them. Submissions tell about papers; other replies are passed by."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any, NamedTuple

from unround.formats.model import ImportProblem
from unround.formats.openreview.papers import Papers
from unround.formats.openreview.scorefields import ScoreFields, confidence
from unround.formats.openreview.values import (
    as_object,
    as_text,
    field_text,
    submission_group,
    texts,
)

DECISION_NAME = "Decision"
Note = dict[str, Any]


class Review(NamedTuple):
    """One review that has a score."""

    signature: str
    forum: str
    score: str
    confidence: str | None
    note: str
    place: str


class Gathering:
    """Takes notes one at a time and keeps what is needed of them, not their texts."""

    def __init__(self, name: str, fields: ScoreFields) -> None:
        self._name, self._fields = name, fields
        self._ids: set[str] = set()
        self.reviews: list[Review] = []
        self.papers = Papers()
        self.submissions: dict[str, None] = {}  # their forums
        self.others: Counter[str] = Counter()  # replies of other kinds, by invitation
        self.deleted = self.unscored = self.twice = 0
        self.is_v1 = False
        self._count = 0

    def take(self, file: str, note: Note) -> None:
        """A note, and the replies that came with it."""
        self._take_one(file, note)
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
            self.papers.at(own).learn(note, content)
        elif DECISION_NAME in names and not note.get("ddate"):
            self.papers.at(forum).decision = field_text(content, "decision", "recommendation")
        else:
            self.others[", ".join(names) or "notes without an invitation"] += 1

    def _take_review(self, file: str, note: Note, content: Note, forum: str) -> None:
        identifier = as_text(note.get("id"))
        place = f"{file}, note {identifier or f'without an id, the {self._count}th'}"
        if identifier and identifier in self._ids:
            self.twice += 1
            return
        self._ids.add(identifier)
        if note.get("ddate"):
            self.deleted += 1
            return
        if not forum:
            raise ImportProblem(f"{place} has no forum, so that its paper is not known")
        score = self._fields.score(content, place)
        if score is None:
            self.unscored += 1
            return
        signature = next(iter(texts(note.get("signatures"))), "")
        self._learn_number(forum, [signature, *_invitations(note)])
        self.reviews.append(
            Review(
                signature=signature or f"{forum}/{identifier or self._count}",
                forum=forum,
                score=score,
                confidence=confidence(content),
                note=identifier,
                place=place,
            )
        )

    def _learn_number(self, forum: str, identifiers: list[str]) -> None:
        """Submissions saved with API v2's to_json() have lost their number; ids below keep it."""
        paper = self.papers.at(forum)
        if paper.group:
            return
        for identifier in identifiers:
            found = submission_group(identifier)
            if found:
                paper.group = found[0]
                paper.number = paper.number or found[1]
                return


def _replies(note: Note) -> Iterator[Note]:
    details = as_object(note.get("details"))
    for listed in (details.get("replies"), details.get("directReplies")):
        if isinstance(listed, list):
            yield from (reply for reply in listed if isinstance(reply, dict))


def _invitations(note: Note) -> list[str]:
    return texts(note.get("invitations")) or texts(note.get("invitation"))


def _invitation_names(note: Note) -> list[str]:
    """The last part of each invitation: replies to a review have its name in an earlier part."""
    parents = note.get("parentInvitations") or note.get("parent_invitations")
    return [one.rpartition("/")[2] for one in _invitations(note) or texts(parents)]
