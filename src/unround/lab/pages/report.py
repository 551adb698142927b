"""Results -> the report: comparisons with known values, every table and every figure."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from unround.lab.catalogue.iclr import HOW_TO_GET, Scores
from unround.lab.pages import document as doc
from unround.lab.pages.decisions_report import decision_blocks
from unround.lab.plan import Claim, Plan
from unround.lab.registry import find_method, find_metric, sections
from unround.lab.results.losses import FIXED, Loss, differences, losses, overall, worst
from unround.lab.results.references import (
    ClaimCheck,
    ClaimVerdict,
    Comparison,
    TrialCheck,
    Verdict,
    check_claims,
    check_trials,
    compare_means,
)
from unround.lab.results.summary import Results
from unround.lab.study import Study
from unround.lab.trials.versions import versions

TITLE = "unround: the experiments"
DIGITS = {
    **{"kendall": 5, "papers": 5, "l2": 4, "l2-least": 4, "l2-most": 4, "lam": 1},
    **{"ties": 2, "ties-papers": 2, "missed": 2},
}
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
CLAIMS = (
    "The paper's figures are means over its 20 trials. A printed figure holds if ours rounds to its "
    "digits, “about” if ours is within the stated number of percentage points. Means over another "
    "number of trials, or on other data, are not judged."
)
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
    """Our numbers beside reference values, the paper's text and the published digits."""

    means: Sequence[Comparison]
    claims: Sequence[ClaimCheck]
    trials: Sequence[TrialCheck]


def check(plan: Plan, results: Results, scores: Scores | None) -> Checks:
    """Compare with references, the paper's text and the published digits."""
    return Checks(
        compare_means(results.summary, scores),
        check_claims(plan.claims, results.summary, scores),
        check_trials(results.table, scores),
    )


def glance(checks: Checks) -> str:
    """Say in one line how our numbers compare."""
    if not checks.means:
        return ""
    counts = Counter(comparison.verdict for comparison in checks.means)
    verdicts = ", ".join(f"{counts[verdict]} {verdict}" for verdict in Verdict if counts[verdict])
    digits = sum(trial.equal for trial in checks.trials)
    verdicts_on_claims = Counter(claim.verdict for claim in checks.claims)
    unjudged = verdicts_on_claims[ClaimVerdict.NOT_JUDGED]
    return (
        f"{len(checks.means)} means against their references: {verdicts}. "
        f"{digits} of {len(checks.trials)} figures of single trials equal to the last digit. "
        f"{verdicts_on_claims[ClaimVerdict.HOLDS]} of {len(checks.claims) - unjudged} figures in the "
        "paper's text hold" + (f"; {unjudged} not judged." if unjudged else ".")
    )


def report_blocks(
    plan: Plan,
    results: Results,
    checks: Checks,
    scores: Scores | None,
    lacking: Sequence[str],
    pictures: Sequence[doc.Picture],
) -> list[doc.Block]:
    """Return the whole report, in the order of reading."""
    trials = results.table.select("trial").max().item() + 1
    made = f"Up to {trials} trials per setting, computed with {versions()}."
    blocks: list[doc.Block] = [doc.Text(made)]
    if lacking:
        blocks.append(doc.Text(f"Left out: {', '.join(lacking)}. {HOW_TO_GET}", doc.FAIR))
    if scores is not None and not scores.is_iclr_2017:
        blocks.append(
            doc.Text(
                f"The scores given with --data ({scores.described()}) are not those of ICLR 2017 "
                "that the paper used: "
                "there are no reference values for them.",
                doc.FAIR,
            )
        )
    if checks.means:
        off = any(comparison.verdict is Verdict.OFF for comparison in checks.means)
        blocks.append(doc.Text(glance(checks), doc.BAD if off else doc.GOOD))
    blocks += _figures(pictures)
    blocks += _known(checks)
    for section in sections():
        blocks += section(results)
    blocks += decision_blocks(results)
    blocks += _losses(results)
    blocks.append(doc.Heading("Means of every study"))
    blocks += [grid for study in plan.studies for grid in study_grids(study, results)]
    return blocks


def _figures(pictures: Sequence[doc.Picture]) -> Iterator[doc.Block]:
    if pictures:
        yield doc.Heading("Figures")
        yield doc.Text("Means over trials; bars are standard errors. Axes may not start at 0.")
        yield from pictures


def _known(checks: Checks) -> Iterator[doc.Block]:
    """Compare with reference values, the paper's text and the published digits."""
    if checks.means:
        yield doc.Heading("Against reference values")
        yield from (doc.Text(note) for note in NOTES)
        yield reference_grid(checks)
    if checks.claims:
        yield doc.Heading("Figures in the paper's text")
        yield doc.Text(CLAIMS)
        yield claim_grid(checks.claims)
    if checks.trials:
        yield doc.Heading("Trial 0, digit for digit")
        yield trial_grid(checks.trials)


def reference_grid(checks: Checks) -> doc.Grid:
    """Tabulate each mean beside the paper's number and its reference."""
    printed = {
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
        claim = printed.get((mean.study, mean.setting, mean.method, one.metric))
        rows.append(
            (
                f"{mean.study}: {mean.setting}",
                find_method(mean.method).label,
                "median λ" if one.metric == "lam" else find_metric(one.metric).label,
                _printed(claim).removesuffix("%") if claim else "",
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
    """Tabulate the numbers of the paper's text beside ours."""
    rows = [
        (
            check.claim.text,
            _printed(check.claim),
            f"{check.ours:.2f}%",
            doc.Cell(check.verdict, CLAIM_MOODS[check.verdict]),
        )
        for check in claims
    ]
    return doc.Grid("The paper's text", ("What", "Paper", "Ours", ""), rows)


def _printed(claim: Claim) -> str:
    """Return the number as the paper prints it, and how closely ours must agree."""
    if claim.relation == "below":
        return f"< {claim.says}%"
    if claim.relation == "about":
        return f"about {claim.says}% (± {claim.within:g})"
    return f"{claim.says}%"


def trial_grid(trials: Sequence[TrialCheck]) -> doc.Grid:
    """Tabulate single numbers in full."""
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
    """Tabulate one metric after the other: settings down, methods across."""
    for metric in study.metrics:
        rows = []
        for setting in results.settings(study.name):
            means = [results.summary.find(study.name, setting, m, metric) for m in study.methods]
            cells = [_with_error(m.mean, m.error, metric) if m else "" for m in means]
            rows.append((setting, *cells, *_medians(study, setting, results, metric)))
        labels = [find_method(name).label for name in study.methods]
        medians = ["median λ, proposed"] if _shows_lambda(study, metric) else []
        if rows and study.methods:
            caption = f"{study.title}: {find_metric(metric).label}"
            yield doc.Grid(caption, ("Setting", *labels, *medians), rows)


def _losses(results: Results) -> Iterator[doc.Block]:
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
