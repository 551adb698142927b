"""Read OpenReview's reviews: notes of a file or a folder, or the CSV of the documented recipe.

The recipe writes one row per review: forum or profileID (or both), then the form's fields. `title`
and `review` are the review's own. Values of API v2 may be as Python wrote them: {'value': 6}.
"""

from __future__ import annotations

import ast
import os
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain, islice

import polars as pl

from unround.formats.cells import counted, left_out_note
from unround.formats.files.json_stream import first_values
from unround.formats.files.source import Source
from unround.formats.files.tables import Table, read_table
from unround.formats.model import (
    UNSCORED,
    Context,
    FileContent,
    ImportRefused,
    Options,
    Sheet,
    SheetBuilder,
    split_scored,
    text_table,
)
from unround.formats.systems.openreview.notes import (
    NoteCollector,
    OpenReviewPaper,
    OpenReviewReview,
)
from unround.formats.systems.openreview.people import People, groups_part, read_groups
from unround.formats.systems.openreview.rankings import tags_part
from unround.formats.systems.openreview.records import (
    EMPTY_JSON,
    RATING_FIELDS,
    Record,
    RecordKind,
    kind_of,
    records_of,
)
from unround.formats.systems.openreview.score_field import (
    CONFIDENCE_FIELDS,
    ScoreFields,
    confidence,
    form_part_if_any,
    read_form,
)
from unround.formats.systems.openreview.venue import Venue, rating_fields, review_name
from unround.formats.systems.plain import columns_by_role
from unround.wording import option

Columns = dict[str, Sequence[str | None]]
ALL_NOTES = "vars(note) for note in client.get_all_notes(invitation='VENUE/-/Submission', details='replies')"
WITHOUT_REPLIES = "API v2's to_json() leaves replies out: save"
_AREA_CHAIR = re.compile(r"(.+)/(?:Area_Chair|AreaChair|Action_Editor)(?:_[^/]*|[0-9]*)")
FILES_LOOKED_AT = 25
MOST_FILES = 100_000


def read_reviews(source: Source, options: Options, context: Context) -> FileContent:
    """Read a file of notes."""
    return reviews_part(source.name, records_of(source), options, context)


def refuse_edits(source: Source, options: Options, context: Context) -> FileContent:
    """Refuse note edits, which are single changes of notes."""
    raise ImportRefused(
        f"{source.name} holds OpenReview's note edits: each is a single change of a note, and the "
        f"notes themselves hold the result. Save these: [{ALL_NOTES}]"
    )


def reviews_part(
    name: str, notes: Iterable[Record], options: Options, context: Context
) -> FileContent:
    """Return the reviews among some notes, in their order; of submissions alone, the papers."""
    fields = ScoreFields(rating_fields(options, context))
    collector = NoteCollector(review_name(options, context), fields, Venue(context.venue).out)
    for file, note in notes:
        collector.take(file, note)
    collector.settle(name)
    if any(one.out == UNSCORED for one in collector.uncounted) or collector.reviews:
        fields.check(name)
    kept = [one for one in collector.reviews if not collector.papers[one.forum].deleted]
    if not kept:
        return _without_reviews(name, collector, options, context)
    people = People(context.members)
    table = _table(kept, collector, people, context)
    people.check(name)
    version = "v1" if collector.is_v1 else "v2"
    return FileContent(
        recognised=f"OpenReview review notes (API {version}), scores from {fields.names}",
        reviews=Sheet(table, lambda row: kept[row].place),
        uncounted=_uncounted(table, collector, context),
        withdrawn=_withdrawn(dict(table.select("forum", "paper").unique().rows()), collector),
        notes=(
            *_left_out(collector, len(kept)),
            *_unnumbered(table, collector),
            *fields.notes(),
            *people.notes(),
        ),
        file=name,
    )


