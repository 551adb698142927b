"""Finished trials -> tidy table -> Results: one row per number, and its means and standard errors."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
import polars as pl

from unround.arrays import FloatArray
from unround.lab.plan import Panel
from unround.lab.study import Study
from unround.lab.trials.runner import Finished
from unround.lab.trials.trial import CURVE
from unround.lab.trials.versions import versions
from unround.output.atomic import whole_file
from unround.output.tables import write_csv


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


SCHEMA = {
    "study": pl.String,
    "setting": pl.String,
    "trial": pl.Int64,
    "method": pl.String,
    "metric": pl.String,
    "value": pl.Float64,
    "lam": pl.Float64,
    "seed": pl.Int64,
    "parameters": pl.String,
    "versions": pl.String,
}


def tidy(finished: Iterable[Finished]) -> pl.DataFrame:
    """Return one row per number, in the order of studies, settings, trials and methods."""
    rows = [
        (
            one.study.name,
            one.setting.label,
            one.number,
            row.method,
            row.metric,
            row.value,
            row.lam,
            one.outcome.seed,
            one.setting.identity,
            versions(),
        )
        for one in finished
        for row in one.outcome.rows
    ]
    return pl.DataFrame(rows, schema=SCHEMA, orient="row")


def write_tables(table: pl.DataFrame, folder: Path) -> None:
    """Write each study as STUDY.csv and STUDY.parquet."""
    for study in table["study"].unique(maintain_order=True):
        part = table.filter(pl.col("study") == study)
        with whole_file(folder / f"{study}.csv") as draft:
            write_csv(part, draft)
        with whole_file(folder / f"{study}.parquet") as draft:
            part.write_parquet(draft)


@dataclass(frozen=True)
class Results:
    """The numbers of all studies."""

    studies: Sequence[Study]
    table: pl.DataFrame

    @cached_property
    def summary(self) -> Summary:
        """Means and standard errors."""
        return Summary(self.table)

    def study(self, name: str) -> Study:
        """Return a study by its name."""
        return next(study for study in self.studies if study.name == name)

    def settings(self, study: str) -> list[str]:
        """Return the labels of a study's computed settings, in order."""
        part = self.table.filter(pl.col("study") == study)
        return part["setting"].unique(maintain_order=True).to_list()

    def has(self, panel: Panel) -> bool:
        """Return whether a panel has data."""
        settings = self.settings(panel.study)
        return bool(settings) and (not panel.setting or panel.setting in settings)

    def curve(self, panel: Panel, name: str) -> tuple[FloatArray, FloatArray]:
        """Return λ and error along one trial's curve."""
        rows = self.table.filter(
            (pl.col("study") == panel.study)
            & (pl.col("setting") == panel.setting)
            & (pl.col("trial") == panel.trial)
            & (pl.col("method") == CURVE + name)
        ).sort("lam")
        lam, error = rows["lam"].to_numpy(), rows["value"].to_numpy()
        return lam.astype(np.float64), error.astype(np.float64)
