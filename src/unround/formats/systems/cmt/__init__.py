"""Read CMT's reviews: Reviews.xls as exported, or saved again as XLSX or CSV; write paper statuses.

Comparisons and submissions are in `exports`.

A question of the form that has values has two columns: "Q10 (Overall score)" holds the label that was
chosen, "Q10 (Overall score - Value)" its number.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

import polars as pl

from unround.formats.cells import left_out_note, milliseconds, on_one_line, score_of
from unround.formats.files.source import Source
from unround.formats.files.tables import Table, title_of
from unround.formats.model import (
    UNSCORED,
    Context,
    ExportedFile,
    ExportOptions,
    FileContent,
    Gives,
    ImportRefused,
    Options,
    Sheet,
    filled_columns,
    split_scored,
    stacked,
)
from unround.formats.systems.cmt.exports import (
    EXPORTS,
    QUESTION,
    read_comparisons,
    read_submissions,
)
from unround.formats.systems.exports import (
    column_of,
    columns_by_title,
    decided_papers,
    sheet_of,
)
from unround.formats.systems.form_fields import could_be_the_score
from unround.wording import option

__all__ = ["READERS", "export"]

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
WRITTEN_AS = "%m/%d/%Y %I:%M:%S %p %z"  # 3/13/2021 6:21:39 PM -08:00
_UNNAMED_SHEET = re.compile(r"(sheet|tabelle|feuil|hoja)? ?[0-9]*", re.IGNORECASE)
_OVERALL = re.compile(
    r"overall[^a-z]+(?:score|rating|recommendation|evaluation)", re.IGNORECASE | re.ASCII
)
CONFIDENCE_WORDS = ("confiden", "expertise")  # confidence, confident
_VALUE = re.compile(r"\s*-\s*value$", re.IGNORECASE)
_NUMBER = re.compile(r"Q[0-9]+", re.IGNORECASE)


def read_reviews(source: Source, options: Options, context: Context) -> FileContent:
    """Read every review that has a score, of all tracks."""
    _refuse_others(source)
    sheets: list[Sheet | None] = []
    described: dict[str, None] = {}  # in order, each once
    notes: list[str] = []
    for _, table in EXPORTS.tables(source, "reviews", notes=notes, wanted=_wanted(options)):
        carried, scores, scored_by = _columns(table, options)
        described[scored_by] = None
        sheets.append(_scored(table, carried, scores))
    every = stacked(sheets)
    if every is None or not every.table["score"].count():
        rows = 0 if every is None else every.table.height
        raise ImportRefused(
            f"{source.name} (CMT reviews) holds no reviews"
            + (f" with a score: {rows} have none" if rows else "")
            + f"; {HOW_TO_EXPORT}"
        )
    named, by_name = _with_reviewers(source.name, filled_columns(every.table, ALWAYS))
    reviews, uncounted = split_scored(Sheet(named, every.place))
    return FileContent(
        recognised=f"CMT reviews, scores from {' and '.join(described)}",
        reviews=reviews,
        uncounted=uncounted,
        withdrawn_in="the export of submissions with their status",
        notes=(*notes, *by_name, *left_out_note(named["score"].null_count(), UNSCORED)),
    )


def _wanted(options: Options) -> Callable[[str], bool]:
    """Return the test for columns that can matter: the texts of reviews are not even kept."""
    named = {title_of(title) for title in options.columns.values()}

    def is_wanted(name: str) -> bool:
        question = QUESTION.fullmatch(on_one_line(name))
        return title_of(name) in named or not question or bool(_VALUE.search(question.group(2)))

    return is_wanted


def _scored(table: Table, carried: Mapping[str, str], columns: Sequence[str]) -> Sheet:
    """Return the reviews of a table, with the score in the first of the columns that has one."""
    given = zip(*map(table.texts, columns), strict=True)
    scores = [next(filter(None, map(score_of, cells)), None) for cells in given]
    sheet = sheet_of(table, carried)
    score = pl.Series("score", scores, dtype=pl.String)
    # A worksheet is named after its track, unless a spreadsheet program named it.
    track = "" if _UNNAMED_SHEET.fullmatch(table.sheet) else table.sheet
    reviews = sheet.table.with_columns(score, track=pl.lit(track))
    if "modified" in reviews.columns:
        modified = (milliseconds(text, WRITTEN_AS) for text in reviews["modified"])
        reviews = reviews.with_columns(modified=pl.Series(modified, dtype=pl.Int64))
    return Sheet(reviews, sheet.place)


def _with_reviewers(file: str, reviews: pl.DataFrame) -> tuple[pl.DataFrame, tuple[str, ...]]:
    """Fill in the reviewers: by the user's column, by e-mail, or by name, which gives a note."""
    kinds = ("reviewer", "reviewer_email", "reviewer_name")
    kind = next((k for k in kinds if k in reviews.columns and reviews[k].count()), None)
    if kind is None:
        raise ImportRefused(
            f"{file} does not say who wrote the reviews: it has neither 'Reviewer Email' "
            "nor 'Reviewer Name', and 'Reviewer Number' counts anew for each paper; "
            f"{HOW_TO_EXPORT}, or name the column with {option('columns', 'reviewer=..')}"
        )
    others = [name for name in (*TITLES, "track", "confidence") if name in reviews.columns]
    table = reviews.with_columns(reviewer=kind).select(
        *ALWAYS, *(n for n in others if n not in ALWAYS)
    )
    if kind != "reviewer_name":
        return table, ()
    return table, (
        "no column 'Reviewer Email': reviewers go by their names, so two of one name count as one",
    )


