"""Write the tables of docs/model.md about advice and wrong models from a finished study.

    unround reproduce studies/advice -o advice
    python docs/_tools/advice.py advice

Only the parts between marks are written.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from textwrap import fill
from typing import NamedTuple

import polars as pl
from marked import filled, table

from unround.lab.plan import our_plan
from unround.lab.results import Mean, Results, rank_counts, standard_error

PAGE = Path(__file__).parents[1] / "model.md"
PAIRS = 1e4
WIDTH = 132
REVIEWS = {
    "quantized": "given",
    "proposed": "auto",
    "auto+": "auto+",
    "without-rankings": "no rankings",
}
PAPERS = {"quantized": "given", "auto+": "auto+", "posterior": "posterior"}
METRICS = {"kendall": ("reviews", REVIEWS), "papers": ("papers", PAPERS)}
FOLLOWED = "advised less auto+"
CLEARLY = 2.0  # standard errors


class Change(NamedTuple):
    """What following the advice of a run changes, in errors per 10,000 pairs."""

    setting: str
    of: str  # reviews or papers
    mean: float
    error: float

    @property
    def in_errors(self) -> float:
        """The change in its standard errors."""
        return self.mean / self.error if self.error > 0.0 else 0.0

    def __str__(self) -> str:
        digits = 1 if 0.0 < self.error < 0.95 else 0
        return f"{self.mean:+.{digits}f} ± {self.error:.{digits}f}"


def main(folder: Path) -> None:
    """Write the parts of the page."""
    text = filled(PAGE.read_text("utf-8"), parts(read(folder)), "docs/_tools/advice.py")
    PAGE.write_text(text, "utf-8")


def read(folder: Path) -> Results:
    """Return the tables of a finished study."""
    studies = our_plan("advice").studies
    tables = [pl.read_parquet(folder / "tables" / f"{study.name}.parquet") for study in studies]
    return Results(studies, pl.concat(tables))


def parts(results: Results) -> dict[str, str]:
    """Return what is written, by the name of its marks."""
    return {
        "wrong models": _wrong_models(results),
        "ranks": _ranks(results),
        "advice": _advice(results),
        "verdict on advice": _verdict(results),
    }


def _wrong_models(results: Results) -> str:
    rows = [
        (setting, *(_percent(_found(results, "wrong-models", setting, name)) for name in INTERVALS))
        for setting in results.settings("wrong-models")
    ]
    return table(("", "papers (%)", "reviews (%)"), rows, words=1)


INTERVALS = ("of-posterior", "of-scores")


def _found(results: Results, study: str, setting: str, name: str) -> Mean:
    mean = results.summary.find(study, setting, name, "coverage")
    assert mean is not None
    return mean


def _percent(mean: Mean) -> str:
    return f"{100 * mean.mean:.1f} ± {100 * mean.error:.1f}"


def _ranks(results: Results) -> str:
    counts = rank_counts(results.table, "sbc")
    papers, opinions = (_percent(_found(results, "sbc", "default", name)) for name in INTERVALS)
    trials = results.table.filter(study="sbc")["trial"].n_unique()
    level = sum(counts) / len(counts)
    text = (
        f"With truth and data from the model itself ({trials} conferences of 12 papers) intervals hold "
        f"{papers}% of papers and {opinions}% of opinions. Papers by the share of draws below their true "
        f"quality, which should be level ({level:.0f} ± {(0.9 * level) ** 0.5:.0f} if papers of one "
        "conference were independent, which they are not):"
    )
    header = [f"{10 * number} to {10 * number + 10}%" for number in range(len(counts))]
    counted = table(header, [[f"{count:,}" for count in counts]], words=0)
    return f"{fill(text, WIDTH)}\n\n{counted}"


def _advice(results: Results) -> str:
    changes = {(change.setting, change.of): change for change in _changes(results)}
    tables = []
    for metric, (of, methods) in METRICS.items():
        rows = []
        for setting in results.settings("advice"):
            values = [results.summary.values("advice", setting, name, metric) for name in methods]
            errors = [f"{PAIRS * each.mean():,.0f}" for each in values]
            rows.append([setting, *errors, str(changes[setting, of])])
        tables.append(table((f"errors of {of}", *methods.values(), FOLLOWED), rows, words=1))
    return "\n\n".join(tables)


def _changes(results: Results) -> Iterator[Change]:
    for setting in results.settings("advice"):
        for metric, (of, _) in METRICS.items():
            advised, plain = (
                PAIRS * results.summary.values("advice", setting, name, metric)
                for name in ("advised", "auto+")
            )
            change = advised - plain
            yield Change(setting, of, float(change.mean()), standard_error(change))


def _verdict(results: Results) -> str:
    trials = results.table.filter(study="advice")["trial"]
    changes = sorted(_changes(results), key=lambda change: change.in_errors)
    better = sum(change.in_errors < -CLEARLY for change in changes)
    worse = [f"{each.of}, {each.setting}" for each in changes if each.in_errors > CLEARLY]
    worst = changes[-1]
    text = (
        f"These are trials {trials.min()} to {trials.max()}, which had no part in choosing the advice. In "
        f"{better} of the {len(changes)} comparisons following it is better by two standard errors, and "
        f"worse by as much in {'; '.join(worse) or 'none'}. The largest loss in standard errors is {worst} "
        f"({worst.of}, {worst.setting})."
    )
    return fill(text, WIDTH)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
