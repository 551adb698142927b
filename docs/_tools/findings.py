"""Write the numbers and pictures of the docs that come from a finished study.

    unround reproduce studies/asking --trials N -o ballots
    PYTHONPATH=. python docs/_tools/findings.py asking ballots

The studies are those of WRITERS. Several folders may be given, where the studies of one were run with
different numbers of trials. Only the parts of a page between marks are written; pictures go to docs/_static.
"""

from __future__ import annotations

import io
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from textwrap import fill
from typing import NamedTuple

import polars as pl
from marked import filled, table
from PIL import Image
from studies.rivals.comparison import Against, against, ahead

from unround import check
from unround.issues import Kind
from unround.lab.catalogue.metrics import INTERVAL_LABELS
from unround.lab.figures import as_bytes, draw
from unround.lab.plan import StudyPlan, our_plan, read_folder
from unround.lab.registry import find_method, load_file
from unround.lab.results import (
    LEAST_COVERAGE,
    MOST_COVERAGE,
    Mean,
    Results,
    rank_counts,
    reliability_bins,
    standard_error,
)
from unround.lab.study import Study

DOCS = Path(__file__).parents[1]
STUDIES = DOCS.parent / "studies"
COLOURS = 128  # of a picture
WIDTH = 132  # characters of a line of a page


@dataclass(frozen=True)
class Writer:
    """What a study fills: parts of a page by the name of their marks, and pictures by figure."""

    page: str
    plan: Callable[[], StudyPlan]
    parts: Callable[[Results], Mapping[str, str]]
    pictures: Mapping[str, str]


def main(name: str, folders: Sequence[Path]) -> None:
    """Write the parts and pictures of a study."""
    writer = WRITERS[name]
    plan, page = writer.plan(), DOCS / writer.page
    tables = [pl.read_parquet(one) for folder in folders for one in folder.glob("tables/*.parquet")]
    results = Results(plan.studies, pl.concat(tables))
    text = filled(page.read_text("utf-8"), writer.parts(results), "docs/_tools/findings.py")
    page.write_text(text, "utf-8")
    for figure in plan.figures:
        if figure.name in writer.pictures and (drawing := draw(figure, results)) is not None:
            picture = Image.open(io.BytesIO(as_bytes(drawing, "png"))).convert("RGB")
            few = picture.quantize(COLOURS, dither=Image.Dither.NONE)
            few.save(DOCS / "_static" / writer.pictures[figure.name], optimize=True)


# Advice: following what a run says about itself, and wrong models.

PAIRS = 1e4
COVERED = ("of-posterior", "of-scores")
REVIEWS = {
    "quantized": "given",
    "proposed": "auto",
    "auto+": "auto+",
    "without-rankings": "no rankings",
}
PAPERS = {"quantized": "given", "auto+": "auto+", "posterior": "posterior"}
ERRORS = {"kendall": ("reviews", REVIEWS), "papers": ("papers", PAPERS)}
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


def advice_parts(results: Results) -> dict[str, str]:
    """Return the text between each pair of marks, by the name of the marks."""
    return {
        "wrong models": _wrong_models(results),
        "ranks": _ranks(results),
        "advice": _advice(results),
        "verdict on advice": _verdict_on_advice(results),
    }


def _wrong_models(results: Results) -> str:
    rows = [
        (setting, *(_percent(_found(results, "wrong-models", setting, name)) for name in COVERED))
        for setting in results.settings("wrong-models")
    ]
    return table(("", "papers (%)", "reviews (%)"), rows, words=1)


def _found(results: Results, study: str, setting: str, name: str) -> Mean:
    mean = results.summary.find(study, setting, name, "coverage")
    assert mean is not None
    return mean


def _percent(mean: Mean) -> str:
    return f"{100 * mean.mean:.1f} ± {100 * mean.error:.1f}"


