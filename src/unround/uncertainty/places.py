"""Draws of paper effects -> places, over all papers or within tracks, and their distribution in few rows."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from unround.arrays import FloatArray, IntArray
from unround.compiler import compiled

PlaceArray = NDArray[np.unsignedinteger | np.signedinteger]
DRAWS_AT_ONCE = 64  # draws whose places are computed together
PAPERS_AT_ONCE = 1024  # papers whose draws are summarised together
RESOLUTION = 0.01  # how far a share may be from the draws, between two rows of the table


class EffectSummary(NamedTuple):
    """Mean, standard deviation and quantiles of each paper's effect."""

    mean: FloatArray
    sd: FloatArray
    low: FloatArray
    high: FloatArray


def effect_summary(draws: NDArray[np.float32], low: float, high: float) -> EffectSummary:
    """Summarise draws × papers, some papers at a time: all in double precision would take much memory."""
    columns = np.empty((4, draws.shape[1]))
    for first in range(0, draws.shape[1], PAPERS_AT_ONCE):
        block = draws[:, first : first + PAPERS_AT_ONCE].astype(np.float64)
        columns[:2, first : first + PAPERS_AT_ONCE] = block.mean(axis=0), block.std(axis=0)
        columns[2:, first : first + PAPERS_AT_ONCE] = np.quantile(block, (low, high), axis=0)
    return EffectSummary(*columns)


def places_of(effects: NDArray[np.floating]) -> IntArray:
    """Return the place of each paper in each draw, 1 for the largest effect."""
    order = np.argsort(-effects, axis=1, kind="stable")
    places = np.empty(order.shape, dtype=np.int64)
    np.put_along_axis(places, order, np.arange(1, order.shape[1] + 1)[None, :], axis=1)
    return places


def sorted_places(draws: NDArray[np.float32], groups: IntArray | None = None) -> PlaceArray:
    """Return papers × draws: each paper's places, best first; within its group where there are groups."""
    papers = draws.shape[1]
    kind = np.uint16 if papers <= np.iinfo(np.uint16).max else np.int32
    places = np.empty((papers, draws.shape[0]), dtype=kind)
    whole = np.zeros(papers, dtype=np.int64) if groups is None else groups
    for group in np.unique(whole):
        members = np.flatnonzero(whole == group)
        for first in range(0, draws.shape[0], DRAWS_AT_ONCE):
            block = draws[first : first + DRAWS_AT_ONCE, members]
            places[members, first : first + DRAWS_AT_ONCE] = places_of(block).T
    places.sort(axis=1)
    return places


def place_shares(places: PlaceArray) -> tuple[IntArray, IntArray, IntArray]:
    """Return the cumulative distribution of each row of sorted places by few of its points.

    The points of paper p are start[p]:start[p+1]; each is a place and the number of draws at that place
    or a better one. A straight line between two points is off by at most RESOLUTION at every place,
    and on the right side of a tenth and of nine tenths: which papers are too close to call is
    exact at any line.
    """
    most = RESOLUTION * places.shape[1]
    sizes = np.zeros(places.shape[0] + 1, dtype=np.int64)
    nothing = np.empty(0, dtype=np.int64)
    _all_points(places, most, sizes, nothing, nothing)
    start = np.cumsum(sizes)
    place, count = np.empty(start[-1], dtype=np.int64), np.empty(start[-1], dtype=np.int64)
    _all_points(places, most, start, place, count)
    return start, place, count


@compiled
def _all_points(
    places: PlaceArray, most: float, start: IntArray, place: IntArray, count: IntArray
) -> None:
    """Write the points of each row; where `place` is empty, write how many they are into start[1:]."""
    for row in range(places.shape[0]):
        first = start[row] if place.size else 0
        size = _points(places[row], most, first, place, count)
        if not place.size:
            start[row + 1] = size


@compiled
def _points(row: PlaceArray, most: float, first: int, place: IntArray, count: IntArray) -> int:
    """Take the longest chords that stay within `most` draws of the distribution; return their number."""
    here, last, below, size = int(row[0]) - 1, int(row[-1]), 0, 0
    # The first place with a tenth of the draws and the last with at most nine tenths, and those beside.
    tenth = int(np.int64(row[(row.size + 9) // 10 - 1]))
    ninth = int(np.int64(row[9 * row.size // 10])) - 1
    stops = (tenth - 1, tenth, ninth, ninth + 1)
    while True:
        if place.size:
            place[first + size], count[first + size] = here, below
        size += 1
        if here == last:
            return size
        # A chord from here may rise by between `low` and `high` draws per place.
        low, high, at, reached = -np.inf, np.inf, here, below
        end, end_count = here, below
        until = last
        for stop in stops:
            if here < stop < until:
                until = stop
        while at < until and low <= high:
            at += 1
            while reached < row.size and row[reached] <= at:
                reached += 1
            slope = (reached - below) / (at - here)
            if low <= slope <= high:
                end, end_count = at, reached
            low = max(low, slope - most / (at - here))
            high = min(high, slope + most / (at - here))
        here, below = end, end_count
