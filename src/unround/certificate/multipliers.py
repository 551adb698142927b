"""Problem + λ + scores -> the forces that hold the scores in place, and what they explain. Imports no solver.

The forces are multipliers of the constraints that the scores touch, by non-negative least squares: Lawson
and Hanson's method on a graph, component by component, for CPU and GPU. The columns are comparisons, +1 at
the review above and −1 at the one below; a cell's end is a comparison with a ground node. Chosen columns
always form a forest, where least squares has a closed form: a tree with the ground in it leaves no
residual, any other leaves its mean, and the multipliers follow leaf by leaf. Whatever comes out is
non-negative, which is all that the certificate relies on.

The walks over trees look like those of problem/projection.py, and are written twice on purpose: the
certificate must not lean on what it judges, so they share no code.

The forces explain every move. At the optimum (1+λ)(y − z) = (ȳ − z) + forces of comparisons + force of
the cell. The mean ȳ of n reviews is y/n plus (1 − 1/n) of the others' mean o, so that

    (λ + 1 − 1/n)(y − z) = (1 − 1/n)(o − z) + forces of comparisons + force of the cell:

the difference between the given and the new score splits into three parts. A paper's only review feels no
consensus.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from unround.arrays import BoolArray, FloatArray, IntArray
from unround.compiler import compiled
from unround.problem.model import Comparisons, Problem

# Slack up to which a constraint counts as touched, in units of the largest number in play. Any
# choice gives a valid bound: the sharpest suits exact scores, the others those of looser solvers.
TOUCHING = (1e-14, 1e-11, 1e-8, 1e-6)
ROUNDING_OF_LARGEST = 1e-15
# Rounds that come no closer after which only rounding is left to fit.
PATIENCE_ROUNDS = 25
NUMBERS, PLACES = 7, 9  # rows of working space: of numbers, and of places
# Moves below this are rounding: a chair sees four decimals.
LEAST_MOVE = 1e-9


@dataclass(frozen=True)
class Multipliers:
    """Forces that hold the scores in place, in units of the gradient's half."""

    on_pair: FloatArray  # one per comparison, ≥ 0: apart, upper one up and lower one down
    on_cell: FloatArray  # one per review: > 0 held up by the cell's lower end, < 0 held down
    residual: FloatArray  # what no constraint explains


class Papers(NamedTuple):
    """What a review's bound takes from other reviews: of the whole conference, also for a part of it."""

    mean: FloatArray  # one per paper: of its scores
    reviews: IntArray  # one per paper: their number
    largest: float  # the largest magnitude of any score or end of a cell

    @classmethod
    def of(cls, problem: Problem, scores: FloatArray) -> Papers:
        """Return them for a problem that is the whole conference."""
        sums = np.bincount(problem.paper, weights=scores, minlength=problem.papers)
        mean = sums / np.maximum(problem.paper_count, 1)
        return cls(mean, problem.paper_count, largest_number(problem, scores))


def multipliers(
    problem: Problem,
    lam: float,
    scores: FloatArray,
    touching: float = TOUCHING[0],
    papers: Papers | None = None,
) -> Multipliers:
    """Return the forces that best explain the scores, on constraints touched within `touching`."""
    papers = papers or Papers.of(problem, scores)
    reach = touching * papers.largest
    pairs = problem.comparisons
    on_pair, on_cell = np.zeros(pairs.above.size), np.zeros(len(problem))
    gradient = half_gradient(problem, lam, scores, papers)
    at_lower = scores - problem.lower <= reach
    at_upper = (problem.upper - scores <= reach) & ~(at_lower & (gradient > 0.0))
    at_lower &= ~at_upper
    active = ActiveConstraints(slacks(pairs, scores) <= reach, at_lower, at_upper)
    component_multipliers(gradient, pairs, active, on_pair, on_cell)
    alone = problem.singles
    lower, upper = alone[at_lower[alone]], alone[at_upper[alone]]
    on_cell[lower] = np.maximum(gradient[lower], 0.0)
    on_cell[upper] = np.minimum(gradient[upper], 0.0)
    explained = on_cell.copy()
    np.add.at(explained, pairs.above, on_pair)
    np.subtract.at(explained, pairs.below, on_pair)
    return Multipliers(on_pair, on_cell, gradient - explained)


