"""The same sweeps on the card: scores and centres stay there until the solution is asked for."""

from __future__ import annotations

from typing import Any

import numpy as np

from unround.arrays import FloatArray
from unround.card.launch import cuda, for_each
from unround.problem.model import Problem
from unround.solver.gpu.chains import (
    LONGEST_OWN,
    NUMBERS,
    PLACES,
    CardSweep,
    own_memory_kernel,
    sweep_long_chains,
    sweep_singles,
)
from unround.solver.gpu.layout import CardLayout, LengthClass, lay_out_on_card
from unround.solver.gpu.papers import Means, first_centres
from unround.solver.gpu.short_chains import short_kernel
from unround.solver.gpu.vectors import CardVectors
from unround.solver.loop import Ended, Solution, converge


class CardSweeps:
    """Sweeps over a layout on the card, from and to arrays of the card."""

    def __init__(self, layout: CardLayout) -> None:
        self.layout = layout
        self.vectors = CardVectors()
        self._scores = cuda.device_array(layout.size, dtype=np.float64)  # in sweep order
        self._means = cuda.device_array(layout.index.start.size - 1, dtype=np.float64)
        self._moving = Means(layout.index)
        self._scratch = {one.longest: _scratch(layout, one) for one in layout.classes}

    def converge(self, lam: float, tolerance: float, start: Any = None) -> Ended:
        """Sweep until no score can be further than `tolerance` from the optimum."""
        return converge(self, lam, tolerance, start, self.vectors)

    def first_centres(self, weight: float) -> Any:
        """Where to start when nothing better is known."""
        reviews = self.layout.reviews
        return first_centres(reviews.code, reviews.cells, self.layout.index, weight)

    def sweep(self, centres: Any, weight: float) -> tuple[Any, float]:
        """One sweep from these centres: the new ones, good until the next sweep, and how far any moved."""
        self.project(centres, weight)
        return self._means, self._moving.move(self._scores, centres, self._means)

    def project(self, centres: Any, weight: float) -> None:
        """Write the scores that these centres lead to."""
        layout, sweep = self.layout, CardSweep(centres, weight, self._scores)
        for chains in layout.classes:
            scratch = self._scratch[chains.longest]
            kernel = _kernel(chains)
            for_each(
                kernel, chains.last - chains.first,
                chains.first, chains.last, layout.reviews, layout.chains, sweep, *scratch,
            )  # fmt: skip
        first, last = layout.singles
        if layout.posets is not None:
            begin = first - layout.posets.members
            layout.posets.sweep(centres, weight, self._scores[begin:first])
        for_each(sweep_singles, last - first, first, last, layout.reviews, sweep)

    def scores(self) -> Any:
        """The scores of the last sweep on the card, in sweep order."""
        return self._scores


class CardSolver:
    """A problem on the card; solve it for as many λ as you like."""

    def __init__(self, problem: Problem) -> None:
        layout, self.review = lay_out_on_card(problem)
        self.sweeps = CardSweeps(layout)

    def solve(self, lam: float, tolerance: float, start: FloatArray | None = None) -> Solution:
        """Scores within `tolerance` of the optimum, from centres `start` if given."""
        ended = self.sweeps.converge(lam, tolerance, start)
        return Solution(
            self.scores(), ended.centres.copy_to_host(), ended.bound, ended.sweeps, ended.status
        )

    def scores(self) -> FloatArray:
        """The scores of the last sweep, one per review."""
        placed = np.empty(self.review.size)
        placed[self.review] = self.sweeps.scores().copy_to_host()
        return placed


def _kernel(chains: LengthClass) -> Any:
    if chains.uniform:
        return short_kernel(chains.longest)
    return sweep_long_chains if chains.longest > LONGEST_OWN else own_memory_kernel(chains.longest)


def _scratch(layout: CardLayout, chains: LengthClass) -> tuple[Any, ...]:
    """Return working space on the card for chains that are too long for a thread's own."""
    if chains.longest <= LONGEST_OWN:
        return ()
    start = layout.chains.start
    members = int(start[chains.last : chains.last + 1].copy_to_host()[0])
    members -= int(start[chains.first : chains.first + 1].copy_to_host()[0])
    room = members + chains.last - chains.first
    return (
        cuda.device_array((NUMBERS, members), dtype=np.float64),
        cuda.device_array((PLACES, room), dtype=np.int32),
    )
