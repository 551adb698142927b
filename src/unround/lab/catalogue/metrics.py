"""The metrics of studies: errors and ties of reviews and papers, and coverage of 90% intervals."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.special import ndtri

from unround.arrays import FloatArray
from unround.lab.registry import metric
from unround.lab.trials.case import Case
from unround.metrics import kendall_error, l2_error, tie_grid, tie_share
from unround.metrics.papers import tied_places
from unround.uncertainty.stability import stability

LINE = 0.25  # share of papers accepted


@metric("kendall", "Kendall-tau error")
def kendall(case: Case, scores: FloatArray) -> float:
    """Return the share of pairs of reviews in the wrong order, ties counted half."""
    return case.kendall(scores)


@metric("l2", "ℓ2 error")
def l2(case: Case, scores: FloatArray) -> float:
    """Return the Euclidean distance from the truth, in the truth's units."""
    return l2_error(case.truth, case.sample.in_units_of_truth(scores))


@metric("ties", "Ties (% of pairs)")
def ties(case: Case, scores: FloatArray) -> float:
    """Return the share of pairs of reviews that are tied, in percent."""
    return 100.0 * tie_share(scores)


@metric("papers", "Kendall-tau error, papers", of_papers=True)
def papers(case: Case, scores: FloatArray) -> float:
    """Return the share of pairs of papers in the wrong order of quality."""
    return kendall_error(case.quality, scores)


@metric("missed", "Best quarter missed (%)", of_papers=True)
def missed(case: Case, scores: FloatArray) -> float:
    """Return the percentage of accepted papers that are not truly among the best: 100% less precision.

    A quarter of the papers is accepted. Papers tied at the line share the remaining room; papers whose
    quality ties with the last of the best count as among them.
    """
    return 100.0 * (1.0 - precision(case.quality, scores, round(LINE * case.quality.size)))


def precision(quality: FloatArray, scores: FloatArray, room: int) -> float:
    """Return the share of the `room` papers with the best scores that are truly among the best."""
    worthy = quality >= np.sort(quality)[-room]
    return float(tied_places(tie_grid(scores)).share_above(room)[worthy].sum() / room)


@metric("ties-papers", "Ties of papers (% of pairs)", of_papers=True)
def ties_of_papers(case: Case, scores: FloatArray) -> float:
    """Return the share of pairs of papers that are tied, in percent."""
    return 100.0 * tie_share(scores)


@metric("leaves-out", "Rankings left out (% of runs)")
def leaves_out(case: Case, scores: FloatArray) -> float:
    """Return 100 if the run's diagnostics advise to leave rankings out, else 0."""
    return 100.0 * case.advised.settings.ignore_rankings


@metric("calibrates", "Calibration advised (% of runs)")
def calibrates(case: Case, scores: FloatArray) -> float:
    """Return 100 if the run's diagnostics advise to calibrate, else 0."""
    return 100.0 * case.advised.diagnostics.recommends_calibration


INTERVAL_LEVEL = 0.9


@dataclass(frozen=True)
class Intervals:
    """The ends of intervals, and the true values that they should contain."""

    low: FloatArray
    high: FloatArray
    truth: FloatArray

    @property
    def coverage(self) -> float:
        """The share of intervals that contain the true value."""
        return float(((self.low <= self.truth) & (self.truth <= self.high)).mean())

    @property
    def width(self) -> float:
        """The mean width."""
        return float((self.high - self.low).mean())


def of_posterior(case: Case) -> Intervals:
    """Return the posterior's intervals for paper effects."""
    return _of_papers(case, case.posterior.papers)


def of_scores(case: Case) -> Intervals:
    """Return the posterior's intervals for the opinions behind reviews."""
    scores = case.posterior.scores
    return Intervals(scores["low"].to_numpy(), scores["high"].to_numpy(), case.truth)


def of_calibration(case: Case) -> Intervals:
    """Return normal intervals around papers' calibrated scores."""
    papers = case.calibration.papers.sort("paper")
    half = ndtri((1.0 + INTERVAL_LEVEL) / 2.0) * papers["se"].to_numpy()
    centre = papers["calibrated"].to_numpy()
    return Intervals(centre - half, centre + half, case.quality)


def of_bootstrap(case: Case) -> Intervals:
    """Return the intervals for papers' means from resampling the reviewers."""
    return _of_papers(case, stability(case.run, interval=INTERVAL_LEVEL).papers)


def _of_papers(case: Case, papers: Any) -> Intervals:
    ordered = papers.sort("paper")
    return Intervals(ordered["low"].to_numpy(), ordered["high"].to_numpy(), case.quality)


INTERVALS: Mapping[str, Callable[[Case], Intervals]] = {
    "of-posterior": of_posterior,
    "of-scores": of_scores,
    "of-calibration": of_calibration,
    "of-bootstrap": of_bootstrap,
}
INTERVAL_LABELS: Mapping[str, str] = {
    "of-posterior": "Posterior, papers",
    "of-scores": "Posterior, reviews",
    "of-calibration": "Calibration, papers",
    "of-bootstrap": "Bootstrap, papers",
}
