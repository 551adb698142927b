"""Isotonic regression of scores on rankings: reviewers' own, and authors' (Isotonic Mechanism)."""

from __future__ import annotations

import numpy as np
from scipy.optimize import isotonic_regression

from unround import baselines
from unround.arrays import FloatArray, IntArray
from unround.lab.registry import method
from unround.lab.trials.case import Case, Estimate, by_paper

PAPERS_PER_AUTHOR = 3
SEED = 8_101


@method("isotonic", "Isotonic regression")
def isotonic(case: Case) -> Estimate:
    """Fit each reviewer's scores to their ranking, without cells, gaps or consensus."""
    given = case.conference
    return Estimate(baselines.isotonic(given.reviews, given.rankings, scale=given.scale))


@method("isotonic-mechanism", "Isotonic Mechanism, truthful authors of 3")
def isotonic_mechanism(case: Case) -> Estimate:
    """Fit papers' means to their authors' own rankings, which no other method is told.

    Each author has three papers and ranks them by their true quality: the best case for it.
    """
    shuffled = np.random.default_rng(SEED + case.sample.seed).permutation(case.quality.size)
    owned = np.split(shuffled, range(PAPERS_PER_AUTHOR, shuffled.size, PAPERS_PER_AUTHOR))
    orders = [mine[np.argsort(-case.quality[mine], kind="stable")] for mine in owned]
    return Estimate(
        case.given, papers=fit_to_authors(by_paper(case.conference, case.given), orders)
    )


def fit_to_authors(means: FloatArray, orders: list[IntArray]) -> FloatArray:
    """Project means onto each author's order of papers, best first; authors share no paper."""
    fitted = means.copy()
    for order in orders:
        fitted[order] = isotonic_regression(means[order], increasing=False).x
    return fitted
