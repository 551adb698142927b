"""Read HotCRP's rankings: ranks of many reviewers (user,item,rank), and one reviewer's offline file.

Offline files are read by the rules of HotCRP's own parser. Tags in lists of papers use the same helpers.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import polars as pl

from unround.formats.cells import counted, left_out_note, listed
from unround.formats.files.source import HEAD_BYTES, Source
from unround.formats.files.tables import read_table
from unround.formats.model import (
    Context,
    FileContent,
    ImportRefused,
    KnownReviewers,
    Options,
    Sheet,
    SheetBuilder,
)
from unround.formats.systems.exports import column_of
from unround.wording import option

RANKS_TITLE = "HotCRP ranks (user, item, rank)"
COLUMNS = ("user", "item", "rank")
ASSIGNMENTS_TITLE = "HotCRP assignments of rank tags (paper, action, tag, tag_value)"
ASSIGNMENT_COLUMNS = ("paper", "action", "tag", "tag_value")
LARGEST = 2_147_483_647.0
USUAL_TAG = "rank"
LONGEST_NUMBER = 40
NUMBER = re.compile(r"[-+]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)", re.ASCII)


def recognises_ranks(source: Source) -> bool:
    """Return whether the columns are user, item and rank, in any order."""
    return sorted(source.header) == sorted(COLUMNS)


def recognises_assignments(source: Source) -> bool:
    """Return whether the file assigns private tags of ranks; other tags, such as scores, are no ranks."""
    ranks = f"~{USUAL_TAG}," in source.head_text and "~~" not in source.head_text
    return ranks and sorted(source.header) == sorted(ASSIGNMENT_COLUMNS)


def read_ranks(source: Source, options: Options, context: Context) -> FileContent:
    """Read ranks of users, or of their private tags (jane@example.org~rank); only numbers are ranks."""
    table = read_table(source)
    assigned = table.find("tag") is not None
    columns = ("tag", "paper", "tag_value") if assigned else COLUMNS
    users, papers, values = (table.texts(column_of(table, name)) for name in columns)
    ranked = [
        (table.place(row), user.removesuffix(f"~{USUAL_TAG}"), paper, rank)
        for row, (user, paper, text) in enumerate(zip(users, papers, values, strict=True))
        if (rank := rank_of(text)) is not None
    ]
    reviewers = resolve((label for _, label, *_ in ranked), context.reviewers, source.name)
    entries = RankBuilder()
    for place, label, paper, rank in ranked:
        entries.add(place, reviewers[label], paper, rank)
    return FileContent(
        recognised=ASSIGNMENTS_TITLE if assigned else RANKS_TITLE,
        ranks=entries.ranks(),
        notes=left_out_note(len(values) - len(ranked), "line without a rank"),
    )


class RankBuilder(SheetBuilder):
    """Collects ranks: reviewer, paper and rank."""

    def __init__(self) -> None:
        super().__init__("reviewer", "paper", "rank", rank=pl.Float64)

    def ranks(self) -> Sheet:
        """Return the ranks, as integers if all are whole."""
        sheet = self.sheet()
        rank = sheet.table["rank"]
        whole = bool((rank == rank.round()).all())
        return Sheet(sheet.table.with_columns(rank.cast(pl.Int64)), sheet.place) if whole else sheet


def rank_of(text: str) -> float | None:
    """Return the number in a cell; None if a HotCRP tag could not hold it."""
    plain = len(text) <= LONGEST_NUMBER and NUMBER.fullmatch(text)
    value = float(text) if plain else LARGEST
    return value if abs(value) < LARGEST else None


def chosen_tag(source: Source, tags: Sequence[str], name: str | None) -> str:
    """Return the tag whose values are the ranking: the one that the user named, "rank", or the only one."""
    names = listed([repr(tag) for tag in tags])
    if name is not None:
        named = name.lstrip("#~").lower()
        if named not in tags:
            raise ImportRefused(f"{source.name} has no values of the tag {name!r}, only of {names}")
        return named
    if USUAL_TAG in tags:
        return USUAL_TAG
    if len(tags) == 1:
        return tags[0]
    raise ImportRefused(
        f"{source.name} has values of several tags: {names}; choose the ranking with "
        f"{option('columns', 'rank=TAG')}"
    )


def resolve(labels: Iterable[str], reviewers: KnownReviewers, file: str) -> dict[str, str]:
    """Return the one reviewer behind each label; refuse labels that mean nobody or several."""
    meant = {label: reviewers.find(label) for label in dict.fromkeys(labels)}
    unknown = [label for label, people in meant.items() if not people]
    if unknown and reviewers and not reviewers.have_names:
        raise ImportRefused(
            f"{file}: the reviews do not say who wrote them, so this ranking cannot be linked to "
            "them. Export the reviews again with a chair's (administrator's) account, which sees "
            "reviewername and email"
        )
    unclear = [
        f"{label!r} may be {' or '.join(people)}"
        for label, people in meant.items()
        if len(people) > 1
    ]
    if unknown or unclear:
        raise ImportRefused(f"{file}: {_refusal(unknown, unclear)}")
    return {label: people[0] for label, people in meant.items()}


def _refusal(unknown: Sequence[str], unclear: Sequence[str]) -> str:
    reasons: list[str] = []
    if unknown:
        reasons.append(f"no review is by {listed([repr(label) for label in unknown])}")
    if unclear:
        reasons.append(f"names that several reviewers share: {listed(unclear)}")
    return (
        "; ".join(reasons) + ". Give the reviews of the same conference, with names and e-mails; "
        "write the e-mail in place of a shared name, and remove the rankings of people who wrote "
        "no reviews"
    )


OFFLINE_TITLE = "HotCRP offline ranking"
LARGEST_FILE = 50_000_000
PAPER_NAMES = ("paper", "pid", "paperid", "id")
ACTION_NAMES = ("action", "tag", "index")
UNRANKED = ("x", "clear", "unset")
COMMENTS = ("#", "%")
DELIMITERS = ",\t|"
_TAG = re.compile(r"#?(?:[^\s#~]*~)?([a-zA-Z@*_:.][-+a-zA-Z0-9?!@*_:./]*)", re.ASCII)
_TAG_LINE = re.compile(r"\s*Tag:\s*(\S+)\s*", re.IGNORECASE)  # in files of older versions
_AROUND_NAME = re.compile(r"(?:^|[-_. ]+)rank(?:ing|s)?(?:[-_. ]+|$)", re.IGNORECASE)


def recognises_offline(source: Source) -> bool:
    """Return whether every line in the head is a line of a ranking."""
    if source.is_folder or source.is_binary or source.looks_like_json or source.looks_like_xml:
        return False
    if source.header[:1] == ["#"]:  # a column of that name, not a comment
        return False
    lines = re.split(r"\r\n|\r|\n", source.head_text)
    if len(source.head) == HEAD_BYTES:
        lines = lines[:-1]
    try:
        return bool(list(_ranked(enumerate(lines, start=1))))
    except ValueError:
        return False


def read_offline(source: Source, options: Options, context: Context) -> FileContent:
    """Read the ranking of one reviewer."""
    if source.is_binary or source.path.stat().st_size > LARGEST_FILE:
        raise ImportRefused(
            f"{source.name} is too large for an offline ranking, or not a text; download the ranking again"
        )
    try:
        lines = list(_ranked(source.numbered_lines()))
    except ImportRefused:
        raise
    except ValueError as error:
        raise ImportRefused(
            f"{source.name}, {error}: not a line of a ranking; expected MARK,PAPER with the mark "
            "empty, >, =, a number, or X for a paper that is not ranked"
        ) from error
    tags = list(dict.fromkeys(line.tag for line in lines))
    tag = chosen_tag(source, tags or [""], options.columns.get("rank"))
    reviewer = _ranker(source, options.ranker, context.reviewers)
    papers = {(line.tag, line.paper): line for line in lines}  # the last line of a paper counts
    of_tag = [line for line in papers.values() if line.tag == tag]
    ranks = RankBuilder()
    for line in of_tag:
        if line.rank is not None:
            ranks.add(f"{source.name}, line {line.number}", reviewer, line.paper, line.rank)
    notes = [*left_out_note(len(of_tag) - len(ranks.places), "paper without a rank")]
    notes += left_out_note(len(papers) - len(of_tag), f"line of other tags than '~{tag}'")
    if len(papers) < len(lines):
        overruled = counted(len(lines) - len(papers), "line")
        notes.append(f"{overruled} overruled by a later line for the same paper")
    return FileContent(
        recognised=f"{OFFLINE_TITLE} of {reviewer}",
        ranks=ranks.ranks(),
        notes=tuple(notes),
    )


def _ranker(source: Source, ranker: str | None, reviewers: KnownReviewers) -> str:
    """Return the file's author: as --ranker says, or as the file's name says."""
    if ranker is not None:
        return resolve([ranker], reviewers, source.name)[ranker]
    for label in (source.path.stem, source.name, _AROUND_NAME.sub("", source.path.stem)):
        if reviewers.find(label):
            return resolve([label], reviewers, source.name)[label]
    raise ImportRefused(
        f"{source.name} holds the ranking of one reviewer but does not say whose, and no reviewer "
        f"is called {source.path.stem!r}; name the file after its author (jane@example.org.txt), "
        f"or say who it is with {option('ranker', 'E-MAIL')}"
    )


class _Line(NamedTuple):
    """A line that ranks a paper, or says that it is not ranked."""

    number: int
    tag: str
    paper: str
    rank: float | None


def _ranked(lines: Iterable[tuple[int, str]]) -> Iterator[_Line]:
    """Yield the papers of a ranking; raise ValueError at a line that does not belong in one."""
    tag, rank = "", 0.0
    for number, mark, paper in _marks(lines):
        if "tag" in (mark, paper):  # a switch to another tag
            named = _TAG.fullmatch(paper if mark == "tag" else mark)
            if named is None:
                raise ValueError(f"line {number} names no tag")
            tag, rank = named.group(1).lower(), 0.0
            continue
        if not re.fullmatch("[0-9]+", paper, re.ASCII):
            raise ValueError(f"line {number} names no paper by its number")
        if mark.lower() in UNRANKED:
            yield _Line(number, tag, paper, None)
            continue
        if not mark.strip(">"):
            rank += max(len(mark), 1)
        elif mark != "=":
            stated = rank_of(mark)
            if stated is None:
                raise ValueError(f"line {number} has the mark {mark[:40]!r}")
            rank = stated
        yield _Line(number, tag, paper, rank)


def _marks(lines: Iterable[tuple[int, str]]) -> Iterator[tuple[int, str, str]]:
    """Yield number, mark and paper of each line; a header is optional, comments are skipped."""
    delimiter, columns = "", (0, 1)
    for number, line in lines:
        if not line.strip() or line.lstrip().startswith(COMMENTS):
            continue
        tagged = _TAG_LINE.fullmatch(line)
        if tagged:
            yield number, "tag", tagged.group(1)
            continue
        delimiter = delimiter or max(DELIMITERS, key=line.count)
        cells = _cells(line, delimiter)
        header = header_columns(cells)
        if header is not None:
            columns = header
        elif len(cells) <= max(columns):
            raise ValueError(f"line {number} has {len(cells)} cells")
        else:
            mark, paper = columns
            yield number, cells[mark].strip(), cells[paper].strip()


def header_columns(cells: Sequence[str]) -> tuple[int, int] | None:
    """Return the columns of action and paper; None if this is not the header of a ranking."""
    names = [cell.strip().lower() for cell in cells]
    if not set(names) <= {*PAPER_NAMES, *ACTION_NAMES, "title"}:
        return None
    actions = [place for place, name in enumerate(names) if name in ACTION_NAMES]
    papers = [place for place, name in enumerate(names) if name in PAPER_NAMES]
    return (actions[0], papers[0]) if len(actions) == len(papers) == 1 else None


def _cells(line: str, delimiter: str) -> list[str]:
    """Split one line by itself, so that an open quotation mark does not swallow the next lines."""
    if delimiter != ",":
        return line.split(delimiter)
    try:
        return next(csv.reader([line]), [])
    except csv.Error:
        return line.split(",")
