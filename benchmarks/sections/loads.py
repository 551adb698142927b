"""Section: how the load of a reviewer matters."""

from __future__ import annotations

from benchmarks.cases.conferences import synthetic
from benchmarks.cases.shapes import COLUMNS, cells
from benchmarks.harness.bench import Bench
from benchmarks.harness.plan import Plan
from benchmarks.harness.report import Section, Table

TITLE = "Papers a reviewer"
METHOD = """\
{reviews:,} reviews, four a paper. Preparing is reading, checking and turning into arrays
(`unround.check`). With ε = 0.05 a full ranking of more than 21 papers may not fit into one cell, so
that its room has to be looked at more closely."""


def steps(plan: Plan) -> int:
    return len(plan.loads)


def measure(bench: Bench) -> Section:
    plan, rows = bench.plan, []
    for load in plan.loads:
        bench.progress.start(f"load {load}")
        rows.append((str(load), *cells(synthetic(plan.reviews, load), plan.repeats)))
        bench.progress.done()
    return Section(TITLE, (METHOD.format(reviews=plan.reviews), Table(("load", *COLUMNS), rows)))
