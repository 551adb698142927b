"""Sweeps over posets: scores pulled to their papers' centres and projected onto comparisons and cells."""

from __future__ import annotations

from unround.arrays import FloatArray
from unround.compiler import compiled
from unround.problem.projection import Graph, State, project
from unround.solver.kernels.arguments import PosetScratch, Sweep, SweptPosets, SweptReviews

# Projections of so many reviews resume from where the last one ended; smaller ones are as quick anew.
LEAST_TO_RESUME = 64


@compiled
def sweep_posets(
    first_poset: int,
    last_poset: int,
    posets: SweptPosets,
    reviews: SweptReviews,
    sweep: Sweep,
    scratch: PosetScratch,
) -> None:
    """Write the scores of some posets, each pulled and projected, and add them up by paper."""
    for poset in range(first_poset, last_poset):
        sweep_poset(poset, posets, reviews, sweep.centres, sweep.weight, sweep.scores, scratch)
        for k in range(posets.start[poset], posets.start[poset + 1]):
            sweep.sums[reviews.paper[k]] += sweep.scores[k]


@compiled
def sweep_poset(
    poset: int,
    posets: SweptPosets,
    reviews: SweptReviews,
    centres: FloatArray,
    weight: float,
    scores: FloatArray,
    scratch: PosetScratch,
) -> None:
    """Write the scores of one poset, pulled and projected."""
    given, paper, lower, upper = reviews
    start, pair_start, above, below, gap, held = posets
    edge_places, edge_numbers, node_places, node_numbers, links = scratch
    begin, size = start[poset], start[poset + 1] - start[poset]
    pair, pairs = pair_start[poset], pair_start[poset + 1] - pair_start[poset]
    edges, nodes = pairs + 2 * size, size + 1
    head, tail = edge_places[0, :edges], edge_places[1, :edges]
    need, wish = edge_numbers[0, :edges], node_numbers[0, :nodes]
    wish[size] = 0.0
    for k in range(pairs):
        head[k], tail[k], need[k] = above[pair + k], below[pair + k], gap[pair + k]
    for node in range(size):
        k = begin + node
        wish[node] = given[k] + weight * (centres[paper[k]] - given[k])
        head[pairs + node], tail[pairs + node] = node, size
        need[pairs + node] = lower[k]
        head[pairs + size + node], tail[pairs + size + node] = size, node
        need[pairs + size + node] = -upper[k]
    point = node_numbers[1, :nodes]
    first = pair + 2 * (begin - start[0])
    state = State(
        held[first : first + edges],
        edge_numbers[1, :edges],
        point,
        node_numbers[2, :nodes],
        node_numbers[3, :nodes],
        node_places[:, :nodes],
        links,
    )
    project(Graph(wish, head, tail, need), state, size >= LEAST_TO_RESUME)
    for node in range(size):
        k = begin + node
        scores[k] = min(max(point[node], lower[k]), upper[k])
