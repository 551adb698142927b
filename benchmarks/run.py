"""All sections, one after the other, in one process on one core."""

from __future__ import annotations

import tempfile
from pathlib import Path

from benchmarks import against_paper, end_to_end, growth, lambdas, loads, startup
from benchmarks.bench import Bench
from benchmarks.fresh import Fresh
from benchmarks.machine import Occupancy
from benchmarks.plan import Plan
from benchmarks.progress import Steps
from benchmarks.report import render
from benchmarks.sources import Sources

SECTIONS = (end_to_end, against_paper, startup, growth, lambdas, loads)
METHOD = """\
{core}
Wall-clock time, best of {repeats} unless a table says otherwise: other work can only make a
run longer. Compilation is apart, in "Starting up": everywhere else kernels are compiled before a
time counts. All sections ran in this order in one run; what is compared with each other stands in
one table. All conferences are simulated with `unround.simulate` and a fixed seed.

{occupancy}"""


def run(plan: Plan, pinned: bool, occupancy: Occupancy, sources: Sources) -> str:
    """The report of one whole run."""
    with (
        tempfile.TemporaryDirectory(prefix="unround-bench-") as folder,
        Steps(sum(section.steps(plan) for section in SECTIONS)) as progress,
    ):
        bench = Bench(plan, Fresh(Path(folder)), progress)
        sections = [section.measure(bench) for section in SECTIONS]
    core = (
        "One core: the process and its children are pinned to a single CPU."
        if pinned
        else "This system cannot pin a process to one CPU; nothing limits its threads."
    )
    method = METHOD.format(core=core, repeats=plan.repeats, occupancy=occupancy.describe())
    return render(sections, method, sources.describe())