def _table(
    reviews: Sequence[OpenReviewReview], collector: NoteCollector, people: People, context: Context
) -> pl.DataFrame:
    ids = collector.papers.ids((one.forum for one in reviews), context.papers)
    papers = [collector.papers[one.forum] for one in reviews]
    columns: Columns = {
        "reviewer": [people.person(one.signature) for one in reviews],
        "paper": [ids[one.forum] for one in reviews],
        "score": [one.score.level for one in reviews],
        "review": [one.note or None for one in reviews],
        "confidence": [one.confidence for one in reviews],
        **_paper_columns(papers, context.members),
        "forum": [one.forum for one in reviews],
    }
    modified = pl.Series("modified", [one.modified for one in reviews], dtype=pl.Int64)
    return text_table(columns).with_columns(modified)


def _paper_columns(papers: Sequence[OpenReviewPaper], members: Mapping[str, str]) -> Columns:
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


def _uncounted(reviews: pl.DataFrame, collector: NoteCollector, context: Context) -> Sheet | None:
    """Return the reviews that do not count, by the ids that papers and reviewers have elsewhere."""
    ids = {**context.papers, **dict(reviews.select("forum", "paper").unique().rows())}
    ids |= collector.papers.ids((one.forum for one in collector.uncounted), ids)
    rows = SheetBuilder("reviewer", "paper", "reason", "forum")
    for one in collector.uncounted:
        reviewer = context.members.get(one.signature) or one.signature
        rows.add(one.place, reviewer, ids[one.forum], one.out, one.forum)
    return rows.sheet() if rows.places else None


def _left_out(collector: NoteCollector, kept: int) -> Iterable[str]:
    reasons = Counter(one.out for one in collector.uncounted)
    reasons["review of a deleted submission"] = len(collector.reviews) - kept
    for reason, count in reasons.items():
        yield from left_out_note(count, reason)
    yield from collector.copies.note("review", "score")


def _unnumbered(table: pl.DataFrame, collector: NoteCollector) -> Iterable[str]:
    by_forum = (table["paper"] == table["forum"]).all()
    if by_forum and any(paper.number for paper in collector.papers.values()):
        yield "papers go by their forum id: submission numbers are missing or not unique"


def _without_reviews(
    name: str, collector: NoteCollector, options: Options, context: Context
) -> FileContent:
    """Return the papers of submissions saved without reviews; refuse anything else."""
    review = review_name(options, context)
    kinds = ", ".join(f"{count} {kind}" for kind, count in collector.others.most_common(8))
    scored = [option("columns", f"review={name}") for name in collector.scored_kinds]
    if collector.reviews or collector.uncounted or not collector.submissions:
        gone = "; ".join(_left_out(collector, 0)) or f"found: {kinds or 'no notes'}"
        raise ImportRefused(
            f"{name}: no review to be used among its notes: {gone}. Reviews answer to an "
            f"invitation ../-/{review}; name another with {option('columns', 'review=NAME')}"
        )
    forums = list(collector.submissions)
    ids = collector.papers.ids(forums, context.papers)
    papers = [collector.papers[forum] for forum in forums]
    columns: Columns = {
        "paper": [ids[forum] for forum in forums],
        **_paper_columns(papers, context.members),
        "forum": forums,
    }
    advice = f". No reply is {review!r}, but others have scores: {' or '.join(scored)} reads them"
    if not scored:
        advice = "" if collector.has_replies else f". {WITHOUT_REPLIES} [{ALL_NOTES}]"
    return FileContent(
        recognised=f"OpenReview submissions without reviews ({len(forums)} submissions; "
        f"replies of other kinds: {kinds or 'none'}){advice}",
        papers=Sheet(text_table(columns), lambda row: f"{name}, note {forums[row]}"),
        withdrawn=_withdrawn(ids, collector),
        file=name,
    )


def _withdrawn(ids: Mapping[str, str], collector: NoteCollector) -> dict[str, str]:
    """Return why papers are out of the running, from the papers' ids by forum."""
    reasons = {paper: collector.papers[forum].out for forum, paper in ids.items()}
    return {paper: reason for paper, reason in reasons.items() if reason}


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


