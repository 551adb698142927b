"""Read HotCRP's lists of papers: titles, decisions, meta-reviews, and rank tags ("<Name> #~rank")."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Sequence
from typing import NamedTuple

from unround.formats.cells import counted, left_out_note, listed
from unround.formats.files.source import Source
from unround.formats.files.tables import Table, read_table
from unround.formats.model import (
    LONGEST_LABEL,
    Context,
    FileContent,
    ImportRefused,
    KnownReviewers,
    Options,
    PaperBuilder,
    SheetBuilder,
)
from unround.formats.systems.exports import column_of
from unround.formats.systems.hotcrp.rankings import RankBuilder, chosen_tag, rank_of, resolve
from unround.formats.systems.hotcrp.reviews import META_REVIEW, NO_REVIEWS, NOT_SUBMITTED, OUT
from unround.wording import option

TAGS_TITLE = "HotCRP rank tags of all reviewers (CSV)"
CSV_TITLE = "HotCRP paper list (CSV)"
ASSIGNMENTS_TITLE = "HotCRP PC assignments (CSV)"
TEXT_TITLE = "HotCRP reviews as text"
SORTED_SCORES = "the scores in it are sorted by paper and name no reviewer: they are not used"
ASSIGNMENT_COLUMNS = {"paper", "action", "email"}
META_ACTION = "metareview"
CONFLICT = "Conflict"  # in the column Review
REVIEW_ACTIONS = {META_ACTION, "primaryreview", "secondaryreview", "pcreview", "externalreview"}
PAPER_COLUMNS = ("id", "paper", "pid")
# What the column Status shows in place of a decision.
UNDECIDED = ("Submitted", "Withdrawn", "Draft", "No submission")
TAGGED_WITHOUT_VALUE = ("Y", "✓")
_TAG_COLUMN = re.compile(r"(?:(.*\S)(?:\s+|<br>))?#~([^\s#~]+)", re.DOTALL)
_TEXT_HEADING = re.compile(
    r"^(?:.* Paper #[0-9]+ Reviews and Comments|Review #[0-9]+[A-Z]+\b.*)\n={20,}$", re.MULTILINE
)


class _Column(NamedTuple):
    header: str
    owner: str  # "" is the column of whoever made the export
    tag: str


def recognises_tags(source: Source) -> bool:
    """Return whether there are a paper column and a column of a private tag."""
    names = {name.lower() for name in source.header}
    return bool(_tag_columns(source.header)) and not names.isdisjoint(PAPER_COLUMNS)


def read_tags(source: Source, options: Options, context: Context) -> FileContent:
    """Read the ranks of every reviewer who has a column."""
    table = read_table(source, fill_short=True)
    names = (options.columns.get("paper", ""), *PAPER_COLUMNS)
    paper = next(filter(None, map(table.find, names)), None) or column_of(table, "ID")
    for name in table.repeated:
        if name == paper or "#~" in name:
            raise ImportRefused(
                f"{table.where} has the column {name!r} more than once; remove the wrong one"
            )
    papers = table.texts(paper)
    columns = _tag_columns(table.header)
    if not columns:
        raise ImportRefused(
            f"{source.name} has no column '<Name> #~rank'; found: {listed(table.header)}"
        )
    tags = list(dict.fromkeys(column.tag for column in columns))
    tag = chosen_tag(source, tags, options.columns.get("rank"))
    filled = {
        column: ranked
        for column in columns
        if (ranked := [(row, text) for row, text in enumerate(table.texts(column.header)) if text])
    }
    chosen = {column: ranked for column, ranked in filled.items() if column.tag == tag}
    outsiders = _outsiders(chosen, context.reviewers)
    foreign = sum(len(ranked) for column, ranked in chosen.items() if column.owner in outsiders)
    chosen = {column: ranked for column, ranked in chosen.items() if column.owner not in outsiders}
    owners = _owners(table, list(chosen), options.ranker, context.reviewers)
    ranks = RankBuilder()
    for column, ranked in chosen.items():
        for row, text in ranked:
            rank = _rank(table.place(row), column, text)
            ranks.add(table.place(row), owners[column.owner], papers[row], rank)
    empty = sum(column.tag == tag for column in columns if column not in filled)
    others = sum(len(ranked) for column, ranked in filled.items() if column.tag != tag)
    odd = [name for name in table.header if "#~" in name and not _tag_columns([name])]
    ranked_rows = {row for ranked in filled.values() for row, _ in ranked}
    notes = [
        *_conflicts(table, papers, ranked_rows),
        *left_out_note(empty, "column without a rank"),
    ]
    if outsiders:
        whose = f"of people who wrote no review left out: {listed(outsiders)}"
        notes.append(f"{counted(foreign, 'rank')} {whose}")
    if odd:
        notes.append(f"columns not understood and left out: {listed(odd)}")
    notes += left_out_note(others, f"rank of other tags than '~{tag}'")
    described = _papers(table, papers)
    return FileContent(
        recognised=f"{TAGS_TITLE}, tag '~{tag}'",
        ranks=ranks.ranks(),
        papers=described.papers(),
        withdrawn=described.withdrawn,
        notes=tuple(notes),
    )


def _tag_columns(header: Sequence[str]) -> list[_Column]:
    short = (name for name in header if len(name) <= LONGEST_LABEL)
    matches = [match for name in short if (match := _TAG_COLUMN.fullmatch(name))]
    return [_Column(one[0], (one[1] or "").strip(), one[2].lower()) for one in matches]


def _outsiders(columns: Collection[_Column], reviewers: KnownReviewers) -> list[str]:
    """Return the owners of columns who wrote no review; if these are many, the reviews may be others."""
    named = [column.owner for column in columns if column.owner]
    unknown = [owner for owner in named if not reviewers.find(owner)]
    return unknown if 2 * len(unknown) < len(named) else []


def _owners(
    table: Table, columns: Sequence[_Column], ranker: str | None, known: KnownReviewers
) -> dict[str, str]:
    """Return the reviewer behind each column that holds ranks."""
    labels = {column.owner: column.owner for column in columns}
    if "" in labels:
        if ranker is None:
            own = next(column.header for column in columns if not column.owner)
            raise ImportRefused(
                f"{table.where}: the column {own!r} names nobody, it belongs to the account that "
                f"made the export; say whose it is with {option('ranker', 'E-MAIL')}, or remove it"
            )
        labels[""] = ranker
    reviewers = resolve(labels.values(), known, table.where)
    owners = {owner: reviewers[label] for owner, label in labels.items()}
    shared = Counter(owners.values())
    twice = [column.header for column in columns if shared[owners[column.owner]] > 1]
    if twice:
        raise ImportRefused(
            f"{table.where}: several columns belong to one reviewer: "
            f"{listed([repr(header) for header in twice])}; write e-mails in place of shared names"
        )
    return owners


def _rank(where: str, column: _Column, cell: str) -> float:
    rank = 0.0 if cell in TAGGED_WITHOUT_VALUE else rank_of(cell)
    if rank is None:
        raise ImportRefused(
            f"{where}, {column.header!r}: {cell[:40]!r} is no rank; "
            "write a number there, or nothing if the paper is not ranked"
        )
    return rank


def _conflicts(table: Table, papers: Sequence[str], ranked: Collection[int]) -> list[str]:
    """Return the note on papers whose ranks were hidden from the account that made the export.

    If any paper in conflict has a rank, conflicts were overridden and nothing is hidden.
    """
    review = table.find("Review")
    texts = table.texts(review) if review else []
    rows = [row for row, text in enumerate(texts) if CONFLICT in text]
    if not rows or not ranked or not set(rows).isdisjoint(ranked):
        return []
    conflicts = [papers[row] for row in rows]
    verb = "conflicts" if len(conflicts) == 1 else "conflict"
    return [
        f"{counted(len(conflicts), 'paper')} {verb} with the account that exported ({listed(conflicts)}): "
        "HotCRP hides their ranks. Choose Override conflicts on the search page, and download again"
    ]


def _papers(table: Table, numbers: Sequence[str]) -> PaperBuilder:
    """Return titles and decisions, as far as the list shows them, and the papers that are withdrawn."""
    papers = PaperBuilder()
    for number, (place, cells) in zip(numbers, table.records(), strict=True):
        status = cells.get("status")
        decision = cells.get("decision") or (
            "" if status is None or status in UNDECIDED else status
        )
        known = {"title": cells.get("title", ""), "decision": decision}
        out = None if status is None else OUT.get(status.lower(), "")
        papers.add_paper(place, number, known, out)
    return papers


def recognises_csv(source: Source) -> bool:
    """Return whether the header is that of get/csv: the paper's number first, then its title."""
    return source.header[:1] == ["ID"] and "Title" in source.header


