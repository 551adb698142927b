"""The drawn conferences of "auto+" on a GPU: all of them, at every λ, in one launch."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from unround.arrays import FloatArray
from unround.metrics import KendallError
from unround.solver.gpu.many import Solves, solve_each
from unround.solver.gpu.parts import fits, lay_out_parts

if TYPE_CHECKING:
    from unround.selection.simulation import Drawn


def all_fit(draws: Sequence[Drawn]) -> bool:
    """Tell whether the drawn conferences can be solved in one launch."""
    return all(fits(problem) for problem, *_ in draws)


def curves_on_card(draws: Sequence[Drawn]) -> Iterator[FloatArray]:
    """Compute the Kendall-tau error of every λ for each drawn conference."""
    _, _, grid, tolerance = draws[0]
    solves = Solves(np.repeat(np.arange(len(draws)), grid.size), np.tile(grid, len(draws)))
    parts = lay_out_parts([problem for problem, *_ in draws])
    done = solve_each(parts, solves, tolerance, scores=True)
    for _, truth, _, _ in draws:
        measure = KendallError(truth)
        found = (next(done).scores for _ in range(grid.size))
        yield np.array(
            [measure.share(*measure.count(scores)) for scores in found if scores is not None]
        )
