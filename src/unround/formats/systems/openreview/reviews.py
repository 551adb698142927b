"""Read OpenReview's notes: reviews, the papers they judge, and decisions.

Papers go by their submission number where every one has one of its own, else by their forum id.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import polars as pl

from unround.formats.cells import counted
from unround.formats.files.source import Source
from unround.formats.model import FileContent, ImportRefused, Options, Sheet
from unround.formats.systems.openreview.people import People
from unround.formats.systems.openreview.records import (
    Record,
    as_object,
    as_text,
    field_text,
    records_of,
    submission_group,
    texts,
)
from unround.formats.systems.openreview.score_field import ScoreFields, confidence, review_name

DECISION_NAME = "Decision"
Note = dict[str, Any]
Columns = dict[str, Sequence[str | None]]
_AREA_CHAIR = re.compile(r"(.+)/(?:Area_Chair|AreaChair|Action_Editor)(?:_[^/]*|[0-9]*)")


def read_reviews(source: Source, options: Options) -> FileContent:
    """Read a file of notes."""
    return reviews_part(source.name, records_of(source), options)


def reviews_part(name: str, notes: Iterable[Record], options: Options) -> FileContent:
    """Return the reviews among some notes, in their order; of submissions alone, the papers."""
    fields = ScoreFields(options.score_fields)
    collector = NoteCollector(review_name(options), fields)
    for file, note in notes:
        collector.take(file, note)
    if collector.unscored or collector.reviews:
        fields.check(name)
    kept = [one for one in collector.reviews if not collector.papers.at(one.forum).deleted]
    if not kept:
        return _without_reviews(name, collector, options)
    people = People(options.members)
    table = _table(kept, collector, people, options)
    people.check(name)
    version = "v1" if collector.is_v1 else "v2"
    return FileContent(
        recognised=f"{name}: OpenReview review notes (API {version}), scores from {fields.names}",
        reviews=Sheet(table, lambda row: kept[row].place),
        notes=(
            *_left_out(collector, len(kept)),
            *_unnumbered(table, collector),
            *fields.notes(),
            *people.notes(),
        ),
    )


def _table(
    reviews: Sequence[Review], collector: NoteCollector, people: People, options: Options
) -> pl.DataFrame:
    ids = collector.papers.ids((one.forum for one in reviews), options.known_papers)
    papers = [collector.papers.at(one.forum) for one in reviews]
    columns: Columns = {
        "reviewer": [people.person(one.signature) for one in reviews],
        "paper": [ids[one.forum] for one in reviews],
        "score": [one.score for one in reviews],
        "review": [one.note or None for one in reviews],
        "confidence": [one.confidence for one in reviews],
        **_paper_columns(papers, options.members),
        "forum": [one.forum for one in reviews],
    }
    return _with_something(columns)


def _paper_columns(papers: Sequence[Paper], members: Mapping[str, str]) -> Columns:
    chairs = _area_chairs(members)
    return {
        "title": [paper.title for paper in papers],
        "track": [paper.track for paper in papers],
        "area_chair": [chairs.get(paper.group) for paper in papers],
        "decision": [paper.decision for paper in papers],
        "venue": [paper.venue for paper in papers],
    }


def _area_chairs(members: Mapping[str, str]) -> dict[str, str]:
    """Return the area chairs of each submission, by the submission's group."""
    chairs: dict[str, list[str]] = {}
    for group, person in members.items():
        match = _AREA_CHAIR.fullmatch(group)
        if match:
            chairs.setdefault(match.group(1), []).append(person)
    return {group: ", ".join(sorted(people)) for group, people in chairs.items()}


def _with_something(columns: Columns) -> pl.DataFrame:
    """Return a table of text without its empty columns."""
    series = [pl.Series(name, values, dtype=pl.String) for name, values in columns.items()]
    return pl.DataFrame([column for column in series if column.null_count() < len(column)])


def _left_out(collector: NoteCollector, kept: int) -> Iterable[str]:
    counts = (
        (collector.unscored, "review", "without a score left out"),
        (collector.deleted, "deleted review", "left out"),
        (len(collector.reviews) - kept, "review", "of deleted submissions left out"),
        (collector.twice, "review", "given more than once read once"),
    )
    return (f"{counted(count, noun)} {what}" for count, noun, what in counts if count)


def _unnumbered(table: pl.DataFrame, collector: NoteCollector) -> Iterable[str]:
    by_forum = (table["paper"] == table["forum"]).all()
    if by_forum and any(paper.number for paper in collector.papers.known.values()):
        yield "papers go by their forum id: submission numbers are missing or not unique"


