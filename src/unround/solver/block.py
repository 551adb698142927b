"""One block of a sweep, and the start: what every engine does with a layout."""

from __future__ import annotations

from unround.arrays import FloatArray
from unround.problem.model import Problem
from unround.solver.kernels.centres import scores_only_centres, sweep_singles
from unround.solver.kernels.chains import sweep_chains
from unround.solver.kernels.posets import sweep_posets
from unround.solver.layout import Layout


def sweep_block(
    here: Layout,
    block: int,
    centres: FloatArray,
    weight: float,
    scores: FloatArray,
    sums: FloatArray,
) -> None:
    """Write the scores of one block, in sweep order, and add them to their papers' sums."""
    space = here.scratch[block]
    sweep_chains(
        here.chain_start, here.chain_cuts[block], here.chain_cuts[block + 1],
        here.given, here.paper, centres, weight, here.height, here.shift, here.lower, here.upper,
        scores, sums, space.target, space.numbers, space.places,
    )  # fmt: skip
    if here.above.size:
        sweep_posets(
            here.poset_start, here.poset_cuts[block], here.poset_cuts[block + 1],
            here.pair_start, here.above, here.below, here.gap,
            here.given, here.paper, centres, weight, here.lower, here.upper, scores, sums,
            space.edge_places, space.edge_numbers, space.node_places, space.node_numbers,
            space.chosen,
        )  # fmt: skip
    if here.single_cuts[0] < here.single_cuts[-1]:
        sweep_singles(
            here.single_cuts[block], here.single_cuts[block + 1],
            here.given, here.paper, centres, weight, here.lower, here.upper, scores, sums,
        )  # fmt: skip


def start_centres(problem: Problem, weight: float) -> FloatArray:
    """The exact centres if nothing were ranked: right at once for papers that no order touches."""
    return scores_only_centres(
        problem.given, weight, problem.lower, problem.upper, problem.paper_start, problem.by_paper
    )