def read_csv(source: Source, options: Options, context: Context) -> FileContent:
    """Read titles, decisions, and which papers are withdrawn."""
    table = read_table(source, fill_short=True)
    papers = _papers(table, table.texts(column_of(table, "ID")))
    return FileContent(
        recognised=f"{CSV_TITLE}, {NO_REVIEWS}",
        papers=papers.papers(),
        withdrawn=papers.withdrawn,
        notes=(SORTED_SCORES,),
    )


def recognises_assignments(source: Source) -> bool:
    """Return whether the header is that of get/pcassignments."""
    return set(source.header) >= ASSIGNMENT_COLUMNS


def read_assignments(source: Source, options: Options, context: Context) -> FileContent:
    """Read meta-reviews, which other exports do not mark, and titles."""
    table = read_table(source, fill_short=True)
    for name in sorted(ASSIGNMENT_COLUMNS):
        column_of(table, name)
    papers, assigned = PaperBuilder(), SheetBuilder("reviewer", "paper", "reason")
    meta: list[tuple[str, str]] = []
    for place, cells in table.records():
        if cells.get("title"):  # on the first row of each paper
            papers.add_paper(place, cells["paper"], cells)
        action = cells["action"].lower()
        if action == META_ACTION:
            meta.append((cells["paper"], cells["email"].lower()))
        if action in REVIEW_ACTIONS:  # a review that is among no reviews was not submitted
            why = META_REVIEW if action == META_ACTION else NOT_SUBMITTED
            assigned.add(place, cells["email"], cells["paper"], why)
    return FileContent(
        recognised=f"{ASSIGNMENTS_TITLE}, {counted(len(meta), 'meta-review')}",
        papers=papers.papers(),
        uncounted=assigned.sheet() if assigned.places else None,
        context=Context(meta_reviews=frozenset(meta)),
    )


def recognises_text(source: Source) -> bool:
    """Return whether the file is get/rev: reviews to be read by people."""
    return not source.is_binary and _TEXT_HEADING.search(source.head_text) is not None


def pass_over_text(source: Source, options: Options, context: Context) -> FileContent:
    """Say which export to use instead."""
    return FileContent(
        "HotCRP's reviews as text, meant for reading: export Reviews (CSV), or the JSON for "
        "reviewqualitycollector.org"
    )
