"""What spreadsheets do to reviewers' scores: `unround reproduce studies/alternatives`."""

from __future__ import annotations

import numpy as np

from unround.arrays import FloatArray, IntArray
from unround.lab import Case, Estimate, method


@method("centred", "Centred: less the reviewer's mean")
def _centred(case: Case) -> Estimate:
    return Estimate(centred(case.given, _reviewers(case)))


@method("z-scores", "z-scores per reviewer")
def _z_scores(case: Case) -> Estimate:
    return Estimate(z_scores(case.given, _reviewers(case)))


def centred(scores: FloatArray, reviewer: IntArray) -> FloatArray:
    """Return scores less the mean of all scores by their reviewer."""
    mean = np.bincount(reviewer, scores) / np.bincount(reviewer)
    less: FloatArray = scores - mean[reviewer]
    return less


def z_scores(scores: FloatArray, reviewer: IntArray) -> FloatArray:
    """Return centred scores over their reviewer's standard deviation; 0 where it is 0."""
    less = centred(scores, reviewer)
    deviation = np.sqrt(np.bincount(reviewer, less**2) / np.bincount(reviewer))[reviewer]
    return np.divide(less, deviation, out=np.zeros_like(less), where=deviation > 0)


def _reviewers(case: Case) -> IntArray:
    reviewer: IntArray = np.unique(case.conference.reviews["reviewer"], return_inverse=True)[1]
    return reviewer
