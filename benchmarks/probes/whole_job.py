"""Read two tables; the whole job and one solve, best of several; the most memory of the first job."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import polars as pl

import unround
from benchmarks.cases.solving import timed_solve
from benchmarks.harness.fresh import peak_megabytes
from benchmarks.harness.timing import best_of

LAMBDA = 1.0


def main(folder: Path, repeats: int) -> None:
    reviews = pl.read_ipc(folder / "reviews.arrow")
    rankings = pl.read_ipc(folder / "rankings.arrow")
    before = peak_megabytes()

    def whole_job() -> unround.Result:
        result = unround.dequantize(reviews, rankings)
        assert result.scores.height == reviews.height
        return result

    first = best_of(1, whole_job)
    peak, taken = peak_megabytes(), first.seconds
    del first
    best = best_of(max(repeats - 1, 1), whole_job)
    result, taken = best.value, min(best.seconds, taken)
    del best
    solve = timed_solve(result.internals.problem, LAMBDA, repeats)
    found = {
        "before": before,
        "peak": peak,
        "whole": taken,
        "lam": result.lam,
        "final_sweeps": result.certificate.sweeps,
        "max_error": result.certificate.max_error,
        "solve": solve.seconds,
        "sweeps": solve.value.sweeps,
    }
    print(json.dumps(found))


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
