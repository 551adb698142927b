"""Sample: one drawn conference. Case: a sample with ε and a policy, and what several methods need.

What methods share is computed once per case. Results equal those of the public functions bit for bit:
the same stages run in the same order, without the dataframes between them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache, cached_property
from typing import TYPE_CHECKING

import numpy as np

from unround.arrays import BoolArray, FloatArray
from unround.errors import InputRefused, UsageError
from unround.metrics.kendall import KendallError
from unround.metrics.papers import paper_means
from unround.pipeline import dequantize_tables
from unround.problem.build import build_problem
from unround.problem.model import Problem
from unround.result import Result
from unround.reviews.reader import read
from unround.reviews.review_set import ReviewSet
from unround.reviews.tables import Tables
from unround.selection.simulation import error_curve, simulated
from unround.selection.validation import PAPER_GRID, Curve, validate
from unround.settings import Policy, Settings
from unround.simulate import Conference
from unround.solver.local import Solver
from unround.uncertainty.calibration import Calibration, calibrate
from unround.uncertainty.posterior import Posterior, posterior

if TYPE_CHECKING:
    import polars as pl


def unchanged(scores: FloatArray) -> FloatArray:
    """Return scores unchanged, where they are in the units of the truth."""
    return scores


@dataclass(frozen=True)
class Sample:
    """A conference, the seed that it was drawn with, and how to measure against its truth."""

    conference: Conference
    seed: int
    in_units_of_truth: Callable[[FloatArray], FloatArray] = unchanged
    quality: FloatArray | None = None  # of each paper, by ascending id, if known
    counted: BoolArray | None = (
        None  # papers on which methods are measured, by ascending id; None: all
    )

    def counted_reviews(self) -> BoolArray | None:
        """Return which rows of the conference are reviews of counted papers; None: all."""
        if self.counted is None:
            return None
        papers = self.conference.reviews["paper"].to_numpy()
        return self.counted[np.unique(papers, return_inverse=True)[1]]

    def of_counted(self) -> Sample:
        """Return the sample with the counted papers only, without rankings, to measure against."""
        rows, conference = self.counted_reviews(), self.conference
        if rows is None:
            return self
        alone = replace(
            conference,
            reviews=conference.reviews.filter(rows),
            rankings=conference.rankings.clear(),
            truth=conference.truth[rows],
        )
        quality = None if self.quality is None else self.quality[self.counted]
        return replace(self, conference=alone, quality=quality, counted=None)


def by_paper(conference: Conference, values: FloatArray) -> FloatArray:
    """Return the mean of each paper's values, by ascending id."""
    papers, paper = np.unique(conference.reviews["paper"].to_numpy(), return_inverse=True)
    return paper_means(values, paper, papers.size)


# The solver's tolerance in `dequantize`, by default.
TOLERANCE_SCORE = 0.5e-9


@dataclass(frozen=True)
class Estimate:
    """A method's scores, one per review in the order of the conference's rows, and its λ if any.

    `papers` is for methods that do not score papers by the mean of their reviews: one number per
    paper, by ascending id.
    """

    scores: FloatArray
    lam: float | None = None
    papers: FloatArray | None = None

    def by_paper(self, case: Case) -> FloatArray:
        """Return one number per paper, by ascending id: the method's own, or the mean of its scores."""
        return by_paper(case.conference, self.scores) if self.papers is None else self.papers


