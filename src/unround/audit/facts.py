"""Facts that a run rests on, each changed a little: scores moved by a level, comparisons swapped."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from unround.reviews.review_set import ReviewSet


@dataclass(frozen=True)
class Fact:
    """A change of the input: the reviews it is about, and the input after it."""

    reviews: tuple[int, ...]
    after: ReviewSet


class Facts:
    """All facts of an input by number. Each is made when it is asked for: it holds a whole input."""

    def __init__(self, reviews: ReviewSet) -> None:
        self._reviews = reviews
        self._scores = len(reviews) if len(reviews.scale.levels) > 1 else 0
        self._neighbours = _neighbours(reviews)

    def __len__(self) -> int:
        return self._scores + len(self._neighbours) + self._reviews.statements.better.size

    def __getitem__(self, number: int) -> Fact:
        if number < self._scores:
            return self._moved(number)
        number -= self._scores
        if number < len(self._neighbours):
            return self._swapped(*self._neighbours[number])
        return self._turned(number - len(self._neighbours))

    def chosen(self, sample: int | None, seed: int) -> list[int]:
        """Return the numbers of all facts, or of some by chance."""
        if sample is None:
            return list(range(len(self)))
        return sorted(np.random.default_rng(seed).permutation(len(self))[:sample].tolist())

    def _moved(self, review: int) -> Fact:
        """A score a level higher, or lower where it is the highest."""
        level = self._reviews.level.copy()
        level[review] += 1 if level[review] < len(self._reviews.scale.levels) - 1 else -1
        return Fact((review,), replace(self._reviews, level=level))

    def _swapped(self, above: int, below: int) -> Fact:
        """Two neighbours in a ranking the other way round."""
        said = self._reviews.statements
        rank = said.rank.copy()
        rank[[above, below]] = rank[[below, above]]
        return Fact((above, below), self._reviews.with_statements(replace(said, rank=rank)))

    def _turned(self, pair: int) -> Fact:
        """A stated pair the other way round."""
        said = self._reviews.statements
        better, worse = said.better.copy(), said.worse.copy()
        better[pair], worse[pair] = worse[pair], better[pair]
        after = self._reviews.with_statements(replace(said, better=better, worse=worse))
        return Fact((int(better[pair]), int(worse[pair])), after)


def _neighbours(reviews: ReviewSet) -> list[tuple[int, int]]:
    """Return the reviews that follow each other in a ranking, one pair per change of rank."""
    rank = reviews.statements.rank
    ranked = np.flatnonzero(~np.isnan(rank))
    order = ranked[np.lexsort((rank[ranked], reviews.reviewer[ranked]))]
    first, second = order[:-1], order[1:]
    follow = (reviews.reviewer[first] == reviews.reviewer[second]) & (rank[first] < rank[second])
    return list(zip(first[follow].tolist(), second[follow].tolist(), strict=True))
