"""Find the questions of a CMT review form in the titles of its columns.

A question with values has two columns: "Q10 (Overall score)" holds the label that was chosen,
"Q10 (Overall score - Value)" its number.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from unround.formats.model import ImportRefused
from unround.formats.systems.cmt.exports import QUESTION
from unround.formats.systems.sheet_tables import SheetTable, on_one_line

OVERALL = ("overall score", "overall rating", "overall recommendation", "overall evaluation")
SURE = ("confiden", "expertise")  # confidence, confident
_VALUE = re.compile(r"\s*-\s*value$", re.IGNORECASE)
_NUMBER = re.compile(r"Q[0-9]+", re.IGNORECASE)


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
