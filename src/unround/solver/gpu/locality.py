"""Reviewers in the order of one of their papers, so that what a sweep fetches lies closer together.

Of the papers of a reviewer, the one with the smallest number is then fetched in order, and so are its
scores when the mean is taken; only the other papers of the reviewer are fetched from anywhere: from
their community, where papers are numbered by community first.
"""

from __future__ import annotations

import numpy as np

from unround.card.index import index_papers
from unround.card.launch import CardArray, cuda, for_each
from unround.solver.gpu.batch import copied
from unround.solver.gpu.communities import renumber
from unround.solver.gpu.conference import CardConference


@cuda.jit
def _first_papers(start: CardArray, paper: CardArray, first: CardArray) -> None:
    reviewer = cuda.grid(1)
    if reviewer < first.size:
        least = paper[start[reviewer]]
        for k in range(start[reviewer] + 1, start[reviewer + 1]):
            least = min(least, paper[k])
        first[reviewer] = least


@cuda.jit
def _put_back(
    order: CardArray,
    start: CardArray,
    new_start: CardArray,
    values: CardArray,
    placed: CardArray,
) -> None:
    """Copy the values of one reviewer to where their reviews were."""
    place = cuda.grid(1)
    if place < order.size:
        first = start[order[place]]
        for k in range(new_start[place], new_start[place + 1]):
            placed[first + k - new_start[place]] = values[k]


class Reordered:
    """A conference in the order of papers, and the way back. Every reviewer has a review."""

    def __init__(self, conference: CardConference, *, by_community: bool = False) -> None:
        self._original = conference
        self._renumbered = renumber(conference) if by_community else None
        if self._renumbered is not None:
            conference = self._renumbered.conference
        first = cuda.device_array(conference.start.size - 1, dtype=np.int32)
        for_each(_first_papers, first.size, conference.start, conference.paper, first)
        self._order = index_papers(first, conference.papers).places
        self.conference = copied(conference, self._order, 1, int(first.size))

    def put_back(self, values: CardArray) -> CardArray:
        """Return values, one per review, in the order of the original conference."""
        placed = cuda.device_array(values.size, dtype=values.dtype)
        for_each(
            _put_back, self._order.size,
            self._order, self._original.start, self.conference.start, values, placed,
        )  # fmt: skip
        return placed

    def papers_put_back(self, values: CardArray) -> CardArray:
        """Return values, one per paper, in the order of the original conference."""
        return values if self._renumbered is None else self._renumbered.put_back(values)