def _without_reviews(name: str, collector: NoteCollector, options: Options) -> FileContent:
    """Return the papers of submissions saved without reviews; refuse anything else."""
    review = review_name(options)
    kinds = ", ".join(f"{count} {kind}" for kind, count in collector.others.most_common(8))
    if collector.reviews or collector.deleted or not collector.submissions:
        gone = "; ".join(_left_out(collector, 0)) or f"found: {kinds or 'no notes'}"
        raise ImportRefused(
            f"{name}: no review to be used among its notes: {gone}. Reviews answer to an "
            f"invitation ../-/{review}; name another with --column review=NAME"
        )
    forums = list(collector.submissions)
    ids = collector.papers.ids(forums, options.known_papers)
    papers = [collector.papers.at(forum) for forum in forums]
    columns: Columns = {
        "paper": [ids[forum] for forum in forums],
        **_paper_columns(papers, options.members),
        "forum": forums,
    }
    return FileContent(
        recognised=f"{name}: OpenReview submissions without reviews ({len(forums)} submissions; "
        f"replies of other kinds: {kinds or 'none'}). API v2's to_json() leaves replies out: save "
        "vars(note) of client.get_all_notes(invitation='VENUE/-/Submission', details='replies')",
        papers=Sheet(_with_something(columns), lambda row: f"{name}, note {forums[row]}"),
    )


class Review(NamedTuple):
    """A review that has a score."""

    signature: str
    forum: str
    score: str
    confidence: str | None
    note: str
    place: str


class NoteCollector:
    """Takes notes one at a time and keeps what is needed of them, but not their texts."""

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
        """Add a note, and the replies that came with it."""
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
        place = f"{file}, {f'note {identifier}' if identifier else f'note number {self._count}'}"
        if identifier and identifier in self._ids:
            self.twice += 1
            return
        self._ids.add(identifier)
        if note.get("ddate"):
            self.deleted += 1
            return
        if not forum:
            raise ImportRefused(f"{place} has no forum, so that its paper is not known")
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
        """Take the paper's number from ids below it: API v2's to_json() drops it from the submission."""
        paper = self.papers.at(forum)
        if paper.group:
            return
        for identifier in identifiers:
            group = submission_group(identifier)
            if group:
                paper.group = group[0]
                paper.number = paper.number or group[1]
                return


def _replies(note: Note) -> Iterator[Note]:
    details = as_object(note.get("details"))
    for listed in (details.get("replies"), details.get("directReplies")):
        if isinstance(listed, list):
            yield from (reply for reply in listed if isinstance(reply, dict))


def _invitations(note: Note) -> list[str]:
    return texts(note.get("invitations")) or texts(note.get("invitation"))


def _invitation_names(note: Note) -> list[str]:
    """Return the last part of each invitation; in replies to a review, its name is an earlier part."""
    parents = note.get("parentInvitations") or note.get("parent_invitations")
    return [one.rpartition("/")[2] for one in _invitations(note) or texts(parents)]


@dataclass
class Paper:
    """What is known of one paper. `group` is the submission's own, such as ../Submission12."""

    number: str = ""
    group: str = ""
    title: str | None = None
    track: str | None = None
    venue: str | None = None
    decision: str | None = None
    deleted: bool = False

    def learn(self, note: Mapping[str, Any], content: dict[str, Any]) -> None:
        """Add what a submission's own note says."""
        self.number = as_text(note.get("number")) or self.number
        self.title = field_text(content, "title") or self.title
        self.track = field_text(content, "track", "primary_area") or self.track
        self.venue = field_text(content, "venue") or self.venue
        self.deleted = self.deleted or bool(note.get("ddate"))


@dataclass
class Papers:
    """The papers seen so far, by forum."""

    known: dict[str, Paper] = field(default_factory=dict)

    def at(self, forum: str) -> Paper:
        """Return the paper of a forum; make it if it is new."""
        return self.known.setdefault(forum, Paper())

    def ids(self, forums: Iterable[str], already: Mapping[str, str]) -> dict[str, str]:
        """Return the id of each forum's paper. `already` holds the ids from files read before."""
        asked = list(dict.fromkeys(forums))
        numbers = {forum: already.get(forum) or self.at(forum).number for forum in asked}
        taken = set(already.values())
        fresh = [number for forum, number in numbers.items() if forum not in already]
        if all(fresh) and len(set(fresh)) == len(fresh) and not taken.intersection(fresh):
            return numbers
        return {forum: already.get(forum) or forum for forum in asked}
