"""Read HotCRP's rankings: ranks of many reviewers (user,item,rank), and one reviewer's offline file.

Offline files are read by the rules of HotCRP's own parser. Tags in lists of papers use the same helpers.
"""

from __future__ import annotations

import csv
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

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


def read_ranks(source: Source, options: Options, context: Context) -> FileContent:
    """Read the ranks of many reviewers; as in HotCRP, only numbers are ranks."""
    return _read_rank_table(source, context, RANKS_TITLE, COLUMNS)


def recognises_assignments(source: Source) -> bool:
    """Return whether the file assigns private tags of ranks; other tags, such as scores, are no ranks."""
    ranks = f"~{USUAL_TAG}," in source.head_text and "~~" not in source.head_text
    return ranks and sorted(source.header) == sorted(ASSIGNMENT_COLUMNS)


def read_assignments(source: Source, options: Options, context: Context) -> FileContent:
    """Read ranks from values of private tags, such as jane@example.org~rank."""
    return _read_rank_table(source, context, ASSIGNMENTS_TITLE, ("tag", "paper", "tag_value"))


def _read_rank_table(
    source: Source, context: Context, title: str, columns: Sequence[str]
) -> FileContent:
    """Read ranks from the columns of users (or of their private tags), papers and ranks."""
    table = read_table(source)
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
    left_out = left_out_note(len(values) - len(ranked), "line without a rank")
    return FileContent(
        recognised=f"{title}",
        ranks=entries.ranks(),
        notes=left_out,
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
    ranking, found = Ranking(), False
    try:
        for record in records_of(enumerate(lines, start=1)):
            ranking.follow(record)
            found = True
    except BadRankingLine:
        return False
    return found


def read_offline(source: Source, options: Options, context: Context) -> FileContent:
    """Read the ranking of one reviewer."""
    if source.is_binary or source.path.stat().st_size > LARGEST_FILE:
        raise ImportRefused(
            f"{source.name} is too large for an offline ranking, or not a text; download the ranking again"
        )
    ranking = _followed(source)
    tag = chosen_tag(source, list(ranking.values) or [""], options.columns.get("rank"))
    reviewer = _ranker(source, options.ranker, context.reviewers)
    papers = ranking.values[tag]
    ranks = RankBuilder()
    for paper, (value, line) in papers.items():
        if value is not None:
            ranks.add(f"{source.name}, line {line}", reviewer, paper, value)
    unranked = sum(value is None for value, _ in papers.values())
    notes = [*left_out_note(unranked, "paper without a rank")]
    others = sum(len(values) for other, values in ranking.values.items() if other != tag)
    notes += left_out_note(others, f"line of other tags than '~{tag}'")
    if ranking.repeated:
        overruled = counted(ranking.repeated, "line")
        notes.append(f"{overruled} overruled by a later line for the same paper")
    return FileContent(
        recognised=f"{OFFLINE_TITLE} of {reviewer}",
        ranks=ranks.ranks(),
        notes=tuple(notes),
    )


def _followed(source: Source) -> Ranking:
    ranking = Ranking()
    try:
        for record in records_of(source.numbered_lines()):
            ranking.follow(record)
    except BadRankingLine as error:
        raise ImportRefused(
            f"{source.name}, {error}: not a line of a ranking; expected MARK,PAPER with the mark "
            "empty, >, =, a number, or X for a paper that is not ranked"
        ) from error
    return ranking


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


class BadRankingLine(ValueError):
    """A line that does not belong in a ranking."""

    def __init__(self, line: int, reason: str) -> None:
        super().__init__(f"line {line} {reason}")


@dataclass(frozen=True)
class Record:
    """The action and the paper of one line."""

    line: int
    action: str
    paper: str

    @property
    def tag(self) -> str | None:
        """The tag that a line switches to; None if the line ranks a paper."""
        if "tag" not in (self.action, self.paper):
            return None
        named = _TAG.fullmatch(self.paper if self.action == "tag" else self.action)
        if named is None:
            raise BadRankingLine(self.line, "names no tag")
        return named.group(1).lower()


@dataclass
class Ranking:
    """The value of each paper, by tag, as the lines set them in order."""

    values: defaultdict[str, dict[str, tuple[float | None, int]]] = field(
        default_factory=lambda: defaultdict(dict)
    )
    repeated: int = 0
    _tag: str = ""
    _value: float = 0.0

    def follow(self, record: Record) -> None:
        """Apply a line: switch to a tag, or rank or unrank a paper."""
        tag = record.tag
        if tag is not None:
            self._tag, self._value = tag, 0.0
            return
        if not re.fullmatch("[0-9]+", record.paper, re.ASCII):
            raise BadRankingLine(record.line, "names no paper by its number")
        value = self._value_of(record)
        ranked = self.values[self._tag]
        self.repeated += record.paper in ranked
        ranked[record.paper] = value, record.line

    def _value_of(self, record: Record) -> float | None:
        action = record.action
        if action.lower() in UNRANKED:
            return None
        if not action.strip(">"):
            self._value += max(len(action), 1)
        elif action != "=":
            value = rank_of(action)
            if value is None:
                raise BadRankingLine(record.line, f"has the mark {action[:40]!r}")
            self._value = value
        return self._value


def records_of(lines: Iterable[tuple[int, str]]) -> Iterator[Record]:
    """Yield the records of a file; a header is optional, comments and empty lines are skipped."""
    delimiter, columns = "", (0, 1)
    for number, line in lines:
        if not line.strip() or line.lstrip().startswith(COMMENTS):
            continue
        tagged = _TAG_LINE.fullmatch(line)
        if tagged:
            yield Record(number, "tag", tagged.group(1))
            continue
        delimiter = delimiter or max(DELIMITERS, key=line.count)
        cells = _cells(line, delimiter)
        header = header_columns(cells)
        if header is not None:
            columns = header
        elif len(cells) <= max(columns):
            raise BadRankingLine(number, f"has {len(cells)} cells")
        else:
            action, paper = columns
            yield Record(number, cells[action].strip(), cells[paper].strip())


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
