"""The report of `unround reproduce`: figures, coverage, and the means of every study."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

import polars as pl

from unround.lab.catalogue.iclr import HOW_TO_GET, Scores
from unround.lab.catalogue.metrics import INTERVAL_LABELS
from unround.lab.pages import document as doc
from unround.lab.plan import StudyPlan
from unround.lab.registry import find_method, find_metric, sections
from unround.lab.results import (
    LEAST_COVERAGE,
    MOST_COVERAGE,
    Bin,
    Mean,
    Results,
    rank_counts,
    refusals,
    reliability_bins,
)
from unround.lab.study import Study
from unround.lab.trials.versions import versions

TITLE = "unround: the experiments"
DECIMALS = {"kendall": 5, "papers": 5, "l2": 4, "ties": 2, "ties-papers": 2, "missed": 2}


def report_blocks(
    plan: StudyPlan,
    results: Results,
    scores: Scores | None,
    lacking: Sequence[str],
    pictures: Sequence[doc.Picture],
) -> list[doc.Block]:
    """Return the whole report."""
    by_setting = results.table.group_by("study", "setting").agg(pl.col("trial").n_unique())
    most = by_setting["trial"].to_numpy().max()
    computed = f"Up to {most} trials per setting, computed with {versions()}."
    blocks: list[doc.Block] = [doc.Text(computed)]
    if lacking:
        blocks.append(doc.Text(f"Left out: {', '.join(lacking)}. {HOW_TO_GET}", doc.FAIR))
    if scores is not None:
        blocks.append(doc.Text(f"Scores given with --data: {scores.description()}."))
    blocks += _figures(pictures)
    for section in sections():
        blocks += section(results)
    blocks += decision_blocks(results)
    blocks.append(doc.Heading("Means of every study"))
    blocks += [grid for study in plan.studies for grid in study_grids(study, results)]
    return blocks


def _figures(pictures: Sequence[doc.Picture]) -> Iterator[doc.Block]:
    if pictures:
        yield doc.Heading("Figures")
        yield doc.Text("Means over trials; bars are standard errors. Axes may not start at 0.")
        yield from pictures


def study_grids(study: Study, results: Results) -> Iterator[doc.Grid]:
    """Tabulate one metric after the other: settings down, methods across."""
    for metric in study.metrics:
        rows = []
        for setting in results.settings(study.name):
            means = [results.summary.find(study.name, setting, m, metric) for m in study.methods]
            cells = [with_error(m.mean, m.error, metric) if m else "" for m in means]
            rows.append((setting, *cells))
        labels = [find_method(name).label for name in study.methods]
        if rows and study.methods:
            caption = f"{study.title}: {find_metric(metric).label}"
            yield doc.Grid(caption, ("Setting", *labels), rows)


COVERAGE = (
    "The percentage of 90% intervals that contain the true value, ± standard error over trials. The "
    "posterior's intervals are for paper effects and for the opinions behind reviews; calibration's are "
    "calibrated score ± 1.645 standard errors; the bootstrap's are those of unround.stability. "
    "Calibration and bootstrap take the dequantized scores as exact."
)
RELIABILITY = (
    "Papers by their posterior probability to be among the best quarter, over all settings and trials "
    "of a study, and the share that truly is. The standard error is that of the share if the "
    "probabilities are right."
)


def decision_blocks(results: Results) -> Iterator[doc.Block]:
    """Yield coverage and reliability of every study that measured them."""
    with_intervals = [s for s in results.studies if s.intervals and results.settings(s.name)]
    if with_intervals:
        yield doc.Heading("Do 90% intervals hold the truth?")
        yield doc.Text(COVERAGE)
        yield from _refused(results)
        yield from (coverage_grid(study, results) for study in with_intervals)
    ranks = [(study, rank_counts(results.table, study.name)) for study in results.studies]
    if any(counts for _, counts in ranks):
        yield doc.Heading("Is the truth anywhere among the draws, equally often?")
        yield from (_rank_grid(study, counts) for study, counts in ranks if counts)
    bins = {study.title: reliability_bins(results.table, study.name) for study in results.studies}
    if any(bins.values()):
        yield doc.Heading("Is P(accept) as probable as it says?")
        yield doc.Text(RELIABILITY)
        yield from (
            reliability_grid(title, of_study) for title, of_study in bins.items() if of_study
        )


def _rank_grid(study: Study, counts: Sequence[int]) -> doc.Grid:
    header = tuple(f"{10 * number} to {10 * (number + 1)}%" for number in range(len(counts)))
    mean = sum(counts) / len(counts)
    chance = f"{study.title}; {mean:.0f} ± {math.sqrt(0.9 * mean):.0f} by chance"
    return doc.Grid(chance, header, [tuple(f"{count:,}" for count in counts)])


def _refused(results: Results) -> Iterator[doc.Text]:
    """Yield the numbers of trials without a posterior, which its means leave out."""
    counts = {study.title: refusals(results.table, study.name) for study in results.studies}
    listed = "; ".join(f"{title}: {count}" for title, count in counts.items() if count)
    if listed:
        yield doc.Text(
            f"Trials left out because the posterior's chains did not mix: {listed}.",
            doc.FAIR,
        )


def coverage_grid(study: Study, results: Results) -> doc.Grid:
    """Tabulate coverage: settings down, kinds of intervals across."""
    find = results.summary.find
    rows: list[tuple[str | doc.Text, ...]] = [
        (setting, *(_cell(find(study.name, setting, n, "coverage")) for n in study.intervals))
        for setting in results.settings(study.name)
    ]
    labels = [INTERVAL_LABELS[name] for name in study.intervals]
    return doc.Grid(study.title, ("Setting", *labels), rows)


def _cell(mean: Mean | None) -> doc.Text:
    if mean is None:
        return doc.Text("")
    spread = "" if mean.trials < 2 else f" ± {100 * mean.error:.1f}"
    mood = doc.GOOD if LEAST_COVERAGE <= mean.mean <= MOST_COVERAGE else doc.BAD
    return doc.Text(f"{100 * mean.mean:.1f}{spread}", mood)


def reliability_grid(title: str, bins: Sequence[Bin]) -> doc.Grid:
    """Tabulate probabilities, true shares and numbers of papers."""
    rows = [
        (
            f"{one.papers:,}",
            *(f"{100 * share:.1f}" for share in (one.expected, one.inside, one.error)),
        )
        for one in bins
    ]
    header = ("Papers", "Mean probability (%)", "Truly among the best (%)", "Standard error")
    return doc.Grid(title, header, rows)


def with_error(value: float, error: float, metric: str) -> str:
    """Return a value with its standard error, if there is one, in the digits of its metric."""
    shown = shown_number(value, metric)
    return shown if math.isnan(error) else f"{shown} ± {shown_number(error, metric)}"


def shown_number(value: float, metric: str) -> str:
    """Return a value in the digits of its metric."""
    return f"{value:.{DECIMALS.get(metric, 4)}f}"
