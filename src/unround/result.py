"""Result: scores and everything known about them, as tables of the caller's kind."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from unround.arrays import FloatArray, IntArray
from unround.certificate import Certificate
from unround.certificate.explanation import Bindings, Parts, explain
from unround.issues import Issue
from unround.metrics import percentiles, tie_share
from unround.problem.model import Problem
from unround.reviews.frames import Frame, frame_like, rows_of, with_columns
from unround.reviews.review_set import ReviewSet
from unround.reviews.tables import Tables
from unround.selection.curve import Curve
from unround.settings import Settings


@dataclass(frozen=True)
class Internals:
    """What a result was computed from and as, for other parts of unround."""

    tables: Tables
    frame: Frame
    reviews: ReviewSet
    problem: Problem
    lam: float
    values: FloatArray  # dequantized, in the order of `reviews`
    curve: Curve | None

    @property
    def parts(self) -> Parts:
        """The parts of every move, in the order of `reviews`."""
        return self.explained[0]

    @cached_property
    def explained(self) -> tuple[Parts, Bindings]:
        """What moved every score, and the comparisons that bind."""
        return explain(self.problem, self.lam, self.values)


@dataclass(frozen=True)
class Result:
    """Dequantized scores, with their proof and their reasons. Tables are of the caller's kind.

    >>> import polars as pl, unround
    >>> reviews = pl.DataFrame({"reviewer": [1, 1], "paper": ["a", "b"], "score": [4, 4]})
    >>> rankings = pl.DataFrame({"reviewer": [1, 1], "paper": ["a", "b"], "rank": [1, 2]})
    >>> result = unround.dequantize(reviews, rankings, lam=1.0)
    >>> result.scores["dequantized"].round(4).to_list()
    [4.025, 3.975]
    >>> result.papers.columns[:4]
    ['paper', 'reviews', 'score_min', 'score_max']
    >>> result.explanation["ranking"].round(4).to_list()
    [0.025, -0.025]
    >>> result.bindings.row(0)[:3]
    (1, 'a', 'b')
    """

    certificate: Certificate
    issues: tuple[Issue, ...]
    settings: Settings
    internals: Internals = field(repr=False)

    @property
    def lam(self) -> float:
        """The λ used."""
        return self.internals.lam

    @cached_property
    def scores(self) -> Any:
        """One row a review, in the caller's order: reviewer, paper, score, dequantized, percentile, and
        whatever other columns the caller's table has.
        """
        extra = [name for name in self.internals.frame.columns if name not in _SCORE_COLUMNS]
        new = self.internals.reviews.in_caller_order(self.internals.values)
        added = with_columns(
            self.internals.frame, {"dequantized": new, "percentile": percentiles(new)}
        )
        return added.select(*_SCORE_COLUMNS, *extra).to_native()

    @cached_property
    def papers(self) -> Any:
        """One row a paper, by id: reviews, and min, max, mean, median and spread of score and dequantized."""
        first = self.internals.problem.by_paper[self.internals.problem.paper_start[:-1]]
        ids = rows_of(self.internals.frame.select("paper"), self.internals.reviews.row[first])
        columns = {"reviews": np.diff(self.internals.problem.paper_start)}
        for name, values in (
            ("score", self.internals.reviews.given),
            ("dequantized", self.internals.values),
        ):
            statistics = paper_statistics(values, self.internals.problem)
            columns |= {f"{name}_{label}": column for label, column in statistics.items()}
        return with_columns(ids, columns).to_native()

    @cached_property
    def selection(self) -> Any:
        """The validation curve: lam, error. None when λ was given."""
        curve = self.internals.curve
        if curve is None:
            return None
        return frame_like(self.internals.frame, {"lam": curve.lam, "error": curve.error})

    @cached_property
    def explanation(self) -> Any:
        """One row a review, in the caller's order: how far consensus, ranking and cell moved it.

        score + consensus + ranking + cell = dequantized.
        """
        parts = {
            name: self.internals.reviews.in_caller_order(values)
            for name, values in (
                ("dequantized", self.internals.values),
                ("consensus", self.internals.parts.consensus),
                ("ranking", self.internals.parts.ranking),
                ("cell", self.internals.parts.cell),
            )
        }
        return with_columns(
            self.internals.frame.select("reviewer", "paper", "score"), parts
        ).to_native()

    @cached_property
    def bindings(self) -> Any:
        """The comparisons that bind: reviewer, better, worse, how far each lifts one and lowers the other."""
        found, papers = self.internals.explained[1], self.internals.frame.select("paper")
        rows = self.internals.reviews.row
        pairs = rows_of(self.internals.frame.select("reviewer", "paper"), rows[found.better])
        worse = rows_of(papers, rows[found.worse])["paper"].alias("worse")
        named = pairs.rename({"paper": "better"}).with_columns(worse)
        return with_columns(named, {"lifts": found.lifts, "lowers": found.lowers}).to_native()

    @property
    def ties(self) -> tuple[float, float]:
        """The share of tied pairs of reviews, before and after."""
        return tie_share(self.internals.reviews.given), tie_share(self.internals.values)


_SCORE_COLUMNS = ("reviewer", "paper", "score", "dequantized", "percentile")


def paper_statistics(values: FloatArray, problem: Problem) -> dict[str, FloatArray]:
    """Each statistic, one entry a paper. `values` holds one entry a review."""
    start, end = problem.paper_start[:-1], problem.paper_start[1:]
    count = end - start
    ascending = _ascending(values[problem.by_paper], start, count)
    least, most = ascending[start], ascending[end - 1]
    sums = np.bincount(problem.paper, weights=values, minlength=problem.papers)
    middle = (ascending[start + (count - 1) // 2] + ascending[start + count // 2]) / 2.0
    # A mean of equal values may leave their range by a rounding: it stays inside.
    mean = np.clip(sums / count, least, most)
    return {"min": least, "max": most, "mean": mean, "median": middle, "spread": most - least}


def _ascending(values: FloatArray, start: IntArray, count: IntArray) -> FloatArray:
    """Every paper's values sorted, in place: papers with equally many reviews at a time."""
    for reviews in np.flatnonzero(np.bincount(count)).tolist():
        places = start[count == reviews][:, None] + np.arange(reviews)
        values[places] = np.sort(values[places], axis=1)
    return values
