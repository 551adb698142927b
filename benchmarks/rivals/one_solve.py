"""Time one solve by a rival, as a program: matrices and the certified answer in, JSON out."""

from __future__ import annotations

import json
import os
import resource
import sys
from pathlib import Path

import numpy as np

from benchmarks.harness.timing import best_of
from benchmarks.rivals import NotSolvedByRival, rival_named
from benchmarks.rivals.storing import load

REPEATS = 3
# A solve that takes longer than this is timed once.
LONG = 3.0
MEMORY_SHARE = 0.8


def main(rival: str, matrices: Path, tolerance: float, certified: Path) -> None:
    _limit_memory()
    given = load(matrices)
    solve = rival_named(rival).ready(given, tolerance)
    try:
        best = best_of(1, solve)
        if best.seconds < LONG:
            best = min(best, best_of(REPEATS - 1, solve), key=lambda one: one.seconds)
    except (NotSolvedByRival, MemoryError) as failure:
        print(json.dumps({"failed": str(failure) or "out of memory"}))
        return
    error = np.abs(best.value[: given.reviews] - np.load(certified)).max()
    print(json.dumps({"seconds": best.seconds, "error": float(error)}))


def _limit_memory() -> None:
    """A factor that does not fit must fail here, not take the machine down."""
    most = int(MEMORY_SHARE * _available_bytes())
    resource.setrlimit(resource.RLIMIT_AS, (most, most))


def _available_bytes() -> int:
    known = Path("/proc/meminfo")
    if known.exists():
        for line in known.read_text(encoding="utf-8").splitlines():
            if line.startswith("MemAvailable"):
                return int(line.split()[1]) * 1024
    return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]), float(sys.argv[3]), Path(sys.argv[4]))
