"""Collect the reviews of a file whose form has several fields; choose their scores and reviewers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import polars as pl

from unround.formats.cells import counted, listed, read_times
from unround.formats.files.tables import Table
from unround.formats.model import (
    UNSCORED,
    FileContent,
    ImportRefused,
    Options,
    Sheet,
    SheetBuilder,
    text_table,
)
from unround.formats.systems.form_fields import (
    Field,
    confidence_field,
    passed_over,
    score_fields,
)
from unround.wording import option

MOST_LEVELS_OF_ONE_CATEGORY = 11  # more values than this are sums
CARRIED = ("title", "track", "area_chair", "decision")
UNCOUNTED = ("reviewer", "paper", "reason", "reviewer_name", "reviewer_email")


@dataclass(frozen=True, slots=True)
class Review:
    """A submitted review with all its scores, before one of them is chosen."""

    place: str  # its file, and "line 12" or "review 1A"
    paper: str
    values: Iterable[tuple[str, object]]  # by the fields' keys; any of them may be the score
    review: str = ""  # the system's id of it, such as HotCRP's 1A or 1r23
    reviewer: str = ""  # who wrote it where the user names the column; else the e-mail, or the name
    name: str = ""
    email: str = ""
    carried: Mapping[str, str] = field(default_factory=dict)
    modified: int | None = None  # milliseconds
    scores: Mapping[str, str] = field(default_factory=dict)  # those of the values that are scores


class ReviewCollector:
    """The reviews of one file, and counts of what was left out."""

    def __init__(
        self, name: str, title: str, if_hidden: str, form: Mapping[str, Field] | None = None
    ) -> None:
        self.name, self.title = name, title  # of the file, or the table, in messages
        self._if_hidden = if_hidden  # what to do where reviews do not name their authors
        self.fields, self.has_form = dict(form or {}), bool(form)
        self.left_out: Counter[str] = Counter()
        self._reviews: list[Review] = []
        self._uncounted: list[tuple[Review, str]] = []  # and why they do not count
        self.withdrawn: dict[str, str] = {}  # paper -> why it is out of the running
        self.withdrawn_in = self.meta_reviews_in = ""  # the files that say what this one does not
        self.notes: list[str] = []

    def add(self, review: Review, out: str = "") -> None:
        """Add a review; `out` says why it does not count, such as "review not submitted"."""
        if out:
            self.left_out[out] += 1
            self._uncounted.append((review, out))
            return
        if not review.paper:
            raise ImportRefused(f"{review.place} names no paper; write the paper's number there")
        scores: dict[str, str] = {}
        for key, value in review.values:
            field = self.fields.setdefault(key, Field(key, key))
            scores[key] = field.take(value, review.place)
        self._reviews.append(replace(review, values=(), scores=scores))

    def add_rows(
        self, table: Table, columns: Mapping[str, str], fields: Iterable[str], out: str = ""
    ) -> None:
        """Add a review for each row, from its columns by our names and those of the form's fields."""
        cells = {ours: table.texts(name) for ours, name in columns.items()}
        values = {name: table.texts(name) for name in fields}
        times, _ = read_times(cells.get("modified", [""] * table.data.height))
        for row in range(table.data.height):
            known = {ours: texts[row] for ours, texts in cells.items()}
            self.add(
                Review(
                    place=table.place(row),
                    paper=known["paper"],
                    values=((name, texts[row]) for name, texts in values.items()),
                    review=known.get("review", ""),
                    reviewer=known.get("reviewer", ""),
                    name=known.get("reviewer_name", ""),
                    email=known.get("reviewer_email", ""),
                    carried=known,
                    modified=times[row],
                ),
                out,
            )

    @property
    def has_reviews(self) -> bool:
        """Whether any submitted review was added."""
        return bool(self._reviews)

    def part(self, options: Options) -> FileContent:
        """Return the reviews with their scores, and notes on what was left out."""
        if not self.has_reviews:  # a blank form or an empty export among others stops nothing
            blank = "; ".join((f"{self.title}, holds no submitted reviews", *self._left()))
            return FileContent(blank, **self._besides())
        chosen = score_fields(list(self.fields.values()), options, self.name)
        if not (options.score_fields or "score" in options.columns):
            others = [field for field in self.fields.values() if self._differs(field, chosen[0])]
            self.notes += passed_over(others, chosen)
        confidence = confidence_field(
            (field for field in self.fields.values() if field not in chosen), options
        )
        scored = self._scored(chosen)
        described = ", where empty from ".join(repr(field.name) for field in chosen)
        if not scored:
            nothing = f"{self.title}, holds no review with a score in {described}"
            return FileContent(nothing, **self._besides())
        return FileContent(
            recognised=f"{self.title}, scores from {described}",
            reviews=Sheet(self._table(scored, confidence), lambda row: scored[row][0].place),
            scale=chosen[0].scale,
            **self._besides(),
        )

    def part_of_one(self, options: Options, total: str = "") -> FileContent:
        """Return the reviews, with the scores of the only category; of several, ask which counts.

        `total` is the name of a field that may be the sum of several categories, or the only one.
        """
        if options.score_fields or "score" in options.columns or not self.has_reviews:
            return self.part(options)
        scored = [field for field in self.fields.values() if field.holds_scores]
        confidence = confidence_field(scored, options)
        scored = [field for field in scored if field is not confidence]
        if not scored:
            return self.part(options)  # which says what the fields hold
        if len(scored) > 1 or (total and len(scored[0].symbols) > MOST_LEVELS_OF_ONE_CATEGORY):
            names = listed([field.name for field in scored if field.name != total])
            about = ""
            if total:
                about = f". {total!r} is a weighted sum of them, unless a category is called so"
            raise ImportRefused(
                f"{self.name}: which category is the score? Choose with "
                f"{option('fields', 'NAME')}: {names}{about}"
            )
        return self.part(replace(options, score_fields=tuple(field.name for field in scored)))

    def _differs(self, field: Field, chosen: Field) -> bool:
        """Return whether any review has another score in a field than in the chosen one."""
        return any(one.scores.get(field.key) != one.scores.get(chosen.key) for one in self._reviews)

    def _scored(self, chosen: list[Field]) -> list[tuple[Review, str]]:
        """Return each review with the score of the first chosen field that has one."""
        scored: list[tuple[Review, str]] = []
        taken: Counter[str] = Counter()
        for review in self._reviews:
            key = next((f.key for f in chosen if review.scores.get(f.key)), None)
            if key is None:
                self.add(review, UNSCORED)
            else:
                taken[key] += 1
                scored.append((review, review.scores[key]))
        self.notes += [
            f"{counted(taken[other.key], 'score')} taken from {other.name!r}, where "
            f"{chosen[0].name!r} is empty"
            for other in chosen[1:]
            if taken[other.key]
        ]
        return scored

    def _table(self, scored: list[tuple[Review, str]], confidence: Field | None) -> pl.DataFrame:
        reviews = [review for review, _ in scored]
        columns: dict[str, list[str]] = {
            "reviewer": self._reviewers(reviews),
            "paper": [review.paper for review in reviews],
            "score": [score for _, score in scored],
            "review": [review.review for review in reviews],
            "reviewer_name": [review.name for review in reviews],
            "reviewer_email": [review.email for review in reviews],
        }
        columns |= {key: [review.carried.get(key, "") for review in reviews] for key in CARRIED}
        if confidence is not None:
            columns["confidence"] = [review.scores.get(confidence.key, "") for review in reviews]
        table = text_table(columns, always=("reviewer", "paper", "score"))
        modified = pl.Series("modified", [review.modified for review in reviews], dtype=pl.Int64)
        return table.with_columns(modified) if modified.count() else table

    def _reviewers(self, reviews: list[Review]) -> list[str]:
        """Return each review's author; a review that names none counts as a reviewer of its own."""
        unnamed: Counter[str] = Counter()
        named = [review.reviewer or review.email or review.name for review in reviews]
        hidden = named.count("")
        if hidden:
            self.notes.append(_about_hidden(hidden, hidden == len(reviews), self._if_hidden))
        both = zip(named, reviews, strict=True)
        return [name or _anonymous_id(review, unnamed) for name, review in both]

    def _besides(self) -> dict[str, Any]:
        """Return what a file gives besides reviews: those that do not count, and notes."""
        uncounted = SheetBuilder(*UNCOUNTED)
        for review, why in self._uncounted:
            if reviewer := review.reviewer or review.email or review.name:
                known = review.paper, why, review.name or None, review.email or None
                uncounted.add(review.place, reviewer, *known)
        return {
            "uncounted": uncounted.sheet() if uncounted.places else None,
            "withdrawn": None if self.withdrawn_in else self.withdrawn,
            "withdrawn_in": self.withdrawn_in,
            "meta_reviews_in": self.meta_reviews_in,
            "notes": (*self._left(), *self.notes),
        }

    def _left(self) -> list[str]:
        return [f"{counted(count, what)} left out" for what, count in self.left_out.items()]


def _anonymous_id(review: Review, unnamed: Counter[str]) -> str:
    """Return an id for the unknown author of one review."""
    if not review.review:
        unnamed[review.paper] += 1
        return f"review {unnamed[review.paper]} of paper {review.paper}"
    ordinal = review.review.removeprefix(review.paper)
    return f"{review.paper}{'/' if ordinal[:1].isdecimal() else ''}{ordinal}"


def _about_hidden(hidden: int, every: bool, advice: str) -> str:
    whose = "no review says who wrote it" if every else counted(hidden, "review without an author")
    rankings = "rankings cannot be used" if every else "rankings cannot reach it"
    return f"{whose}: each counts as a reviewer of its own, and {rankings}. {advice}"