def _refuse_others(source: Source) -> None:
    export = EXPORTS.kind_in(source)
    if export == "meta-reviews":
        raise ImportRefused(
            f"{source.name} is CMT's export of meta-reviews, written by area chairs; scores are "
            f"those of reviewers: {HOW_TO_EXPORT}"
        )
    if export == "ratings":
        raise ImportRefused(
            f"{source.name} is CMT's export of review ratings: meta-reviewers rate reviews in it, "
            f"reviewers no papers; {HOW_TO_EXPORT}"
        )


def _columns(table: Table, options: Options) -> tuple[dict[str, str], list[str], str]:
    """Return the columns by our names, those of scores in the order of trying, and their description."""
    carried = columns_by_title(table, TITLES, options)
    if "reviewer" in options.columns:
        carried["reviewer"] = column_of(table, options.columns["reviewer"])
    confidence = confidence_question(table)
    if "confidence" in options.columns:
        carried["confidence"] = column_of(table, options.columns["confidence"])
    elif confidence is not None and confidence.value is not None:
        carried["confidence"] = confidence.value
    if "score" in options.columns:
        title = options.columns["score"]
        return carried, [column_of(table, title)], f"'{title}'"
    chosen = score_questions(table, options.score_fields)
    described = ", where empty from ".join(question.source for question in chosen)
    return carried, [q.value for q in chosen if q.value is not None], described


@dataclass(frozen=True)
class FormQuestion:
    """A question and its columns."""

    number: str  # "Q10"
    text: str
    label: str | None = None
    value: str | None = None

    @property
    def title(self) -> str:
        """The title as CMT writes it."""
        return f"{self.number} ({self.text})"

    @property
    def source(self) -> str:
        """The column that scores come from, and the one that is not used."""
        unused = f" (its labels, '{self.title}', are not used)" if self.label is not None else ""
        return f"'{self.number} ({self.text} - Value)'{unused}"


