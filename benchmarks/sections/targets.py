"""Section: `dequantize(lam="auto")`, tables in and table out, against what it may take."""

from __future__ import annotations

from benchmarks.cases.whole_jobs import WholeJob, job_of
from benchmarks.harness.bench import Bench
from benchmarks.harness.plan import Plan, Size
from benchmarks.harness.report import Section, Table, megabytes, seconds, verdict

TITLE = 'The whole job: `dequantize(lam="auto")`'
HEAD = (
    "conference", "reviews", "time", "target", "met", "λ", "sweeps", "proven error below",
    "peak memory", "of that before the call", "target", "met",
)  # fmt: skip
METHOD = """\
From two polars tables to the table of scores: reading and checking, quantization validation over
the paper's 40 values of λ, the final solve, its certificate, and `result.scores`. Sweeps are those
of the final solve. Every size has a process of its own, which reads the two tables from disk; its
peak memory is that of the first call, with everything it imports, and with kernels already in
Numba's cache. A megabyte is 2²⁰ bytes."""


def steps(plan: Plan) -> int:
    return len(plan.targets)


def measure(bench: Bench) -> Section:
    rows = []
    for size in bench.plan.targets:
        bench.progress.start(f"dequantize, {size.reviews:,} reviews")
        rows.append(_row(size, job_of(bench.fresh, size, bench.plan.repeats)))
        bench.progress.done()
    return Section(TITLE, (METHOD, Table(HEAD, rows)))


def _row(size: Size, job: WholeJob) -> tuple[str, ...]:
    return (
        size.name,
        f"{size.reviews:,}",
        seconds(job.whole),
        *_time_target(size, job.whole),
        f"{job.lam:.1f}",
        str(job.final_sweeps),
        f"{job.max_error:.1e}",
        megabytes(job.peak),
        megabytes(job.before),
        *_memory_target(size, job.peak),
    )


def _time_target(size: Size, measured: float) -> tuple[str, str]:
    if size.target is None:
        return "", ""
    return seconds(size.target.seconds), verdict(measured, size.target.seconds)


def _memory_target(size: Size, measured: float) -> tuple[str, str]:
    if size.target is None or size.target.megabytes is None:
        return "", ""
    return megabytes(size.target.megabytes), verdict(measured, size.target.megabytes)
