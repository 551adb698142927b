"""Section: one sweep against a plain copy of the same bytes, the machine's limit."""

from __future__ import annotations

from benchmarks.harness.bench import Bench
from benchmarks.harness.plan import COPY_RATIO, Plan
from benchmarks.harness.report import Section, Table, seconds

TITLE = "A sweep against a streaming copy"
THREADS = (1, 2)
HEAD = (
    "reviews", "threads", "bytes a sweep touches", "sweep", "moving as many", "copying them",
    "sweep / moving", "sweep / copying",
)  # fmt: skip
METHOD = """\
One sweep, with λ = 1 and centres far from those of the sweep before. Its bytes are those of every
array it reads or writes, each counted once. "Moving as many" copies half as many from one array to
another with numpy, so that reads and writes together come to the same bytes; "copying them" reads
them all and writes them all, twice the traffic. Threads are set by UNROUND_THREADS, with both cores
free to two of them; problems under 200,000 reviews are never cut into blocks for threads. Copies
that fit into the processor's cache are quicker than memory."""


def steps(plan: Plan) -> int:
    return len(plan.streamed) * len(THREADS)


def measure(bench: Bench) -> Section:
    rows, ratios = [], list[float]()
    for reviews in bench.plan.streamed:
        for threads in THREADS:
            bench.progress.start(f"sweep and copy, {reviews:,} reviews, {threads} threads")
            found = _found(bench, reviews, threads)
            rows.append(_row(reviews, threads, found))
            ratios += [found["sweep"] / found["copying"]] * (threads == 1)
            bench.progress.done()
    met = "met" if max(ratios) <= COPY_RATIO else "**not met**"
    words = (
        f"One thread: a sweep takes {min(ratios):.1f} to {max(ratios):.1f} times as long as copying "
        f"its bytes; target at most {COPY_RATIO:.0f}, {met}."
    )
    return Section(TITLE, (METHOD, Table(HEAD, rows), words))


def _found(bench: Bench, reviews: int, threads: int) -> dict[str, float]:
    tables = bench.fresh.tables(reviews, 4)
    return bench.fresh.probe(
        "sweep_and_copy", tables, threads, bench.plan.repeats, UNROUND_THREADS=str(threads)
    )


def _row(reviews: int, threads: int, found: dict[str, float]) -> tuple[str, ...]:
    return (
        f"{reviews:,}",
        str(threads),
        f"{found['bytes']:,.0f}",
        seconds(found["sweep"]),
        seconds(found["moving"]),
        seconds(found["copying"]),
        f"{found['sweep'] / found['moving']:.1f}",
        f"{found['sweep'] / found['copying']:.1f}",
    )
