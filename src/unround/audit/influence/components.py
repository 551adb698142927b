"""One reviewer's part of a problem -> components in sweep order, to be exchanged for those they had."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from unround.arrays import FloatArray, IntArray, ShortArray, freeze
from unround.audit.influence.kernels.largest_move import Room
from unround.audit.influence.kernels.local_solver import Own, Parts
from unround.audit.influence.one_reviewer import Levels, Orders, Part
from unround.problem.orders import Component, members
from unround.solver.kernels.arguments import SweptChains, SweptPosets, SweptReviews
from unround.solver.kernels.chains import tighten_chains
from unround.solver.layout import Layout, Scratch, lay_out


class OwnParts:
    """Makes the components of single reviewers ready."""

    def __init__(self, paper: ShortArray, place: IntArray) -> None:
        self._paper, self._place = paper, place
        self._scratch = Scratch.enough_for(1, 0, 1)
        self._rooms: dict[int, Room] = {}

    def of(self, first: int, part: Part) -> Own:
        """Return the components of a reviewer whose first review is `first`."""
        if isinstance(part, Levels):
            order = part.height.argsort(kind="stable")
            return self._own(first, part, order, (0, order.size), part.height[order])
        if isinstance(part, Orders):
            return self._of_orders(first, part)
        layout = lay_out(part)
        parts, review = parts_of(layout), first + layout.review
        parts = parts._replace(reviews=parts.reviews._replace(paper=self._paper[review]))
        return Own(parts, self._place[review], np.empty(review.size))

    def room(self, size: int, papers: int) -> Room:
        """Return where changes of so many reviews in levels are laid out one after the other."""
        if size not in self._rooms:
            height = np.zeros(size, dtype=np.int32)
            frozen, start = height.view(), np.array([0, size])
            freeze(frozen, start)  # kernels are compiled for one kind of array, read-only or not
            given, lower, upper = (np.zeros(size) for _ in range(3))
            scratch = Scratch.enough_for(size, 0, 1)
            parts = Parts(
                SweptReviews(given, np.zeros(size, dtype=np.int32), lower, upper),
                SweptChains(start, frozen, np.zeros(size)),
                _swept_posets(size, (), 0.0),
                scratch.chains,
                scratch.posets,
            )
            own = Own(parts, np.zeros(size, dtype=np.int64), np.zeros(size))
            order = np.zeros(size, dtype=np.int64)
            self._rooms[size] = Room(own, height, order, np.zeros(papers))
        return self._rooms[size]

    def _of_orders(self, first: int, part: Orders) -> Own:
        order, start, height = list[int](), [0], list[int]()
        left = set(part.sequence)
        for component in part.components:
            if component.levels is not None:
                for number, level in enumerate(component.levels):
                    order += [part.sequence[place] for place in members(level)]
                    height += [number] * level.bit_count()
                start.append(len(order))
        posets = [component for component in part.components if component.levels is None]
        swept = _swept_posets(len(order), posets, part.gap)
        for component in posets:
            order += [part.sequence[place] for place in members(component.places)]
        order += sorted(left.difference(order))
        return self._own(
            first, part, np.array(order), tuple(start), np.array(height, dtype=np.int64), swept
        )

    def _own(
        self,
        first: int,
        part: Levels | Orders,
        order: IntArray,
        starts: tuple[int, ...],
        heights: IntArray,
        posets: SweptPosets | None = None,
    ) -> Own:
        """Return the components of reviews in sweep order: chains, posets, single ones."""
        review, given = first + order, part.given[order]
        height, start = heights.astype(np.int32), np.array(starts)
        freeze(height, start)  # kernels are compiled for one kind of array, read-only or not
        shift: FloatArray = height.astype(np.float64) * part.gap
        lower, upper = part.lower[order], part.upper[order]
        tighten_chains(start, height, shift, lower, upper)
        posets = _swept_posets(order.size, (), part.gap) if posets is None else posets
        scratch = self._enough(order.size, posets.gap.size + 2 * order.size)
        parts = Parts(
            SweptReviews(given, self._paper[review], lower, upper),
            SweptChains(start, height, shift),
            posets,
            scratch.chains,
            scratch.posets,
        )
        return Own(parts, self._place[review], np.empty(order.size))

    def _enough(self, reviews: int, edges: int) -> Scratch:
        chains, posets = self._scratch.chains, self._scratch.posets
        if chains.numbers.shape[1] < reviews or posets.edge_places.shape[1] < edges:
            self._scratch = Scratch.enough_for(2 * reviews, 2 * edges, 2 * reviews + 1)
        return self._scratch


def parts_of(layout: Layout) -> Parts:
    """Return the components of a layout with working space."""
    scratch = layout.scratch[0]
    return Parts(layout.reviews, layout.chains, layout.posets, scratch.chains, scratch.posets)


def _swept_posets(first: int, components: Sequence[Component], gap: float) -> SweptPosets:
    """Return posets whose members follow each other from place `first` on."""
    start, pair_start, pairs = [first], [0], list[tuple[int, int]]()
    for component in components:
        number = {place: one for one, place in enumerate(members(component.places))}
        pairs += [(number[above], number[below]) for above, below in component.pairs]
        start.append(start[-1] + len(number))
        pair_start.append(len(pairs))
    above_below = np.array(pairs, dtype=np.int64).reshape(-1, 2)
    starts, gaps = np.array(pair_start), np.full(len(pairs), gap)
    freeze(starts, gaps)
    return SweptPosets(
        np.array(start),
        starts,
        above_below[:, 0].copy(),
        above_below[:, 1].copy(),
        gaps,
        np.zeros(len(pairs) + 2 * (start[-1] - first), dtype=np.bool_),
    )
