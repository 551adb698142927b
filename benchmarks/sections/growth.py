"""Section: how time and memory grow with the number of reviews."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from benchmarks.cases.whole_jobs import WholeJob, job_of
from benchmarks.harness.bench import Bench
from benchmarks.harness.plan import EXPONENT_FROM, EXPONENT_TARGET, Plan
from benchmarks.harness.report import Section, Table, megabytes, seconds

TITLE = "Growth with the number of reviews"
HEAD = (
    "reviews", '`lam="auto"`', "µs a review", "one solve, λ = 1", "sweeps",
    "ns a review and sweep", "peak memory", "bytes a review",
)  # fmt: skip
METHOD = """\
Synthetic conferences, four reviews a paper and four papers a reviewer, each in a process of its
own. `lam="auto"` is the whole job as above. One solve is of a problem already prepared, to a proven
5e-10 in every score, from a cold start. Bytes a review are the peak beyond what the process held
before the call."""


def steps(plan: Plan) -> int:
    return len(plan.growth)


def measure(bench: Bench) -> Section:
    sizes, jobs = [size.reviews for size in bench.plan.growth], []
    for size in bench.plan.growth:
        bench.progress.start(f"growth, {size.reviews:,} reviews")
        jobs.append(job_of(bench.fresh, size, bench.plan.repeats))
        bench.progress.done()
    rows = [_row(reviews, job) for reviews, job in zip(sizes, jobs, strict=True)]
    return Section(TITLE, (METHOD, Table(HEAD, rows), _fitted(sizes, jobs)))


def _row(reviews: int, job: WholeJob) -> tuple[str, ...]:
    return (
        f"{reviews:,}",
        seconds(job.whole),
        f"{1e6 * job.whole / reviews:.2f}",
        seconds(job.solve),
        str(job.sweeps),
        f"{1e9 * job.solve / (reviews * job.sweeps):.1f}",
        megabytes(job.peak),
        f"{2**20 * (job.peak - job.before) / reviews:,.0f}",
    )


def _fitted(sizes: Sequence[int], jobs: Sequence[WholeJob]) -> str:
    kept = [place for place, reviews in enumerate(sizes) if reviews >= EXPONENT_FROM]
    large = [sizes[place] for place in kept]
    whole = exponent(large, [jobs[place].whole for place in kept])
    solve = exponent(large, [jobs[place].solve for place in kept])
    met = "met" if max(whole, solve) <= EXPONENT_TARGET else "**not met**"
    return (
        f"Fitted from {large[0]:,} to {large[-1]:,} reviews, time ∝ reviews^a: a = {whole:.3f} for "
        f'`lam="auto"`, a = {solve:.3f} for one solve; target at most {EXPONENT_TARGET}, {met}.'
    )


def exponent(sizes: Sequence[int], times: Sequence[float]) -> float:
    """The slope of the straight line through the logarithms, by least squares."""
    return float(np.polyfit(np.log(sizes), np.log(times), 1)[0])
