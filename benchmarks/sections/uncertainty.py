"""Section: how long it takes to say how sure the papers are."""

from __future__ import annotations

from typing import Any

from benchmarks.harness.bench import Bench
from benchmarks.harness.plan import EFFECTIVE_TARGET, HowSure, Plan
from benchmarks.harness.report import Section, Table, megabytes, seconds, verdict

TITLE = "How sure: posterior, calibration, stability"
HEAD = ("what", "reviews", "time", "processor time", "target", "met")
HEAD += ("peak memory", "of that before the call", "target", "met", "effective draws")
METHOD = """\
`posterior` with the tables of papers and scores and P(accept) of all papers; `calibrate` of a result,
with the tables of papers and reviewers; `stability` of a result, 20 draws of the reviewers. Every line
has a process of its own; kernels are compiled by a first call, whose peak memory is shown; times are the
best of up to {repeats} later ones. Targets are for one core alone, and judged by processor time, which other
work on the machine lengthens less than the time on the clock. Effective draws: of 95% of the papers, at
least; target {effective:.0f}, without which `posterior` goes on sampling, and in the end refuses."""


def steps(plan: Plan) -> int:
    return len(plan.how_sure)


def measure(bench: Bench) -> Section:
    rows = []
    for one in bench.plan.how_sure:
        bench.progress.start(f"{one.what}, {one.reviews:,} reviews")
        tables = bench.fresh.tables(one.reviews, one.load)
        rows.append(_row(one, bench.fresh.probe("how_sure", tables, one.what, one.repeats)))
        bench.progress.done()
    repeats = max(one.repeats for one in bench.plan.how_sure)
    words = METHOD.format(repeats=repeats, effective=EFFECTIVE_TARGET)
    return Section(TITLE, (words, Table(HEAD, rows)))


def _row(one: HowSure, found: dict[str, Any]) -> tuple[str, ...]:
    target, memory = one.target, one.target.megabytes if one.target else None
    effective = found.get("effective")
    return (
        one.what,
        f"{one.reviews:,}",
        seconds(found["wall"]),
        seconds(found["cpu"]),
        seconds(target.seconds) if target else "",
        verdict(found["cpu"], target.seconds) if target else "",
        megabytes(found["peak"]),
        megabytes(found["before"]),
        megabytes(memory) if memory else "",
        verdict(found["peak"], memory) if memory else "",
        f"{effective:,.0f}" if effective else "",
    )
