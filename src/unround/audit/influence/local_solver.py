"""Solve again after a change of one reviewer, looking only at the papers that the change reaches.

In the solved problem every component is projected from the centres of its papers. One reviewer's
components are replaced and projected anew. A paper whose mean has since left its centre by more than a
threshold passes that on: the centre moves to the mean, and all components that the paper is in are
projected anew. Nothing else is looked at: the work is that of the papers that pass something on.

When no paper has anything left to pass on, every component is the projection from the centres as they
are now, and no mean is further than the threshold from its centre: one sweep from these centres moves
none of them further, which by Theorem 1 (docs/mathematics.md) bounds the error of every score. It ends
after finitely many rounds: a paper with n reviews that passes on a move d lowers
Σ (y_i − m_p(i))² + λ Σ (y_i − z_i)² by n d², and projections only lower it further.
"""

from __future__ import annotations

from typing import NamedTuple

from unround.arrays import BoolArray, FloatArray, IntArray, ShortArray
from unround.compiler import compiled
from unround.solver.kernels.arguments import (
    ChainScratch,
    PosetScratch,
    Sweep,
    SweptChains,
    SweptPosets,
    SweptReviews,
)
from unround.solver.kernels.centres import sweep_singles
from unround.solver.kernels.chains import sweep_chains
from unround.solver.kernels.posets import sweep_posets


class SweepArrays(NamedTuple):
    """Components in sweep order (see layout.py), of the whole problem or of one reviewer."""

    reviews: SweptReviews
    chains: SweptChains
    posets: SweptPosets
    chain_scratch: ChainScratch
    poset_scratch: PosetScratch


class Links(NamedTuple):
    """Which components a paper is in. Components are numbered: chains, posets, single reviews, and last
    one number for all components that replace those of a reviewer.
    """

    component: ShortArray  # one per place
    paper_start: IntArray
    paper_place: ShortArray  # the places of each paper's reviews
    reviews: FloatArray  # how many, one entry per paper


class ScoreState(NamedTuple):
    """The numbers that a change moves."""

    centres: FloatArray  # one per paper
    sums: FloatArray  # of the scores of each paper
    scores: FloatArray  # one per place


class Footprint(NamedTuple):
    """The papers and components that a change has reached so far; a flag is set for each in the lists."""

    papers: IntArray
    paper_flag: BoolArray
    components: IntArray
    component_flag: BoolArray
    counts: IntArray  # of papers, and of components


class Worklist(NamedTuple):
    """The papers that pass something on in this round, and the components to project.

    Flags are set while a list is made, and cleared after.
    """

    papers: IntArray
    paper_flag: BoolArray
    components: IntArray
    component_flag: BoolArray


class LocalProblem(NamedTuple):
    """A solved problem, and what changes of it are computed in."""

    whole: SweepArrays
    links: Links
    before: ScoreState  # as solved
    held: BoolArray  # active comparisons of posets, as solved
    state: ScoreState  # with the change as far as it has been passed on
    footprint: Footprint
    worklist: Worklist


class Replacement(NamedTuple):
    """The components of one reviewer after a change, in place of those before it."""

    arrays: SweepArrays
    home: IntArray  # for each of their places the place in the whole problem
    scores: FloatArray  # written


@compiled
def spread(
    problem: LocalProblem, replacement: Replacement, weight: float, threshold: float, most: int
) -> tuple[float, int]:
    """Replace a reviewer's components and pass the change on.

    Return how far the mean of any paper that was reached is from its centre, and how many reviews were
    projected; stop where these are more than `most`. Unchecked: `links.component` has the last number at
    `replacement.home`.
    """
    whole, links, state = problem.whole, problem.links, problem.state
    footprint, worklist, home = problem.footprint, problem.worklist, replacement.home
    for place in home:
        state.sums[whole.reviews.paper[place]] -= state.scores[place]
    replaced = footprint.component_flag.size - 1
    worklist.components[0], waiting, work = replaced, 1, 0
    sweep_replacement(replacement, state, weight)
    _note(replaced, whole, home, footprint)
    work += home.size
    while work <= most:
        passing = _gather_papers(waiting, whole, home, links.reviews, state, worklist, threshold)
        if not passing:
            break
        waiting = _gather_components(passing, links, state, worklist)
        for number in range(waiting):
            component = worklist.components[number]
            work += _project_again(component, whole, replacement, state, weight)
            _note(component, whole, home, footprint)
    return _furthest(links, state, footprint), work


@compiled
def take_back(problem: LocalProblem, home: IntArray) -> None:
    """Put everything that was reached back to where it was in the solved problem."""
    whole, footprint = problem.whole, problem.footprint
    before, state = problem.before, problem.state
    papers, components = footprint.counts
    for number in range(papers):
        paper = footprint.papers[number]
        state.centres[paper] = before.centres[paper]
        state.sums[paper] = before.sums[paper]
        footprint.paper_flag[paper] = False
    chains, posets = whole.chains.start.size - 1, whole.posets.start.size - 1
    for number in range(components):
        component = footprint.components[number]
        footprint.component_flag[component] = False
        first, size = _places(component, whole, home)
        for step in range(size):
            place = _place(first, step, home)
            state.scores[place] = before.scores[place]
        if chains <= component < chains + posets:
            poset = component - chains
            start, pair_start = whole.posets.start, whole.posets.pair_start
            begin = pair_start[poset] + 2 * (start[poset] - start[0])
            end = pair_start[poset + 1] + 2 * (start[poset + 1] - start[0])
            for edge in range(begin, end):
                whole.posets.held[edge] = problem.held[edge]
    footprint.counts[:] = 0


