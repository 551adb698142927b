"""Bench: the plan, fresh interpreters and the progress bar that every section gets."""

from __future__ import annotations

from dataclasses import dataclass

from benchmarks.harness.fresh import Fresh
from benchmarks.harness.plan import Plan
from benchmarks.harness.progress import Steps


@dataclass(frozen=True)
class Bench:
    """One run of the benchmarks."""

    plan: Plan
    fresh: Fresh
    progress: Steps
