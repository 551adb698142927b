"""Read OpenReview's CSV of reviews (the documented recipe); refuse the consoles' exports.

The recipe writes one row per review: forum or profileID (or both), then the form's fields. `title`
and `review` are the review's own. Values of API v2 may be as Python wrote them: {'value': 6}.
"""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator

import polars as pl

from unround.formats.cells import counted
from unround.formats.files.delimited import delimited_records, repeats_header
from unround.formats.files.source import Source
from unround.formats.model import FileContent, ImportRefused, Options, Sheet, lines_of
from unround.formats.systems.openreview.records import RATING_FIELDS
from unround.formats.systems.openreview.score_field import (
    CONFIDENCE_FIELDS,
    ScoreFields,
    confidence,
)
from unround.formats.systems.plain import columns_by_role
from unround.wording import option

LONGEST_LITERAL = 1000
_COLUMNS = ("reviewer", "paper", "score", "confidence", "forum")
_RATED = {*RATING_FIELDS, *CONFIDENCE_FIELDS, "review"}
UNNAMED = (
    "not named: each counts as a reviewer of its own, so one person's papers cannot be linked and "
    "rankings have no effect; write a column profileID, or save the notes and groups as JSON"
)
_ADDRESS = re.compile(r"https?://[^?#]*\?(?:[^#]*&)?id=([^&#]+)[^#]*(?:#.*)?")
_STATISTICS = ("min ", "max ", "average ", "num ")


def is_console_table(source: Source) -> bool:
    """Return whether this is the export of a chair's console: one row per paper."""
    header = source.header
    return {"number", "forum"} <= set(header) and any(
        name.startswith(_STATISTICS) for name in header
    )


def refuse_console_table(source: Source, _: Options) -> FileContent:
    """Refuse a console's export, which has averages only."""
    raise ImportRefused(
        f"{source.name} is the CSV of an OpenReview console: one row per paper with averages, no "
        "per-review scores. Export the review notes as JSON instead: [vars(note) for note in "
        "client.get_all_notes(invitation='VENUE/-/Submission', details='replies')]"
    )


def is_review_table(source: Source) -> bool:
    """Return whether the documented recipe wrote this; a table with a reviewer column is another."""
    header = set(source.header)
    if not header & {"forum", "profileID"} or not header & _RATED:
        return False
    return "profileID" in header or "reviewer" not in columns_by_role(source.header, {})


def read_review_table(source: Source, options: Options) -> FileContent:
    """Read one row per review; rows without a score are left out and counted."""
    fields = ScoreFields(_score_fields(options))
    rows = _Rows(options)
    for line, row in _rows(source, rows):
        place = f"{source.name}, line {line}"
        score = fields.read(row, place)
        if score is not None:
            fields.count(score)
        rows.take(line, _forum(source, place, row, options), score and score.level, row)
    if not rows.in_forum:
        raise ImportRefused(f"{source.name} has a header but no reviews")
    fields.check(source.name)
    table = pl.DataFrame(rows.rows, schema=dict.fromkeys(_COLUMNS, pl.String), orient="row")
    return FileContent(
        recognised=f"{source.name}: OpenReview reviews (CSV), scores from {fields.names}",
        reviews=Sheet(table, lines_of(source.name, rows.lines)),
        notes=(*rows.notes(), *fields.notes()),
    )


class _Rows:
    """The reviews read so far, and counts of what was left out."""

    def __init__(self, options: Options) -> None:
        self._named = options.columns.get("reviewer", "profileID")
        self._papers = options.known_papers
        self.rows: list[tuple[str | None, ...]] = []  # of _COLUMNS
        self.lines: list[int] = []
        self.in_forum: Counter[str] = Counter()
        self._unscored = 0
        self.repeated_headers = 0
        self._unnamed = 0

    def take(self, line: int, forum: str, score: str | None, row: dict[str, str]) -> None:
        self.in_forum[forum] += 1
        if score is None:
            self._unscored += 1
            return
        reviewer = row.get(self._named, "").strip()
        self._unnamed += not reviewer
        paper = self._papers.get(forum, forum)
        reviewer = reviewer or f"{forum}/Review_{self.in_forum[forum]}"
        self.rows.append((reviewer, paper, score, confidence(row), forum))
        self.lines.append(line)

    def notes(self) -> Iterator[str]:
        if self._unscored:
            yield (
                f"{counted(self._unscored, 'review')} without a score left out (the recipe writes "
                "a score of 0 as an empty cell too: if the form has a 0, save the notes as JSON)"
            )
        if self.repeated_headers:
            yield f"{counted(self.repeated_headers, 'row repeating the header')} left out"
        if self._unnamed:
            yield f"{counted(self._unnamed, 'review')} whose reviewer is {UNNAMED}"


def _score_fields(options: Options) -> tuple[str, ...]:
    named = options.columns.get("score")
    return options.score_fields or ((named,) if named else ())


def _rows(source: Source, rows: _Rows) -> Iterator[tuple[int, dict[str, str]]]:
    records = delimited_records(source)
    _, header = next(records)
    for line, cells in records:
        if repeats_header(cells, header):
            rows.repeated_headers += 1
            continue
        yield line, {name: _value(cell) for name, cell in zip(header, cells, strict=True)}


def _value(cell: str) -> str:
    """Return a cell's text, or the value in it if Python wrote it as {'value': ..}."""
    if not cell.startswith("{'value':") or len(cell) > LONGEST_LITERAL:
        return cell
    try:
        return str(ast.literal_eval(cell)["value"])
    except (ValueError, SyntaxError, TypeError, KeyError, MemoryError, RecursionError):
        return cell


def _forum(source: Source, place: str, row: dict[str, str], options: Options) -> str:
    column = options.columns.get("paper", "forum")
    if column not in row:
        raise ImportRefused(
            f"{source.name} has no column {column!r} that tells each review's paper; found: "
            f"{', '.join(row)}. Write review.forum into the file, or map another column with "
            f"{option('columns', 'paper=NAME')}"
        )
    cell = row[column].strip()
    address = _ADDRESS.fullmatch(cell[:LONGEST_LITERAL])
    cell = address.group(1) if address else cell
    if not cell:
        raise ImportRefused(
            f"{place}: the cell of {column!r} is empty; write review.forum there, not a form field"
        )
    return cell
