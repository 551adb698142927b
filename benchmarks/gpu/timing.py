"""Times on the GPU: medians, after a first run that compiles; and how fast it copies."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable

from unround.gpu.launch import cuda, xp
from unround.gpu.solver import GpuSweeps

COPIED = 1 << 33


def median_seconds(work: Callable[[], object], repeats: int) -> float:
    """The median time of a piece of work, all of it done when the clock is read."""
    work()
    times = []
    for _ in range(repeats):
        cuda.synchronize()
        began = time.perf_counter()
        work()
        cuda.synchronize()
        times.append(time.perf_counter() - began)
    return statistics.median(times)


def copy_speed() -> float:
    """Bytes a second that the GPU reads and writes when it copies 8 GiB."""
    source, target = (xp.zeros(COPIED // 8) for _ in range(2))
    return 2.0 * COPIED / median_seconds(lambda: xp.copyto(target, source), 20)


def sweep_bytes(sweeps: GpuSweeps) -> int:
    """Bytes that a sweep cannot do without: each number read or written once for each use."""
    layout = sweeps.layout
    reviews, papers = layout.size, layout.index.start.size - 1
    per_review = layout.reviews.code.dtype.itemsize + layout.chains.height.dtype.itemsize
    per_review += 4 + 8 + 8  # its paper, the centre, its score
    per_review += 4 + 8  # its place and score again, for the mean
    return reviews * per_review + 4 * layout.chains.start.size + (4 + 8 + 8) * papers
