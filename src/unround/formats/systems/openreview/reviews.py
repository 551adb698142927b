"""Read OpenReview's reviews: notes, or the CSV of the documented recipe.

The recipe writes one row per review: forum or profileID (or both), then the form's fields. `title`
and `review` are the review's own. Values of API v2 may be as Python wrote them: {'value': 6}.
"""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

import polars as pl

from unround.formats.cells import counted, left_out_note
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
    text_table,
)
from unround.formats.systems.openreview.notes import (
    NoteCollector,
    OpenReviewPaper,
    OpenReviewReview,
    Papers,
)
from unround.formats.systems.openreview.records import RATING_FIELDS, Record, records_of
from unround.formats.systems.openreview.score_field import (
    CONFIDENCE_FIELDS,
    ReviewScore,
    ScoreFields,
    confidence,
)
from unround.formats.systems.openreview.venue import (
    Venue,
    people_behind,
    rating_fields,
    review_name,
)
from unround.formats.systems.plain import columns_by_role
from unround.wording import option

Columns = dict[str, Sequence[str | None]]
ALL_NOTES = "vars(note) for note in client.get_all_notes(invitation='VENUE/-/Submission', details='replies')"
WITHOUT_REPLIES = "API v2's to_json() leaves replies out: save"
_AREA_CHAIR = re.compile(r"(.+)/(?:Area_Chair|AreaChair|Action_Editor)(?:_[^/]*|[0-9]*)")


def read_reviews(source: Source, options: Options, context: Context) -> FileContent:
    """Read a file of notes."""
    return reviews_part(source.name, records_of(source), options, context)


def reviews_part(
    name: str, notes: Iterable[Record], options: Options, context: Context
) -> FileContent:
    """Return the reviews among some notes, in their order; of submissions alone, the papers."""
    fields = ScoreFields(rating_fields(options, context))
    collector = NoteCollector(review_name(options, context), fields, Venue(context.venue).out)
    for file, note in notes:
        collector.take(file, note)
    collector.settle(name)
    scores = [one.score for one in collector.reviews]
    described, of_fields = "", list[str]()
    if scores or any(one.out == UNSCORED for one in collector.uncounted):
        described, of_fields = fields.described(name, scores)
    kept = [one for one in collector.reviews if not collector.papers[one.forum].deleted]
    if not kept:
        return _without_reviews(name, collector, options, context)
    people, unlinked = people_behind(name, (one.signature for one in kept), context.members)
    table = _table(kept, collector.papers, people, context)
    ids = dict(table.select("forum", "paper").unique().rows())
    version = "v1" if collector.is_v1 else "v2"
    return FileContent(
        recognised=f"OpenReview review notes (API {version}), scores from {described}",
        reviews=Sheet(table, lambda row: kept[row].place),
        uncounted=_uncounted(collector.uncounted, collector.papers, ids, context),
        withdrawn=_withdrawn(ids, collector),
        notes=(
            *_left_out(collector, len(kept)),
            *_unnumbered(table, collector),
            *of_fields,
            *unlinked,
        ),
    )


def _table(
    reviews: Sequence[OpenReviewReview],
    known: Papers,
    people: Mapping[str, str],
    context: Context,
) -> pl.DataFrame:
    ids = known.ids((one.forum for one in reviews), context.papers)
    papers = [known[one.forum] for one in reviews]
    columns: Columns = {
        "reviewer": [people.get(one.signature, one.signature) for one in reviews],
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


def _uncounted(
    reviews: Sequence[OpenReviewReview],
    known: Papers,
    already: Mapping[str, str],
    context: Context,
) -> Sheet | None:
    """Return the reviews that do not count, by the ids that papers and reviewers have elsewhere."""
    ids = {**context.papers, **already}
    ids |= known.ids((one.forum for one in reviews), ids)
    rows = SheetBuilder("reviewer", "paper", "reason", "forum")
    for one in reviews:
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
    )


def _withdrawn(ids: Mapping[str, str], collector: NoteCollector) -> dict[str, str]:
    """Return why papers are out of the running, from the papers' ids by forum."""
    reasons = {paper: collector.papers[forum].out for forum, paper in ids.items()}
    return {paper: reason for paper, reason in reasons.items() if reason}


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
    rows = list(_rows(table, column, options, fields))
    if not rows:
        raise ImportRefused(f"{source.name} has a header but no reviews; export it again")
    scored = [one for one in rows if not one.out]
    unscored = [one for one in rows if one.out]
    described, of_fields = fields.described(source.name, (one.score for one in scored))
    unnamed = sum(one.signature.startswith(f"{one.forum}/Review_") for one in scored)
    notes = (
        *([f"{counted(len(unscored), 'review')} {UNSCORED_ROWS}"] if unscored else []),
        *repeated,
        *([f"{counted(unnamed, 'review')} whose reviewer is {UNNAMED}"] if unnamed else []),
    )
    return FileContent(
        recognised=f"OpenReview reviews (CSV), scores from {described}",
        reviews=Sheet(_table(scored, Papers(), {}, context), lambda row: scored[row].place),
        uncounted=_uncounted(unscored, Papers(), {}, context),
        withdrawn_in="the notes as JSON",
        notes=(*notes, *of_fields),
    )


def _rows(
    table: Table, column: str, options: Options, fields: ScoreFields
) -> Iterator[OpenReviewReview]:
    by = table.find(options.columns.get("reviewer", "profileID"))
    people = table.texts(by) if by else [""] * table.data.height
    in_forum: Counter[str] = Counter()
    for row, (cells, cell) in enumerate(zip(table.data.rows(), table.texts(column), strict=True)):
        content = dict(zip(table.data.columns, map(_value, cells), strict=True))
        place = table.place(row)
        forum = _forum(cell, place)
        in_forum[forum] += 1
        score = fields.read(content, place)
        yield OpenReviewReview(
            signature=people[row] or f"{forum}/Review_{in_forum[forum]}",
            forum=forum,
            score=score or ReviewScore("", ""),
            out="" if score else UNSCORED,
            confidence=confidence(content),
            note="",
            place=place,
            modified=None,
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