def questions_of(table: Table) -> list[FormQuestion]:
    """Return every question, in the order of the form."""
    columns: dict[tuple[str, str], dict[str, str]] = {}
    for column in (*table.header, *table.repeated):
        match = QUESTION.fullmatch(on_one_line(column))
        if match:
            text = _VALUE.sub("", match.group(2)).strip()
            is_value = _VALUE.search(match.group(2)) is not None
            both = columns.setdefault((match.group(1).upper(), text), {})
            both.setdefault("value" if is_value else "label", column)
    return [FormQuestion(number, text, **both) for (number, text), both in columns.items()]


def score_questions(table: Table, fields: Sequence[str]) -> list[FormQuestion]:
    """Return the questions that the user named, in that order; else the one for the overall score."""
    questions = questions_of(table)
    valued = _valued(questions)
    overall = [
        one
        for one in valued
        if _OVERALL.search(one.text) or could_be_the_score(one.text, final=True)
    ]
    found = [_named(table, questions, field) for field in fields] or [
        _only(table, overall, f"{len(overall)} questions ask for an overall score:")
    ]
    chosen = [question for question in found if question is not None]
    if not chosen:
        what = (
            f"is called {' or '.join(map(repr, fields))}" if fields else "asks for an overall score"
        )
        ways = (
            f"; choose with {option('fields', valued[0].number)}, or words of it" if valued else ""
        )
        raise ImportRefused(
            f"{table.where}: no question with values {what}; {_listed(questions)}{ways}"
        )
    return chosen


def confidence_question(table: Table) -> FormQuestion | None:
    """Return the question about the reviewer's confidence, if there is exactly one."""
    valued = _valued(questions_of(table))
    about = [q for q in valued if any(word in q.text.casefold() for word in CONFIDENCE_WORDS)]
    return about[0] if len(about) == 1 else None


def _named(table: Table, questions: Sequence[FormQuestion], field: str) -> FormQuestion | None:
    words = on_one_line(field).casefold()
    if _NUMBER.fullmatch(words):
        fitting = [question for question in questions if question.number.casefold() == words]
    else:
        fitting = [question for question in questions if words in question.title.casefold()]
        exact = [q for q in fitting if words in (q.text.casefold(), q.title.casefold())]
        fitting = exact or fitting
    if fitting and not _valued(fitting):
        raise ImportRefused(
            f"{table.where}: {fitting[0].title} has no '- Value' column, which CMT writes only for "
            f"choices that were given values; {_listed(questions)}"
        )
    return _only(table, _valued(fitting), f"{field!r} could be")


def _only(table: Table, fitting: Sequence[FormQuestion], several: str) -> FormQuestion | None:
    """Return the question that fits; ask which one is meant if there are several."""
    if len(fitting) > 1:
        raise ImportRefused(
            f"{table.where}: {several} {_titles(fitting)}; choose one with "
            f"{option('fields', fitting[0].number)}"
        )
    return fitting[0] if fitting else None


def _valued(questions: Iterable[FormQuestion]) -> list[FormQuestion]:
    return [question for question in questions if question.value is not None]


def _listed(questions: Sequence[FormQuestion]) -> str:
    valued = _titles(_valued(questions))
    return f"the questions with values are {valued}" if valued else "no question has values"


def _titles(questions: Sequence[FormQuestion]) -> str:
    return ", ".join(question.title for question in questions)


def export(
    target: str, scores: pl.DataFrame, papers: pl.DataFrame, options: ExportOptions
) -> ExportedFile:
    """Return the paper's number and its decision, by the names of CMT's paper statuses, with tabs."""
    rows = (f"{paper}\t{decision}\r\n" for paper, decision in decided_papers(papers))
    return ExportedFile("txt", "".join(rows))


READERS = (
    # Meta-reviews and ratings look alike: they are recognised here to be refused by name.
    EXPORTS.reader(read_reviews, Gives.REVIEWS, "reviews", "meta-reviews", "ratings"),
    EXPORTS.reader(read_comparisons, Gives.STATEMENTS, "comparisons"),
    EXPORTS.reader(read_submissions, Gives.PAPERS, "submissions"),
)