class Case:
    """A conference whose scores a method restores. Only an oracle may look at `truth`."""

    def __init__(
        self,
        sample: Sample,
        *,
        epsilon: float = Settings.epsilon,
        conflicts: str = Settings.conflicts,
    ) -> None:
        self.sample = sample
        # Drawn lists may be reversed, so that most comparisons are lost: that is the experiment.
        self.settings = Settings.checked(
            epsilon=epsilon, conflicts=conflicts, scale=sample.conference.scale, allow_loss=True
        )
        self._solver_under = cache(self._prepared)

    @property
    def conference(self) -> Conference:
        """Reviews and rankings as polars tables, and the scale."""
        return self.sample.conference

    @property
    def epsilon(self) -> float:
        """The smallest gap between ranked papers, in units of the smallest level spacing."""
        return self.settings.epsilon

    @property
    def truth(self) -> FloatArray:
        """The opinion behind each review, in the order of the conference's rows."""
        return self.sample.conference.truth

    @property
    def quality(self) -> FloatArray:
        """The quality of each paper, by ascending id."""
        if self.sample.quality is None:
            raise UsageError("metrics of papers need data in which each paper's quality is known")
        return self.sample.quality

    @cached_property
    def counted(self) -> Case:
        """The case to measure against: this one, or the one of its counted papers."""
        if self.sample.counted is None:
            return self
        return Case(
            self.sample.of_counted(), epsilon=self.epsilon, conflicts=self.settings.conflicts
        )

    @cached_property
    def given(self) -> FloatArray:
        """The given score of each review as a number, in the order of the conference's rows."""
        return self.reviews.in_caller_order(self.reviews.given)

    @cached_property
    def reviews(self) -> ReviewSet:
        """The conference as a ReviewSet."""
        conference = self.conference
        _, reviews, read_issues = read(
            conference.reviews, conference.rankings, None, conference.scale
        )
        if read_issues.fatal or read_issues.set_aside:
            raise InputRefused([*read_issues.fatal, *read_issues.set_aside])
        return reviews

    @cached_property
    def validation(self) -> Curve:
        """Quantization validation over the paper's grid."""
        return validate(self.reviews, epsilon=self.epsilon)

    @cached_property
    def simulation(self) -> Curve:
        """The curve from which `lam="auto+"` chooses."""
        return simulated(self.reviews, self.settings)

    @cached_property
    def run(self) -> Result[pl.DataFrame]:
        """The run at the λ of quantization validation."""
        tables = Tables.of(self.conference.reviews, self.conference.rankings)
        return dequantize_tables(tables, replace(self.settings, lam=self.validation.best))

    @cached_property
    def advised(self) -> Result[pl.DataFrame]:
        """The run with default settings, or without its rankings if it advises that."""
        tables = Tables.of(self.conference.reviews, self.conference.rankings)
        plain = dequantize_tables(tables, self.settings)
        effect = plain.diagnostics.rankings
        if effect is None or effect.verdict != "hurt":
            return plain
        return dequantize_tables(tables, replace(self.settings, ignore_rankings=True))

    @cached_property
    def posterior(self) -> Posterior:
        """The posterior of opinions and paper effects."""
        return posterior(self.run)

    @cached_property
    def calibration(self) -> Calibration:
        """Reviewers' strictness, on the scores of `run`."""
        return calibrate(self.run)

    @cached_property
    def original(self) -> Curve:
        """The error against the truth at every λ of the grid, from which an oracle chooses."""
        error = error_curve(self.problem, self.truth[self.reviews.row])
        return Curve(PAPER_GRID.copy(), error)

    @property
    def problem(self) -> Problem:
        """The convex program of this case."""
        return self._solver_under(self.settings.conflicts)[0]

    @cached_property
    def kendall(self) -> KendallError:
        """The Kendall-tau error against the truth."""
        return KendallError(self.truth)

    def solve(self, lam: float, conflicts: Policy | None = None) -> FloatArray:
        """Solve the paper's program at one λ; scores are in the order of the conference's rows."""
        _, solver = self._solver_under(conflicts or self.settings.conflicts)
        return self.reviews.in_caller_order(solver.solve(lam, TOLERANCE_SCORE).scores)

    def _prepared(self, conflicts: Policy) -> tuple[Problem, Solver]:
        settings = replace(self.settings, conflicts=conflicts)
        problem, issues = build_problem(self.reviews, settings)
        if issues and conflicts is Policy.REFUSE:
            raise InputRefused(issues)
        return problem, Solver(problem)
