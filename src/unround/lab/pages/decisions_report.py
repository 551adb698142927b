"""Results -> the report's part on decisions: coverage of intervals and reliability of P(accept)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from unround.lab.catalogue.intervals import INTERVALS
from unround.lab.pages import document as doc
from unround.lab.results.coverage import (
    LEAST,
    MOST,
    Bin,
    coverages,
    is_outside,
    refusals,
    reliability_bins,
)
from unround.lab.results.summary import Mean, Results
from unround.lab.study import Study

COVERAGE = (
    "The share of 90% intervals that hold the truth, in percent, ± standard error over trials. The "
    "posterior's intervals are of paper effects and of the opinions behind reviews; calibration's are "
    "calibrated score ± 1.645 standard errors; the bootstrap's are those of unround.stability. "
    "Calibration and bootstrap take the dequantized scores as exact."
)
RELIABILITY = (
    "Papers by their posterior probability to be among the best quarter, over all settings and trials "
    "of a study, and the share that truly is. The standard error is that of the share if the "
    "probabilities are right."
)


def decision_blocks(results: Results) -> Iterator[doc.Block]:
    """Return coverage and reliability of every study that measured them."""
    with_intervals = [study for study in results.studies if study.intervals]
    found = {study.name: coverages(study, results.summary) for study in with_intervals}
    if any(found.values()):
        yield doc.Heading("Do 90% intervals hold the truth?")
        yield doc.Text(COVERAGE)
        yield verdict([mean for means in found.values() for mean in means], with_intervals)
        yield from refused(results)
        yield from (coverage_grid(study, found[study.name]) for study in with_intervals)
    bins = {study.title: reliability_bins(results.table, study.name) for study in results.studies}
    if any(bins.values()):
        yield doc.Heading("Is P(accept) as probable as it says?")
        yield doc.Text(RELIABILITY)
        yield from (reliability_grid(title, found) for title, found in bins.items() if found)


def refused(results: Results) -> Iterator[doc.Text]:
    """Say in how many trials the posterior refused: its numbers are means over the others."""
    counts = {study.title: refusals(results.table, study.name) for study in results.studies}
    listed = "; ".join(f"{title}: {count}" for title, count in counts.items() if count)
    if listed:
        yield doc.Text(
            f"Trials in which the posterior's chains did not mix and it refused: {listed}. Its numbers "
            "are means over the other trials.",
            doc.FAIR,
        )


def verdict(means: Sequence[Mean], studies: Sequence[Study]) -> doc.Text:
    """Say which coverages are outside 85 to 95%, and by how much."""
    titles = {study.name: study.title for study in studies}
    outside = [mean for mean in means if is_outside(mean)]
    if not outside:
        return doc.Text(f"All {len(means)} are within 85 to 95%.", doc.GOOD)
    listed = "; ".join(
        f"{INTERVALS[mean.method].label}, {titles[mean.study]}, {mean.setting}: "
        f"{100 * mean.mean:.1f}%, {100 * _off(mean.mean):.1f} points {_side(mean.mean)}"
        for mean in outside
    )
    return doc.Text(
        f"{len(outside)} of {len(means)} are outside 85 to 95%: {listed}. All others are within.",
        doc.BAD,
    )


def _off(share: float) -> float:
    return LEAST - share if share < LEAST else share - MOST


def _side(share: float) -> str:
    return "too few" if share < LEAST else "too many"


def coverage_grid(study: Study, means: Sequence[Mean]) -> doc.Grid:
    """Tabulate coverage: settings down, kinds of intervals across."""
    by_key = {(mean.setting, mean.method): mean for mean in means}
    settings = dict.fromkeys(mean.setting for mean in means)
    rows: list[tuple[str | doc.Cell, ...]] = [
        (setting, *(_cell(by_key.get((setting, name))) for name in study.intervals))
        for setting in settings
    ]
    labels = [INTERVALS[name].label for name in study.intervals]
    return doc.Grid(study.title, ("Setting", *labels), rows)


def _cell(mean: Mean | None) -> doc.Cell:
    if mean is None:
        return doc.Cell("")
    spread = "" if mean.trials < 2 else f" ± {100 * mean.error:.1f}"
    mood = doc.BAD if is_outside(mean) else doc.GOOD
    return doc.Cell(f"{100 * mean.mean:.1f}{spread}", mood)


def reliability_grid(title: str, bins: Sequence[Bin]) -> doc.Grid:
    """Tabulate probabilities, true shares and numbers of papers."""
    rows = [
        (
            f"{one.papers:,}",
            f"{100 * one.expected:.1f}",
            f"{100 * one.inside:.1f}",
            f"{100 * one.error:.1f}",
        )
        for one in bins
    ]
    header = ("Papers", "Mean probability (%)", "Truly among the best (%)", "Standard error")
    return doc.Grid(title, header, rows)
