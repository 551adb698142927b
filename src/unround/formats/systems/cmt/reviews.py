"""Read CMT's reviews: Reviews.xls as exported, or saved again as XLSX or CSV.

A question of the form that has values has two columns: "Q10 (Overall score)" holds the label that was
chosen, "Q10 (Overall score - Value)" its number.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache

import polars as pl

from unround.formats.cells import score_of, without_score
from unround.formats.files.grid_row import GridRow
from unround.formats.files.source import Source
from unround.formats.model import FileContent, ImportRefused, Options, Sheet
from unround.formats.systems.cmt.exports import QUESTION, Export, export_of, tables
from unround.formats.systems.sheet_tables import Places, SheetTable, on_one_line

HOW_TO_EXPORT = "in the chair's console choose Actions > Export to Excel > Reviews"
TITLES = {
    "paper": "Paper ID",
    "title": "Paper Title",
    "reviewer_name": "Reviewer Name",
    "reviewer_email": "Reviewer Email",
    "review": "Reviewer Number",
    "modified": "Last Modified",
}
ALWAYS = ("reviewer", "paper", "score")
_UNNAMED_SHEET = re.compile(r"(sheet|tabelle|feuil|hoja)? ?[0-9]*", re.IGNORECASE)
OVERALL = ("overall score", "overall rating", "overall recommendation", "overall evaluation")
SURE = ("confiden", "expertise")  # confidence, confident
_VALUE = re.compile(r"\s*-\s*value$", re.IGNORECASE)
_NUMBER = re.compile(r"Q[0-9]+", re.IGNORECASE)


@dataclass(frozen=True)
class _Columns:
    """The columns of a table; scores in the order in which they are tried."""

    carried: dict[str, int]
    scores: list[int]
    described: str


class _ReviewCollector:
    """The reviews read so far, column by column."""

    def __init__(self, source: Source) -> None:
        self.name = source.name
        names = (*TITLES, "reviewer", "track", "confidence", "score")
        self.cells: dict[str, list[str]] = {name: [] for name in names}
        self.places = Places(source.name)
        self.without_score = 0
        self.described: dict[str, None] = {}  # in order, each once

    def add(self, row: GridRow, columns: _Columns) -> None:
        """Add a row, if it has a score."""
        given = (score_of(row.cells.get(column)) for column in columns.scores)
        score = next((value for value in given if value is not None), None)
        if score is None:
            self.without_score += 1
            return
        texts = {name: row.cells.get(at, "").strip() for name, at in columns.carried.items()}
        texts |= {"score": score, "track": _track(row.sheet)}
        for name, cells in self.cells.items():
            cells.append(texts.get(name, ""))
        self.places.add(row)

    def identify(self) -> tuple[str, ...]:
        """Fill in the reviewers: by the user's column, by e-mail, or by name, which gives a note."""
        for kind in ("reviewer", "reviewer_email", "reviewer_name"):
            if any(self.cells[kind]):
                self.cells["reviewer"] = self.cells[kind]
                break
        else:
            raise ImportRefused(
                f"{self.name} does not say who wrote the reviews: it has neither 'Reviewer Email' "
                "nor 'Reviewer Name', and 'Reviewer Number' counts anew for each paper; "
                f"{HOW_TO_EXPORT}, or name the column with --column reviewer=.."
            )
        if kind != "reviewer_name":
            return ()
        return ("no column 'Reviewer Email': reviewers are told apart by their names",)

    def table(self) -> pl.DataFrame:
        """Return the reviews without empty columns; empty cells are null."""
        filled = {
            name: [cell or None for cell in cells]
            for name, cells in self.cells.items()
            if name in ALWAYS or any(cells)
        }
        columns = (*ALWAYS, *(name for name in filled if name not in ALWAYS))
        frame = pl.DataFrame(filled, schema=dict.fromkeys(filled, pl.String)).select(columns)
        if "modified" not in filled:
            return frame
        modified = [_milliseconds(text) for text in self.cells["modified"]]
        return frame.with_columns(modified=pl.Series(modified, dtype=pl.Int64))


def read_reviews(source: Source, options: Options) -> FileContent:
    """Read every review that has a score, of all tracks."""
    _refuse_others(source)
    collector = _ReviewCollector(source)
    passed_over: list[str] = []
    above: list[str] = []
    for table in tables(source, Export.REVIEWS, passed_over):
        columns = _columns(table, options)
        collector.described[columns.described] = None
        for row in table.records():
            collector.add(row, columns)
        above += table.notes()
    if not collector.cells["paper"]:
        count = collector.without_score
        raise ImportRefused(
            f"{source.name} (CMT reviews) holds no reviews"
            + (f" with a score: {count} have none" if count else "")
        )
    notes = (
        *above,
        *collector.identify(),
        *without_score(collector.without_score),
        *(f"sheet '{sheet}' left out: it holds no reviews" for sheet in passed_over),
    )
    return FileContent(
        recognised=f"{source.name}: CMT reviews, scores from {' and '.join(collector.described)}",
        reviews=Sheet(collector.table(), collector.places),
        notes=tuple(f"{source.name}: {note}" for note in notes),
    )


def _refuse_others(source: Source) -> None:
    export = export_of(source)
    if export is Export.META_REVIEWS:
        raise ImportRefused(
            f"{source.name} is CMT's export of meta-reviews, written by area chairs; scores are "
            f"those of reviewers: {HOW_TO_EXPORT}"
        )
    if export is Export.RATINGS:
        raise ImportRefused(
            f"{source.name} is CMT's export of review ratings: meta-reviewers rate reviews in it, "
            f"reviewers no papers; {HOW_TO_EXPORT}"
        )


