"""Run sections one after the other, in one process on one core."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType

from benchmarks.harness.bench import Bench
from benchmarks.harness.fresh import Fresh
from benchmarks.harness.machine import Occupancy
from benchmarks.harness.plan import Plan
from benchmarks.harness.progress import Steps
from benchmarks.harness.report import FAILED, Section, render
from benchmarks.harness.sources import Sources
from benchmarks.sections import (
    against_paper,
    cluster,
    growth,
    lambdas,
    loads,
    one_run,
    orders,
    solvers,
    startup,
    streaming,
    targets,
    ties,
    uncertainty,
)

SECTIONS: dict[str, ModuleType] = {
    "targets": targets,
    "growth": growth,
    "paper": against_paper,
    "solvers": solvers,
    "streaming": streaming,
    "lambdas": lambdas,
    "loads": loads,
    "ties": ties,
    "orders": orders,
    "uncertainty": uncertainty,
    "cluster": cluster,
    "startup": startup,
    "run": one_run,
}
METHOD = """\
{core}
Wall-clock time, best of {repeats} unless a table says otherwise: other work can only make a
run longer. Compilation is apart, in "Starting up": everywhere else kernels are compiled before a
time counts. All sections ran in this order in one run; what is compared with each other stands in
one table. All conferences are simulated with `unround.simulate` and a fixed seed.

{occupancy}"""


def run(
    plan: Plan, names: Sequence[str], pinned: bool, occupancy: Occupancy, sources: Sources
) -> str:
    """The report of one run."""
    chosen = [SECTIONS[name] for name in names]
    with (
        tempfile.TemporaryDirectory(prefix="unround-bench-") as folder,
        Steps(sum(section.steps(plan) for section in chosen)) as progress,
    ):
        bench = Bench(plan, Fresh(Path(folder)), progress)
        sections = [measured(section, bench) for section in chosen]
    core = (
        "One core: the process and its children are pinned to a single CPU, but for two threads, "
        "for clusters and where a line says so, which get all."
        if pinned
        else "This system cannot pin a process to one CPU; nothing limits its threads."
    )
    method = METHOD.format(core=core, repeats=plan.repeats, occupancy=occupancy.describe())
    return render(sections, method, sources.describe())


def measured(section: ModuleType, bench: Bench) -> Section:
    """One section; its failure is part of the report, and does not take the others with it."""
    try:
        found: Section = section.measure(bench)
    except Exception as problem:
        return Section(section.TITLE, (f"{FAILED} {type(problem).__name__}: {problem}",))
    return found
