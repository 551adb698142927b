"""Rules that count: Borda, balanced rank estimation, mean percentile ranks; larger is better."""

from __future__ import annotations

import numpy as np

from unround.arrays import FloatArray
from unround.lab.registry import method
from unround.lab.trials.case import Case, Estimate

from .evidence import Evidence, judging_papers

MIDDLE = 0.5  # of a paper that nobody ranked


@method("borda", "Borda")
def _borda(case: Case) -> Estimate:
    return judging_papers(case, borda)


@method("bre-comparisons", "BRE from comparisons alone")
def _balanced(case: Case) -> Estimate:
    return judging_papers(case, balanced_rank_estimation)


@method("percentile-ranks", "Mean of percentile ranks")
def _percentiles(case: Case) -> Estimate:
    return judging_papers(case, percentile_ranks)


def borda(evidence: Evidence) -> FloatArray:
    """Return each paper's mean share of beaten rivals: Borda counts for lists of unequal length."""
    sums, lists = np.zeros(evidence.papers), np.zeros(evidence.papers)
    for ballot in evidence.ballots:
        size = sum(group.size for group in ballot)
        if size < 2:
            continue
        left = size
        for group in ballot:
            left -= group.size
            sums[group] += (left + (group.size - 1) / 2.0) / (size - 1)
            lists[group] += 1.0
    return np.where(lists > 0.0, sums / np.maximum(lists, 1.0), MIDDLE)


def balanced_rank_estimation(evidence: Evidence) -> FloatArray:
    """Return comparisons won less comparisons lost (Wauthier, Jordan and Jojic 2013, section 4.1)."""
    won, lost = (
        np.bincount(evidence.paper[reviews], minlength=evidence.papers).astype(np.float64)
        for reviews in (evidence.better, evidence.worse)
    )
    return won - lost


def percentile_ranks(evidence: Evidence) -> FloatArray:
    """Return the mean percentile of each paper among its reviewers' papers, by score and then rank.

    A paper's percentile is the share of the reviewer's papers below it, and half of those beside it.
    """
    percentile = np.empty(evidence.given.size)
    for mine in evidence.by_reviewer:
        score, rank = evidence.given[mine], evidence.rank_or_last[mine]
        level = np.cumsum(np.r_[0, (np.diff(score) != 0) | (rank[1:] != rank[:-1])])
        beside = np.bincount(level)
        below = np.cumsum(beside) - beside
        percentile[mine] = (below[level] + beside[level] / 2.0) / mine.size
    return evidence.means(percentile)
