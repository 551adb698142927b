"""Check our means against reference values and the numbers in the paper's text, and tabulate the checks."""

from __future__ import annotations

import math
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum
from functools import cache
from importlib.resources import files
from typing import Any

import polars as pl

from unround.lab.catalogue.iclr import Scores
from unround.lab.pages import document as doc
from unround.lab.plan import Claim, StudyPlan
from unround.lab.registry import find_data, find_method, find_metric
from unround.lab.results import Mean, Results, Summary
from unround.lab.study import METHOD_PARAMETERS, Setting

PUBLISHED_TRIALS = 20
GRID_STEP = 0.25  # of log λ
METHODS = ("quantized", "bre", "proposed")
DIGITS = {
    **{"kendall": 5, "papers": 5, "l2": 4, "l2-least": 4, "l2-most": 4, "lam": 1},
    **{"ties": 2, "ties-papers": 2, "missed": 2},
}
CLAIMS = (
    "The paper's numbers are means over its 20 trials. A number holds if ours rounds to its digits, or "
    "for “about” if ours is within the given number of percentage points. Means over another number of "
    "trials, or on other data, are not judged."
)
NOTES = (
    "Reference values are means over trials 0 to 19 in the draw order of the published program, "
    "printed to four or five digits; “equal” means equal to those digits, or off by one unit of the last. "
    "Differences are in our standard errors.",
    "Two values of λ may have validation errors that differ in the last bit only. Errors are summed as "
    "in the published program, wrong/N + tied/2N, so that the same λ is chosen.",
    "ℓ2 errors on ICLR 2017 compare round(2ŷ − 1/2) with the original scores. An unmoved score is "
    "exactly z, and 2z − 1/2 lies halfway between integers: exact scores are rounded to 2z, as in the "
    "paper, while noise in a solver's last digits rounds some to 2z − 1. Reference values between the "
    "error with all of these right and the error with all of them wrong are marked as within rounding "
    "noise.",
)
SAME_DIGITS = 12
FIRST_TRIAL = (
    f"Two numbers are equal here if they agree to {SAME_DIGITS} digits. Errors depend on the order in which "
    "they are summed beyond that, and unround rounds the values of its grid of λ to as many."
)
DATA = {"thurstone": "synthetic", "coarsened": "ICLR 2017"}


class Verdict(StrEnum):
    """How a mean compares with its reference."""

    EQUAL = "equal"
    NEAR = "within 3 standard errors"
    STEP = "within a step of the grid"
    NOISE = "within rounding noise"
    OFF = "differs"


class ClaimVerdict(StrEnum):
    """Whether a number in the paper's text holds."""

    HOLDS = "holds"
    FAILS = "does not hold"
    NOT_JUDGED = "not judged"


MOODS = {
    Verdict.EQUAL: doc.GOOD,
    Verdict.NEAR: doc.FAIR,
    Verdict.STEP: doc.FAIR,
    Verdict.NOISE: doc.FAIR,
    Verdict.OFF: doc.BAD,
}
CLAIM_MOODS = {
    ClaimVerdict.HOLDS: doc.GOOD,
    ClaimVerdict.FAILS: doc.BAD,
    ClaimVerdict.NOT_JUDGED: doc.FAIR,
}


@dataclass(frozen=True)
class ReferenceCheck:
    """A mean and its reference value."""

    mean: Mean
    metric: str  # the mean's metric, or "lam" for its median λ
    ours: float
    reference: str  # as printed
    in_errors: float  # difference in our standard errors; NaN where there is none
    verdict: Verdict


@dataclass(frozen=True)
class ClaimCheck:
    """A number in the paper's text, and ours."""

    claim: Claim
    ours: float
    verdict: ClaimVerdict


@dataclass(frozen=True)
class TrialCheck:
    """A number of a single trial, and the published program's."""

    data: str
    method: str
    ours: float
    reference: float

    @property
    def equal(self) -> bool:
        """Whether both agree to 12 digits."""
        return f"{self.ours:.{SAME_DIGITS}g}" == f"{self.reference:.{SAME_DIGITS}g}"


def check_means(summary: Summary, scores: Scores | None) -> list[ReferenceCheck]:
    """Check every mean that has a reference, once per setting."""
    rows = reference_rows(with_iclr=scores is not None and scores.is_iclr_2017)
    compared: dict[tuple[str, str, str], ReferenceCheck] = {}
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
    """Check every number in the paper's text that was computed.

    Only means over 20 trials on the paper's data are judged.
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
    """Return whether a mean is on the paper's data."""
    return mean.identity in reference_rows(with_iclr=scores is not None and scores.is_iclr_2017)


def check_trials(table: pl.DataFrame, scores: Scores | None) -> list[TrialCheck]:
    """Check trial 0 of the default settings against the published program."""
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


def _compared(summary: Summary, mean: Mean, reference: str) -> ReferenceCheck:
    off = mean.mean - float(reference)
    in_errors = off / mean.error if mean.error > 0.0 else math.nan
    if _prints_as(mean.mean, reference):
        verdict = Verdict.EQUAL
    elif _noise_decides(summary, mean, float(reference)):
        verdict = Verdict.NOISE
    else:
        verdict = Verdict.NEAR if abs(in_errors) <= 3.0 else Verdict.OFF
    return ReferenceCheck(mean, mean.metric, mean.mean, reference, in_errors, verdict)


