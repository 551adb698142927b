"""Read EasyChair's reviews, committee and submissions.

Tables are CSV files, or sheets of a workbook.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from unround.formats.cells import counted, read_times
from unround.formats.files.source import Source
from unround.formats.files.tables import Table, title_of
from unround.formats.model import Context, FileContent, Gives, ImportRefused, Options, PaperBuilder
from unround.formats.newest import Copies
from unround.formats.systems.exports import ExportKind, Exports
from unround.formats.systems.review_collector import Review, ReviewCollector

TOTAL = "total score"
IF_HIDDEN = "Export review.csv with a chair's account, which sees the names of members"
# The scores of a cell, such as "Overall evaluation: 2" and "Reviewer's confidence: 4 (high)", line by line.
_SCORE_LINE = re.compile(r"\s*([^:\n]{1,200}?)\s*:[ \t]*([^\n]*)")
TITLES = {"title": "title", "track": "track name", "decision": "decision"}
EXPORTS = Exports(
    "easychair",
    ExportKind(
        "reviews",
        "EasyChair reviews (review.csv, or the workbook with all data)",
        ("submission #", "member name", "version"),
        any_of=("scores", TOTAL),
    ),
    ExportKind(
        "meta-reviews",
        "EasyChair meta-reviews (metareview.csv, not used)",
        ("submission #", "member name", "recommendation"),
    ),
    ExportKind(
        "committee",
        "EasyChair committee (committee.csv)",
        ("#", "person #", "first name", "last name", "email", "role"),
    ),
    ExportKind(
        "submissions",
        "EasyChair submissions (submission.csv)",
        ("#", "title", "authors", "decision"),
    ),
)


# Keys of Context.members: a person need not be on the committee.
MEMBER_KEY, PERSON_KEY = "EasyChair member {}", "EasyChair person {}"


def read_committee(source: Source, options: Options, context: Context) -> FileContent:
    """Read a committee file."""
    members, notes = dict[str, str](), list[str]()
    for _, table in EXPORTS.tables(source, "committee", notes=notes):
        members |= members_in(table)
    if not members:
        raise ImportRefused(
            f"{source.name} (EasyChair committee) names nobody with an e-mail; download it with a chair's "
            "account"
        )
    people = sum(key.startswith(MEMBER_KEY.format("")) for key in members)
    return FileContent(
        recognised=f"EasyChair committee, {people} members and their e-mails",
        context=Context(members=members),
        notes=tuple(notes),
    )


def members_in(table: Table) -> dict[str, str]:
    """Return the e-mail of every member number and person number of a committee table."""
    members: dict[str, str] = {}
    for place, cells in table.records():
        for title, key in (("#", MEMBER_KEY), ("person #", PERSON_KEY)):
            who, email = key.format(cells[title]), cells["email"]
            if email and cells[title] and members.setdefault(who, email) != email:
                raise ImportRefused(
                    f"{place} has another e-mail of {who} than a row above; remove the wrong one"
                )
    return members


def add_submissions(papers: PaperBuilder, table: Table, options: Options) -> None:
    """Add the papers of a table, and those among them that were deleted."""
    for place, cells in table.records():
        known = {ours: cells.get(title, "") for ours, title in TITLES.items()}
        deleted = cells.get("deleted?")
        out = "deleted" if (deleted or "").casefold() in ("yes", "✔") else ""
        papers.add_paper(place, cells["#"], known, None if deleted is None else out)


def read_reviews(source: Source, options: Options, context: Context) -> FileContent:
    """Read every review in its newest version; the committee's e-mails where they are known."""
    reviews = Copies[Review](ordered_by="version, date and time")
    members, papers = dict(context.members), PaperBuilder()
    collector = ReviewCollector(source.name, "EasyChair reviews", IF_HIDDEN)
    collector.withdrawn_in = "submission.csv"
    kinds = "reviews", "committee", "submissions"
    for kind, table in EXPORTS.tables(
        source, *kinds, notes=collector.notes, wanted=lambda name: title_of(name) != "text"
    ):
        if kind == "reviews":
            _add(reviews, table)
        elif kind == "committee":
            members |= members_in(table)
        else:
            add_submissions(papers, table, options)
    _collect(collector, list(reviews.newest(source.name, "review")), members)
    collector.notes += reviews.note("review", "scores")
    found = papers.papers()
    return replace(collector.part(options), papers=found, withdrawn=papers.withdrawn)


def _add(reviews: Copies[Review], table: Table) -> None:
    """Add the rows of a table; versions of one review have its paper, member and number."""
    for place, cells in table.records():
        review = _review(place, cells)
        version = cells["version"]
        stamps = {
            "version": int(version) if version.isdecimal() else None,
            "mdate": review.modified,
        }
        author = review.carried["member"] or cells.get("member name", "")
        identifier = "\t".join(
            (review.paper, author, review.carried["person"], cells.get("number", ""))
        )
        scores = "; ".join(f"{name} {value}" for name, value in review.values)
        reviews.add(identifier, stamps, "", place, review, scores)


def _review(place: str, cells: Mapping[str, str]) -> Review:
    """Return a row as a review; it carries the numbers of the member and of a subreviewer."""

    def cell(title: str) -> str:
        return cells.get(title, "")

    paper, number, email = cell("submission #"), cell("number"), cell("reviewer email")
    if not paper:
        raise ImportRefused(f"{place} names no submission; write its number into 'submission #'")
    totals = ((title, text) for title, text in cells.items() if title.startswith(TOTAL))
    name = f"{cell('reviewer first name')} {cell('reviewer last name')}".strip()
    person = cell("reviewer person #") or email or name
    return Review(
        place=place,
        paper=paper,
        values=(*_SCORE_LINE.findall(cell("scores")), *totals),
        review=f"{paper}-{number}" if number else "",
        name=name or cell("member name"),
        email=email,
        carried={"member": cell("member #"), "person": person},
        modified=read_times([f"{cell('date')} {cell('time')}"])[0][0],
    )


def _collect(
    collector: ReviewCollector, reviews: Sequence[Review], members: Mapping[str, str]
) -> None:
    """Add reviews with their authors, and notes on subreviewers and unknown e-mails."""
    shared = _shared_names(reviews)
    unnamed = 0
    for review in reviews:
        member, person = review.carried["member"], review.carried["person"]
        key = PERSON_KEY.format(person) if person else MEMBER_KEY.format(member)
        email = review.email or members.get(key, "")
        unnamed += not email
        name = f"{review.name} (member {member})" if review.name in shared else review.name
        collector.add(replace(review, name=name, email=email))
    if subreviews := sum(bool(review.carried["person"]) for review in reviews):
        collector.notes.append(
            f"{counted(subreviews, 'review')} written by subreviewers: each counts as its writer's, not "
            "as the committee member's"
        )
    if unnamed:
        collector.notes.append(
            f"{counted(unnamed, 'review')} by people whose e-mail is not known: they go by their names; "
            "give committee.csv too if rankings name e-mails"
        )


def _shared_names(reviews: Iterable[Review]) -> set[str]:
    """Return the names that several members have."""
    numbers: defaultdict[str, set[str]] = defaultdict(set)
    for review in reviews:
        numbers[review.name].add(review.carried["person"] or review.carried["member"])
    return {name for name, people in numbers.items() if len(people) > 1}


READERS = (
    EXPORTS.reader(read_reviews, Gives.REVIEWS, "reviews"),
    EXPORTS.reader(read_committee, Gives.MEMBERS, "committee"),
    EXPORTS.papers("submissions", add_submissions),
    EXPORTS.unused("meta-reviews"),
)
