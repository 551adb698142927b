"""Results -> the report: what is equal, what differs and by how much, every table and figure."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from unround.lab.catalogue.iclr import HOW_TO_GET, Scores
from unround.lab.figures.results import Results
from unround.lab.pages import document as doc
from unround.lab.plan import Plan
from unround.lab.registry import find_method, find_metric
from unround.lab.results.losses import FIXED, Loss, differences, losses, overall, worst
from unround.lab.results.references import (
    ClaimCheck,
    Comparison,
    TrialCheck,
    Verdict,
    check_claims,
    check_trials,
    compare_means,
)
from unround.lab.study import Study
from unround.lab.trials.versions import versions

TITLE = "unround: the experiments"
DIGITS = {"kendall": 5, "papers": 5, "l2": 4, "l2-least": 4, "l2-most": 4, "ties": 2, "lam": 1}
MOODS = {
    Verdict.EQUAL: doc.GOOD,
    Verdict.NEAR: doc.FAIR,
    Verdict.STEP: doc.FAIR,
    Verdict.NOISE: doc.FAIR,
    Verdict.OFF: doc.BAD,
}
DIFFERENCE = "auto+ - proposed"
DATA = {"thurstone": "synthetic", "coarsened": "ICLR 2017"}
LOSSES = (
    "Mean error over the oracle's mean error, less one, in percent, ± standard error (trials are "
    "paired). The oracle knows the truth of each trial. The best single λ is chosen in hindsight "
    "for a setting: no way to choose λ can be expected to do better. The last column is the "
    "difference of the two on the same trials."
)
NOTES = (
    "Reference values are means over trials 0 to 19 in the draw order of the published program, "
    "as printed to four or five digits; “equal” means equal to those digits, one unit of the last "
    "one allowed. Differences are in our standard errors.",
    "Two values of λ may have equal validation errors but for the last bit. Errors are added up "
    "as the published program does it, wrong/N + tied/2N, so that the same λ is chosen.",
    "ℓ2 errors on ICLR 2017 compare round(2ŷ − 1/2) with the original scores. A score that "
    "nothing moved is exactly z, and 2z − 1/2 lies halfway: exact scores go to 2z, as the paper "
    "says, while noise in a solver's last digits sends some to 2z − 1. Reference values that lie "
    "between the error with all of these right and with all of them wrong are marked as within "
    "what rounding noise can give.",
)


@dataclass(frozen=True)
class Checks:
    """Everything that can be compared with what is known."""

    means: Sequence[Comparison]
    claims: Sequence[ClaimCheck]
    trials: Sequence[TrialCheck]


def check(plan: Plan, results: Results, scores: Scores | None) -> Checks:
    """Compare with references, the paper's text and the published digits."""
    return Checks(
        compare_means(results.summary, scores),
        check_claims(plan.claims, results.summary),
        check_trials(results.table, scores),
    )


def glance(checks: Checks) -> str:
    """One sentence on how everything compares."""
    if not checks.means:
        return ""
    counts = Counter(comparison.verdict for comparison in checks.means)
    verdicts = ", ".join(f"{counts[verdict]} {verdict}" for verdict in Verdict if counts[verdict])
    digits = sum(trial.equal for trial in checks.trials)
    held = sum(claim.holds for claim in checks.claims)
    return (
        f"{len(checks.means)} means against their references: {verdicts}. "
        f"{digits} of {len(checks.trials)} figures of single trials equal to the last digit. "
        f"{held} of {len(checks.claims)} figures in the paper's text hold."
    )


def report_parts(
    plan: Plan,
    results: Results,
    checks: Checks,
    scores: Scores | None,
    lacking: Sequence[str],
    pictures: Sequence[doc.Picture],
) -> list[doc.Part]:
    """The whole report, in the order of reading."""
    trials = results.table.select("trial").max().item() + 1
    made = f"Up to {trials} trials a setting, computed with {versions()}."
    parts: list[doc.Part] = [doc.Text(made)]
    if lacking:
        parts.append(doc.Text(f"Left out: {', '.join(lacking)}. {HOW_TO_GET}", doc.FAIR))
    if scores is not None and not scores.is_iclr_2017:
        parts.append(
            doc.Text(
                "The scores given with --data are not those of ICLR 2017 that the paper used: "
                "there are no reference values for them.",
                doc.FAIR,
            )
        )
    if checks.means:
        off = any(comparison.verdict is Verdict.OFF for comparison in checks.means)
        parts.append(doc.Text(glance(checks), doc.BAD if off else doc.GOOD))
    parts += _figures(pictures)
    parts += _known(checks)
    parts += _losses(results)
    parts.append(doc.Heading("Means of every study"))
    parts += [grid for study in plan.studies for grid in study_grids(study, results)]
    return parts


def _figures(pictures: Sequence[doc.Picture]) -> Iterator[doc.Part]:
    if pictures:
        yield doc.Heading("Figures")
        yield doc.Text("Means over trials; bars are standard errors. Axes may not start at 0.")
        yield from pictures


def _known(checks: Checks) -> Iterator[doc.Part]:
    """Beside what is known from the paper and from before."""
    if checks.means:
        yield doc.Heading("Against reference values")
        yield from (doc.Text(note) for note in NOTES)
        yield reference_grid(checks)
    if checks.claims:
        yield doc.Heading("Figures in the paper's text")
        yield claim_grid(checks.claims)
    if checks.trials:
        yield doc.Heading("Trial 0, digit for digit")
        yield trial_grid(checks.trials)


