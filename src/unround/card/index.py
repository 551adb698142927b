"""Which reviews on the card are whose: sorted by paper, in one fixed order."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from unround.arrays import IntArray, stable_order
from unround.card.extents import extent
from unround.card.launch import CardArray, cuda, for_each

# Papers with more reviews are added up by a whole block.
MANY = 1024
# Entries of a prefix sum that one thread adds up.
CHUNK = 256


class PaperIndex(NamedTuple):
    """The places of every paper's reviews, ascending."""

    start: CardArray  # one more than there are papers
    places: CardArray
    many: CardArray  # papers with many reviews


@cuda.jit
def _clear(count: CardArray) -> None:
    k = cuda.grid(1)
    if k < count.size:
        count[k] = 0


@cuda.jit
def _count(paper: CardArray, count: CardArray) -> None:
    k = cuda.grid(1)
    if k < paper.size:
        cuda.atomic.add(count, paper[k], 1)


@cuda.jit
def _chunk_sums(count: CardArray, sums: CardArray) -> None:
    chunk = cuda.grid(1)
    if chunk < sums.size:
        total = 0
        for k in range(chunk * CHUNK, min((chunk + 1) * CHUNK, count.size)):
            total += count[k]
        sums[chunk] = total


@cuda.jit
def _chunk_starts(count: CardArray, before: CardArray, start: CardArray, filled: CardArray) -> None:
    chunk = cuda.grid(1)
    if chunk < before.size:
        total = before[chunk]
        for k in range(chunk * CHUNK, min((chunk + 1) * CHUNK, count.size)):
            here = count[k]
            start[k] = filled[k] = total
            total += here
        if chunk == before.size - 1:
            start[count.size] = total


@cuda.jit
def _fill(paper: CardArray, filled: CardArray, places: CardArray) -> None:
    k = cuda.grid(1)
    if k < paper.size:
        places[cuda.atomic.add(filled, paper[k], 1)] = k


@cuda.jit
def _sort(start: CardArray, places: CardArray) -> None:
    """Sort the places of each paper: threads filled them in as they came."""
    paper = cuda.grid(1)
    if paper < start.size - 1:
        first = start[paper]
        for k in range(first + 1, start[paper + 1]):
            place, spot = places[k], k
            while spot > first and places[spot - 1] > place:
                places[spot] = places[spot - 1]
                spot -= 1
            places[spot] = place


def index_papers(paper: CardArray, papers: int) -> PaperIndex:
    """Sort places by paper, without a copy to the host unless a paper has very many reviews."""
    filled = cuda.device_array(papers, dtype=np.int32)
    for_each(_clear, papers, filled)
    for_each(_count, paper.size, paper, filled)
    many = np.zeros(0, dtype=np.int32)
    if extent(filled)[1] > MANY:
        many = np.flatnonzero(filled.copy_to_host() > MANY).astype(np.int32)
    start = cuda.device_array(papers + 1, dtype=np.int32)
    prefix_sums(filled, start)
    if many.size:
        places = cuda.to_device(stable_order(paper.copy_to_host().astype(np.int64)))
    else:
        places = cuda.device_array(paper.size, dtype=np.int32)
        for_each(_fill, paper.size, paper, filled, places)
        for_each(_sort, papers, start, places)
    return PaperIndex(start, places, cuda.to_device(many))


def prefix_sums(count: CardArray, start: CardArray) -> int:
    """Write where each group starts, to `start` and over the counts too; return the end of the last."""
    sums = cuda.device_array((count.size + CHUNK - 1) // CHUNK, dtype=np.int64)
    for_each(_chunk_sums, sums.size, count, sums)
    totals: IntArray = sums.copy_to_host()
    before = cuda.to_device(np.cumsum(totals) - totals)
    for_each(_chunk_starts, sums.size, count, before, start, count)
    return int(totals.sum())
