"""Bootstrap confidence intervals over papers, from a fixed seed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from unround.arrays import FloatArray, IntArray
from unround.metrics.kendall import KendallError

SEED = 20_230_724
LEVEL = 0.95
MOST, LEAST = 1_000, 100
# About this many reviews are drawn in all: large conferences need fewer draws for one precision.
REVIEWS_TO_DRAW = 20_000_000


@dataclass(frozen=True)
class Interval:
    """An estimate and the ends of its confidence interval."""

    value: float
    low: float
    high: float


@dataclass(frozen=True)
class Resampled:
    """Kendall-tau errors of each estimate: on the data, and on each of the same draws of papers."""

    errors: Mapping[str, float]
    draws: Mapping[str, FloatArray]

    def error(self, name: str) -> Interval:
        """Return the error of one estimate."""
        return _interval(self.errors[name], self.draws[name])

    def difference(self, name: str, other: str) -> Interval:
        """Return how much larger one error is than another, on the same draws."""
        return _interval(
            self.errors[name] - self.errors[other], self.draws[name] - self.draws[other]
        )

    def reduction(self, name: str, other: str) -> Interval:
        """Return how much smaller one error is than another, in percent."""
        drawn = 100.0 * (1.0 - self.draws[name] / np.maximum(self.draws[other], 1e-300))
        return _interval(100.0 * (1.0 - self.errors[name] / self.errors[other]), drawn)

    def gain(self, name: str, other: str, *, of: str) -> Interval:
        """Return how much smaller one error is than another, in percent of a third one."""
        drawn = 100.0 * (self.draws[other] - self.draws[name]) / np.maximum(self.draws[of], 1e-300)
        return _interval(100.0 * (self.errors[other] - self.errors[name]) / self.errors[of], drawn)


def resample_papers(
    truth: FloatArray, paper: IntArray, estimates: Mapping[str, FloatArray]
) -> Resampled:
    """Measure errors on papers drawn with replacement; the estimates stay as they are."""
    random = np.random.default_rng(SEED)
    count = int(np.clip(REVIEWS_TO_DRAW // max(truth.size, 1), LEAST, MOST))
    papers = int(paper.max()) + 1
    drawn: dict[str, list[float]] = {name: [] for name in estimates}
    for _ in range(count):
        times = np.bincount(random.integers(0, papers, papers), minlength=papers)
        rows = np.repeat(np.arange(truth.size), times[paper])
        measure = KendallError(truth[rows])
        for name, estimate in estimates.items():
            drawn[name].append(measure(estimate[rows]))
    measure = KendallError(truth)
    return Resampled(
        {name: measure(estimate) for name, estimate in estimates.items()},
        {name: np.array(errors) for name, errors in drawn.items()},
    )


def _interval(value: float, draws: FloatArray) -> Interval:
    tail = (1.0 - LEVEL) / 2.0
    low, high = np.quantile(draws, [tail, 1.0 - tail])
    return Interval(value, float(low), float(high))
