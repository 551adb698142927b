"""Tidy table -> how often intervals hold the truth, and reliability of P(accept), over all trials."""

from __future__ import annotations

import math
from dataclasses import dataclass

import polars as pl

from unround.lab.results.summary import Mean, Summary
from unround.lab.study import Study
from unround.lab.trials.trial import REFUSED, RELIABILITY

LEAST, MOST = 0.85, 0.95


@dataclass(frozen=True)
class Bin:
    """Papers whose probabilities are alike."""

    papers: int
    expected: float  # mean probability
    inside: float  # share that truly is among the best

    @property
    def error(self) -> float:
        """Standard error of the share, if the probabilities are right."""
        return math.sqrt(self.expected * (1.0 - self.expected) / self.papers)


def coverages(study: Study, summary: Summary) -> list[Mean]:
    """Return the coverage by setting and kind of interval, as far as computed."""
    found = (
        summary.find(study.name, point.label, name, "coverage")
        for point in study.points()
        for name in study.intervals
    )
    return [mean for mean in found if mean is not None]


def refusals(table: pl.DataFrame, study: str) -> int:
    """Return in how many trials of a study the posterior refused, for its chains did not mix."""
    rows = table.filter((pl.col("study") == study) & (pl.col("metric") == REFUSED))
    return rows.select("setting", "trial").n_unique() if rows.height else 0


def is_outside(mean: Mean) -> bool:
    """Return whether a coverage of 90% intervals is outside 85 to 95%."""
    return not LEAST <= mean.mean <= MOST


def reliability_bins(table: pl.DataFrame, study: str) -> list[Bin]:
    """Pool all settings and trials of a study; empty bins are left out."""
    rows = table.filter(
        (pl.col("study") == study)
        & (pl.col("method") == RELIABILITY)
        & (pl.col("metric") != REFUSED)
    )
    pooled = rows.group_by("lam", "metric").agg(pl.col("value").sum())
    if not pooled.height:
        return []
    wide = pooled.pivot("metric", index="lam", values="value").sort("lam")
    return [
        Bin(int(papers), expected / papers, inside / papers)
        for papers, expected, inside in wide.select("papers", "expected", "inside").iter_rows()
        if papers > 0.0
    ]
