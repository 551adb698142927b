"""Compare our means with reference values and with the numbers in the paper's text."""

from __future__ import annotations

import math
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum
from functools import cache
from importlib.resources import files
from typing import Any

import polars as pl

from unround.lab.catalogue.iclr import Scores
from unround.lab.plan import Claim
from unround.lab.registry import find_data
from unround.lab.results.summary import Mean, Summary
from unround.lab.study import METHOD_PARAMETERS, Setting

PUBLISHED_TRIALS = 20
GRID_STEP = 0.25  # of log λ
METHODS = ("quantized", "bre", "proposed")


class Verdict(StrEnum):
    """The outcome of comparing a mean with its reference."""

    EQUAL = "equal"
    NEAR = "within 3 standard errors"
    STEP = "within a step of the grid"
    NOISE = "within what rounding noise can give"
    OFF = "differs"


class ClaimVerdict(StrEnum):
    """Whether a number of the paper's text holds."""

    HOLDS = "holds"
    FAILS = "does not hold"
    NOT_JUDGED = "not judged"


@dataclass(frozen=True)
class Comparison:
    """One mean beside its reference."""

    mean: Mean
    metric: str  # the mean's metric, or "lam" for its median λ
    ours: float
    reference: str  # as printed
    in_errors: float  # difference in our standard errors; NaN where there is none
    verdict: Verdict


@dataclass(frozen=True)
class ClaimCheck:
    """A number of the paper's text beside ours."""

    claim: Claim
    ours: float
    verdict: ClaimVerdict


@dataclass(frozen=True)
class TrialCheck:
    """A single trial beside the published program's digits."""

    data: str
    method: str
    ours: float
    reference: float

    @property
    def equal(self) -> bool:
        """Whether both are equal up to the last binary digits."""
        return math.isclose(self.ours, self.reference, rel_tol=1e-12)


def compare_means(summary: Summary, scores: Scores | None) -> list[Comparison]:
    """Compare every mean that has a reference, once per identity of its setting."""
    rows = _rows(with_iclr=scores is not None and scores.is_iclr_2017)
    compared: dict[tuple[str, str, str], Comparison] = {}
    for mean in summary:
        row = rows.get(mean.identity)
        if row is None or mean.method not in METHODS or mean.trials != PUBLISHED_TRIALS:
            continue
        printed: Mapping[str, str] = row[mean.method]
        if mean.metric in printed:
            comparison = _compared(summary, mean, printed[mean.metric])
            compared.setdefault((mean.identity, mean.method, mean.metric), comparison)
        if mean.metric == "kendall" and "lam" in printed and mean.median_lam is not None:
            median = _median_compared(mean, mean.median_lam, printed["lam"])
            compared.setdefault((mean.identity, mean.method, "lam"), median)
    return list(compared.values())


def check_claims(
    claims: tuple[Claim, ...], summary: Summary, scores: Scores | None
) -> list[ClaimCheck]:
    """Check every number of the paper's text that was computed.

    The paper's numbers are means over its 20 trials, and on its own data: other means are not judged.
    """
    checks = []
    for claim in claims:
        mean = summary.find(claim.study, claim.setting, claim.method, claim.metric)
        if mean is None:
            continue
        ours = mean.mean
        if claim.less_than:
            other = summary.find(claim.study, claim.setting, claim.less_than, claim.metric)
            if other is None:
                continue
            ours = 100.0 * (1.0 - mean.mean / other.mean)
        verdict = ClaimVerdict.HOLDS if _holds(claim, ours) else ClaimVerdict.FAILS
        if mean.trials != PUBLISHED_TRIALS or not _is_of_the_paper(mean, scores):
            verdict = ClaimVerdict.NOT_JUDGED
        checks.append(ClaimCheck(claim, ours, verdict))
    return checks


def _is_of_the_paper(mean: Mean, scores: Scores | None) -> bool:
    """Return whether a mean is over the data that the paper used."""
    return mean.identity in _rows(with_iclr=scores is not None and scores.is_iclr_2017)


def check_trials(table: pl.DataFrame, scores: Scores | None) -> list[TrialCheck]:
    """Compare trial 0 of the default settings with the published program's digits."""
    checks: dict[tuple[str, str], TrialCheck] = {}
    first = table.filter((pl.col("trial") == 0) & (pl.col("metric") == "kendall"))
    rows = first.select("parameters", "method", "value", "lam").unique(maintain_order=True)
    for entry in _file()["trial"]:
        if entry["data"] == "coarsened" and (scores is None or not scores.is_iclr_2017):
            continue
        same = rows.filter(pl.col("parameters") == _identity(entry))
        for method, value, lam in same.select("method", "value", "lam").iter_rows():
            if method in METHODS:
                checks[entry["data"], method] = TrialCheck(
                    entry["data"], method, value, entry[method]
                )
            if method == "proposed":
                checks[entry["data"], "λ"] = TrialCheck(entry["data"], "λ", lam, entry["lam"])
    return list(checks.values())


def _compared(summary: Summary, mean: Mean, reference: str) -> Comparison:
    off = mean.mean - float(reference)
    in_errors = off / mean.error if mean.error > 0.0 else math.nan
    if _prints_as(mean.mean, reference):
        verdict = Verdict.EQUAL
    elif _noise_decides(summary, mean, float(reference)):
        verdict = Verdict.NOISE
    else:
        verdict = Verdict.NEAR if abs(in_errors) <= 3.0 else Verdict.OFF
    return Comparison(mean, mean.metric, mean.mean, reference, in_errors, verdict)


def _median_compared(mean: Mean, median: float, reference: str) -> Comparison:
    near = abs(math.log(median / float(reference))) <= GRID_STEP
    verdict = Verdict.STEP if near else Verdict.OFF
    if _prints_as(median, reference):
        verdict = Verdict.EQUAL
    return Comparison(mean, "lam", median, reference, math.nan, verdict)


def _prints_as(value: float, printed: str) -> bool:
    """Return whether a value equals the printed digits, one unit of the last one allowed."""
    unit = 10.0 ** int(Decimal(printed).as_tuple().exponent)
    return abs(value - float(printed)) <= 1.01 * unit


def _noise_decides(summary: Summary, mean: Mean, reference: float) -> bool:
    """Return whether the reference lies in the range that noise in unmoved scores can give."""
    if mean.metric != "l2":
        return False
    ends = [
        summary.find(mean.study, mean.setting, mean.method, metric)
        for metric in ("l2-least", "l2-most")
    ]
    if ends[0] is None or ends[1] is None:
        return False
    return ends[0].mean <= reference <= ends[1].mean


def _holds(claim: Claim, ours: float) -> bool:
    if claim.relation == "below":
        return ours < float(claim.says)
    if claim.relation == "about":
        return abs(ours - float(claim.says)) <= claim.within
    decimals = -int(Decimal(claim.says).as_tuple().exponent)
    return round(ours, decimals) == float(claim.says)


@cache
def _file() -> dict[str, Any]:
    return tomllib.loads(files("unround.lab").joinpath("reference.toml").read_text("utf-8"))


def _rows(*, with_iclr: bool) -> dict[str, Mapping[str, Any]]:
    rows = _file()["row"]
    return {_identity(row): row for row in rows if with_iclr or row["data"] != "coarsened"}


def _identity(row: Mapping[str, Any]) -> str:
    return Setting(
        label="",
        data=row["data"],
        parameters=find_data(row["data"]).complete(row.get("parameters", {})),
        epsilon=row.get("epsilon", METHOD_PARAMETERS["epsilon"]),
        conflicts=str(METHOD_PARAMETERS["conflicts"]),
    ).identity
