"""Small problems -> arrays on the card, side by side, for solves that run one block of threads each.

Places, chains and papers of a part follow each other and are counted from its first. A review in no
comparison is a chain of its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from unround.arrays import FloatArray, IntArray, group_starts, stable_order
from unround.card.launch import cuda
from unround.problem.model import Problem
from unround.solver.gpu.chains import LONGEST_OWN
from unround.solver.gpu.layout import coded_cells, groups_in_order, narrowed


class CardParts(NamedTuple):
    """The parts on the card. Starts have one more entry per part than the part has groups."""

    first_place: Any  # one per part, and the end
    first_chain: Any
    first_paper: Any
    code: Any  # one per place
    paper: Any
    owner: Any  # one per place: its reviewer
    height: Any
    cells: Any
    chain_start: Any
    gap: Any  # one per chain
    paper_start: Any
    place: Any  # the places of every paper, ascending


@dataclass(frozen=True)
class Parts:
    """Problems on the card, and what the host needs to know about them."""

    on_card: CardParts
    review: IntArray  # the review of its part at each place
    first_place: IntArray
    first_paper: IntArray
    longest: int  # chain
    largest: float  # end of a cell


def fits(problem: Problem) -> bool:
    """Tell whether a problem can be a part: papers in levels alone, in chains that one thread can hold."""
    sizes = np.diff(problem.chains.start)
    return problem.posets.member.size == 0 and int(sizes.max(initial=1)) <= LONGEST_OWN


def lay_out_parts(problems: Sequence[Problem], owners: Sequence[IntArray] | None = None) -> Parts:
    """Send problems to the card; `owners` has the reviewer of each review."""
    first_place = _firsts([len(problem) for problem in problems])
    first_paper = _firsts([problem.papers for problem in problems])
    chains = _all_in_chains(problems, first_place)
    reviews, review = np.diff(first_place), chains.member
    given, lower, upper, paper = (
        np.concatenate([getattr(problem, name) for problem in problems])[review]
        for name in ("given", "lower", "upper", "paper")
    )
    paper_of_all = paper + np.repeat(first_paper[:-1], reviews)
    starts = group_starts(paper_of_all, int(first_paper[-1]))
    cells, code = coded_cells(given, lower, upper)
    before = np.repeat(first_place[:-1], reviews)
    owner = np.zeros(0, dtype=np.int64) if owners is None else np.concatenate(owners)[review]
    on_card = CardParts(
        first_place=_sent(first_place),
        first_chain=_sent(chains.first),
        first_paper=_sent(first_paper),
        code=cuda.to_device(code),
        paper=_sent(paper),
        owner=_sent(owner),
        height=cuda.to_device(narrowed(chains.height)),
        cells=cuda.to_device(cells),
        chain_start=_sent(_by_part(chains.start, chains.first, first_place)),
        gap=cuda.to_device(chains.gap),
        paper_start=_sent(_by_part(starts, first_paper, first_place)),
        place=_sent(stable_order(paper_of_all) - before),  # a paper's reviews are of its part
    )
    longest, largest = int(np.diff(chains.start).max()), float(np.abs(cells[1:]).max())
    return Parts(on_card, review - before, first_place, first_paper, longest, largest)


class _Chained(NamedTuple):
    """Chains of all parts, part after part."""

    first: IntArray  # chain of each part
    start: IntArray
    member: IntArray
    height: IntArray
    gap: FloatArray


def _all_in_chains(problems: Sequence[Problem], first_place: IntArray) -> _Chained:
    """Return all reviews in chains, short ones first: neighbouring threads then end alike."""
    stated = [problem.chains for problem in problems]
    sizes = np.concatenate([np.diff(chains.start) for chains in stated])
    count = [chains.start.size - 1 for chains in stated]
    members = [chains.member.size for chains in stated]
    member = np.concatenate([chains.member for chains in stated])
    member = member + np.repeat(first_place[:-1], members)
    single = np.ones(int(first_place[-1]), dtype=np.bool_)
    single[member] = False
    alone = np.flatnonzero(single)
    sizes = np.concatenate([sizes, np.ones(alone.size, dtype=np.int64)])
    part = np.concatenate(
        [
            np.repeat(np.arange(len(stated)), count),
            np.searchsorted(first_place, alone, side="right") - 1,
        ]
    )
    order = np.lexsort((sizes, part))
    start, items = groups_in_order(np.concatenate([[0], np.cumsum(sizes)]), order)
    height = np.concatenate([chains.height for chains in stated]).astype(np.int64)
    gap = np.concatenate([chains.gap for chains in stated])
    return _Chained(
        first=_firsts(np.bincount(part, minlength=len(stated))),
        start=start,
        member=np.concatenate([member, alone])[items],
        height=np.concatenate([height, np.zeros(alone.size, dtype=np.int64)])[items],
        gap=np.concatenate([gap, np.zeros(alone.size)])[order],
    )


def _by_part(start: IntArray, first: IntArray, first_place: IntArray) -> IntArray:
    """Return the starts of each part's groups, and their end, counted from the part's first place."""
    groups = np.diff(first) + 1
    places = np.arange(groups.sum()) - np.repeat(np.arange(groups.size), groups)
    counted: IntArray = start[places] - np.repeat(first_place[:-1], groups)
    return counted


def _firsts(sizes: Sequence[int] | IntArray) -> IntArray:
    return np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)


def _sent(numbers: IntArray) -> Any:
    return cuda.to_device(numbers.astype(np.int32))
