"""A change of one reviewer spreads from paper to paper until what is left of it is small.

The whole problem stands solved: every component is projected from the centres of its papers. One
reviewer's components are exchanged and projected anew. A paper whose mean has since left its centre by
more than a threshold passes that on: the centre moves to the mean, and all components that the paper is
in are projected anew. Nothing else is looked at: the work is that of the papers that pass something on.

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


class Parts(NamedTuple):
    """Components in sweep order (see layout.py), of the whole problem or of one reviewer."""

    reviews: SweptReviews
    chains: SweptChains
    posets: SweptPosets
    chain_scratch: ChainScratch
    poset_scratch: PosetScratch


class Links(NamedTuple):
    """Which components a paper is in. Components are numbered: chains, posets, single reviews, the own one.

    The own one stands for all components of the reviewer whose statements are exchanged.
    """

    component: ShortArray  # one per place
    paper_start: IntArray
    paper_place: ShortArray  # the places of each paper's reviews
    reviews: FloatArray  # how many, one entry per paper


class Own(NamedTuple):
    """The components that are exchanged."""

    parts: Parts
    home: IntArray  # for each of their places the place in the whole problem
    scores: FloatArray  # written


class Standing(NamedTuple):
    """The numbers that a change moves, as they are now."""

    centres: FloatArray  # one per paper
    sums: FloatArray  # of the scores of each paper
    scores: FloatArray  # one per place


class Touched(NamedTuple):
    """What a change has reached so far: lists with the flag of each entry. counts: papers, components."""

    papers: IntArray
    paper_flag: BoolArray
    components: IntArray
    component_flag: BoolArray
    counts: IntArray


class Rounds(NamedTuple):
    """The papers that pass something on in this round, and the components to project; no flag lasts."""

    papers: IntArray
    paper_flag: BoolArray
    components: IntArray
    component_flag: BoolArray


@compiled
def spread(
    whole: Parts,
    own: Own,
    links: Links,
    standing: Standing,
    touched: Touched,
    rounds: Rounds,
    weight: float,
    threshold: float,
    most: int,
) -> tuple[float, int]:
    """Exchange the own components and pass the change on.

    Return how far any mean that was touched is from its centre, and how many reviews were projected;
    stop where these are more than `most`. Unchecked: `links.component` has the own number at `own.home`.
    """
    for place in own.home:
        standing.sums[whole.reviews.paper[place]] -= standing.scores[place]
    own_number = touched.component_flag.size - 1
    rounds.components[0], waiting, work = own_number, 1, 0
    sweep_own(own, standing, weight)
    _note(own_number, whole, own, touched)
    work += own.home.size
    while work <= most:
        passing = _gather_papers(waiting, whole, own, links, standing, rounds, threshold)
        if not passing:
            break
        waiting = _gather_components(passing, links, standing, rounds)
        for number in range(waiting):
            component = rounds.components[number]
            work += _project_again(component, whole, own, standing, weight)
            _note(component, whole, own, touched)
    return _furthest(links, standing, touched), work


@compiled
def take_back(
    whole: Parts,
    own: Own,
    standing: Standing,
    before: Standing,
    held: BoolArray,
    touched: Touched,
) -> None:
    """Put everything that was touched back to where it stood; `held` as it was before."""
    papers, components = touched.counts
    for number in range(papers):
        paper = touched.papers[number]
        standing.centres[paper] = before.centres[paper]
        standing.sums[paper] = before.sums[paper]
        touched.paper_flag[paper] = False
    chains, posets = whole.chains.start.size - 1, whole.posets.start.size - 1
    for number in range(components):
        component = touched.components[number]
        touched.component_flag[component] = False
        if component == touched.component_flag.size - 1:
            for place in own.home:
                standing.scores[place] = before.scores[place]
            continue
        first, last = _places(component, whole)
        for place in range(first, last):
            standing.scores[place] = before.scores[place]
        if chains <= component < chains + posets:
            poset = component - chains
            start, pair_start = whole.posets.start, whole.posets.pair_start
            begin = pair_start[poset] + 2 * (start[poset] - start[0])
            end = pair_start[poset + 1] + 2 * (start[poset + 1] - start[0])
            for edge in range(begin, end):
                whole.posets.held[edge] = held[edge]
    touched.counts[:] = 0


@compiled
def list_places(whole: Parts, own: Own, touched: Touched, places: IntArray) -> int:
    """Write the places of all reviews in touched components; return how many."""
    filled = 0
    for number in range(touched.counts[1]):
        component = touched.components[number]
        if component == touched.component_flag.size - 1:
            for place in own.home:
                places[filled] = place
                filled += 1
            continue
        first, last = _places(component, whole)
        for place in range(first, last):
            places[filled] = place
            filled += 1
    return filled


@compiled
def _places(component: int, whole: Parts) -> tuple[int, int]:
    """Return where the places of a component of the whole problem begin and end."""
    chain_start, poset_start = whole.chains.start, whole.posets.start
    chains, posets = chain_start.size - 1, poset_start.size - 1
    if component < chains:
        return chain_start[component], chain_start[component + 1]
    if component < chains + posets:
        return poset_start[component - chains], poset_start[component - chains + 1]
    place = poset_start[posets] + component - chains - posets
    return place, place + 1


@compiled
def sweep_own(own: Own, standing: Standing, weight: float) -> None:
    """Project the own components, add them to the sums, and write their scores where they belong."""
    parts = own.parts
    sweep = Sweep(standing.centres, weight, own.scores, standing.sums)
    chains, posets = parts.chains.start.size - 1, parts.posets.start.size - 1
    sweep_chains(0, chains, parts.chains, parts.reviews, sweep, parts.chain_scratch)
    sweep_posets(0, posets, parts.posets, parts.reviews, sweep, parts.poset_scratch)
    sweep_singles(parts.posets.start[posets], own.home.size, parts.reviews, sweep)
    for number in range(own.home.size):
        standing.scores[own.home[number]] = own.scores[number]


@compiled
def _project_again(
    component: int, whole: Parts, own: Own, standing: Standing, weight: float
) -> int:
    """Project a component from the centres as they are now; return how many reviews it has."""
    paper, scores, sums = whole.reviews.paper, standing.scores, standing.sums
    chains, posets = whole.chains.start.size - 1, whole.posets.start.size - 1
    first, last = _places(component, whole)
    if first >= scores.size:  # the own one comes after all others
        for place in own.home:
            sums[paper[place]] -= scores[place]
        sweep_own(own, standing, weight)
        return own.home.size
    for place in range(first, last):
        sums[paper[place]] -= scores[place]
    sweep = Sweep(standing.centres, weight, scores, sums)
    if component < chains:
        sweep_chains(
            component, component + 1, whole.chains, whole.reviews, sweep, whole.chain_scratch
        )
    elif component < chains + posets:
        poset = component - chains
        sweep_posets(poset, poset + 1, whole.posets, whole.reviews, sweep, whole.poset_scratch)
    else:
        sweep_singles(first, last, whole.reviews, sweep)
    return last - first


@compiled
def _note(component: int, whole: Parts, own: Own, touched: Touched) -> None:
    """Remember that a component and its papers are touched."""
    if touched.component_flag[component]:
        return
    touched.component_flag[component] = True
    touched.components[touched.counts[1]] = component
    touched.counts[1] += 1
    if component == touched.component_flag.size - 1:
        for place in own.home:
            _note_paper(whole.reviews.paper[place], touched)
        return
    first, last = _places(component, whole)
    for place in range(first, last):
        _note_paper(whole.reviews.paper[place], touched)


@compiled
def _note_paper(paper: int, touched: Touched) -> None:
    if not touched.paper_flag[paper]:
        touched.paper_flag[paper] = True
        touched.papers[touched.counts[0]] = paper
        touched.counts[0] += 1


@compiled
def _gather_papers(
    projected: int,
    whole: Parts,
    own: Own,
    links: Links,
    standing: Standing,
    rounds: Rounds,
    threshold: float,
) -> int:
    """List the papers of the last components that have something to pass on; return how many."""
    passing = 0
    for number in range(projected):
        component = rounds.components[number]
        first, last = _places(component, whole)
        is_own = first >= standing.scores.size
        for step in range(own.home.size if is_own else last - first):
            place = own.home[step] if is_own else first + step
            paper = whole.reviews.paper[place]
            off = abs(standing.sums[paper] / links.reviews[paper] - standing.centres[paper])
            if off > threshold and not rounds.paper_flag[paper]:
                rounds.paper_flag[paper] = True
                rounds.papers[passing] = paper
                passing += 1
    return passing


@compiled
def _gather_components(passing: int, links: Links, standing: Standing, rounds: Rounds) -> int:
    """Move the centres of these papers to their means; list the components they are in."""
    waiting = 0
    for number in range(passing):
        paper = rounds.papers[number]
        rounds.paper_flag[paper] = False
        standing.centres[paper] = standing.sums[paper] / links.reviews[paper]
        for spot in range(links.paper_start[paper], links.paper_start[paper + 1]):
            component = links.component[links.paper_place[spot]]
            if not rounds.component_flag[component]:
                rounds.component_flag[component] = True
                rounds.components[waiting] = component
                waiting += 1
    for number in range(waiting):
        rounds.component_flag[rounds.components[number]] = False
    return waiting


@compiled
def _furthest(links: Links, standing: Standing, touched: Touched) -> float:
    """Return how far the mean of any touched paper is from its centre, added up anew from the scores."""
    furthest = 0.0
    for number in range(touched.counts[0]):
        paper = touched.papers[number]
        total = 0.0
        for spot in range(links.paper_start[paper], links.paper_start[paper + 1]):
            total += standing.scores[links.paper_place[spot]]
        off = abs(total / links.reviews[paper] - standing.centres[paper])
        furthest = max(furthest, off)
    return furthest
