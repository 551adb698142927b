"""Reviews that lie on the card as arrays -> a layout there: rank lists become chains, thread by thread."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from unround.arrays import FloatArray, IntArray
from unround.card.extents import extent
from unround.card.index import index_papers
from unround.card.launch import CardArray, cuda, for_each
from unround.card.moves import put, take
from unround.errors import UsageError
from unround.solver.gpu.chains import CardChains, CardReviews
from unround.solver.gpu.layout import CardLayout, length_class

# Cells that rounding alone closes are open: chains are tightened with the same allowance.
ROUNDING = 1e-12


class CardConference(NamedTuple):
    """Reviews on the card, those of a reviewer one after the other."""

    start: CardArray  # int32: where each reviewer's reviews start, and the end
    paper: CardArray  # int32
    level: CardArray  # uint8: the position of the score on the scale, worst = 0
    worth: CardArray  # uint8: the place in the reviewer's ranking, worst = 0, ties alike
    papers: int


class Grouped(NamedTuple):
    """A conference made of rows in any order, and the row of each of its reviews."""

    conference: CardConference
    row: CardArray


@cuda.jit
def _count_repeated(start: CardArray, paper: CardArray, count: CardArray) -> None:
    """Count the reviews of a paper that its reviewer has reviewed before."""
    reviewer = cuda.grid(1)
    if reviewer < start.size - 1:
        for k in range(start[reviewer], start[reviewer + 1]):
            for before in range(start[reviewer], k):
                if paper[before] == paper[k]:
                    cuda.atomic.add(count, 0, 1)
                    break


def group(
    reviewer: CardArray,
    reviewers: int,
    paper: CardArray,
    papers: int,
    level: CardArray,
    worth: CardArray,
) -> Grouped:
    """Put rows in the order of reviewers. Raise UsageError where one reviewed a paper twice."""
    index = index_papers(reviewer, reviewers)
    in_order = [cuda.device_array(each.size, dtype=each.dtype) for each in (paper, level, worth)]
    for values, taken in zip((paper, level, worth), in_order, strict=True):
        for_each(take, values.size, index.places, values, taken)
    conference = CardConference(index.start, in_order[0], in_order[1], in_order[2], papers)
    count = cuda.to_device(np.zeros(1, dtype=np.int32))
    for_each(_count_repeated, reviewers, conference.start, conference.paper, count)
    repeated = int(count.copy_to_host()[0])
    if repeated:
        raise UsageError(
            f"{repeated} reviews are of a paper that the same reviewer has reviewed before: keep one of them"
        )
    return Grouped(conference, index.places)


@cuda.jit
def _arrange(start: CardArray, worth: CardArray, member: CardArray, height: CardArray) -> None:
    """Sort each reviewer's reviews, worst first, and number their levels."""
    reviewer = cuda.grid(1)
    if reviewer < start.size - 1:
        first = start[reviewer]
        for k in range(first, start[reviewer + 1]):
            spot = k
            while spot > first and worth[member[spot - 1]] > worth[k]:
                member[spot] = member[spot - 1]
                spot -= 1
            member[spot] = k
        level = 0
        for k in range(first, start[reviewer + 1]):
            if k > first and worth[member[k]] != worth[member[k - 1]]:
                level += 1
            height[k] = level


@cuda.jit
def _sizes(start: CardArray, sizes: CardArray) -> None:
    reviewer = cuda.grid(1)
    if reviewer < sizes.size:
        sizes[reviewer] = start[reviewer + 1] - start[reviewer]


@cuda.jit
def _recode(level: CardArray, table: CardArray, code: CardArray) -> None:
    k = cuda.grid(1)
    if k < level.size:
        code[k] = table[level[k]]


@cuda.jit
def _without_room(
    start: CardArray,
    code: CardArray,
    height: CardArray,
    cells: CardArray,
    gap: float,
    count: CardArray,
) -> None:
    """Count the reviewers whose statements cannot all hold in their cells."""
    reviewer = cuda.grid(1)
    if reviewer < start.size - 1:
        highest = passed = -np.inf
        for k in range(start[reviewer], start[reviewer + 1]):
            if k > start[reviewer] and height[k] != height[k - 1]:
                highest = passed
            shift = height[k] * gap
            passed = max(passed, cells[1, code[k]] - shift)
            if highest + shift > cells[2, code[k]] + ROUNDING:
                cuda.atomic.add(count, 0, 1)
                break


class Arranged(NamedTuple):
    """A layout, and the review at each of its places."""

    layout: CardLayout
    member: CardArray


def arrange(
    conference: CardConference, worth: CardArray, code: CardArray, cells: FloatArray, gap: float
) -> Arranged:
    """Lay out the reviews in the order of `worth`, with cells by code. Raise UsageError without room."""
    reviews = conference.paper.size
    member = cuda.device_array(reviews, dtype=np.int32)
    height = cuda.device_array(reviews, dtype=np.uint8)
    for_each(_arrange, conference.start.size - 1, conference.start, worth, member, height)
    paper = cuda.device_array(reviews, dtype=np.int32)
    for_each(take, reviews, member, conference.paper, paper)
    placed = cuda.device_array(reviews, dtype=np.uint8)
    for_each(take, reviews, member, code, placed)
    table = cuda.to_device(cells)
    _check_room(conference.start, placed, height, table, gap)
    reviewers = conference.start.size - 1
    sizes = cuda.device_array(reviewers, dtype=np.int32)
    for_each(_sizes, reviewers, conference.start, sizes)
    shortest, longest = (int(end) for end in extent(sizes))
    chains = CardChains(conference.start, height, cuda.to_device(np.array([gap])))
    layout = CardLayout(
        CardReviews(placed, paper, table),
        chains,
        (length_class(shortest, longest, 0, reviewers),),
        None,
        (reviews, reviews),
        index_papers(paper, conference.papers),
    )
    return Arranged(layout, member)


def in_order_of_reviews(arranged: Arranged, values: CardArray) -> CardArray:
    """Return values, one per place of the layout, in the order of the conference."""
    placed = cuda.device_array(values.size, dtype=values.dtype)
    for_each(put, values.size, arranged.member, values, placed)
    return placed


def in_order_of_places(arranged: Arranged, values: CardArray) -> CardArray:
    """Return values, one per review of the conference, in the order of the layout."""
    taken = cuda.device_array(values.size, dtype=values.dtype)
    for_each(take, values.size, arranged.member, values, taken)
    return taken


def recoded(level: CardArray, table: IntArray) -> CardArray:
    """Return for each level the code that a table gives it."""
    code = cuda.device_array(level.size, dtype=np.uint8)
    for_each(_recode, level.size, level, cuda.to_device(table.astype(np.uint8)), code)
    return code


def _check_room(
    start: CardArray, code: CardArray, height: CardArray, cells: CardArray, gap: float
) -> None:
    count = cuda.to_device(np.zeros(1, dtype=np.int32))
    for_each(_without_room, start.size - 1, start, code, height, cells, gap, count)
    found = int(count.copy_to_host()[0])
    if found:
        raise UsageError(
            f"the rankings of {found} reviewers contradict their scores or have no room between them: "
            "settle them first, as unround.dequantize does with tables"
        )
