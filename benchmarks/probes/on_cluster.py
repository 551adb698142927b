"""The whole job and two solves, on this machine alone and on a Dask cluster of worker processes.

Two λ need different numbers of sweeps: the difference of their times is the price of a sweep, free
of what is paid once, such as sending the shards.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from distributed import Client, LocalCluster

import unround
from benchmarks.harness.machine import use_every_core
from benchmarks.harness.timing import best_of

# Many sweeps and few.
SMALL, LARGE = 0.01, 100.0


def main(folder: Path, workers: int, repeats: int) -> None:
    """Without workers: on this machine alone, one thread."""
    reviews = pl.read_ipc(folder / "reviews.arrow")
    rankings = pl.read_ipc(folder / "rankings.arrow")
    file = folder / "one machine.npy"
    if workers == 0:
        found, scores = _measured(reviews, rankings, {}, repeats)
        np.save(file, scores)
    else:
        use_every_core()
        with (
            LocalCluster(
                n_workers=workers, threads_per_worker=1, processes=True, dashboard_address=":0"
            ) as cluster,
            Client(cluster) as client,
        ):
            where = {"engine": unround.Dask(client)}
            found, scores = _measured(reviews, rankings, where, repeats)
        found["apart"] = float(np.abs(scores - np.load(file)).max())
    print(json.dumps(found))


def _measured(
    reviews: pl.DataFrame, rankings: pl.DataFrame, where: Mapping[str, Any], repeats: int
) -> tuple[dict[str, float], np.ndarray]:
    def run(lam: float | str) -> unround.Result:
        return unround.dequantize(reviews, rankings, lam=lam, **where)

    run(1.0)  # kernels are loaded, here and on the workers
    whole = best_of(repeats, lambda: run("auto"))
    many, few = best_of(repeats, lambda: run(SMALL)), best_of(repeats, lambda: run(LARGE))
    sweeps = many.value.certificate.sweeps - few.value.certificate.sweeps
    found = {
        "whole": whole.seconds,
        "many": many.seconds,
        "sweeps": many.value.certificate.sweeps,
        "sweep": (many.seconds - few.seconds) / sweeps,
    }
    return found, whole.value.scores["dequantized"].to_numpy()


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]))
