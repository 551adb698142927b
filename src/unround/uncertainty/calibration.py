"""`unround.calibrate`: separate the strictness of reviewers from the quality of papers.

score = mean + paper + reviewer + noise, on given or dequantized scores; variances by REML. Nothing of
this enters the scores of a run: it is a second reading, which the caller asks for.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

import numpy as np

from unround.arrays import FloatArray, IntArray, group_starts
from unround.errors import UsageError
from unround.metrics import tie_grid
from unround.metrics.papers import paper_means, tied_places
from unround.preparation import prepare
from unround.result import Result, refuse_beside_result
from unround.reviews.frames import Frame, frame_like, rows_of, with_columns
from unround.reviews.review_set import ReviewSet
from unround.reviews.tables import Tables
from unround.scale import Scale
from unround.settings import Settings
from unround.uncertainty.mixed_model import (
    HIDDEN_BY_ROUNDING,
    Design,
    Fit,
    fit,
    is_hidden_by_rounding,
    neighbourhood_errors,
)
from unround.wording import COMMAND, PAGE, PYTHON, current_audience

CLEAR = 0.01  # p-value below which the data show reviewer effects


@dataclass(frozen=True, repr=False)
class Calibration:
    """Papers and reviewers with standard errors, and the variances behind them.

    >>> import unround
    >>> conference = unround.simulate.thurstone(papers=60, seed=3)
    >>> calibration = unround.calibrate(conference.reviews)
    >>> calibration.papers.columns, calibration.reviewers.columns
    (['paper', 'calibrated', 'se', 'part', 'place'], ['reviewer', 'effect', 'se', 'part'])
    >>> calibration.variances["component"].to_list()
    ['papers', 'reviewers', 'noise']
    """

    p_value: float  # of "reviewers do not differ in strictness"
    parts: int  # parts of the conference that no reviewer connects
    settled: bool  # whether the search for the variances came to an end
    _frame: Frame
    _reviews: ReviewSet
    _design: Design
    _fit: Fit

    @property
    def recommended(self) -> bool:
        """Whether the data show that reviewers differ in strictness: else calibrating adds noise."""
        return self.p_value < CLEAR

    @property
    def hidden_by_rounding(self) -> bool:
        """Whether reviewers agree more closely than the scale can show: `se` is too small then."""
        found = self._fit.variances
        spread = math.sqrt(found.strictness + found.noise)
        return is_hidden_by_rounding(spread, self._reviews.scale.spacing)

    @property
    def verdict(self) -> str:
        """Whether to calibrate, in a clause."""
        return strictness_verdict(self.p_value)

    def __repr__(self) -> str:
        found = self._fit.variances
        lines = [
            f"Calibration of {len(self._reviews):,} reviews: {self.verdict}",
            f"standard deviation of papers {math.sqrt(found.between):.2f}, of reviewers "
            f"{math.sqrt(found.strictness):.2f}, of single reviews {math.sqrt(found.noise):.2f}",
        ]
        if self.hidden_by_rounding:
            lines.append(f"{HIDDEN_BY_ROUNDING} (unround.posterior accounts for it)")
        if self.parts > 1:
            lines.append(
                f"{self.parts} parts of the conference share no reviewer: papers of different parts "
                "cannot be compared (column part)"
            )
        return "\n".join(lines)

    @property
    def papers(self) -> Any:
        """One row per paper: its calibrated score, standard error, connected part, and place in it."""
        effects, part = self._fit.effects, self._design.parts[0]
        by_paper = np.argsort(self._design.paper, kind="stable")
        first = by_paper[group_starts(self._design.paper, part.size)[:-1]]
        ids = rows_of(self._frame.select("paper"), self._reviews.row[first])
        calibrated = effects.mean[part] + effects.paper
        place = np.empty_like(part)
        for number in range(self.parts):
            ties = tie_grid(calibrated[part == number], self._reviews.scale.spacing)
            place[part == number] = tied_places(ties).first
        errors = self._paper_errors
        columns = {"calibrated": calibrated, "se": errors, "part": part + 1, "place": place}
        return with_columns(ids, columns).to_native()

    @property
    def reviewers(self) -> Any:
        """One row per reviewer: how far above the others they score, standard error, and part."""
        part = self._design.parts[1]
        first = group_starts(self._design.reviewer, part.size)[:-1]
        ids = rows_of(self._frame.select("reviewer"), self._reviews.row[first])
        effect = self._fit.effects.reviewer
        columns = {"effect": effect, "se": self._reviewer_errors, "part": part + 1}
        return with_columns(ids, columns).to_native()

    @property
    def variances(self) -> Any:
        """One row per component: papers, reviewers, noise; variance and its standard error."""
        found = self._fit.variances
        values = np.array([found.between, found.strictness, found.noise])
        names = np.array(["papers", "reviewers", "noise"], dtype=object)
        columns = {"component": names, "variance": values, "se": self._fit.errors}
        return frame_like(self._frame, columns)

    @cached_property
    def _paper_errors(self) -> FloatArray:
        equations, found = self._fit.equations, self._fit.variances
        if equations.is_small:
            return np.sqrt(found.noise * equations.paper_errors())
        ratios = found.noise / found.between, found.noise / found.strictness
        return np.sqrt(found.noise * neighbourhood_errors(*self._neighbours(), *ratios))

    @cached_property
    def _reviewer_errors(self) -> FloatArray:
        equations, found = self._fit.equations, self._fit.variances
        if equations.is_small:
            return np.sqrt(found.noise * equations.reviewer_errors())
        start, other, other_start, back = self._neighbours()
        ratios = found.noise / found.strictness, found.noise / found.between
        return np.sqrt(found.noise * neighbourhood_errors(other_start, back, start, other, *ratios))

    def _neighbours(self) -> tuple[IntArray, IntArray, IntArray, IntArray]:
        paper, reviewer = self._design.paper, self._design.reviewer
        by_paper = np.argsort(paper, kind="stable")
        return (
            group_starts(paper, self._design.per_paper.size),
            reviewer[by_paper],
            group_starts(reviewer, self._design.per_reviewer.size),
            paper,
        )


# Where the reader finds the order of papers without the strictness of their reviewers.
WITHOUT_STRICTNESS = {
    COMMAND: "calibration.csv has the papers' scores without that",
    PYTHON: "unround.calibrate has the papers' scores without that",
    PAGE: "show the column “Mean without strictness” (View) and sort by it",
}


def strictness_verdict(p_value: float | None) -> str:
    """Return whether reviewers differ in strictness, and whether to calibrate, in a clause."""
    if p_value is None:
        return "cannot be tested: no two reviewers scored several papers differently"
    p = "p < .001" if p_value < 0.001 else f"p = {p_value:.2g}"
    if p_value < CLEAR:
        return f"reviewers differ in strictness ({p}): {WITHOUT_STRICTNESS[current_audience()]}"
    return f"nothing shows that reviewers differ ({p}): do not calibrate"


def strictness_p_value(reviews: ReviewSet, values: FloatArray) -> float | None:
    """Test "reviewers do not differ" on some scores; None where there is nothing to test."""
    per_reviewer = np.bincount(reviews.reviewer)
    if np.sum(per_reviewer > 1) < 2 or float(np.ptp(values)) == 0.0:
        return None
    return reviewer_effects_p_value(Design(reviews.paper, reviews.reviewer, values))


def calibrate(
    reviews: Any,
    *,
    scale: Scale | list[Any] | None = None,
    on: Literal["dequantized", "given"] = "dequantized",
) -> Calibration:
    """Estimate how strict each reviewer is, and each paper's score with strictness taken out.

    Parameters
    ----------
    reviews : Result or dataframe
        A result of `dequantize`, or a table with reviewer, paper, score (then given scores are used).
    scale : optional
        As for `dequantize`, for a table.
    on : {"dequantized", "given"}
        Which scores of a result to use.

    Examples
    --------
    >>> import unround
    >>> conference = unround.simulate.thurstone(papers=60, seed=3)
    >>> result = unround.dequantize(conference.reviews, conference.rankings)
    >>> unround.calibrate(result).recommended
    False
    """
    frame, review_set, values = _scores_of(reviews, scale, on)
    if np.unique(review_set.reviewer).size < 2 or np.unique(review_set.paper).size < 2:
        raise UsageError("calibrating needs at least two reviewers and two papers")
    if float(np.ptp(values)) == 0.0:
        raise UsageError("all scores are equal: there is nothing to calibrate")
    design = Design(review_set.paper, review_set.reviewer, values)
    found = fit(design)
    parts = int(design.parts[0].max()) + 1
    return Calibration(
        reviewer_effects_p_value(design), parts, found.settled, frame, review_set, design, found
    )


def _scores_of(
    reviews: Any, scale: Scale | list[Any] | None, on: str
) -> tuple[Frame, ReviewSet, FloatArray]:
    if on not in ("dequantized", "given"):
        raise UsageError(f"on must be 'dequantized' or 'given', not {on!r}")
    if isinstance(reviews, Result):
        refuse_beside_result(scale=scale)
        internals = reviews.internals
        values = internals.values if on == "dequantized" else internals.reviews.given
        return internals.frame, internals.reviews, np.asarray(values)
    tables = Tables.of(reviews)
    prepared = prepare(tables, Settings.checked(scale=scale))
    return prepared.frame, prepared.reviews, prepared.reviews.given


def reviewer_effects_p_value(design: Design) -> float:
    """Test "reviewers do not differ" by the score of their variance, one-sided.

    Paper effects are taken out as fixed, so that the statistic, the sum of squares of reviewers' sums
    of residuals, depends on the noise alone. Its mean and variance under normal noise are exact; it is
    a sum over reviewers, and close to normal.
    """
    paper, reviewer, values = design.paper, design.reviewer, design.values
    means = paper_means(values, paper, design.per_paper.size)
    residual = values - means[paper]
    freedom = values.size - design.per_paper.size
    noise = float(residual @ residual) / max(freedom, 1)
    if freedom <= 1 or noise <= 0.0:
        return 1.0
    # With M = I − paper means: statistic y'M ZZ' M y; its moments need M ZZ' M = sums over pairs.
    sums = np.bincount(reviewer, weights=residual, minlength=design.per_reviewer.size)
    scaled = design.incidence.multiply(1.0 / design.per_paper[:, None]).tocsr()
    within = -(design.incidence.T @ scaled).tocsr()
    within.setdiag(within.diagonal() + design.per_reviewer)  # Z'MZ
    mean = float(within.diagonal().sum())
    square = float((within.multiply(within)).sum())
    spread = 2.0 * (square - mean**2 / freedom) * freedom / (freedom + 2.0)
    statistic = float(sums @ sums) / noise
    if spread <= 0.0:
        return 1.0
    return 0.5 * math.erfc((statistic - mean) / math.sqrt(2.0 * spread))
