"""What is measured on the GPU; every function returns the rows of one table."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from time import perf_counter

import numpy as np

import unround
from benchmarks.gpu.data import draw
from benchmarks.gpu.kinds import problems
from benchmarks.gpu.timing import median_seconds, sweep_bytes
from unround.gpu.certificate import certify_in_pieces
from unround.gpu.conference import GpuConference, arrange
from unround.gpu.dequantize import dequantize_on_gpu
from unround.gpu.launch import cuda
from unround.gpu.solver import GpuSolver, GpuSweeps
from unround.scale import Scale
from unround.settings import AUTO, EPSILON
from unround.solver.engine import ProblemSolver
from unround.solver.local import Solver
from unround.solver.loop import Solution

SCALE = Scale.integers(0, 10)
LAM = 20.0
LAMS = (0.1, 5.0, 100.0)
PROVEN = 1e-9
Rows = Iterator[tuple[str, ...]]


def choosing(sizes: list[int], speed: float, repeats: int) -> Rows:
    """λ chosen and solved, from arrays on the GPU to scores on the GPU."""
    for size in sizes:
        run = partial(dequantize_on_gpu, draw(size), SCALE, certified=False)
        with _counted_sweeps() as counted:
            done = run()
        sweeps, moved = counted["sweeps"], counted["bytes"]
        seconds = median_seconds(run, repeats)
        yield (
            f"{size:,}", f"{seconds:.2f} s", f"{done.lam:.1f}", str(sweeps),
            f"{moved / 1e9:,.0f} GB", f"{moved / speed:.2f} s", f"{seconds * speed / moved:.1f}",
        )  # fmt: skip


@contextmanager
def _counted_sweeps() -> Iterator[dict[str, int]]:
    counted, sweep = {"sweeps": 0, "bytes": 0}, GpuSweeps.sweep

    def counting(self: GpuSweeps, centres: object, weight: float) -> object:
        counted["sweeps"] += 1
        counted["bytes"] += sweep_bytes(self)
        return sweep(self, centres, weight)

    GpuSweeps.sweep = counting  # type: ignore[method-assign, assignment]
    try:
        yield counted
    finally:
        GpuSweeps.sweep = sweep  # type: ignore[method-assign]


def sweeping(sizes: list[int], speed: float, repeats: int) -> Rows:
    """One sweep, against a copy of its bytes."""
    for size in sizes:
        yield _swept(f"{size:,} random", draw(size), speed, repeats)


def _swept(label: str, conference: GpuConference, speed: float, repeats: int) -> tuple[str, ...]:
    layout, _ = arrange(conference, conference.worth, conference.level, SCALE, EPSILON)
    sweeps = GpuSweeps(layout)
    centres, weight = sweeps.first_centres(0.5), 0.5
    seconds = median_seconds(lambda: sweeps.sweep(centres, weight), repeats)
    alone = median_seconds(lambda: sweeps.project(centres, weight), repeats)
    moved = sweep_bytes(sweeps)
    return (
        label, f"{1e3 * seconds:.2f} ms", f"{1e3 * alone:.2f} ms", f"{moved / 1e9:.2f} GB",
        f"{1e3 * moved / speed:.2f} ms", f"{seconds * speed / moved:.1f}",
    )  # fmt: skip


def certifying(sizes: list[int]) -> Rows:
    """The certificate of solved scores on the GPU, by the processor, piece by piece."""
    for size in sizes:
        conference = draw(size)
        scores = dequantize_on_gpu(conference, SCALE, lam=LAM, certified=False).scores
        judge = partial(certify_in_pieces, conference, SCALE, EPSILON, LAM, scores, wanted=PROVEN)
        judge()
        began = perf_counter()
        proven = judge()
        yield f"{size:,}", f"{perf_counter() - began:.2f} s", f"{proven.max_error:.3e}"


def agreeing(size: int) -> Rows:
    """Every kind of order, scale and policy: the GPU's scores against the CPU's."""
    for kind, problem in problems(size):
        local, on_gpu = Solver(problem), GpuSolver(problem)
        for solver in (local, on_gpu):
            solver.solve(LAM, 1e-10)  # compiles
        for lam in LAMS:
            here, cpu_seconds = _timed(local, lam)
            there, gpu_seconds = _timed(on_gpu, lam)
            again = GpuSolver(problem).solve(lam, 1e-10)
            yield (
                kind.name, f"{len(problem):,}", f"{lam:g}",
                f"{np.abs(here.scores - there.scores).max():.0e}",
                "yes" if np.array_equal(again.scores, there.scores) else "NO",
                f"{cpu_seconds:.2f} s", f"{gpu_seconds:.2f} s",
            )  # fmt: skip


def _timed(solver: ProblemSolver, lam: float) -> tuple[Solution, float]:
    """Solve; return the solution and its seconds."""
    began = perf_counter()
    solution = solver.solve(lam, 1e-10)
    return solution, perf_counter() - began


def whole_runs(size: int) -> Rows:
    """From tables to a result with its certificate, lam="auto": where the CPU reads and certifies."""
    drawn = unround.simulate.thurstone(size // 4, noise=0.5, seed=1)
    run = partial(unround.dequantize, drawn.reviews, drawn.rankings, lam=AUTO)
    for engine in ("local", "gpu"):
        run(engine=engine)  # type: ignore[arg-type]
        began = perf_counter()
        done = run(engine=engine)  # type: ignore[arg-type]
        seconds = perf_counter() - began
        yield engine, f"{size:,}", f"{seconds:.2f} s", f"{done.certificate.max_error:.0e}"
    cuda.synchronize()