def reference_grid(checks: Checks) -> doc.Grid:
    """Each mean beside the paper's figure and its reference."""
    said = {
        (
            check.claim.study,
            check.claim.setting,
            check.claim.method,
            check.claim.metric,
        ): check.claim
        for check in checks.claims
        if not check.claim.less_than
    }
    rows = []
    for one in checks.means:
        mean = one.mean
        claim = said.get((mean.study, mean.setting, mean.method, one.metric))
        below = "< " if claim and claim.relation == "below" else ""
        rows.append(
            (
                f"{mean.study}: {mean.setting}",
                find_method(mean.method).label,
                "median λ" if one.metric == "lam" else find_metric(one.metric).label,
                below + claim.says if claim else "",
                one.reference,
                _number(one.ours, one.metric)
                if one.metric == "lam"
                else _with_error(one.ours, mean.error, one.metric),
                "" if math.isnan(one.in_errors) else f"{round(one.in_errors, 2) + 0.0:+.2f}",
                doc.Cell(str(one.verdict), MOODS[one.verdict]),
            )
        )
    header = ("Setting", "Method", "Measure", "Paper's text", "Reference", "Ours", "In SE", "")
    return doc.Grid("Means over 20 trials", header, rows)


def claim_grid(claims: Sequence[ClaimCheck]) -> doc.Grid:
    """What the text says, and what we find."""
    rows = [
        (
            check.claim.text,
            ("< " if check.claim.relation == "below" else "") + f"{check.claim.says}%",
            f"{check.ours:.2f}%",
            doc.Cell("holds", doc.GOOD) if check.holds else doc.Cell("does not hold", doc.BAD),
        )
        for check in claims
    ]
    return doc.Grid("The paper's text", ("What", "Paper", "Ours", ""), rows)


def trial_grid(trials: Sequence[TrialCheck]) -> doc.Grid:
    """Single numbers in full."""
    rows = [
        (
            DATA.get(check.data, check.data),
            "λ" if check.method == "λ" else find_method(check.method).label,
            repr(check.reference),
            repr(check.ours),
            doc.Cell("equal", doc.GOOD) if check.equal else doc.Cell("differs", doc.BAD),
        )
        for check in trials
    ]
    header = ("Data", "Method", "Published program", "Ours", "")
    return doc.Grid("Kendall-tau errors and λ of trial 0", header, rows)


def study_grids(study: Study, results: Results) -> Iterator[doc.Grid]:
    """One table a metric: settings down, methods across."""
    for metric in study.metrics:
        rows = []
        for setting in results.settings(study.name):
            found = [results.summary.find(study.name, setting, m, metric) for m in study.methods]
            cells = [_with_error(m.mean, m.error, metric) if m else "" for m in found]
            rows.append((setting, *cells, *_medians(study, setting, results, metric)))
        labels = [find_method(name).label for name in study.methods]
        medians = ["median λ, proposed"] if _shows_lambda(study, metric) else []
        if rows and study.methods:
            caption = f"{study.title}: {find_metric(metric).label}"
            yield doc.Grid(caption, ("Setting", *labels, *medians), rows)


def _losses(results: Results) -> Iterator[doc.Part]:
    for study in results.studies:
        if "oracle" in study.methods and results.settings(study.name):
            yield doc.Heading(study.title)
            yield doc.Text(LOSSES)
            found = losses(results.table, study.name)
            if {"proposed", "auto+"} <= set(study.methods):
                found += differences(results.table, study.name, "auto+", "proposed")
            yield loss_grid(found)


def loss_grid(found: Sequence[Loss]) -> doc.Grid:
    """Settings down, ways to choose λ across."""
    methods = list(dict.fromkeys(loss.method for loss in found))
    labels = [_selector(name) for name in methods]
    settings = dict.fromkeys(loss.setting for loss in found)
    rows = [_loss_row(setting, methods, found) for setting in settings]
    rows.append(_loss_row("mean of all settings", methods, overall(found), digits=2))
    most = {loss.method: loss for loss in worst(found)}
    rows.append(("worst setting", *(f"{most[name].percent:+.1f}" for name in methods)))
    return doc.Grid("Error above the oracle's, in %", ("Setting", *labels), rows)


def _selector(name: str) -> str:
    if name == FIXED:
        return "Best single λ"
    return "auto+ less validation" if name == DIFFERENCE else find_method(name).label


def _loss_row(
    setting: str, methods: Sequence[str], found: Sequence[Loss], digits: int = 1
) -> tuple[str, ...]:
    here = {loss.method: loss for loss in found if loss.setting == setting}
    cells = (f"{here[m].percent:+.{digits}f} ± {here[m].error:.{digits}f}" for m in methods)
    return (setting, *cells)


def _shows_lambda(study: Study, metric: str) -> bool:
    return metric == study.metrics[0] and "proposed" in study.methods


def _medians(study: Study, setting: str, results: Results, metric: str) -> list[str]:
    if not _shows_lambda(study, metric):
        return []
    mean = results.summary.find(study.name, setting, "proposed", metric)
    known = mean is not None and mean.median_lam is not None
    return [_number(mean.median_lam, "lam") if known else ""]  # type: ignore[union-attr, arg-type]


def _with_error(value: float, error: float, metric: str) -> str:
    shown = _number(value, metric)
    return shown if math.isnan(error) else f"{shown} ± {_number(error, metric)}"


def _number(value: float, metric: str) -> str:
    return f"{value:.{DIGITS.get(metric, 4)}f}"
