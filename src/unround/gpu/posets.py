"""Projection onto posets on a GPU: the function of the CPU, one thread per poset."""

from __future__ import annotations

from typing import Any

import numpy as np

from unround.arrays import FloatArray, IntArray
from unround.gpu.launch import GpuArray, compiled_for_gpu, cuda, for_each, kernel_argument, xp
from unround.problem.model import Problem
from unround.solver.kernels.arguments import PosetScratch, SweptPosets, SweptReviews
from unround.solver.kernels.posets import sweep_poset
from unround.solver.layout import places_in_posets

_sweep_poset = compiled_for_gpu(sweep_poset)


@cuda.jit
def _sweep_posets(
    posets: SweptPosets,
    reviews: SweptReviews,
    centres: GpuArray,
    weight: float,
    scores: GpuArray,
    scratch: PosetScratch,
) -> None:
    poset = cuda.grid(1)
    if poset < posets.start.size - 1:
        first, last = posets.start[poset], posets.start[poset + 1]
        edge = posets.pair_start[poset] + 2 * first
        edges = posets.pair_start[poset + 1] + 2 * last - edge
        node, nodes = first + poset, last - first + 1
        link, links = 2 * (node + poset), 2 * nodes + 2
        own = PosetScratch(
            scratch.edge_places[:, edge : edge + edges],
            scratch.edge_numbers[:, edge : edge + edges],
            scratch.node_places[:, node : node + nodes],
            scratch.node_numbers[:, node : node + nodes],
            scratch.links[:, link : link + links],
        )
        _sweep_poset(poset, posets, reviews, centres, weight, scores, own)


class GpuPosets:
    """The posets of a problem, counted from the first of their members."""

    def __init__(self, problem: Problem) -> None:
        posets = problem.posets
        member = posets.member
        self.count, self.members = int(posets.start.size) - 1, int(member.size)
        reviews = SweptReviews(
            *_sent(problem.given[member], problem.paper[member].astype(np.int32)),
            *_sent(problem.lower[member], problem.upper[member]),
        )
        pairs, members = posets.above.size, member.size
        swept = SweptPosets(
            *_sent(posets.start, posets.pair_start),
            *_sent(places_in_posets(posets, posets.above), places_in_posets(posets, posets.below)),
            *_sent(posets.gap, np.zeros(pairs + 2 * members, dtype=np.bool_)),
        )
        edges, nodes = pairs + 2 * members, members + self.count
        scratch = PosetScratch(
            edge_places=xp.empty((2, edges), dtype=xp.int64),
            edge_numbers=xp.empty((2, edges), dtype=xp.float64),
            node_places=xp.empty((4, nodes), dtype=xp.int64),
            node_numbers=xp.empty((4, nodes), dtype=xp.float64),
            links=xp.empty((3, 2 * (nodes + self.count)), dtype=xp.int64),
        )
        # Every sweep hands these to its kernel: they are made ready for it once.
        self._posets, self._reviews, self._scratch = map(kernel_argument, (swept, reviews, scratch))

    def sweep(self, centres: Any, weight: float, scores: Any) -> None:
        """Write the scores of the members."""
        for_each(
            _sweep_posets, self.count,
            self._posets, self._reviews, centres, weight, scores, self._scratch,
        )  # fmt: skip


def bytes_of_posets(problem: Problem) -> int:
    """Return how much memory the posets take on the GPU."""
    edges = problem.posets.above.size + 2 * problem.posets.member.size
    nodes = problem.posets.member.size + problem.posets.start.size
    return 80 * edges + 192 * nodes


def _sent(*arrays: FloatArray | IntArray | Any) -> list[Any]:
    return [xp.asarray(array) for array in arrays]