def half_gradient(problem: Problem, lam: float, scores: FloatArray, papers: Papers) -> FloatArray:
    """Return half the objective's gradient, (y − ȳ) + λ (y − z); y − z for λ = ∞."""
    if math.isinf(lam):
        return scores - problem.given
    return (scores - papers.mean[problem.paper]) + lam * (scores - problem.given)


def slacks(pairs: Comparisons, scores: FloatArray) -> FloatArray:
    """Return by how much each comparison holds; negative where it is violated."""
    return scores[pairs.above] - scores[pairs.below] - pairs.gap


def largest_number(problem: Problem, scores: FloatArray) -> float:
    """Return the largest magnitude of any score or end of a cell."""
    return float(
        max(
            np.abs(scores).max(initial=0.0),
            np.abs(problem.upper).max(initial=0.0),
            np.abs(problem.lower).max(initial=0.0),
        )
    )


class ActiveConstraints(NamedTuple):
    """The constraints that hold with equality, up to a slack."""

    pairs: BoolArray
    at_lower: BoolArray  # one per review: the lower end of its cell
    at_upper: BoolArray


@compiled
def component_multipliers(
    gradient: FloatArray,
    pairs: Comparisons,
    active: ActiveConstraints,
    on_pair: FloatArray,
    on_cell: FloatArray,
) -> None:
    """Write multipliers of pairs and of cells (positive at the lower end, negative at the upper)."""
    start, member, pair_start, above, below, _ = pairs
    touches, at_lower, at_upper = active
    place = np.empty(gradient.size, np.int64)
    room = _most_room(pairs)
    space = FitSpace(
        np.empty((NUMBERS, room)), np.empty((PLACES, room), np.int64), np.empty(2 * room, np.int64)
    )
    source = np.empty(room, np.int64)
    wanted, value = space.numbers[0], space.numbers[1]
    head, tail = space.places[0], space.places[1]
    for component in range(start.size - 1):
        begin, size = start[component], start[component + 1] - start[component]
        edges = int(np.int64(0))  # for a literal 0, Numba would compile `fit` once more
        for node in range(size):
            review = member[begin + node]
            place[review] = node
            wanted[node] = gradient[review]
            if at_lower[review] or at_upper[review]:
                head[edges], tail[edges] = (node, size) if at_lower[review] else (size, node)
                source[edges] = -1 - review
                edges += 1
        for pair in range(pair_start[component], pair_start[component + 1]):
            if touches[pair]:
                head[edges], tail[edges] = place[above[pair]], place[below[pair]]
                source[edges] = pair
                edges += 1
        fit(size, edges, space)
        for edge in range(edges):
            if source[edge] >= 0:
                on_pair[source[edge]] = value[edge]
            else:
                review = -1 - source[edge]
                on_cell[review] = value[edge] if at_lower[review] else -value[edge]


@compiled
def _most_room(pairs: Comparisons) -> int:
    """Return the places that fitting any of the components takes."""
    most = 0
    for component in range(pairs.start.size - 1):
        members = pairs.start[component + 1] - pairs.start[component]
        edges = members + pairs.pair_start[component + 1] - pairs.pair_start[component]
        most = max(most, edges + 2)
    return most


@compiled
def lowest_scores(lower: FloatArray, pairs: Comparisons) -> FloatArray:
    """Return the lowest scores above the lower ends of cells that keep to all comparisons."""
    scores = lower.copy()
    for component in range(pairs.start.size - 1):
        first, last = pairs.pair_start[component], pairs.pair_start[component + 1]
        changed, passes = True, pairs.start[component + 1] - pairs.start[component] + 1
        while changed and passes > 0:
            changed, passes = False, passes - 1
            for k in range(first, last):
                pushed = scores[pairs.below[k]] + pairs.gap[k]
                if pushed > scores[pairs.above[k]]:
                    scores[pairs.above[k]], changed = pushed, True
    return scores


