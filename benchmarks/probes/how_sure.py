"""Read two tables; time one way to say how sure the papers are, and the most memory that it took."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl

import unround
from benchmarks.harness.fresh import peak_megabytes

DRAWS = 20  # of the reviewers
ROOM = 4  # one paper in so many is accepted


def main(folder: Path, what: str, repeats: int) -> None:
    reviews = pl.read_ipc(folder / "reviews.arrow")
    rankings = pl.read_ipc(folder / "rankings.arrow")
    work = WORK[what](reviews, rankings)
    before = peak_megabytes()
    facts = work()
    peak = peak_megabytes()
    times = [_timed(work) for _ in range(repeats)]
    wall, processor = (min(column) for column in zip(*times, strict=True))
    print(json.dumps({"before": before, "peak": peak, "wall": wall, "cpu": processor, **facts}))


def _timed(work: Callable[[], object]) -> tuple[float, float]:
    wall, processor = time.perf_counter(), time.process_time()
    work()
    return time.perf_counter() - wall, time.process_time() - processor


def posterior(reviews: pl.DataFrame, rankings: pl.DataFrame) -> Callable[[], dict[str, Any]]:
    """Everything that is shown of it: intervals, places and P(accept) of all papers, and scores."""

    def work() -> dict[str, Any]:
        found = unround.posterior(reviews, rankings)
        assert found.scores.height == reviews.height
        assert found.p_top(found.papers.height // ROOM).height == found.papers.height
        return {"effective": found.diagnostics.effective, "sweeps": found.diagnostics.sweeps}

    return work


def calibration(reviews: pl.DataFrame, rankings: pl.DataFrame) -> Callable[[], dict[str, Any]]:
    """Papers and reviewers with standard errors, of a result that is there already."""
    result = unround.dequantize(reviews, rankings)

    def work() -> dict[str, Any]:
        found = unround.calibrate(result)
        assert found.papers.height + found.reviewers.height > 0
        return {}

    return work


def stability(reviews: pl.DataFrame, rankings: pl.DataFrame) -> Callable[[], dict[str, Any]]:
    """Few draws of the reviewers, of a result that is there already."""
    result = unround.dequantize(reviews, rankings)

    def work() -> dict[str, Any]:
        assert unround.stability(result, draws=DRAWS).draws == DRAWS
        return {}

    return work


WORK = {"posterior": posterior, "calibration": calibration, "stability": stability}


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2], int(sys.argv[3]))
