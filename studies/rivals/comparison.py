"""Tidy table -> every method against the proposed one on the same trials, and times."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl

from unround.arrays import FloatArray
from unround.lab.results import standard_error
from unround.lab.study import Study
from unround.lab.trials.trial import REFUSED, SECONDS

OURS = "proposed"
POINTS = frozenset(("missed",))  # metrics in percent: compared by differences, not by ratios
CLEAR = 2.0  # standard errors


@dataclass(frozen=True)
class Against:
    """A method beside ours in one setting. A negative difference means that it is ahead."""

    setting: str
    method: str
    mean: float
    error: float  # standard error of the mean
    ours: float  # our mean over the same trials
    difference: float  # in percent of our mean, or in points
    difference_error: float
    trials: int

    @property
    def is_ahead(self) -> bool:
        """Whether its mean error is below ours."""
        return self.difference < 0.0

    @property
    def is_clear(self) -> bool:
        """Whether the difference exceeds twice its standard error."""
        return abs(self.difference) > CLEAR * self.difference_error


def against(table: pl.DataFrame, study: Study, metric: str) -> list[Against]:
    """Compare every method with ours, setting by setting, over the trials that both finished."""
    part = table.filter((pl.col("study") == study.name) & (pl.col("metric") == metric))
    found = []
    for setting in part["setting"].unique(maintain_order=True):
        of_setting = part.filter(pl.col("setting") == setting)
        by_trial = {
            method: dict(
                of_setting.filter(pl.col("method") == method).select("trial", "value").rows()
            )
            for method in study.methods
        }
        for method in study.methods:
            both = sorted(set(by_trial[method]) & set(by_trial[OURS]))
            if method == OURS or not both:
                continue
            theirs, ours = (
                np.array([by_trial[name][trial] for trial in both]) for name in (method, OURS)
            )
            difference, error = _compared(theirs, ours, points=metric in POINTS)
            found.append(
                Against(
                    setting, method, float(theirs.mean()), standard_error(theirs),
                    float(ours.mean()), difference, error, len(both),
                )
            )  # fmt: skip
    return found


def ahead(rows: Sequence[Against]) -> dict[str, list[Against]]:
    """Return by setting the methods ahead of ours, the one furthest ahead first."""
    settings = dict.fromkeys(row.setting for row in rows)
    return {
        setting: sorted(
            (row for row in rows if row.setting == setting and row.is_ahead),
            key=lambda row: row.difference,
        )
        for setting in settings
    }


def gave_up(table: pl.DataFrame, study: Study) -> dict[tuple[str, str], int]:
    """Return in how many trials a method had no result, by setting and method."""
    rows = table.filter((pl.col("study") == study.name) & (pl.col("metric") == REFUSED))
    counted = rows.group_by("setting", "method", maintain_order=True).len()
    return {(setting, method): count for setting, method, count in counted.iter_rows()}


def seconds(table: pl.DataFrame, study: Study) -> dict[tuple[str, str], float]:
    """Return the mean process time by setting and method; methods that gave up are not in it."""
    rows = table.filter((pl.col("study") == study.name) & (pl.col("metric") == SECONDS))
    means = rows.group_by("setting", "method", maintain_order=True).agg(pl.col("value").mean())
    return {(setting, method): mean for setting, method, mean in means.iter_rows()}


def _compared(theirs: FloatArray, ours: FloatArray, *, points: bool) -> tuple[float, float]:
    """Return difference and standard error; ratios of means by linearization of paired trials."""
    if points:
        return float((theirs - ours).mean()), standard_error(theirs - ours)
    if ours.mean() == 0.0:
        return (0.0 if theirs.mean() == 0.0 else math.inf), math.nan
    ratio = float(theirs.mean() / ours.mean())
    error = 100.0 * standard_error((theirs - ratio * ours) / ours.mean())
    return 100.0 * (ratio - 1.0), error
