"""Section 1: `dequantize(lam="auto")`, tables in and table out."""

from __future__ import annotations

from pathlib import Path

import unround
from benchmarks.bench import Bench
from benchmarks.conferences import conference_of, iclr_shape, write
from benchmarks.fresh import Fresh
from benchmarks.plan import Plan, Size
from benchmarks.report import Section, Table, megabytes, seconds, verdict
from benchmarks.timing import best_of

TITLE = 'The whole job: `dequantize(lam="auto")`'
HEAD = (
    "conference", "reviews", "time", "target", "met", "λ", "sweeps", "proven error below",
    "peak memory", "of that before the call", "target", "met",
)  # fmt: skip
METHOD = """\
From two polars tables to the table of scores: reading and checking, quantization validation over
the paper's 40 values of λ, the final solve, its certificate, and `result.scores`. Sweeps are those
of the final solve. Peak memory is that of a fresh process which reads the two tables from disk and
makes the same call, with everything it imports and with kernels already in Numba's cache; a
megabyte is 2²⁰ bytes."""


def steps(plan: Plan) -> int:
    return len(plan.sizes)


def measure(bench: Bench) -> Section:
    plan, fresh, progress = bench.plan, bench.fresh, bench.progress
    warm = fresh.folder / "warm"
    write(iclr_shape(), warm)
    fresh.probe(warm)
    rows = []
    for size in plan.sizes:
        progress.start(f"dequantize, {size.reviews:,} reviews")
        rows.append(_row(size, plan.repeats, fresh))
        progress.done()
    return Section(TITLE, (METHOD, Table(HEAD, rows)))


def _row(size: Size, repeats: int, fresh: Fresh) -> tuple[str, ...]:
    conference = conference_of(size)

    def whole_job() -> unround.Result:
        result = unround.dequantize(conference.reviews, conference.rankings)
        assert result.scores.height == conference.reviews.height
        return result

    best = best_of(repeats, whole_job)
    certificate = best.value.certificate
    tables = Path(fresh.folder / f"{size.reviews}")
    write(conference, tables)
    memory = fresh.probe(tables)
    return (
        size.name,
        f"{conference.reviews.height:,}",
        seconds(best.seconds),
        *_time_target(size, best.seconds),
        f"{best.value.lam:.1f}",
        str(certificate.sweeps),
        f"{certificate.max_error:.1e}",
        megabytes(memory["peak"]),
        megabytes(memory["before"]),
        *_memory_target(size, memory["peak"]),
    )


def _time_target(size: Size, measured: float) -> tuple[str, str]:
    if size.target is None:
        return "", ""
    return seconds(size.target.seconds), verdict(measured, size.target.seconds)


def _memory_target(size: Size, measured: float) -> tuple[str, str]:
    if size.target is None or size.target.megabytes is None:
        return "", ""
    return megabytes(size.target.megabytes), verdict(measured, size.target.megabytes)
