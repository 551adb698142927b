"""Section: a Dask cluster on this machine against the machine alone."""

from __future__ import annotations

from importlib.util import find_spec

from benchmarks.harness.bench import Bench
from benchmarks.harness.plan import Plan
from benchmarks.harness.report import Section, Table, seconds

TITLE = "On a Dask cluster"
REPEATS = 2
HEAD = (
    "engine", "reviews", '`lam="auto"`', "λ = 0.01", "sweeps", "a sweep", "of that beyond computing",
    "centres out and sums back", "furthest from one machine",
)  # fmt: skip
METHOD = """\
`dequantize(engine="dask")` with a real scheduler and worker processes of one thread each, all on
this machine, against `dequantize` on one thread. Workers, scheduler and client share the machine's
cores: this shows what a cluster costs, not what it gains. A sweep is the difference in time of
λ = 0.01 and λ = 100 over the difference in sweeps, so that reading, sending shards and the
certificate drop out. "Beyond computing" is what is left of it after the sweep of one machine,
divided by the number of workers: messages, their packing, and waiting. In a sweep each worker gets
the centres and sends back the sums of its papers, at most 8 bytes a paper each way. Best of 2."""
SKIPPED = """\
Left out: the package `distributed` is not installed. `pip install unround[cluster]` brings it."""


def steps(plan: Plan) -> int:
    return len(plan.clustered) * (1 + len(plan.workers))


def measure(bench: Bench) -> Section:
    if find_spec("distributed") is None:
        for _ in range(steps(bench.plan)):
            bench.progress.done()
        return Section(TITLE, (SKIPPED,))
    rows = []
    for reviews in bench.plan.clustered:
        alone = _found(bench, reviews, 0)
        rows.append(_row("one machine", reviews, alone, "", "", ""))
        for workers in bench.plan.workers:
            found = _found(bench, reviews, workers)
            beyond = found["sweep"] - alone["sweep"] / workers
            rows.append(
                _row(
                    f"Dask, {workers} worker{'s' * (workers > 1)}",
                    reviews,
                    found,
                    _signed_seconds(beyond),
                    f"{16 * reviews // 4 * workers / 2**20:,.2f} MB",
                    f"{found['apart']:.1e}",
                )
            )
    return Section(TITLE, (METHOD, Table(HEAD, rows)))


def _found(bench: Bench, reviews: int, workers: int) -> dict[str, float]:
    bench.progress.start(f"Dask, {reviews:,} reviews, {workers} workers")
    tables = bench.fresh.tables(reviews, 4)
    found = bench.fresh.probe(
        "on_cluster", tables, workers, min(bench.plan.repeats, REPEATS), UNROUND_THREADS="1"
    )
    bench.progress.done()
    return found


def _row(
    name: str, reviews: int, found: dict[str, float], beyond: str, moved: str, apart: str
) -> tuple[str, ...]:
    return (
        name,
        f"{reviews:,}",
        seconds(found["whole"]),
        seconds(found["many"]),
        f"{found['sweeps']:,.0f}",
        _signed_seconds(found["sweep"]),
        beyond,
        moved,
        apart,
    )


def _signed_seconds(value: float) -> str:
    """Differences of times may come out below zero."""
    return f"-{seconds(-value)}" if value < 0.0 else seconds(value)
