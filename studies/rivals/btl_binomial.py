"""BTL-Binomial: binomial scores and Plackett-Luce rankings share each paper's quality.

p_j = logistic(μ_j) is the chance of losing a point: lost points ~ Binomial(levels − 1, p_j), and a
ranking chooses papers one by one with worths exp(−θ p_j). μ and θ are those of the largest posterior
density. Pearce and Erosheva's model; with `shifts`, reviewers have an offset in the logistic.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.optimize import minimize
from scipy.special import expit, log_expit

from unround.arrays import FloatArray, IntArray
from unround.lab.registry import method
from unround.lab.trials.case import Case, Estimate

from .choix_models import choices
from .evidence import Evidence, judging_papers

QUALITY_SD = 1.5  # prior of μ
SHIFT_SD = 0.5  # prior of reviewers' offsets
SHAPE, RATE = 5.0, 0.25  # gamma prior of θ
LEAST_THETA = 1e-3


@method("btl-binomial", "BTL-Binomial")
def _plain(case: Case) -> Estimate:
    return judging_papers(case, lambda evidence: -fit(evidence).quality)


@method("btl-binomial-shifts", "BTL-Binomial, reviewer effects")
def _with_shifts(case: Case) -> Estimate:
    return judging_papers(case, lambda evidence: -fit(evidence, shifts=True).quality)


@dataclass(frozen=True)
class Fit:
    """Where the posterior density is largest; a smaller quality is better."""

    quality: FloatArray  # μ of each paper
    theta: float
    shifts: FloatArray  # of each reviewer


def fit(evidence: Evidence, *, shifts: bool = False) -> Fit:
    """Maximize the posterior density."""
    posterior = Posterior(evidence, shifts=shifts)
    start = np.zeros(posterior.size)
    start[-1] = SHAPE / RATE
    bounds = [(None, None)] * (posterior.size - 1) + [(LEAST_THETA, None)]
    found = minimize(
        posterior.cost, start, jac=True, method="L-BFGS-B", bounds=bounds, options={"maxiter": 2000}
    )
    quality, offset, theta = posterior.parts(found.x)
    return Fit(quality, theta, offset)


class Posterior:
    """The negative log posterior density of (μ, offsets, θ) and its gradient."""

    def __init__(self, evidence: Evidence, *, shifts: bool) -> None:
        self.evidence = evidence
        self.points = evidence.levels - 1
        self.lost = self.points - evidence.level
        self.reviewers = int(evidence.reviewer.max()) + 1 if shifts else 0
        self.size = evidence.papers + self.reviewers + 1
        self.chosen, self.event, self.option = _events(evidence)

    def parts(self, x: FloatArray) -> tuple[FloatArray, FloatArray, float]:
        """Split a vector into μ, offsets and θ."""
        return x[: self.evidence.papers], x[self.evidence.papers : -1], float(x[-1])

    def cost(self, x: FloatArray) -> tuple[float, FloatArray]:
        """Return the negative log density, up to a constant, and its gradient."""
        quality, offset, theta = self.parts(x)
        scores, by_review = self._scores(quality, offset)
        rankings, by_paper, by_theta = self._rankings(quality, theta)
        prior = quality @ quality / (2.0 * QUALITY_SD**2) + offset @ offset / (2.0 * SHIFT_SD**2)
        prior += RATE * theta - (SHAPE - 1.0) * np.log(theta)
        gradient = np.empty(self.size)
        papers = self.evidence.papers
        gradient[:papers] = np.bincount(self.evidence.paper, by_review, papers)
        gradient[:papers] += by_paper + quality / QUALITY_SD**2
        if self.reviewers:
            gradient[papers:-1] = np.bincount(self.evidence.reviewer, by_review, self.reviewers)
            gradient[papers:-1] += offset / SHIFT_SD**2
        gradient[-1] = by_theta + RATE - (SHAPE - 1.0) / theta
        return scores + rankings + float(prior), gradient

    def _scores(self, quality: FloatArray, offset: FloatArray) -> tuple[float, FloatArray]:
        """Binomial scores: their cost, and its derivative by each review's logit."""
        logit = quality[self.evidence.paper]
        if self.reviewers:
            logit = logit + offset[self.evidence.reviewer]
        kept = self.points - self.lost
        cost = -(self.lost @ log_expit(logit) + kept @ log_expit(-logit))
        return float(cost), self.points * expit(logit) - self.lost

    def _rankings(self, quality: FloatArray, theta: float) -> tuple[float, FloatArray, float]:
        """Plackett-Luce rankings: their cost, and its derivatives by μ and by θ."""
        chance = expit(quality)
        worth = np.exp(-theta * chance[self.option])
        total = np.bincount(self.event, worth, self.chosen.size)
        share = worth / total[self.event]
        cost = theta * chance[self.chosen].sum() + np.log(total).sum()
        papers = self.evidence.papers
        expected = np.bincount(self.option, share, papers)
        by_chance = theta * (np.bincount(self.chosen, minlength=papers) - expected)
        by_theta = chance[self.chosen].sum() - expected @ chance
        return float(cost), by_chance * chance * (1.0 - chance), float(by_theta)


def _events(evidence: Evidence) -> tuple[IntArray, IntArray, IntArray]:
    """Return the paper chosen in each event, and every option with the number of its event."""
    made = choices(evidence)
    chosen = np.array([paper for paper, _ in made], dtype=np.int64)
    sizes = np.array([1 + len(below) for _, below in made], dtype=np.int64)
    options = [one for paper, below in made for one in (paper, *below)]
    event = np.repeat(np.arange(chosen.size), sizes)
    return chosen, event, np.array(options, dtype=np.int64)