class FitSpace(NamedTuple):
    """The arguments, the results and the working space of a fit.

    The ground is the node after the last one: every row has at least one place more than there are nodes.
    """

    numbers: FloatArray  # rows: wanted (per node), value and trial (per edge); of the fit: per node
    places: IntArray  # rows: head, tail and chosen (per edge); of the fit: per node
    links: IntArray  # two per edge


@compiled
def fit(nodes: int, edges: int, space: FitSpace) -> None:
    """Write the values ≥ 0 of the edges whose sums at the nodes come closest to the wanted ones."""
    wanted, value, trial, left = (
        space.numbers[0],
        space.numbers[1],
        space.numbers[2],
        space.numbers[3],
    )
    head, tail, chosen, tree = space.places[0], space.places[1], space.places[2], space.places[3]
    for edge in range(edges):
        value[edge], trial[edge], chosen[edge] = 0.0, 0.0, 0
    largest = 0.0
    for node in range(nodes):
        left[node], tree[node] = wanted[node], node
        largest = max(largest, abs(wanted[node]))
    left[nodes], tree[nodes] = 0.0, nodes
    enough = ROUNDING_OF_LARGEST * largest
    least, idle = np.inf, 0
    for _ in range(3 * edges + 10):
        # An edge within a tree would close a circle: there residuals differ by rounding alone.
        best, entering = enough, -1
        for edge in range(edges):
            gain = left[head[edge]] - left[tail[edge]]
            if gain > best and tree[head[edge]] != tree[tail[edge]]:
                best, entering = gain, edge
        if entering < 0:
            break
        chosen[entering] = 1
        while True:
            _fit_forest(nodes, edges, space)
            reach = 1.0
            for edge in range(edges):
                if (
                    chosen[edge] > 0
                    and trial[edge] <= 0.0
                    and value[edge] < reach * (value[edge] - trial[edge])
                ):
                    reach = value[edge] / (value[edge] - trial[edge])
            done = True
            for edge in range(edges):
                if chosen[edge] > 0:
                    value[edge] += reach * (trial[edge] - value[edge])
                    if trial[edge] <= 0.0 and value[edge] <= enough:
                        value[edge], chosen[edge], done = 0.0, 0, False
            if done:
                break
        for node in range(nodes):
            left[node] = wanted[node]
        for edge in range(edges):
            value[edge] = max(value[edge], 0.0)
            left[head[edge]] -= value[edge]
            left[tail[edge]] += value[edge]
        left[nodes] = 0.0
        distance = 0.0
        for node in range(nodes):
            distance += left[node] * left[node]
        idle = idle + 1 if distance >= least else 0
        if idle > PATIENCE_ROUNDS:
            break
        least = min(least, distance)


