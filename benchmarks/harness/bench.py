"""What every section gets: the plan, fresh interpreters, and the progress to tell."""

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