def _ranks(results: Results) -> str:
    counts = rank_counts(results.table, "sbc")
    papers, opinions = (_percent(_found(results, "sbc", "default", name)) for name in COVERED)
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
    for metric, (of, methods) in ERRORS.items():
        rows = []
        for setting in results.settings("advice"):
            values = [results.summary.values("advice", setting, name, metric) for name in methods]
            errors = [f"{PAIRS * each.mean():,.0f}" for each in values]
            rows.append([setting, *errors, str(changes[setting, of])])
        tables.append(table((f"errors of {of}", *methods.values(), FOLLOWED), rows, words=1))
    return "\n\n".join(tables)


def _changes(results: Results) -> Iterator[Change]:
    for setting in results.settings("advice"):
        for metric, (of, _) in ERRORS.items():
            advised, plain = (
                PAIRS * results.summary.values("advice", setting, name, metric)
                for name in ("advised", "auto+")
            )
            change = advised - plain
            yield Change(setting, of, float(change.mean()), standard_error(change))


def _verdict_on_advice(results: Results) -> str:
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


# Asking: what it brings when reviewers are asked about contradictions.

METHODS = ("quantized", "proposed", "rankings-rule")
SHARES = (0.0, 0.5, 1.0)  # of contradictions mended; the picture has those between
DRAWN = 20  # conferences in which contradicting reviewers are counted


def asking_parts(results: Results) -> dict[str, str]:
    """Return the errors under both policies, by slips and by the share of contradictions mended."""
    trials = results.table["trial"].n_unique()
    command = f"unround reproduce studies/asking --trials {trials} -o ballots"
    said = f"Means of {trials} trials per setting (`{command}`), ± standard error:"
    head = ("Slips", "Mended", "Contradict", "Given", "Trust the scores", "Trust the rankings")
    rows = [row for study in results.studies for row in _asked(study, results)]
    return {"asking": f"{said}\n\n{table(head, rows, words=1)}"}


def _asked(study: Study, results: Results) -> Iterator[list[str]]:
    slips = study.title.partition(": ")[2].removeprefix("slips ")
    for share in SHARES:
        found = [
            results.summary.find(study.name, f"mended = {share:g}", name, "kendall")
            for name in METHODS
        ]
        cells = [f"{one.mean:.4f} ± {one.error:.4f}" if one else "" for one in found]
        yield [slips, f"{share:.0%}", f"{_contradicting(study, share):.0%}", *cells]


def _contradicting(study: Study, share: float) -> float:
    """Return the share of reviewers who contradict themselves once `share` of the cases is mended."""
    with_questions = load_file(STUDIES / "asking" / "__init__.py").with_questions
    slips = {name: study.fixed[name] for name in ("swapped", "slipped") if name in study.fixed}
    count = people = 0
    for trial in range(DRAWN):
        drawn = with_questions(trial, mended=share, **slips).conference
        issues = check(drawn.reviews, drawn.rankings, scale=drawn.scale)
        count += len({one.reviewer for one in issues if one.kind is Kind.CONTRADICTION})
        people += drawn.reviews["reviewer"].n_unique()
    return count / people


# Decisions: whether intervals contain the truth, and how far papers are off.

SHORT = {
    "quantized": "Given",
    "proposed": "Proposed",
    "auto+": "Proposed, auto+",
    "calibrated": "Calibrated",
    "posterior": "Posterior",
}


def decision_parts(results: Results) -> dict[str, str]:
    """Return the text between each pair of marks, by the name of the marks."""
    trials = results.table["trial"].n_unique()
    large = [study for study in results.studies if study.fixed.get("papers") == 600]
    return {
        "trials": f"The numbers below are of {trials} trials per setting "
        f"(`unround reproduce decisions --trials {trials} -o decisions`).",
        "verdict": _verdict(results),
        "reliability": _reliability(results, large),
        "errors of papers": _errors(results, large),
    }


def _verdict(results: Results) -> str:
    means = [mean for mean in results.summary if mean.metric == "coverage"]
    inside = [mean for mean in means if LEAST_COVERAGE <= mean.mean <= MOST_COVERAGE]
    outside = [mean for mean in means if mean not in inside]
    within = [100 * mean.mean for mean in inside]
    lines = [
        f"{len(means) - len(outside)} of {len(means)} are within 85 to 95%, from "
        f"{min(within):.1f} to {max(within):.1f}%. Outside are:",
        "",
        *(
            f"- {INTERVAL_LABELS[mean.method]}, {results.study(mean.study).title}, {mean.setting}: "
            f"{100 * mean.mean:.0f}% instead of 90%."
            for mean in outside
        ),
    ]
    return "\n".join(lines)


