"""Section: how ties in the rankings matter."""

from __future__ import annotations

from benchmarks.cases.conferences import synthetic, with_ties
from benchmarks.cases.shapes import COLUMNS, cells
from benchmarks.harness.bench import Bench
from benchmarks.harness.plan import Plan
from benchmarks.harness.report import Section, Table

TITLE = "Ties in rankings"
LOAD = 8
METHOD = """\
{reviews:,} reviews, four a paper, {load} papers a reviewer. Each paper ties with the one ranked
next by its reviewer with the probability given, whatever their scores; at 100% nothing is ranked
above anything."""


def steps(plan: Plan) -> int:
    return len(plan.ties)


def measure(bench: Bench) -> Section:
    plan, rows = bench.plan, []
    drawn = synthetic(plan.reviews, LOAD)
    for share in plan.ties:
        bench.progress.start(f"ties, {share:.0%}")
        rows.append((f"{share:.0%}", *cells(with_ties(drawn, share), plan.repeats)))
        bench.progress.done()
    words = METHOD.format(reviews=plan.reviews, load=LOAD)
    return Section(TITLE, (words, Table(("tied neighbours", *COLUMNS), rows)))
