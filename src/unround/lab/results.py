"""Tabulate finished trials: means, coverage, reliability of P(accept)."""

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
from unround.lab.trials.trial import CURVE, RANKS, REFUSED, RELIABILITY, Trial, TrialResult
from unround.lab.trials.versions import versions
from unround.output.atomic import whole_file
from unround.output.tables import write_csv


@dataclass(frozen=True)
class Mean:
    """A mean over trials."""

    study: str
    setting: str
    identity: str  # of the setting, the same in every study
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
        metric = self.table.filter(study=study)["metric"].first()
        return self._column("lam", study, setting, method, str(metric))

    def _column(self, name: str, study: str, setting: str, method: str, metric: str) -> FloatArray:
        rows = self.table.filter(study=study, setting=setting, method=method, metric=metric)
        return rows.sort("trial")[name].to_numpy().astype(np.float64)


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
        median = float(np.median(chosen)) if chosen else None
        of_trials = float(numbers.mean()), standard_error(numbers), numbers.size
        yield Mean(study, setting, identity, method, metric, *of_trials, median)


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


def tidy(finished: Iterable[tuple[Trial, TrialResult]]) -> pl.DataFrame:
    """Return one row per number, in the order of studies, settings, trials and methods."""
    rows = [
        (
            *(trial.study.name, trial.setting.label, trial.number),
            *(row.method, row.metric, row.value, row.lam),
            *(result.seed, trial.setting.identity, versions()),
        )
        for trial, result in finished
        for row in result.rows
    ]
    return pl.DataFrame(rows, schema=SCHEMA, orient="row")


def write_tables(table: pl.DataFrame, folder: Path) -> None:
    """Write each study as STUDY.csv and STUDY.parquet."""
    for study in table["study"].unique(maintain_order=True):
        part = table.filter(study=study)
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
        part = self.table.filter(study=study)
        return part["setting"].unique(maintain_order=True).to_list()

    def has(self, panel: Panel) -> bool:
        """Return whether a panel has data."""
        settings = self.settings(panel.study)
        return bool(settings) and (not panel.setting or panel.setting in settings)

    def curve(self, panel: Panel, name: str) -> tuple[FloatArray, FloatArray]:
        """Return λ and error along one trial's curve."""
        of_trial = {"study": panel.study, "setting": panel.setting, "trial": panel.trial}
        rows = self.table.filter(method=CURVE + name, **of_trial).sort("lam")
        lam, error = rows["lam"].to_numpy(), rows["value"].to_numpy()
        return lam.astype(np.float64), error.astype(np.float64)


LEAST_COVERAGE, MOST_COVERAGE = 0.85, 0.95


@dataclass(frozen=True)
class Bin:
    """Papers of similar probability."""

    papers: int
    expected: float  # mean probability
    inside: float  # share that truly is among the best

    @property
    def error(self) -> float:
        """Standard error of the share, if the probabilities are right."""
        return math.sqrt(self.expected * (1.0 - self.expected) / self.papers)


def refusals(table: pl.DataFrame, study: str) -> int:
    """Count the trials of a study without a posterior, because its chains did not mix."""
    rows = table.filter(study=study, metric=REFUSED)
    return rows.select("setting", "trial").n_unique() if rows.height else 0


def rank_counts(table: pl.DataFrame, study: str) -> list[int]:
    """Pool all settings and trials of a study: papers by the share of draws below their quality."""
    rows = table.filter(pl.col("metric") != REFUSED, study=study, method=RANKS)
    pooled = rows.group_by("lam").agg(pl.col("value").sum()).sort("lam")
    return [int(count) for count in pooled["value"].to_list()]


def reliability_bins(table: pl.DataFrame, study: str) -> list[Bin]:
    """Pool all settings and trials of a study; empty bins are left out."""
    rows = table.filter(pl.col("metric") != REFUSED, study=study, method=RELIABILITY)
    pooled = rows.group_by("lam", "metric").agg(pl.col("value").sum())
    if not pooled.height:
        return []
    wide = pooled.pivot("metric", index="lam", values="value").sort("lam")
    return [
        Bin(int(papers), expected / papers, inside / papers)
        for papers, expected, inside in wide.select("papers", "expected", "inside").iter_rows()
        if papers > 0.0
    ]
