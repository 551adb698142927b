"""Compare ways to choose λ with the oracle, which knows the truth."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl

from unround.arrays import FloatArray
from unround.lab.results.summary import Summary, standard_error
from unround.lab.trials.trial import CURVE

ORACLE = "oracle"
FIXED = "best single λ"


@dataclass(frozen=True)
class Loss:
    """How much larger a method's mean error is than the oracle's, in percent."""

    setting: str
    method: str
    percent: float
    error: float  # standard error


def losses(table: pl.DataFrame, study: str) -> list[Loss]:
    """Return the loss by setting and method, and that of the single λ that is best in hindsight."""
    summary = Summary(table)
    rows: list[Loss] = []
    part = table.filter(pl.col("study") == study)
    for setting in part["setting"].unique(maintain_order=True):
        oracle = summary.values(study, setting, ORACLE, "kendall")
        for method in part["method"].unique(maintain_order=True):
            if method == ORACLE or method.startswith(CURVE):
                continue
            errors = summary.values(study, setting, method, "kendall")
            rows.append(Loss(setting, method, *_relative(errors, oracle)))
        fixed = _best_single(part.filter(pl.col("setting") == setting))
        rows.append(Loss(setting, FIXED, *_relative(fixed, oracle)))
    return rows


def differences(table: pl.DataFrame, study: str, method: str, other: str) -> list[Loss]:
    """Return how much more one method loses than another on the same trials; negative is better."""
    summary = Summary(table)
    rows: list[Loss] = []
    part = table.filter(pl.col("study") == study)
    for setting in part["setting"].unique(maintain_order=True):
        oracle, one, two = (
            summary.values(study, setting, name, "kendall") for name in (ORACLE, method, other)
        )
        relative = 100.0 * (one - two) / oracle.mean()
        rows.append(
            Loss(setting, f"{method} - {other}", float(relative.mean()), standard_error(relative))
        )
    return rows


def overall(rows: Sequence[Loss]) -> list[Loss]:
    """Return each method's mean over settings; its error treats settings as independent."""
    methods = list(dict.fromkeys(loss.method for loss in rows))
    result = []
    for method in methods:
        of_method = [loss for loss in rows if loss.method == method]
        mean = float(np.mean([loss.percent for loss in of_method]))
        error = float(np.sqrt(np.sum([loss.error**2 for loss in of_method])) / len(of_method))
        result.append(Loss("mean of all settings", method, mean, error))
    return result


def worst(rows: Sequence[Loss]) -> list[Loss]:
    """Return the setting in which each method loses most."""
    methods = dict.fromkeys(loss.method for loss in rows)
    return [
        max((loss for loss in rows if loss.method == method), key=lambda loss: loss.percent)
        for method in methods
    ]


def _relative(errors: FloatArray, oracle: FloatArray) -> tuple[float, float]:
    """Return a ratio of means less one, and its standard error by linearization of paired trials."""
    ratio = float(errors.mean() / oracle.mean())
    return 100.0 * (ratio - 1.0), 100.0 * standard_error((errors - ratio * oracle) / oracle.mean())


def _best_single(part: pl.DataFrame) -> FloatArray:
    """Return the errors of all trials at the one λ of the grid with the least mean error."""
    curves = part.filter(pl.col("method") == CURVE + "original").sort("trial", "lam")
    trials = curves["trial"].n_unique()
    errors = curves["value"].to_numpy().reshape(trials, -1)
    chosen: FloatArray = errors[:, int(np.argmin(errors.mean(axis=0)))]
    return chosen
