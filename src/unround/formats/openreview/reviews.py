"""Review notes -> reviews: the reader of notes saved with openreview-py, API v1 and v2."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

import polars as pl

from unround.formats.model import ImportProblem, Options, Part, Sheet
from unround.formats.openreview.form import review_name
from unround.formats.openreview.gathering import Gathering, Review
from unround.formats.openreview.papers import Paper
from unround.formats.openreview.people import People
from unround.formats.openreview.records import Record, records_of
from unround.formats.openreview.scorefields import ScoreFields
from unround.formats.scores import counted
from unround.formats.sources import Source

Columns = dict[str, Sequence[str | None]]
_AREA_CHAIR = re.compile(r"(.+)/(?:Area_Chair|AreaChair|Action_Editor)(?:_[^/]*|[0-9]*)")


def read_reviews(source: Source, options: Options) -> Part:
    """A file of notes."""
    return reviews_part(source.name, records_of(source), options)


def reviews_part(name: str, notes: Iterable[Record], options: Options) -> Part:
    """The reviews among some notes, in their order; submissions alone give papers."""
    fields = ScoreFields(options.score_fields)
    found = Gathering(review_name(options), fields)
    for file, note in notes:
        found.take(file, note)
    if found.unscored or found.reviews:
        fields.check(name)
    kept = [one for one in found.reviews if not found.papers.at(one.forum).deleted]
    if not kept:
        return _without_reviews(name, found, options)
    people = People(options.members)
    table = _table(kept, found, people, options)
    people.check(name)
    version = "v1" if found.is_v1 else "v2"
    return Part(
        recognised=f"{name}: OpenReview review notes (API {version}), scores from {fields.names}",
        reviews=Sheet(table, lambda row: kept[row].place),
        notes=(
            *_left_out(found, len(kept)),
            *_unnumbered(table, found),
            *fields.notes(),
            *people.notes(),
        ),
    )


def _table(
    reviews: Sequence[Review], found: Gathering, people: People, options: Options
) -> pl.DataFrame:
    ids = found.papers.ids((one.forum for one in reviews), options.known_papers)
    papers = [found.papers.at(one.forum) for one in reviews]
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
    """Who is area chair of each submission, by the submission's group."""
    chairs: dict[str, list[str]] = {}
    for group, person in members.items():
        found = _AREA_CHAIR.fullmatch(group)
        if found:
            chairs.setdefault(found.group(1), []).append(person)
    return {group: ", ".join(sorted(people)) for group, people in chairs.items()}


def _with_something(columns: Columns) -> pl.DataFrame:
    """A table of text, without the columns in which nothing stands."""
    series = [pl.Series(name, values, dtype=pl.String) for name, values in columns.items()]
    return pl.DataFrame([column for column in series if column.null_count() < len(column)])


def _left_out(found: Gathering, kept: int) -> Iterable[str]:
    counts = (
        (found.unscored, "review", "without a score left out"),
        (found.deleted, "deleted review", "left out"),
        (len(found.reviews) - kept, "review", "of deleted submissions left out"),
        (found.twice, "review", "given more than once read once"),
    )
    return (f"{counted(count, noun)} {what}" for count, noun, what in counts if count)


def _unnumbered(table: pl.DataFrame, found: Gathering) -> Iterable[str]:
    by_forum = (table["paper"] == table["forum"]).all()
    if by_forum and any(paper.number for paper in found.papers.known.values()):
        yield "papers go by their forum id: submission numbers are missing or not unique"


def _without_reviews(name: str, found: Gathering, options: Options) -> Part:
    """Submissions saved on their own: what they say of the papers. Anything else is refused."""
    wanted = review_name(options)
    kinds = ", ".join(f"{count} {kind}" for kind, count in found.others.most_common(8))
    if found.reviews or found.deleted or not found.submissions:
        gone = "; ".join(_left_out(found, 0)) or f"found: {kinds or 'no notes'}"
        raise ImportProblem(
            f"{name}: no review to be used among its notes: {gone}. Reviews answer to an "
            f"invitation ../-/{wanted}; name another with --column review=NAME"
        )
    forums = list(found.submissions)
    ids = found.papers.ids(forums, options.known_papers)
    papers = [found.papers.at(forum) for forum in forums]
    columns: Columns = {
        "paper": [ids[forum] for forum in forums],
        **_paper_columns(papers, options.members),
        "forum": forums,
    }
    return Part(
        recognised=f"{name}: OpenReview submissions without reviews ({len(forums)} submissions; "
        f"replies of other kinds: {kinds or 'none'}). API v2's to_json() leaves replies out: save "
        "vars(note) of client.get_all_notes(invitation='VENUE/-/Submission', details='replies')",
        papers=Sheet(_with_something(columns), lambda row: f"{name}, note {forums[row]}"),
    )
