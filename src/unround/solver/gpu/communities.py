"""Papers that share reviewers, numbered together: labels pass between papers and reviewers until most agree.

Each paper starts with its own label; then reviewers take the commonest label of their papers, papers the
commonest of their reviewers, the smallest of equally common ones, for a few rounds.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import int32

from unround.card.index import index_papers
from unround.card.launch import CardArray, cuda, for_each
from unround.card.moves import put, take
from unround.card.sorting import order_of
from unround.solver.gpu.conference import CardConference

ROUNDS = 10
# Labels that a paper or a reviewer looks at: the first ones.
LOOKED = 16


@cuda.jit
def _numbers(values: CardArray) -> None:
    k = cuda.grid(1)
    if k < values.size:
        values[k] = k


@cuda.jit(device=True)
def _commonest(labels: CardArray, count: int) -> int:
    """Return the commonest of some labels, the smallest if several are."""
    best, most = labels[0], 0
    for one in range(count):
        times = 0
        for other in range(count):
            times += 1 if labels[other] == labels[one] else 0
        if times > most or (times == most and labels[one] < best):
            best, most = labels[one], times
    return best  # type: ignore[no-any-return]


@cuda.jit
def _ask_papers(start: CardArray, paper: CardArray, label: CardArray, stated: CardArray) -> None:
    """Let each reviewer state the commonest label of their papers in every review."""
    reviewer = cuda.grid(1)
    if reviewer < start.size - 1:
        first, last = start[reviewer], start[reviewer + 1]
        labels = cuda.local.array(LOOKED, int32)
        count = min(last - first, LOOKED)
        for k in range(count):
            labels[k] = label[paper[first + k]]
        found = _commonest(labels, count)
        for k in range(first, last):
            stated[k] = found


@cuda.jit
def _ask_reviewers(
    start: CardArray, places: CardArray, stated: CardArray, label: CardArray
) -> None:
    """Let each paper take the commonest label that its reviews state."""
    paper = cuda.grid(1)
    if paper < label.size:
        first = start[paper]
        labels = cuda.local.array(LOOKED, int32)
        count = min(start[paper + 1] - first, LOOKED)
        for k in range(count):
            labels[k] = stated[places[first + k]]
        if count > 0:
            label[paper] = _commonest(labels, count)


class Renumbered(NamedTuple):
    """A conference whose papers are numbered by community, and the way back."""

    conference: CardConference
    paper: CardArray  # the original number of each new one

    def put_back(self, values: CardArray) -> CardArray:
        """Return values, one per paper, in the order of the original numbers."""
        placed = cuda.device_array(values.size, dtype=values.dtype)
        for_each(put, values.size, self.paper, values, placed)
        return placed


def communities(conference: CardConference) -> CardArray:
    """Return a label for each paper: papers of a community share it, as far as the rounds find them."""
    index = index_papers(conference.paper, conference.papers)
    label = cuda.device_array(conference.papers, dtype=np.int32)
    stated = cuda.device_array(conference.paper.size, dtype=np.int32)
    for_each(_numbers, label.size, label)
    for _ in range(ROUNDS):
        for_each(
            _ask_papers, conference.start.size - 1,
            conference.start, conference.paper, label, stated,
        )  # fmt: skip
        for_each(_ask_reviewers, label.size, index.start, index.places, stated, label)
    return label


def renumber(conference: CardConference) -> Renumbered:
    """Number papers by community, otherwise in the order in which they were."""
    order = order_of(communities(conference), conference.papers - 1)
    number = cuda.device_array(conference.papers, dtype=np.int32)
    new = cuda.device_array(conference.papers, dtype=np.int32)
    for_each(_numbers, number.size, number)
    for_each(put, order.size, order, number, new)
    paper = cuda.device_array(conference.paper.size, dtype=np.int32)
    for_each(take, paper.size, conference.paper, new, paper)
    return Renumbered(conference._replace(paper=paper), order)