@compiled
def list_places(whole: SweepArrays, home: IntArray, footprint: Footprint, places: IntArray) -> int:
    """Write the places of all reviews in the components that were reached; return how many."""
    filled = 0
    for number in range(footprint.counts[1]):
        first, size = _places(footprint.components[number], whole, home)
        for step in range(size):
            places[filled] = _place(first, step, home)
            filled += 1
    return filled


@compiled
def _places(component: int, whole: SweepArrays, home: IntArray) -> tuple[int, int]:
    """Return the first place of a component and how many follow; −1 for the replaced components."""
    chain_start, poset_start = whole.chains.start, whole.posets.start
    chains, posets = chain_start.size - 1, poset_start.size - 1
    if component < chains:
        return chain_start[component], chain_start[component + 1] - chain_start[component]
    component -= chains
    if component < posets:
        return poset_start[component], poset_start[component + 1] - poset_start[component]
    place = poset_start[posets] + component - posets
    if place < whole.reviews.paper.size:
        return place, 1
    return -1, home.size


@compiled
def _place(first: int, step: int, home: IntArray) -> int:
    """Return a place of a component, given its first one."""
    return int(home[step]) if first < 0 else first + step


@compiled
def sweep_replacement(replacement: Replacement, state: ScoreState, weight: float) -> None:
    """Project the new components, add them to the sums, and write their scores where they belong."""
    arrays = replacement.arrays
    sweep = Sweep(state.centres, weight, replacement.scores, state.sums)
    chains, posets = arrays.chains.start.size - 1, arrays.posets.start.size - 1
    sweep_chains(0, chains, arrays.chains, arrays.reviews, sweep, arrays.chain_scratch)
    sweep_posets(0, posets, arrays.posets, arrays.reviews, sweep, arrays.poset_scratch)
    sweep_singles(arrays.posets.start[posets], replacement.home.size, arrays.reviews, sweep)
    for number in range(replacement.home.size):
        state.scores[replacement.home[number]] = replacement.scores[number]


@compiled
def _project_again(
    component: int,
    whole: SweepArrays,
    replacement: Replacement,
    state: ScoreState,
    weight: float,
) -> int:
    """Project a component from the centres as they are now; return how many reviews it has."""
    chains, posets = whole.chains.start.size - 1, whole.posets.start.size - 1
    home = replacement.home
    first, size = _places(component, whole, home)
    for step in range(size):
        place = _place(first, step, home)
        state.sums[whole.reviews.paper[place]] -= state.scores[place]
    sweep = Sweep(state.centres, weight, state.scores, state.sums)
    if first < 0:
        sweep_replacement(replacement, state, weight)
    elif component < chains:
        sweep_chains(
            component, component + 1, whole.chains, whole.reviews, sweep, whole.chain_scratch
        )
    elif component < chains + posets:
        poset = component - chains
        sweep_posets(poset, poset + 1, whole.posets, whole.reviews, sweep, whole.poset_scratch)
    else:
        sweep_singles(first, first + size, whole.reviews, sweep)
    return size


@compiled
def _note(component: int, whole: SweepArrays, home: IntArray, footprint: Footprint) -> None:
    """Add a component and its papers to the footprint."""
    if footprint.component_flag[component]:
        return
    footprint.component_flag[component] = True
    footprint.components[footprint.counts[1]] = component
    footprint.counts[1] += 1
    first, size = _places(component, whole, home)
    for step in range(size):
        paper = whole.reviews.paper[_place(first, step, home)]
        if not footprint.paper_flag[paper]:
            footprint.paper_flag[paper] = True
            footprint.papers[footprint.counts[0]] = paper
            footprint.counts[0] += 1


@compiled
def _gather_papers(
    projected: int,
    whole: SweepArrays,
    home: IntArray,
    reviews: FloatArray,
    state: ScoreState,
    worklist: Worklist,
    threshold: float,
) -> int:
    """List the papers of the last components that have something to pass on; return how many."""
    passing = 0
    for number in range(projected):
        first, size = _places(worklist.components[number], whole, home)
        for step in range(size):
            paper = whole.reviews.paper[_place(first, step, home)]
            mean = state.sums[paper] / reviews[paper]
            if abs(mean - state.centres[paper]) > threshold and not worklist.paper_flag[paper]:
                worklist.paper_flag[paper] = True
                worklist.papers[passing] = paper
                passing += 1
    return passing


@compiled
def _gather_components(passing: int, links: Links, state: ScoreState, worklist: Worklist) -> int:
    """Move the centres of these papers to their means; list the components they are in."""
    waiting = 0
    for number in range(passing):
        paper = worklist.papers[number]
        worklist.paper_flag[paper] = False
        state.centres[paper] = state.sums[paper] / links.reviews[paper]
        for spot in range(links.paper_start[paper], links.paper_start[paper + 1]):
            component = links.component[links.paper_place[spot]]
            if not worklist.component_flag[component]:
                worklist.component_flag[component] = True
                worklist.components[waiting] = component
                waiting += 1
    for number in range(waiting):
        worklist.component_flag[worklist.components[number]] = False
    return waiting


@compiled
def _furthest(links: Links, state: ScoreState, footprint: Footprint) -> float:
    """Return how far the mean of any paper reached is from its centre, added up anew from the scores."""
    furthest = 0.0
    for number in range(footprint.counts[0]):
        paper = footprint.papers[number]
        total = 0.0
        for spot in range(links.paper_start[paper], links.paper_start[paper + 1]):
            total += state.scores[links.paper_place[spot]]
        off = abs(total / links.reviews[paper] - state.centres[paper])
        furthest = max(furthest, off)
    return furthest
