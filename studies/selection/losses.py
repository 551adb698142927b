"""What each way to choose λ loses against the oracle, and the report's table of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl

from unround.arrays import FloatArray
from unround.lab import section
from unround.lab.pages import document as doc
from unround.lab.registry import find_method
from unround.lab.results import Results, Summary, standard_error
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
    part = table.filter(study=study)
    for setting in part["setting"].unique(maintain_order=True):
        oracle = summary.values(study, setting, ORACLE, "kendall")
        for method in part["method"].unique(maintain_order=True):
            if method == ORACLE or method.startswith(CURVE):
                continue
            errors = summary.values(study, setting, method, "kendall")
            if errors.size < oracle.size:  # refused some trials
                continue
            rows.append(Loss(setting, method, *_relative(errors, oracle)))
        fixed = _best_single(part.filter(setting=setting))
        rows.append(Loss(setting, FIXED, *_relative(fixed, oracle)))
    return rows


def differences(table: pl.DataFrame, study: str, method: str, other: str) -> list[Loss]:
    """Return how much more one method loses than another on the same trials; negative is better."""
    summary = Summary(table)
    rows: list[Loss] = []
    for setting in table.filter(study=study)["setting"].unique(maintain_order=True):
        oracle, one, two = (
            summary.values(study, setting, name, "kendall") for name in (ORACLE, method, other)
        )
        percent = 100.0 * (one - two) / oracle.mean()
        name = f"{method} - {other}"
        rows.append(Loss(setting, name, float(percent.mean()), standard_error(percent)))
    return rows


def overall(rows: Sequence[Loss]) -> list[Loss]:
    """Return each method's mean over settings; its error treats settings as independent."""
    result = []
    for method, of_method in _by_method(rows).items():
        mean = float(np.mean([loss.percent for loss in of_method]))
        error = float(np.sqrt(np.sum([loss.error**2 for loss in of_method])) / len(of_method))
        result.append(Loss("mean of all settings", method, mean, error))
    return result


def worst(rows: Sequence[Loss]) -> list[Loss]:
    """Return the setting in which each method loses most."""
    of_methods = _by_method(rows).values()
    return [max(of_method, key=lambda loss: loss.percent) for of_method in of_methods]


def _by_method(rows: Sequence[Loss]) -> dict[str, list[Loss]]:
    by_method: dict[str, list[Loss]] = {}
    for loss in rows:
        by_method.setdefault(loss.method, []).append(loss)
    return by_method


def _relative(errors: FloatArray, oracle: FloatArray) -> tuple[float, float]:
    """Return a ratio of means less one, and its standard error by linearization of paired trials."""
    ratio = float(errors.mean() / oracle.mean())
    return 100.0 * (ratio - 1.0), 100.0 * standard_error((errors - ratio * oracle) / oracle.mean())


def _best_single(part: pl.DataFrame) -> FloatArray:
    """Return the errors of all trials at the one λ of the grid with the least mean error."""
    curves = part.filter(method=CURVE + "original").sort("trial", "lam")
    trials = curves["trial"].n_unique()
    errors = curves["value"].to_numpy().reshape(trials, -1)
    chosen: FloatArray = errors[:, int(np.argmin(errors.mean(axis=0)))]
    return chosen


DIFFERENCE = "auto+ - proposed"
LOSSES = (
    "Mean error over the oracle's mean error, less one, in percent, ± standard error (trials are "
    "paired). The oracle knows the truth of each trial. The best single λ is chosen in hindsight "
    "for a setting: no way to choose λ can be expected to do better. The last column is the "
    "difference of the two on the same trials."
)


@section("losses")
def loss_blocks(results: Results) -> Iterator[doc.Block]:
    """Yield the losses of every study with an oracle."""
    for study in results.studies:
        if "oracle" in study.methods and results.settings(study.name):
            yield doc.Heading(study.title)
            yield doc.Text(LOSSES)
            by_method = losses(results.table, study.name)
            if {"proposed", "auto+"} <= set(study.methods):
                by_method += differences(results.table, study.name, "auto+", "proposed")
            yield loss_grid(by_method)


def loss_grid(by_method: Sequence[Loss]) -> doc.Grid:
    """Tabulate losses: settings down, ways to choose λ across."""
    methods = list(dict.fromkeys(loss.method for loss in by_method))
    labels = [_selector(name) for name in methods]
    settings = dict.fromkeys(loss.setting for loss in by_method)
    rows = [_loss_row(setting, methods, by_method) for setting in settings]
    rows.append(_loss_row("mean of all settings", methods, overall(by_method), digits=2))
    most = {loss.method: loss for loss in worst(by_method)}
    rows.append(("worst setting", *(f"{most[name].percent:+.1f}" for name in methods)))
    return doc.Grid("Error above the oracle's, in %", ("Setting", *labels), rows)


def _selector(name: str) -> str:
    if name == FIXED:
        return "Best single λ"
    return "auto+ less validation" if name == DIFFERENCE else find_method(name).label


def _loss_row(
    setting: str, methods: Sequence[str], losses: Sequence[Loss], digits: int = 1
) -> tuple[str, ...]:
    by_name = {loss.method: loss for loss in losses if loss.setting == setting}
    cells = (f"{by_name[m].percent:+.{digits}f} ± {by_name[m].error:.{digits}f}" for m in methods)
    return (setting, *cells)
