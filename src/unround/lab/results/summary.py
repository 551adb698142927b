"""Tidy table -> means and standard errors, one per study, setting, method and metric."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import polars as pl

from unround.arrays import FloatArray
from unround.lab.trials.trial import CURVE


@dataclass(frozen=True)
class Mean:
    """A mean over trials."""

    study: str
    setting: str
    identity: str  # what was drawn, whatever the study calls it
    method: str
    metric: str
    mean: float
    error: float  # standard error of the mean; NaN for a single trial
    trials: int
    median_lam: float | None


class Summary:
    """All means, looked up by study, setting, method and metric."""

    def __init__(self, table: pl.DataFrame) -> None:
        self.table = table.filter(~pl.col("method").str.starts_with(CURVE))
        self._means_by_key = {
            (mean.study, mean.setting, mean.method, mean.metric): mean
            for mean in _means(self.table)
        }

    def __iter__(self) -> Iterator[Mean]:
        return iter(self._means_by_key.values())

    def find(self, study: str, setting: str, method: str, metric: str) -> Mean | None:
        """Return one mean, or None if it was not computed."""
        return self._means_by_key.get((study, setting, method, metric))

    def values(self, study: str, setting: str, method: str, metric: str) -> FloatArray:
        """Return the values behind a mean, one per trial."""
        return self._column("value", study, setting, method, metric)

    def lams(self, study: str, setting: str, method: str) -> FloatArray:
        """Return the λ of each trial."""
        metric = self.table.filter(pl.col("study") == study)["metric"].first()
        return self._column("lam", study, setting, method, str(metric))

    def _column(self, name: str, study: str, setting: str, method: str, metric: str) -> FloatArray:
        chosen = self.table.filter(
            (pl.col("study") == study)
            & (pl.col("setting") == setting)
            & (pl.col("method") == method)
            & (pl.col("metric") == metric)
        )
        return chosen.sort("trial")[name].to_numpy().astype(np.float64)


def standard_error(values: FloatArray) -> float:
    """Return the standard error of the mean over trials."""
    if values.size < 2:
        return math.nan
    return float(values.std(ddof=1) / math.sqrt(values.size))


def _means(table: pl.DataFrame) -> Iterator[Mean]:
    keys = ("study", "setting", "parameters", "method", "metric")
    grouped = table.group_by(keys, maintain_order=True).agg("value", "lam")
    for study, setting, identity, method, metric, values, lams in grouped.iter_rows():
        numbers = np.array(values, dtype=np.float64)
        chosen = [lam for lam in lams if lam is not None]
        yield Mean(
            study=study,
            setting=setting,
            identity=identity,
            method=method,
            metric=metric,
            mean=float(numbers.mean()),
            error=standard_error(numbers),
            trials=numbers.size,
            median_lam=float(np.median(chosen)) if chosen else None,
        )
