"""The engine "gpu": the same sweeps, with scores and centres on the GPU until the solution is asked for."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from unround.arrays import FloatArray, freeze
from unround.errors import UsageError
from unround.gpu.launch import (
    GpuArray,
    compiled_for_gpu,
    cuda,
    for_each,
    in_strides,
    kernel_argument,
    memory_free,
    to_host,
    xp,
)
from unround.gpu.layout import GpuLayout, LengthClass, lay_out_on_gpu
from unround.gpu.metrics import KendallByLevels
from unround.gpu.projections import (
    LONGEST_OWN,
    NUMBERS,
    PLACES,
    GpuSweep,
    bytes_of_posets,
    own_memory_kernel,
    sweep_long_chains,
    sweep_singles,
)
from unround.metrics.kendall import KendallError
from unround.problem.model import Problem
from unround.solver.acceleration import DEPTH, shares_of
from unround.solver.engine import Engine
from unround.solver.kernels.centres import scores_only_centre
from unround.solver.loop import Solution, converge

_scores_only_centre = compiled_for_gpu(scores_only_centre)
GIGABYTE = 1e9
# Codes, papers, places, scores; what sorting the places and counting the errors take for a while.
BYTES_PER_REVIEW = 48
# Centres, means, the last sweeps of the acceleration, and the index.
BYTES_PER_PAPER = 200


class GpuSweeps:
    """Sweeps over a layout on the GPU, from and to arrays of the GPU."""

    def __init__(self, layout: GpuLayout) -> None:
        self.layout = layout
        papers = layout.index.start.size - 1
        self._history = GpuHistory(papers)  # large: one for all solves
        self._scores = xp.empty(layout.size)  # in sweep order
        self._means = xp.empty(papers)
        # What every sweep hands to its kernels, made ready for them once.
        arrays = (layout.reviews, layout.chains, layout.index, self._scores, self._means)
        self._ready = tuple(map(kernel_argument, arrays))
        self._scratch = {one.longest: _scratch(layout, one) for one in layout.classes}

    def solve(self, lam: float, tolerance: float, start: Any = None) -> Solution:
        """Sweep until no score can be further than `tolerance` from the optimum.

        The arrays of the solution lie on the GPU; its scores are in sweep order, good until the next solve.
        """
        there = None if start is None else xp.asarray(start)
        return converge(self, lam, tolerance, there, lambda papers: self._history)

    def first_centres(self, weight: float) -> GpuArray:
        """Return the exact centres if nothing were ranked: where to start when nothing better is known."""
        reviews, index = self.layout.reviews, self.layout.index
        centres = xp.zeros(index.start.size - 1)  # a paper without reviews pulls nobody
        for_each(
            _find_scores_only_centres, centres.size,
            reviews.cells, weight, reviews.code[index.places], index.start, centres,
        )  # fmt: skip
        return centres

    def sweep(self, centres: GpuArray, weight: float) -> tuple[GpuArray, float]:
        """Sweep from these centres; return the new ones, good until the next sweep, and how far any moved."""
        from_centres, furthest = kernel_argument(centres), xp.zeros(1)
        _, _, by_paper, scores, means = self._ready
        self.project(from_centres, weight)
        in_strides(
            _move_centres, centres.size,
            *by_paper, scores, from_centres, means, furthest,
        )  # fmt: skip
        return self._means, float(furthest[0])

    def project(self, centres: GpuArray, weight: float) -> None:
        """Write the scores that these centres lead to."""
        layout, (reviews, chain_levels, _, scores, _) = self.layout, self._ready
        sweep = GpuSweep(kernel_argument(centres), weight, scores)
        for chains in layout.classes:
            for_each(
                _kernel(chains), chains.last - chains.first,
                chains.first, chains.last, reviews, chain_levels, sweep,
                *self._scratch[chains.longest],
            )  # fmt: skip
        first, last = layout.singles
        if layout.posets is not None:
            begin = first - layout.posets.members
            layout.posets.sweep(sweep.centres, weight, self._scores[begin:first])
        for_each(sweep_singles, last - first, first, last, reviews, sweep)

    def scores(self) -> GpuArray:
        """Return the scores of the last sweep on the GPU, in sweep order."""
        return self._scores


class GpuSolver:
    """A problem on the GPU, for any number of λ."""

    def __init__(self, problem: Problem) -> None:
        layout, self.review = lay_out_on_gpu(problem)
        self.sweeps = GpuSweeps(layout)

    def solve(self, lam: float, tolerance: float, start: FloatArray | None = None) -> Solution:
        """Return scores within `tolerance` of the optimum, starting from centres `start` if given."""
        there = self.sweeps.solve(lam, tolerance, start)
        scores, centres = np.empty(self.review.size), to_host(there.centres)
        scores[self.review] = to_host(there.scores)
        freeze(scores, centres)
        return replace(there, scores=scores, centres=centres)


class GpuEngine(Engine):
    """Solves run on this machine's NVIDIA GPU."""

    def solver(self, problem: Problem) -> GpuSolver:
        """Return a solver of the problem. Raise UsageError if the GPU's memory is too small."""
        check_memory(wanted_bytes(problem), memory_free())
        return GpuSolver(problem)

    def counting(self, problem: Problem, measure: KendallError) -> tuple[Any, Any]:
        """Return a solver and the measure of its solutions, both on the GPU if the measure fits there."""
        solver = self.solver(problem)
        kendall = KendallByLevels(measure, xp.asarray(measure.codes[solver.review]))
        extent = float(problem.upper.max() - problem.lower.min()) if len(problem) else 0.0
        if not kendall.fits(extent):
            return solver, measure
        return solver.sweeps, kendall  # centres and scores never leave the GPU