def _reliability(results: Results, studies: Sequence[Study]) -> str:
    rows = []
    for number, study in enumerate(studies):
        for place, one in enumerate(reliability_bins(results.table, study.name)):
            cell = f"{100 * one.inside:.1f} / {100 * one.expected:.1f} ({one.papers:,})"
            if number == 0:
                rows.append([f"{10 * place} to {10 * place + 10}%"])
            rows[place].append(cell)
    head = [f"Strictness, sd {_place(study)[1]}" for study in studies]
    return table(("P(accept)", *head), rows, words=1)


def _errors(results: Results, studies: Sequence[Study]) -> str:
    rows = []
    for study in studies:
        for setting in results.settings(study.name):
            found = [
                results.summary.find(study.name, setting, name, "papers") for name in study.methods
            ]
            cells = [f"{1e4 * m.mean:.0f} ± {1e4 * m.error:.0f}" if m else "" for m in found]
            rows.append((_place(study)[1], _noise(setting), *cells))
    labels = [SHORT[name] for name in studies[0].methods]
    return table(("Strictness, sd", "Noise σ", *labels), rows, words=1)


def _noise(setting: str) -> str:
    return setting.rpartition(" = ")[2]


def _place(study: Study) -> tuple[str, str]:
    return f"{study.fixed.get('papers', 60)}", f"{study.fixed.get('offset', 0)}"


# Rivals: other methods beside the proposed one.


def rival_parts(results: Results) -> dict[str, str]:
    """Return the text between each pair of marks, by the name of the marks."""
    rows = against(results.table, results.study("rivals-papers"), "papers")
    return {"trials": _trials(results), "ahead by papers": _ahead(rows)}


def _trials(results: Results) -> str:
    counts = results.table.group_by("study").agg(pl.col("trial").n_unique()).sort("study")
    listed = ", ".join(f"{trials} of `{study}`" for study, trials in counts.iter_rows())
    return f"Trials per setting: {listed}."


def _ahead(rows: Sequence[Against]) -> str:
    by_setting = ahead(rows)
    leading = [row for found in by_setting.values() for row in found]
    clear = sum(row.is_clear for row in leading)
    said = (
        f"Of {len(rows)} comparisons, another method is ahead of the proposed one in {len(leading)}, clearly "
        f"in {clear}. All of them, those that are clear in bold:"
    )
    listed = [
        (setting, "; ".join(_lead(row) for row in found) or "none")
        for setting, found in by_setting.items()
    ]
    return f"{said}\n\n{table(('Setting', 'Ahead of the proposed method, by'), listed)}"


def _lead(row: Against) -> str:
    label = find_method(row.method).label
    text = f"{label}: {abs(row.difference):.1f}% ± {row.difference_error:.1f}"
    return f"**{text}**" if row.is_clear else text


WRITERS = {
    "advice": Writer("model.md", lambda: read_folder(STUDIES / "advice"), advice_parts, {}),
    "asking": Writer(
        "collecting-rankings.md",
        lambda: read_folder(STUDIES / "asking"),
        asking_parts,
        {"asking": "asking.png"},
    ),
    "decisions": Writer(
        "model.md",
        lambda: our_plan("decisions"),
        decision_parts,
        {name: f"decisions/{name}.png" for name in ("coverage", "reliability", "errors-of-papers")},
    ),
    "rivals": Writer(
        "rivals.md",
        lambda: read_folder(STUDIES / "rivals"),
        rival_parts,
        {name: f"rivals/{name}.png" for name in ("rivals-reviews", "rivals-papers")},
    ),
}

if __name__ == "__main__":
    main(sys.argv[1], [Path(folder) for folder in sys.argv[2:]])