def read_folder(source: Source, options: Options, context: Context) -> FileContent:
    """Read the groups, then the forms and every file of notes together; then tags."""
    by_kind: defaultdict[RecordKind | None, list[Source]] = defaultdict(list)
    for file in _files(source):
        by_kind[kind_of(file)].append(file)
        if kind_of(file) is None and file.looks_like_json:
            first_values(file)  # what is broken is refused, not passed over
    groups = by_kind[RecordKind.GROUPS]
    helping = [read_groups(file, options, context) for file in by_kind[RecordKind.MEMBERS]]
    if groups:
        name = groups[0].name if len(groups) == 1 else source.name
        helping.append(groups_part(name, _records(groups)))
    for part in helping:
        context = context.after(part)
    forms = by_kind[RecordKind.INVITATIONS]
    if forms:
        helping.append(form_part_if_any(source.name, _records(forms), options, context))
    helping += [read_form(file, options, context) for file in by_kind[RecordKind.FORM]]
    reviews = reviews_part(source.name, _records(by_kind[RecordKind.NOTES]), options, context)
    tags = by_kind[RecordKind.TAGS]
    context = context.after(reviews)
    ranked = tags_part(source.name, _records(tags), options, context) if tags else None
    unused = [*by_kind[None], *by_kind[RecordKind.EDITS]]
    return _together(reviews, ranked, helping, unused)


def _records(files: Iterable[Source]) -> Iterator[Record]:
    return chain.from_iterable(map(records_of, files))


def _together(
    reviews: FileContent,
    ranked: FileContent | None,
    helping: list[FileContent],
    unknown: list[Source],
) -> FileContent:
    parts = [*helping, reviews, *([ranked] if ranked else [])]
    empty = [file for file in unknown if file.head_text.strip() in EMPTY_JSON]
    other = [file for file in unknown if file not in empty]
    names = ", ".join(file.name for file in other[:5])
    passed_over = [f"{file.name} is an empty list: there are no ranks in it" for file in empty]
    if other:
        what = counted(len(other), "file")
        passed_over.append(f"{what} not understood and passed over: {names}")
    return replace(
        reviews,
        recognised="; ".join(part.described for part in parts),
        ranks=ranked.ranks if ranked else None,
        scale=next((part.scale for part in parts if part.scale is not None), None),
        context=Context(
            members={key: who for part in parts for key, who in part.context.members.items()}
        ),
        notes=(*dict.fromkeys(note for part in parts for note in part.notes), *passed_over),
    )


def _files(source: Source) -> Iterator[Source]:
    """Yield the files of the folder itself, by name, without hidden ones."""
    with os.scandir(source.path) as entries:
        names = sorted(entry.name for entry in islice(entries, MOST_FILES + 1))
    if len(names) > MOST_FILES:
        raise ImportRefused(f"{source.name} holds more than {MOST_FILES} files")
    paths = (source.path / name for name in names if not name.startswith("."))
    return (Source(path) for path in paths if path.is_file())


LONGEST_LITERAL = 1000
_RATED = {*RATING_FIELDS, *CONFIDENCE_FIELDS, "review"}
UNNAMED = (
    "not named: each counts as a reviewer of its own, so one person's papers cannot be linked and "
    "rankings have no effect; write a column profileID, or save the notes and groups as JSON"
)
UNSCORED_ROWS = (
    "without a score left out (the recipe writes a score of 0 as an empty cell too: if the form has a 0, "
    "save the notes as JSON)"
)
_ADDRESS = re.compile(r"https?://[^?#]*\?(?:[^#]*&)?id=([^&#]+)[^#]*(?:#.*)?")
_STATISTICS = ("min ", "max ", "average ", "num ")


def is_console_table(source: Source) -> bool:
    """Return whether this is the export of a chair's console: one row per paper."""
    header = source.header
    return {"number", "forum"} <= set(header) and any(
        name.startswith(_STATISTICS) for name in header
    )


