"""90% intervals of papers and of reviews, beside the truths that they should hold."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from scipy.special import ndtri

from unround.arrays import FloatArray
from unround.lab.trials.case import Case
from unround.uncertainty.stability import stability

LEVEL = 0.9


@dataclass(frozen=True)
class Interval:
    """The ends of intervals, and the truths that they should hold."""

    low: FloatArray
    high: FloatArray
    truth: FloatArray

    @property
    def coverage(self) -> float:
        """The share of intervals that hold the truth."""
        return float(((self.low <= self.truth) & (self.truth <= self.high)).mean())

    @property
    def width(self) -> float:
        """The mean width."""
        return float((self.high - self.low).mean())


def of_posterior(case: Case) -> Interval:
    """Return the posterior's intervals of paper effects."""
    return _of_papers(case, case.posterior.papers)


def of_scores(case: Case) -> Interval:
    """Return the posterior's intervals of the opinions behind reviews."""
    found = case.posterior.scores
    return Interval(found["low"].to_numpy(), found["high"].to_numpy(), case.truth)


def of_calibration(case: Case) -> Interval:
    """Return calibrated scores of papers, with their standard errors taken as normal."""
    found = case.calibration.papers.sort("paper")
    half = ndtri((1.0 + LEVEL) / 2.0) * found["se"].to_numpy()
    centre = found["calibrated"].to_numpy()
    return Interval(centre - half, centre + half, case.quality)


def of_bootstrap(case: Case) -> Interval:
    """Return the intervals of papers' means that drawing the reviewers again gives."""
    return _of_papers(case, stability(case.run, interval=LEVEL).papers)


def _of_papers(case: Case, found: Any) -> Interval:
    ordered = found.sort("paper")
    return Interval(ordered["low"].to_numpy(), ordered["high"].to_numpy(), case.quality)


class Kind(NamedTuple):
    """A kind of intervals: its label in tables, and how a case gives them."""

    label: str
    of: Callable[[Case], Interval]


INTERVALS: Mapping[str, Kind] = {
    "of-posterior": Kind("Posterior, papers", of_posterior),
    "of-scores": Kind("Posterior, reviews", of_scores),
    "of-calibration": Kind("Calibration, papers", of_calibration),
    "of-bootstrap": Kind("Bootstrap, papers", of_bootstrap),
}
