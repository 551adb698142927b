"""One block of a sweep, and the centres to start from: what every engine does with a layout."""

from __future__ import annotations

from unround.arrays import FloatArray
from unround.problem.model import Problem
from unround.solver.kernels.arguments import Sweep
from unround.solver.kernels.centres import scores_only_centres, sweep_singles
from unround.solver.kernels.chains import sweep_chains
from unround.solver.kernels.posets import sweep_posets
from unround.solver.layout import Layout


def sweep_block(layout: Layout, block: int, sweep: Sweep) -> None:
    """Write the scores of one block, in sweep order, and add them to their papers' sums."""
    scratch, reviews = layout.scratch[block], layout.reviews
    first, last = layout.chain_cuts[block : block + 2]
    sweep_chains(first, last, layout.chains, reviews, sweep, scratch.chains)
    if layout.posets.above.size:
        first, last = layout.poset_cuts[block : block + 2]
        sweep_posets(first, last, layout.posets, reviews, sweep, scratch.posets)
    if layout.single_cuts[0] < layout.single_cuts[-1]:
        first, last = layout.single_cuts[block : block + 2]
        sweep_singles(first, last, reviews, sweep)


def start_centres(problem: Problem, weight: float) -> FloatArray:
    """Return the exact centres if nothing were ranked: right at once for papers that no order touches."""
    return scores_only_centres(
        problem.given, weight, problem.lower, problem.upper, problem.paper_start, problem.by_paper
    )
