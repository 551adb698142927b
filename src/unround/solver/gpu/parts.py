"""Small problems -> arrays on the card, side by side, for solves that run one block of threads each.

Places, chains and papers of a part follow each other and are counted from its first. A review in no
comparison is a chain of its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from unround.arrays import IntArray, ShortArray, group_starts, stable_order
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
    chained = [_as_chains(problem) for problem in problems]
    first_place = _firsts([len(problem) for problem in problems])
    first_paper = _firsts([problem.papers for problem in problems])
    first_chain = _firsts([chains.start.size - 1 for chains in chained])
    review = np.concatenate([chains.member for chains in chained])
    within = np.concatenate([np.arange(chains.member.size) for chains in chained])
    at = review + np.repeat(first_place[:-1], np.diff(first_place))
    given, lower, upper, paper = (
        np.concatenate([getattr(problem, name) for problem in problems])[at]
        for name in ("given", "lower", "upper", "paper")
    )
    owner = np.zeros(0, dtype=np.int32) if owners is None else np.concatenate(owners)[at]
    by_paper = stable_order(paper + np.repeat(first_paper[:-1], np.diff(first_place)))
    counts = [group_starts(problem.paper, problem.papers) for problem in problems]
    cells, code = coded_cells(given, lower, upper)
    on_card = CardParts(
        first_place=_sent(first_place),
        first_chain=_sent(first_chain),
        first_paper=_sent(first_paper),
        code=cuda.to_device(code),
        paper=_sent(paper),
        owner=_sent(owner),
        height=cuda.to_device(narrowed(np.concatenate([chains.height for chains in chained]))),
        cells=cuda.to_device(cells),
        chain_start=_sent(np.concatenate([chains.start for chains in chained])),
        gap=cuda.to_device(np.concatenate([chains.gap for chains in chained])),
        paper_start=_sent(np.concatenate(counts)),
        place=_sent(within[by_paper]),
    )
    longest = max(int(np.diff(chains.start).max()) for chains in chained)
    return Parts(on_card, review, first_place, first_paper, longest, float(np.abs(cells[1:]).max()))


class _Chained(NamedTuple):
    start: IntArray
    member: IntArray
    height: IntArray
    gap: Any


def _as_chains(problem: Problem) -> _Chained:
    """Return all reviews of a problem in chains, short ones first: neighbouring threads then end alike."""
    chains = problem.chains
    single = np.ones(len(problem), dtype=np.bool_)
    single[chains.member] = False
    alone = np.flatnonzero(single)
    start = np.concatenate([chains.start, chains.start[-1] + 1 + np.arange(alone.size)])
    member = np.concatenate([chains.member, alone])
    height = np.concatenate([chains.height, np.zeros(alone.size, dtype=chains.height.dtype)])
    gap = np.concatenate([chains.gap, np.zeros(alone.size)])
    order = np.argsort(np.diff(start), kind="stable")
    placed, items = groups_in_order(start, order)
    return _Chained(placed, member[items], height[items], gap[order])


def _firsts(sizes: Sequence[int]) -> IntArray:
    return np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)


def _sent(numbers: IntArray | ShortArray) -> Any:
    return cuda.to_device(numbers.astype(np.int32))
