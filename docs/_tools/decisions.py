"""Write the numbers and pictures of docs/model.md from a finished study.

    unround reproduce decisions --trials N -o decisions
    python docs/_tools/decisions.py decisions

Only the parts between marks are written; pictures go to docs/_static/decisions, with few colours.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

import polars as pl
from marked import filled, table
from PIL import Image

from unround.lab.catalogue.metrics import INTERVALS
from unround.lab.plan import our_plan
from unround.lab.results import LEAST_COVERAGE, MOST_COVERAGE, Results, reliability_bins
from unround.lab.study import Study

DOCS = Path(__file__).parents[1]
PAGE = DOCS / "model.md"
PICTURES = ("coverage", "reliability", "errors-of-papers")
COLOURS = 64
SHORT = {
    "quantized": "Given",
    "proposed": "Proposed",
    "auto+": "Proposed, auto+",
    "calibrated": "Calibrated",
    "posterior": "Posterior",
}


def main(folder: Path) -> None:
    """Write pictures and parts."""
    results = read(folder)
    page = filled(PAGE.read_text("utf-8"), parts(results), "docs/_tools/decisions.py")
    PAGE.write_text(page, "utf-8")
    target = DOCS / "_static" / "decisions"
    target.mkdir(parents=True, exist_ok=True)
    for name in PICTURES:
        picture = Image.open(folder / "figures" / f"{name}.png").convert("RGB")
        few = picture.quantize(COLOURS, dither=Image.Dither.NONE)
        few.save(target / f"{name}.png", optimize=True)


def read(folder: Path) -> Results:
    """The tables of a finished study."""
    plan = our_plan("decisions")
    tables = [
        pl.read_parquet(folder / "tables" / f"{study.name}.parquet") for study in plan.studies
    ]
    return Results(plan.studies, pl.concat(tables))


def parts(results: Results) -> dict[str, str]:
    """What is written, by the name of its marks."""
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
            f"- {INTERVALS[mean.method].label}, {results.study(mean.study).title}, {mean.setting}: "
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


if __name__ == "__main__":
    main(Path(sys.argv[1]))
