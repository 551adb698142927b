"""Isotonic regression of scores on rankings: reviewers' own, and authors' (Isotonic Mechanism)."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from scipy.optimize import isotonic_regression

from unround.arrays import FloatArray, IntArray
from unround.errors import InputRefused
from unround.issues import Kind
from unround.lab.registry import method
from unround.lab.trials.case import Case, Estimate, by_paper
from unround.problem.build import build_problem
from unround.reviews.review_set import ReviewSet
from unround.settings import Policy, Settings
from unround.solver.local import Solver

PAPERS_PER_AUTHOR = 3
SEED = 8_101


@method("isotonic", "Isotonic regression")
def isotonic(case: Case) -> Estimate:
    """Fit each reviewer's scores to their ranking, without cells, gaps or consensus."""
    return Estimate(fit_to_rankings(case.reviews))


def fit_to_rankings(reviews: ReviewSet) -> FloatArray:
    """Return scores after isotonic regression on rankings: those that agree with them stay as they are."""
    problem, found = build_problem(reviews, Settings(epsilon=0.0, conflicts=Policy.RANKINGS))
    cycles = [issue for issue in found if issue.kind is Kind.CYCLE]
    if cycles:
        raise InputRefused(cycles)
    # A monotone fit never leaves the range of what it fits, so these cells bind nowhere.
    lower, upper = (np.full(len(reviews), end(reviews.given)) for end in (np.min, np.max))
    unbounded = replace(problem, lower=lower, upper=upper)
    return reviews.in_caller_order(Solver(unbounded).solve(np.inf, 1.0).scores)


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