@compiled
def _fit_forest(nodes: int, edges: int, space: FitSpace) -> None:
    """Fit the chosen edges, which form a forest, by least squares; write the tree of each node."""
    wanted, fitted = space.numbers[0], space.numbers[2]
    total, count, left = space.numbers[4], space.numbers[5], space.numbers[6]
    head, tail, tree = space.places[0], space.places[1], space.places[3]
    order, parent, link, start = space.places[4], space.places[5], space.places[6], space.places[7]
    _join_links(nodes + 1, edges, space)
    for node in range(nodes + 1):
        tree[node], link[node] = -1, -1
        total[node], count[node], left[node] = 0.0, 0.0, 0.0
    filled = 0
    for step in range(nodes + 1):  # the ground first, so that it is the root of its tree
        root = nodes - step
        if tree[root] >= 0:
            continue
        order[filled], tree[root] = root, root
        reached, filled = filled, filled + 1
        while reached < filled:
            node = order[reached]
            reached += 1
            for place in range(start[node], start[node + 1]):
                edge = space.links[place]
                other = tail[edge] if head[edge] == node else head[edge]
                if tree[other] < 0:
                    order[filled], tree[other], parent[other], link[other] = other, root, node, edge
                    filled += 1
    for node in range(nodes):
        total[tree[node]] += wanted[node]
        count[tree[node]] += 1.0
    for node in range(nodes):
        mean = 0.0 if tree[node] == nodes else total[tree[node]] / count[tree[node]]
        left[node] = wanted[node] - mean
    for step in range(nodes + 1):  # leaves first
        node = order[nodes - step]
        edge = link[node]
        if edge >= 0:
            fitted[edge] = left[node] if head[edge] == node else -left[node]
            left[parent[node]] += left[node]


@compiled
def _join_links(nodes: int, edges: int, space: FitSpace) -> None:
    """Write where the chosen edges of each node start, and those edges."""
    head, tail, chosen = space.places[0], space.places[1], space.places[2]
    start, place = space.places[7], space.places[8]
    for node in range(nodes + 1):
        start[node] = 0
    for edge in range(edges):
        if chosen[edge] > 0:
            start[head[edge] + 1] += 1
            start[tail[edge] + 1] += 1
    for node in range(nodes):
        start[node + 1] += start[node]
        place[node] = start[node]
    for edge in range(edges):
        if chosen[edge] > 0:
            space.links[place[head[edge]]] = edge
            space.links[place[tail[edge]]] = edge
            place[head[edge]] += 1
            place[tail[edge]] += 1


@dataclass(frozen=True)
class Contributions:
    """What moved each score, one entry per review; the three add up to dequantized − given."""

    consensus: FloatArray
    ranking: FloatArray
    cell: FloatArray


@dataclass(frozen=True)
class Bindings:
    """The comparisons that hold two scores apart, and how far each moves the two."""

    better: IntArray  # reviews
    worse: IntArray
    lifts: FloatArray  # how far it moves the better one up
    lowers: FloatArray  # how far it moves the worse one down


def explain(problem: Problem, lam: float, scores: FloatArray) -> tuple[Contributions, Bindings]:
    """Return the parts of every review's move and the comparisons that bind."""
    force = multipliers(problem, lam, scores)
    yields = _move_per_force(problem, lam)
    pairs = problem.comparisons
    lifts, lowers = force.on_pair * yields[pairs.above], force.on_pair * yields[pairs.below]
    ranking = np.zeros(len(problem))
    np.add.at(ranking, pairs.above, lifts)
    np.subtract.at(ranking, pairs.below, lowers)
    cell, moved = force.on_cell * yields, scores - problem.given
    if math.isinf(lam):
        parts = Contributions(np.zeros(len(problem)), moved - cell, cell)
    else:
        # What rounding leaves over goes with consensus, or with the ranking where there is none.
        alone = problem.paper_count[problem.paper] == 1
        consensus = np.where(alone, 0.0, moved - ranking - cell)
        parts = Contributions(consensus, np.where(alone, moved - cell, ranking), cell)
    return parts, _bindings(pairs, lifts, lowers)


def _bindings(pairs: Comparisons, lifts: FloatArray, lowers: FloatArray) -> Bindings:
    """Return the pairs with a force on them."""
    binds = np.flatnonzero(np.maximum(lifts, lowers) > LEAST_MOVE)
    return Bindings(pairs.above[binds], pairs.below[binds], lifts[binds], lowers[binds])


def _move_per_force(problem: Problem, lam: float) -> FloatArray:
    """Return how far a unit force moves each score while the others stay."""
    if math.isinf(lam):
        return np.ones(len(problem))
    yields: FloatArray = 1.0 / (lam + 1.0 - 1.0 / problem.paper_count[problem.paper])
    return yields
