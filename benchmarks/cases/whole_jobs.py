"""Measure the whole job at one size in a fresh process, once for all tables that show it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from benchmarks.harness.fresh import Fresh
from benchmarks.harness.plan import Size


@dataclass(frozen=True)
class WholeJob:
    """Times in seconds, memory in megabytes."""

    before: float  # memory held before the call
    peak: float
    whole: float
    lam: float
    final_sweeps: int
    max_error: float
    solve: float  # of one solve at λ = 1
    sweeps: int


@cache
def whole_job(fresh: Fresh, reviews: int, load: int | None, repeats: int) -> WholeJob:
    """Kernels are in the cache already: a first process on a small conference puts them there."""
    _warm(fresh)
    return WholeJob(**fresh.probe("whole_job", fresh.tables(reviews, load), repeats))


def job_of(fresh: Fresh, size: Size, repeats: int) -> WholeJob:
    """The job for a size in the plan."""
    return whole_job(fresh, size.reviews, size.load, repeats)


@cache
def _warm(fresh: Fresh) -> None:
    fresh.probe("whole_job", fresh.tables(240, 4), 1)
