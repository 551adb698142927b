"""The lines of an offline ranking file -> rank values by tag. The rules are HotCRP's own."""

from __future__ import annotations

import csv
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from unround.formats.hotcrp.ranks import rank_of

PAPER_NAMES = ("paper", "pid", "paperid", "id")
ACTION_NAMES = ("action", "tag", "index")
UNRANKED = ("x", "clear", "unset")
COMMENTS = ("#", "%")
DELIMITERS = ",\t|"
_TAG = re.compile(r"#?(?:[^\s#~]*~)?([a-zA-Z@*_:.][-+a-zA-Z0-9?!@*_:./]*)", re.ASCII)


class NotUnderstood(ValueError):
    """A line that is no part of a ranking."""


@dataclass(frozen=True)
class Record:
    """One line's action and paper."""

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
            raise NotUnderstood("names no tag")
        return named.group(1).lower()


@dataclass
class Ranking:
    """The value of each paper by tag, as the lines set them one after the other."""

    values: defaultdict[str, dict[str, tuple[float | None, int]]] = field(
        default_factory=lambda: defaultdict(dict)
    )
    repeated: int = 0
    _tag: str = ""
    _value: float = 0.0

    def follow(self, record: Record) -> None:
        """Do what a line says: switch to a tag, or rank or unrank a paper."""
        tag = record.tag
        if tag is not None:
            self._tag, self._value = tag, 0.0
            return
        if not re.fullmatch("[0-9]+", record.paper, re.ASCII):
            raise NotUnderstood("names no paper by its number")
        value = self._value_of(record.action)
        ranked = self.values[self._tag]
        self.repeated += record.paper in ranked
        ranked[record.paper] = value, record.line

    def _value_of(self, action: str) -> float | None:
        if action.lower() in UNRANKED:
            return None
        if not action.strip(">"):
            self._value += max(len(action), 1)
        elif action != "=":
            value = rank_of(action)
            if value is None:
                raise NotUnderstood(f"has the mark {action[:40]!r}")
            self._value = value
        return self._value


def records_of(lines: Iterable[tuple[int, str]]) -> Iterator[Record]:
    """The records of a file; a header is optional, comments and empty lines are skipped."""
    telling = (
        (number, line)
        for number, line in lines
        if line.strip() and not line.lstrip().startswith(COMMENTS)
    )
    delimiter, columns = "", (0, 1)
    for number, line in telling:
        delimiter = delimiter or max(DELIMITERS, key=line.count)
        cells = _cells(line, delimiter)
        header = header_columns(cells)
        if header is not None:
            columns = header
        elif len(cells) <= max(columns):
            raise NotUnderstood(f"line {number} has {len(cells)} cells")
        else:
            action, paper = columns
            yield Record(number, cells[action].strip(), cells[paper].strip())


def header_columns(cells: Sequence[str]) -> tuple[int, int] | None:
    """Where a header has the action and the paper; None if it is no header of a ranking."""
    names = [cell.strip().lower() for cell in cells]
    if not set(names) <= {*PAPER_NAMES, *ACTION_NAMES, "title"}:
        return None
    actions = [place for place, name in enumerate(names) if name in ACTION_NAMES]
    papers = [place for place, name in enumerate(names) if name in PAPER_NAMES]
    return (actions[0], papers[0]) if len(actions) == len(papers) == 1 else None


def _cells(line: str, delimiter: str) -> list[str]:
    """One line's cells: an open quotation mark cannot swallow the lines that follow."""
    if delimiter != ",":
        return line.split(delimiter)
    try:
        return next(csv.reader([line]), [])
    except csv.Error:
        return line.split(",")