def wanted_bytes(problem: Problem) -> float:
    """Return about how much memory a problem takes on the GPU."""
    own = BYTES_PER_REVIEW * len(problem) + BYTES_PER_PAPER * problem.papers
    return float(own + bytes_of_posets(problem))


def check_memory(wanted: float, free: float) -> None:
    """Refuse a problem that does not fit."""
    if wanted > free:
        raise UsageError(
            f"the GPU has {free / GIGABYTE:.1f} GB of memory free and this problem wants "
            f"{wanted / GIGABYTE:.1f} GB: free some, take a larger GPU, or leave the engine out"
        )


def _kernel(chains: LengthClass) -> Any:
    return sweep_long_chains if chains.longest > LONGEST_OWN else own_memory_kernel(chains.longest)


def _scratch(layout: GpuLayout, chains: LengthClass) -> tuple[GpuArray, ...]:
    """Return working space on the GPU for chains that are too long for a thread's own."""
    if chains.longest <= LONGEST_OWN:
        return ()
    start = layout.chains.start
    members = int(start[chains.last]) - int(start[chains.first])
    return (
        xp.empty((NUMBERS, members)),
        xp.empty((PLACES, members + chains.last - chains.first), dtype=xp.int32),
    )


@cuda.jit
def _move_centres(
    start: GpuArray,
    places: GpuArray,
    scores: GpuArray,
    centres: GpuArray,
    means: GpuArray,
    furthest: GpuArray,
) -> None:
    """Write the mean of every paper, its scores added in one fixed order, and how far any centre moved."""
    moved = 0.0
    for paper in range(cuda.grid(1), centres.size, cuda.gridsize(1)):
        first, last = start[paper], start[paper + 1]
        total, k = 0.0, first
        while k + 4 <= last:  # four at a time: none waits for the other
            one, two = scores[places[k]], scores[places[k + 1]]
            three, four = scores[places[k + 2]], scores[places[k + 3]]
            total = total + one + two + three + four
            k += 4
        while k < last:
            total += scores[places[k]]
            k += 1
        means[paper] = total / (last - first) if last > first else centres[paper]
        moved = max(moved, abs(means[paper] - centres[paper]))
    cuda.atomic.max(furthest, 0, moved)


@cuda.jit
def _find_scores_only_centres(
    cells: GpuArray, weight: float, by_paper: GpuArray, start: GpuArray, centres: GpuArray
) -> None:
    paper = cuda.grid(1)
    if paper < centres.size:
        first, last = start[paper], start[paper + 1]
        if first < last:
            centres[paper] = _scores_only_centre(
                cells[0], weight, cells[1], cells[2], by_paper, first, last
            )


class GpuHistory:
    """The last sweeps on the GPU. It serves one solve after another: rows of earlier ones are not read."""

    def __init__(self, papers: int) -> None:
        self._bends = xp.zeros((DEPTH, papers))  # differences of successive residuals
        self._turns = xp.zeros((DEPTH, papers))  # differences of successive means
        self._residual = xp.zeros(papers)
        self.last_means = xp.zeros(papers)
        self._gram = np.zeros((DEPTH, DEPTH))

    def remember(self, centres: GpuArray, means: GpuArray, row: int, kept: int) -> None:
        """Write the step from the last sweep to this one into a row; `kept` rows are then valid."""
        residual = means - centres
        self._bends[row] = residual - self._residual
        self._turns[row] = means - self.last_means
        self._residual, self.last_means = residual, means.copy()
        self._gram[row, :kept] = self._gram[:kept, row] = self._products(self._bends[row], kept)

    def mixed(self, means: GpuArray, kept: int) -> GpuArray:
        """Return the combination of the last sweeps whose residual is smallest."""
        share = self._products(self._residual, kept)
        shares_of(self._gram[:kept, :kept].copy(), share)
        mixed = means.copy()
        for row in range(kept):
            mixed -= float(share[row]) * self._turns[row]
        return mixed

    def _products(self, vector: GpuArray, kept: int) -> FloatArray:
        """Return the inner products of the valid rows with a vector."""
        return np.array([float(xp.dot(self._bends[row], vector)) for row in range(kept)])
