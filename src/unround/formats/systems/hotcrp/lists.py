"""Read HotCRP's lists of papers: titles and decisions, and rank tags in columns "<Name> #~rank"."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from unround.formats.cells import counted, listed
from unround.formats.files.delimited import delimited_records
from unround.formats.files.source import Source
from unround.formats.files.tables import Row
from unround.formats.model import (
    LONGEST_LABEL,
    FileContent,
    ImportRefused,
    Options,
    Sheet,
    SheetBuilder,
)
from unround.formats.systems.hotcrp.collector import NO_REVIEWS, OUT
from unround.formats.systems.hotcrp.rankings import RankBuilder, chosen_tag, rank_of, resolve
from unround.wording import option

TAGS_TITLE = "HotCRP rank tags of all reviewers (CSV)"
PAPER_COLUMNS = ("id", "paper", "pid")
TAGGED_WITHOUT_VALUE = ("Y", "✓")
_TAG_COLUMN = re.compile(r"(?:(.*\S)(?:\s+|<br>))?#~([^\s#~]+)", re.DOTALL)


@dataclass(frozen=True)
class _Column:
    place: int
    header: str
    owner: str  # "" is the column of whoever made the export
    tag: str


def recognises_tags(source: Source) -> bool:
    """Return whether there are a paper column and a column of a private tag."""
    header = source.header
    return bool(_tag_columns(header)) and _paper_column(header, {}) is not None


def read_tags(source: Source, options: Options) -> FileContent:
    """Read the ranks of every reviewer who has a column."""
    (_, header), *records = delimited_records(source, fill_short=True)
    paper = _paper_column(header, options.columns)
    columns = _tag_columns(header)
    if paper is None or not columns:
        raise ImportRefused(
            f"{source.name} has no columns 'ID' and '<Name> #~rank'; found: {listed(header)}"
        )
    tags = list(dict.fromkeys(column.tag for column in columns))
    tag = chosen_tag(source, tags, options.columns.get("rank"))
    filled = [
        (column, ranked)
        for column in columns
        if column.tag == tag and (ranked := _filled(records, column))
    ]
    owners = _owners(source, [column for column, _ in filled], options)
    ranks = RankBuilder(source)
    for column, ranked in filled:
        for line, cells in ranked:
            rank = _rank(f"{source.name}, line {line}", cells, column)
            ranks.add(line, owners[column.owner], cells[paper].strip(), rank)
    empty = sum(column.tag == tag for column in columns) - len(filled)
    others = sum(len(_filled(records, column)) for column in columns if column.tag != tag)
    notes = [f"{counted(empty, 'column without a rank')} left out"] if empty else []
    odd = [name for name in header if "#~" in name and not _tag_columns([name])]
    notes += [f"columns not understood and left out: {listed(odd)}"] if odd else []
    notes += [f"{counted(others, 'rank')} of other tags than '~{tag}' left out"] if others else []
    papers, withdrawn = _papers(source, header, records, paper)
    return FileContent(
        recognised=f"{source.name}: {TAGS_TITLE}, tag '~{tag}'",
        ranks=ranks.sheet(),
        papers=papers,
        withdrawn=withdrawn,
        notes=tuple(f"{source.name}: {note}" for note in notes),
    )


def _tag_columns(header: Sequence[str]) -> list[_Column]:
    columns: list[_Column] = []
    for place, name in enumerate(header):
        match = _TAG_COLUMN.fullmatch(name) if len(name) <= LONGEST_LABEL else None
        if match:
            owner, tag = (match.group(1) or "").strip(), match.group(2).lower()
            columns.append(_Column(place, name, owner, tag))
    return columns


def _paper_column(header: Sequence[str], named: Mapping[str, str]) -> int | None:
    if named.get("paper") in header:
        return header.index(named["paper"])
    folded = [name.lower() for name in header]
    return next((folded.index(name) for name in PAPER_COLUMNS if name in folded), None)


def _filled(records: Sequence[Row], column: _Column) -> list[Row]:
    return [(line, cells) for line, cells in records if cells[column.place].strip()]


def _owners(source: Source, columns: Sequence[_Column], options: Options) -> dict[str, str]:
    """Return the reviewer behind each column that holds ranks."""
    labels = {column.owner: column.owner for column in columns}
    if "" in labels:
        if options.ranker is None:
            own = next(column.header for column in columns if not column.owner)
            raise ImportRefused(
                f"{source.name}: the column {own!r} names nobody, it belongs to the account that "
                f"made the export; say whose it is with {option('ranker', 'E-MAIL')}, or remove it"
            )
        labels[""] = options.ranker
    reviewers = resolve(labels.values(), options.known_reviewers, source.name)
    owners = {owner: reviewers[label] for owner, label in labels.items()}
    shared = Counter(owners[column.owner] for column in columns)
    twice = [column.header for column in columns if shared[owners[column.owner]] > 1]
    if twice:
        raise ImportRefused(
            f"{source.name}: several columns belong to one reviewer: "
            f"{listed([repr(header) for header in twice])}; write e-mails in place of shared names"
        )
    return owners


def _rank(where: str, cells: Sequence[str], column: _Column) -> float:
    cell = cells[column.place].strip()
    rank = 0.0 if cell in TAGGED_WITHOUT_VALUE else rank_of(cell)
    if rank is None:
        raise ImportRefused(
            f"{where}, {column.header!r}: {cell[:40]!r} is no rank; "
            "write a number there, or nothing if the paper is not ranked"
        )
    return rank


def _papers(
    source: Source, header: Sequence[str], records: Sequence[Row], paper: int
) -> tuple[Sheet | None, dict[str, str]]:
    """Return titles and decisions, as far as the list shows them, and the papers that are withdrawn."""
    places = {name.lower(): place for place, name in enumerate(header)}
    shown = [name for name in ("title", "decision", "status") if name in places]
    papers = SheetBuilder("paper", "title", "decision")
    withdrawn: dict[str, str] = {}
    for line, cells in records:
        number = cells[paper].strip()
        texts = {name: cells[places[name]].strip() for name in shown}
        status = texts.get("status", "")
        if status.lower() in OUT:
            withdrawn[number] = OUT[status.lower()]
        decision = texts.get("decision") or ("" if status in UNDECIDED else status)
        papers.add(f"{source.name}, line {line}", number, texts.get("title", ""), decision)
    return papers.sheet() if shown else None, withdrawn


CSV_TITLE = "HotCRP paper list (CSV)"
SORTED_SCORES = "the scores in it are sorted by paper and name no reviewer: they are not used"
# What the column Status shows in place of a decision.
UNDECIDED = ("Submitted", "Withdrawn", "Draft", "No submission")


def recognises_csv(source: Source) -> bool:
    """Return whether the header is that of get/csv: the paper's number first, then its title."""
    return source.header[:1] == ["ID"] and "Title" in source.header


def read_csv(source: Source, options: Options) -> FileContent:
    """Read titles, decisions, and which papers are withdrawn."""
    (_, header), *records = delimited_records(source, fill_short=True)
    paper = _paper_column(header, {})
    if paper is None or "Title" not in header:
        raise ImportRefused(
            f"{source.name} has no columns 'ID' and 'Title'; found: {listed(header)}"
        )
    papers, withdrawn = _papers(source, header, records, paper)
    return FileContent(
        recognised=f"{source.name}: {CSV_TITLE}, {NO_REVIEWS}",
        papers=papers,
        withdrawn=withdrawn,
        notes=(f"{source.name}: {SORTED_SCORES}",),
    )