def _columns(table: SheetTable, options: Options) -> _Columns:
    carried = {
        name: column
        for name, usual in TITLES.items()
        if (column := table.find(options.columns.get(name, usual))) is not None
    }
    if "paper" not in carried:
        raise _missing(table, options.columns["paper"])
    if "reviewer" in options.columns:
        carried["reviewer"] = _mapped(table, options.columns["reviewer"])
    sure = confidence_question(table)
    if "confidence" in options.columns:
        carried["confidence"] = _mapped(table, options.columns["confidence"])
    elif sure is not None and sure.value is not None:
        carried["confidence"] = sure.value
    if "score" in options.columns:
        title = options.columns["score"]
        return _Columns(carried, [_mapped(table, title)], f"'{title}'")
    chosen = score_questions(table, options.score_fields)
    described = ", where empty from ".join(question.source for question in chosen)
    return _Columns(carried, [q.value for q in chosen if q.value is not None], described)


def _mapped(table: SheetTable, title: str) -> int:
    column = table.find(title)
    if column is None:
        raise _missing(table, title)
    return column


def _missing(table: SheetTable, title: str) -> ImportRefused:
    return ImportRefused(f"{table.place} has no column {title!r}; found: {', '.join(table.header)}")


@lru_cache(maxsize=1024)
def _milliseconds(text: str) -> int | None:
    """Return a date such as "3/13/2021 6:21:39 PM -08:00" in milliseconds."""
    try:
        return int(datetime.strptime(text, "%m/%d/%Y %I:%M:%S %p %z").timestamp() * 1000)
    except (ValueError, OverflowError):
        return None


def _track(sheet: str) -> str:
    """Return the track a worksheet is named after; none if a spreadsheet program named it."""
    return "" if _UNNAMED_SHEET.fullmatch(sheet) else sheet


@dataclass(frozen=True)
class Question:
    """A question and its columns."""

    number: str  # "Q10"
    text: str
    label: int | None = None
    value: int | None = None

    @property
    def title(self) -> str:
        """The title as CMT writes it."""
        return f"{self.number} ({self.text})"

    @property
    def source(self) -> str:
        """The column that scores come from, and the one that is not used."""
        unused = f" (its labels, '{self.title}', are not used)" if self.label is not None else ""
        return f"'{self.number} ({self.text} - Value)'{unused}"


def questions_of(table: SheetTable) -> list[Question]:
    """Return every question, in the order of the form."""
    columns: dict[tuple[str, str], dict[str, int]] = {}
    for title, column in table.header.items():
        match = QUESTION.fullmatch(title)
        if match:
            text = _VALUE.sub("", match.group(2)).strip()
            is_value = _VALUE.search(match.group(2)) is not None
            both = columns.setdefault((match.group(1).upper(), text), {})
            both["value" if is_value else "label"] = column
    return [Question(number, text, **both) for (number, text), both in columns.items()]


def score_questions(table: SheetTable, fields: Sequence[str]) -> list[Question]:
    """Return the questions that the user named, in that order; else the one for the overall score."""
    questions = questions_of(table)
    if not fields:
        return [_guessed(table, questions)]
    named = [_named(table, questions, field) for field in fields]
    chosen = [question for question in named if question is not None]
    if not chosen:
        raise ImportRefused(
            f"{table.place}: no question with values is called {' or '.join(map(repr, fields))}; "
            f"{_listed(questions)}; choose with --field Q10, or with words of the question"
        )
    return chosen


def confidence_question(table: SheetTable) -> Question | None:
    """Return the question about the reviewer's confidence, if there is exactly one."""
    asking = [q for q in _valued(questions_of(table)) if any(w in q.text.casefold() for w in SURE)]
    return asking[0] if len(asking) == 1 else None


def _named(table: SheetTable, questions: Sequence[Question], field: str) -> Question | None:
    words = on_one_line(field).casefold()
    if _NUMBER.fullmatch(words):
        fitting = [question for question in questions if question.number.casefold() == words]
    else:
        fitting = [question for question in questions if words in question.title.casefold()]
        exact = [q for q in fitting if words in (q.text.casefold(), q.title.casefold())]
        fitting = exact or fitting
    valued = _valued(fitting)
    if fitting and not valued:
        raise ImportRefused(
            f"{table.place}: {fitting[0].title} has no '- Value' column, which CMT writes only for "
            f"choices that were given values; {_listed(questions)}"
        )
    if len(valued) > 1:
        raise ImportRefused(
            f"{table.place}: {field!r} could be {_titles(valued)}; {_advice(valued)}"
        )
    return valued[0] if valued else None


def _guessed(table: SheetTable, questions: Sequence[Question]) -> Question:
    fitting = [q for q in _valued(questions) if any(words in _words(q.text) for words in OVERALL)]
    if len(fitting) == 1:
        return fitting[0]
    if fitting:
        raise ImportRefused(
            f"{table.place}: {len(fitting)} questions ask for an overall score: {_titles(fitting)}; "
            f"{_advice(fitting)}"
        )
    raise ImportRefused(
        f"{table.place}: no question with values asks for an overall score; {_listed(questions)}; "
        "choose the one that holds the score with --field Q10, or with words of the question"
    )


def _valued(questions: Iterable[Question]) -> list[Question]:
    return [question for question in questions if question.value is not None]


def _words(text: str) -> str:
    return re.sub(r"[^a-z]+", " ", text.casefold())


def _listed(questions: Sequence[Question]) -> str:
    valued = _valued(questions)
    return (
        f"the questions with values are {_titles(valued)}" if valued else "no question has values"
    )


def _titles(questions: Sequence[Question]) -> str:
    return ", ".join(question.title for question in questions)


def _advice(questions: Sequence[Question]) -> str:
    return f"choose one with --field {questions[0].number}"