def _median_compared(mean: Mean, median: float, reference: str) -> ReferenceCheck:
    near = abs(math.log(median / float(reference))) <= GRID_STEP
    verdict = Verdict.STEP if near else Verdict.OFF
    if _prints_as(median, reference):
        verdict = Verdict.EQUAL
    return ReferenceCheck(mean, "lam", median, reference, math.nan, verdict)


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


def reference_rows(*, with_iclr: bool) -> dict[str, Mapping[str, Any]]:
    """Return the reference values of each setting, by its identity."""
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


@dataclass(frozen=True)
class Checks:
    """Our numbers against reference values, the paper's text and the published digits."""

    means: Sequence[ReferenceCheck]
    claims: Sequence[ClaimCheck]
    trials: Sequence[TrialCheck]


def check_results(plan: StudyPlan, results: Results, scores: Scores | None) -> Checks:
    """Check against reference values, the paper's text and the published digits."""
    return Checks(
        check_means(results.summary, scores),
        check_claims(plan.claims, results.summary, scores),
        check_trials(results.table, scores),
    )


def summary_line(checks: Checks) -> str:
    """Return one line on how our numbers compare."""
    if not checks.means:
        return ""
    counts = Counter(comparison.verdict for comparison in checks.means)
    verdicts = ", ".join(f"{counts[verdict]} {verdict}" for verdict in Verdict if counts[verdict])
    digits = sum(trial.equal for trial in checks.trials)
    verdicts_on_claims = Counter(claim.verdict for claim in checks.claims)
    unjudged = verdicts_on_claims[ClaimVerdict.NOT_JUDGED]
    return (
        f"{len(checks.means)} means against their references: {verdicts}. "
        f"{digits} of {len(checks.trials)} numbers of trial 0 equal to {SAME_DIGITS} digits. "
        f"{verdicts_on_claims[ClaimVerdict.HOLDS]} of {len(checks.claims) - unjudged} numbers in the "
        "paper's text hold" + (f"; {unjudged} not judged." if unjudged else ".")
    )


def reference_blocks(checks: Checks) -> Iterator[doc.Block]:
    """Yield the report's tables of checks."""
    if checks.means:
        yield doc.Heading("Against reference values")
        yield from (doc.Text(note) for note in NOTES)
        yield reference_grid(checks)
    if checks.claims:
        yield doc.Heading("Numbers in the paper's text")
        yield doc.Text(CLAIMS)
        yield claim_grid(checks.claims)
    if checks.trials:
        yield doc.Heading("Trial 0, beside the published program")
        yield doc.Text(FIRST_TRIAL)
        yield trial_grid(checks.trials)


def reference_grid(checks: Checks) -> doc.Grid:
    """Tabulate each mean with the paper's number and its reference."""
    claims = (check.claim for check in checks.claims if not check.claim.less_than)
    printed = {(one.study, one.setting, one.method, one.metric): one for one in claims}
    rows = []
    for one in checks.means:
        mean = one.mean
        claim = printed.get((mean.study, mean.setting, mean.method, one.metric))
        rows.append(
            (
                f"{mean.study}: {mean.setting}",
                find_method(mean.method).label,
                "median λ" if one.metric == "lam" else find_metric(one.metric).label,
                _printed(claim).removesuffix("%") if claim else "",
                one.reference,
                shown_number(one.ours, one.metric)
                if one.metric == "lam"
                else with_error(one.ours, mean.error, one.metric),
                "" if math.isnan(one.in_errors) else f"{round(one.in_errors, 2) + 0.0:+.2f}",
                doc.Text(str(one.verdict), MOODS[one.verdict]),
            )
        )
    header = ("Setting", "Method", "Measure", "Paper's text", "Reference", "Ours", "In SE", "")
    return doc.Grid("Means over 20 trials", header, rows)


def claim_grid(claims: Sequence[ClaimCheck]) -> doc.Grid:
    """Tabulate the numbers in the paper's text and ours."""
    rows = [
        (
            check.claim.text,
            _printed(check.claim),
            f"{check.ours:.2f}%",
            doc.Text(check.verdict, CLAIM_MOODS[check.verdict]),
        )
        for check in claims
    ]
    return doc.Grid("The paper's text", ("What", "Paper", "Ours", ""), rows)


def _printed(claim: Claim) -> str:
    """Return the paper's number, and how closely ours must agree."""
    if claim.relation == "below":
        return f"< {claim.says}%"
    if claim.relation == "about":
        return f"about {claim.says}% (± {claim.within:g})"
    return f"{claim.says}%"


def trial_grid(trials: Sequence[TrialCheck]) -> doc.Grid:
    """Tabulate numbers of single trials in full."""
    rows = [
        (
            DATA.get(check.data, check.data),
            "λ" if check.method == "λ" else find_method(check.method).label,
            repr(check.reference),
            repr(check.ours),
            doc.Text("equal", doc.GOOD) if check.equal else doc.Text("differs", doc.BAD),
        )
        for check in trials
    ]
    header = ("Data", "Method", "Published program", "Ours", "")
    return doc.Grid("Kendall-tau errors and λ of trial 0", header, rows)


def with_error(value: float, error: float, metric: str) -> str:
    """Return a value with its standard error, if there is one, in the digits of its metric."""
    shown = shown_number(value, metric)
    return shown if math.isnan(error) else f"{shown} ± {shown_number(error, metric)}"


def shown_number(value: float, metric: str) -> str:
    """Return a value in the digits of its metric."""
    return f"{value:.{DIGITS.get(metric, 4)}f}"