def refuse_console_table(source: Source, options: Options, context: Context) -> FileContent:
    """Refuse a console's export, which has averages only."""
    raise ImportRefused(
        f"{source.name} is the CSV of an OpenReview console: one row per paper with averages, no "
        f"per-review scores. Export the review notes as JSON instead: [{ALL_NOTES}]"
    )


def is_review_table(source: Source) -> bool:
    """Return whether the documented recipe wrote this; a table with a reviewer column is another."""
    header = set(source.header)
    if not header & {"forum", "profileID"} or not header & _RATED:
        return False
    return "profileID" in header or "reviewer" not in columns_by_role(source.header, {})


def read_review_table(source: Source, options: Options, context: Context) -> FileContent:
    """Read one row per review; rows without a score are left out and counted."""
    named = options.columns.get("score")
    fields = ScoreFields(options.score_fields or ((named,) if named else ()))
    table = read_table(source)
    column = _forum_column(table, options)
    table, repeated = table.without_repeated_headers([column])
    forums = table.texts(column)
    by = table.find(options.columns.get("reviewer", "profileID"))
    people = table.texts(by) if by else [""] * len(forums)
    rows = SheetBuilder("reviewer", "paper", "score", "confidence", "forum")
    in_forum: Counter[str] = Counter()
    unnamed = 0
    contents = (
        dict(zip(table.data.columns, map(_value, cells), strict=True))
        for cells in table.data.rows()
    )
    for row, content in enumerate(contents):
        place, forum = table.place(row), _forum(forums[row], table.place(row))
        in_forum[forum] += 1
        score = fields.read(content, place)
        if score is not None:
            fields.count(score)
            unnamed += not people[row]
        reviewer = people[row] or f"{forum}/Review_{in_forum[forum]}"
        paper, level = context.papers.get(forum, forum), score.level if score else None
        rows.add(place, reviewer, paper, level, confidence(content), forum)
    if not in_forum:
        raise ImportRefused(f"{source.name} has a header but no reviews; export it again")
    fields.check(source.name)
    reviews, uncounted = split_scored(rows.sheet())
    unscored = uncounted.table.height if uncounted is not None else 0
    notes = (
        *([f"{counted(unscored, 'review')} {UNSCORED_ROWS}"] if unscored else []),
        *repeated,
        *([f"{counted(unnamed, 'review')} whose reviewer is {UNNAMED}"] if unnamed else []),
    )
    return FileContent(
        recognised=f"OpenReview reviews (CSV), scores from {fields.names}",
        reviews=reviews,
        uncounted=uncounted,
        withdrawn_in="the notes as JSON",
        notes=(*notes, *fields.notes()),
    )


def _forum_column(table: Table, options: Options) -> str:
    name = options.columns.get("paper", "forum")
    column = table.find(name)
    if column is None:
        raise ImportRefused(
            f"{table.where} has no column {name!r} with each review's paper; found: "
            f"{', '.join(table.header)}. Write review.forum into the file, or map another column with "
            f"{option('columns', 'paper=NAME')}"
        )
    return column


def _value(cell: str | None) -> str:
    """Return a cell's text, or the value in it if Python wrote it as {'value': ..}."""
    cell = (cell or "").strip()
    if not cell.startswith("{'value':") or len(cell) > LONGEST_LITERAL:
        return cell
    try:
        return str(ast.literal_eval(cell)["value"])
    except (ValueError, SyntaxError, TypeError, KeyError, MemoryError, RecursionError):
        return cell


def _forum(cell: str, place: str) -> str:
    address = _ADDRESS.fullmatch(cell[:LONGEST_LITERAL])
    forum = address.group(1) if address else _value(cell)
    if not forum:
        raise ImportRefused(
            f"{place}: the cell of 'forum' is empty; write review.forum there, not a form field"
        )
    return forum
