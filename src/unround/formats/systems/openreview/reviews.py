"""Read OpenReview's notes, of a file or a folder: reviews with their papers, or submissions alone."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain, islice

import polars as pl

from unround.formats.cells import counted
from unround.formats.files.source import Source
from unround.formats.importer import knowing
from unround.formats.model import FileContent, ImportRefused, Options, Sheet, text_table
from unround.formats.systems.openreview.notes import NoteCollector, Paper, Review
from unround.formats.systems.openreview.people import People, groups_part, read_groups
from unround.formats.systems.openreview.rankings import tags_part
from unround.formats.systems.openreview.records import (
    Record,
    RecordKind,
    kind_of,
    records_of,
)
from unround.formats.systems.openreview.score_field import (
    ScoreFields,
    form_part_if_any,
    read_form,
    review_name,
)
from unround.wording import option

Columns = dict[str, Sequence[str | None]]
_AREA_CHAIR = re.compile(r"(.+)/(?:Area_Chair|AreaChair|Action_Editor)(?:_[^/]*|[0-9]*)")
FILES_LOOKED_AT = 25
MOST_FILES = 100_000


def read_reviews(source: Source, options: Options) -> FileContent:
    """Read a file of notes."""
    return reviews_part(source.name, records_of(source), options)


def refuse_edits(source: Source, _: Options) -> FileContent:
    """Refuse note edits, which are single changes of notes."""
    raise ImportRefused(
        f"{source.name} holds OpenReview's note edits: each is a single change of a note, and the "
        "notes themselves hold the result. Save these: [vars(note) for note in "
        "client.get_all_notes(invitation='VENUE/-/Submission', details='replies')]"
    )


def reviews_part(name: str, notes: Iterable[Record], options: Options) -> FileContent:
    """Return the reviews among some notes, in their order; of submissions alone, the papers."""
    fields = ScoreFields(options.score_fields)
    collector = NoteCollector(review_name(options), fields)
    for file, note in notes:
        collector.take(file, note)
    collector.settle(name)
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
        "score": [one.score.level for one in reviews],
        "review": [one.note or None for one in reviews],
        "confidence": [one.confidence for one in reviews],
        **_paper_columns(papers, options.members),
        "forum": [one.forum for one in reviews],
    }
    modified = pl.Series("modified", [one.modified for one in reviews], dtype=pl.Int64)
    return text_table(columns).with_columns(modified)


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


def _left_out(collector: NoteCollector, kept: int) -> Iterable[str]:
    counts = (
        (collector.unscored, "review", "without a score left out"),
        (collector.deleted, "deleted review", "left out"),
        (len(collector.reviews) - kept, "review", "of deleted submissions left out"),
    )
    yield from (f"{counted(count, noun)} {what}" for count, noun, what in counts if count)
    yield from collector.copies.note("review", "score")


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
            f"invitation ../-/{review}; name another with {option('columns', 'review=NAME')}"
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
        papers=Sheet(text_table(columns), lambda row: f"{name}, note {forums[row]}"),
    )


def is_notes_folder(source: Source) -> bool:
    """Return whether any of the first files holds notes."""
    if not source.is_folder:
        return False
    try:
        return any(
            kind_of(file) is RecordKind.NOTES for file in islice(_files(source), FILES_LOOKED_AT)
        )
    except (ImportRefused, OSError):
        return False


def read_folder(source: Source, options: Options) -> FileContent:
    """Read groups and forms first, then every file of notes together, then tags."""
    by_kind: dict[RecordKind | None, list[Source]] = {}
    for file in _files(source):
        by_kind.setdefault(kind_of(file), []).append(file)
    groups = _of(by_kind, RecordKind.GROUPS)
    helping = [read_groups(file, options) for file in _of(by_kind, RecordKind.MEMBERS)]
    if groups:
        name = groups[0].name if len(groups) == 1 else source.name
        helping.append(groups_part(name, _records(groups)))
    forms = _of(by_kind, RecordKind.INVITATIONS)
    if forms:
        helping.append(form_part_if_any(source.name, _records(forms), options))
    helping += [read_form(file, options) for file in _of(by_kind, RecordKind.FORM)]
    for part in helping:
        options = knowing(options, part)
    reviews = reviews_part(source.name, _records(_of(by_kind, RecordKind.NOTES)), options)
    tags = _of(by_kind, RecordKind.TAGS)
    ranked = tags_part(source.name, _records(tags), knowing(options, reviews)) if tags else None
    unused = [*by_kind.get(None, []), *_of(by_kind, RecordKind.EDITS)]
    return _together(reviews, ranked, helping, unused)


def _of(by_kind: Mapping[RecordKind | None, list[Source]], *kinds: RecordKind) -> list[Source]:
    return [file for kind in kinds for file in by_kind.get(kind, [])]


def _records(files: Iterable[Source]) -> Iterator[Record]:
    return chain.from_iterable(map(records_of, files))


def _together(
    reviews: FileContent,
    ranked: FileContent | None,
    helping: list[FileContent],
    unknown: list[Source],
) -> FileContent:
    parts = [*helping, reviews, *([ranked] if ranked else [])]
    names = ", ".join(file.name for file in unknown[:5])
    passed_by = (
        [f"{counted(len(unknown), 'file')} not understood and passed by: {names}"]
        if unknown
        else []
    )
    return replace(
        reviews,
        recognised="; ".join(part.recognised for part in parts),
        ranks=ranked.ranks if ranked else None,
        scale=next((part.scale for part in parts if part.scale is not None), None),
        members={key: person for part in parts for key, person in part.members.items()},
        notes=(*dict.fromkeys(note for part in parts for note in part.notes), *passed_by),
    )


def _files(source: Source) -> Iterator[Source]:
    """Yield the files of the folder itself, by name, without hidden ones."""
    with os.scandir(source.path) as entries:
        names = sorted(entry.name for entry in islice(entries, MOST_FILES + 1))
    if len(names) > MOST_FILES:
        raise ImportRefused(f"{source.name} holds more than {MOST_FILES} files")
    paths = (source.path / name for name in names if not name.startswith("."))
    return (Source(path) for path in paths if path.is_file())
