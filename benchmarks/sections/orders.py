"""Section: partial orders of any shape, stated as pairs."""

from __future__ import annotations

from benchmarks.cases.conferences import synthetic, with_some_pairs
from benchmarks.cases.shapes import COLUMNS, cells
from benchmarks.harness.bench import Bench
from benchmarks.harness.plan import Plan
from benchmarks.harness.report import Section, Table

TITLE = "Arbitrary partial orders"
SHARES = (0.1, 0.25, 0.5, 1.0)
METHOD = """\
{reviews:,} reviews, four a paper. Instead of ranking, reviewers state pairs: this share of all the
pairs of their ranking, drawn at random. Most such orders are not levels above levels and go through
the exact projection for posets; all pairs together are the ranking again."""


def steps(plan: Plan) -> int:
    return len(plan.order_loads) * len(SHARES)


def measure(bench: Bench) -> Section:
    plan, rows = bench.plan, []
    for load in plan.order_loads:
        drawn = synthetic(plan.reviews, load)
        for share in SHARES:
            bench.progress.start(f"orders, load {load}, {share:.0%} of pairs")
            stated = with_some_pairs(drawn, share)
            rows.append((str(load), f"{share:.0%}", *cells(stated, plan.repeats)))
            bench.progress.done()
    head = ("load", "pairs stated", *COLUMNS)
    return Section(TITLE, (METHOD.format(reviews=plan.reviews), Table(head, rows)))
