"""Write the results of a comparison as a table and a report."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import polars as pl

from unround.lab.compare import (
    ALTERNATIVES,
    STATED,
    ComparisonResult,
    Scenario,
    label_of,
)
from unround.lab.pages import document as doc
from unround.lab.results import write_tables
from unround.lab.trials.versions import versions
from unround.metrics import tie_share

TITLE = "unround: does it help on this conference?"
NOTES = (
    "Method: every score was rounded to fewer levels, the rankings were kept, each method restored the "
    "scores from both, and the order of all pairs of reviews was compared with the original scores. Pairs "
    "with equal original scores do not count; pairs that a method ties count one half. λ was chosen from "
    "the rounded scores alone; only the row “in hindsight” used the originals.",
    "“Consensus alone” restores without rankings, “rankings alone” without the pull to other reviewers "
    "(λ = ∞). Where rankings contradict the rounded scores, both policies were tried: trust the "
    "scores, and trust the rankings.",
    "Limits: this does not show whether the scores themselves are right. If people gave scores and rankings "
    "at the same time, the two agree better than opinions do. Rounding left more to restore than your real "
    "scores do, so expect smaller gains there in absolute size.",
    "Intervals are 95% bootstrap intervals from 1,000 draws of papers with replacement (fewer for more than "
    "20,000 reviews), from a fixed seed; the scores were not restored again for each draw.",
)
BOTH = (
    "“As stated” are all rankings by your reviewers. “Implied by the scores” are complete rankings in the "
    "order of the original scores, as in quantization validation."
)
ALIKE = (
    "Your reviewers' rankings say no more than their scores, so rankings as stated and rankings implied by "
    "the scores are the same."
)
PREDICTED = "Do other reviewers' scores predict how a reviewer ranks tied papers?"


def write_comparison(result: ComparisonResult, folder: Path, notes: Sequence[str] = ()) -> None:
    """Write tables/ and report.html."""
    write_tables(result.table().with_columns(study=pl.lit("comparison")), folder / "tables")
    doc.write_report(TITLE, comparison_blocks(result, notes), folder)


def comparison_blocks(result: ComparisonResult, notes: Sequence[str] = ()) -> list[doc.Block]:
    """Return the report: the verdict, the numbers, and what they mean."""
    main = result.main
    mood = doc.GOOD if main.reduction().low > 0.0 else doc.FAIR
    blocks: list[doc.Block] = [doc.Text(main.verdict(), mood), doc.Text(main.split())]
    blocks += [doc.Text(text) for text in (result.caution, result.size, *notes) if text]
    blocks += [doc.Heading(PREDICTED), doc.Text(result.consensus.in_words())]
    blocks.append(doc.Heading("Errors"))
    for scenario in result.scenarios:
        blocks += [_grid(scenario), doc.Text(scenario.split())]
    if main.rankings == STATED:
        kinds = {scenario.rankings for scenario in result.scenarios}
        blocks.append(doc.Text(BOTH if len(kinds) > 1 else ALIKE))
    blocks.append(doc.Heading("What this means"))
    blocks += [doc.Text(note) for note in NOTES]
    blocks.append(doc.Text(f"Computed with {versions()}."))
    return blocks


def _grid(scenario: Scenario) -> doc.Grid:
    rows = []
    for name, estimate in scenario.estimates.items():
        error = scenario.bootstrap.error(name)
        gain = scenario.bootstrap.reduction(name, scenario.baseline)
        lower = f"{gain.value:.1f}% ({gain.low:.1f}% to {gain.high:.1f}%)"
        lower = "" if name == scenario.baseline else lower
        lam = "" if estimate.lam is None else f"{estimate.lam:.1f}".replace("inf", "∞")
        ties = f"{100.0 * tie_share(estimate.scores):.2f}"
        interval = f"{error.low:.4f} to {error.high:.4f}"
        rows.append((label_of(name), f"{error.value:.4f}", interval, lower, ties, lam))
    best = ALTERNATIVES[scenario.baseline]
    header = ("Method", "Kendall-tau error", "95%", f"Lower than {best} by", "Ties (%)", "λ")
    return doc.Grid(scenario.title, header, rows)
