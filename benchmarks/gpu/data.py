"""Conferences drawn on the GPU: every paper has as many reviews as a reviewer has papers.

Draws are hashes of what they are for, so that a conference depends on its seed alone.
"""

from __future__ import annotations

import math

from numba import float64, uint8, uint64

from unround.gpu.conference import GpuConference
from unround.gpu.launch import GpuArray, cuda, for_each, xp

LOAD = 4
NOISE = 0.5
MOST_LEVEL = 10


@cuda.jit(device=True)
def _hash(value: int) -> int:
    """Mix the bits of a number (the finalizer of splitmix64)."""
    value = uint64(value) + uint64(0x9E3779B97F4A7C15)
    value = (value ^ (value >> uint64(30))) * uint64(0xBF58476D1CE4E5B9)
    value = (value ^ (value >> uint64(27))) * uint64(0x94D049BB133111EB)
    return value ^ (value >> uint64(31))


@cuda.jit(device=True)
def _uniform(value: int) -> float:
    return (float64(_hash(value) >> uint64(11)) + 0.5) / 9007199254740992.0


@cuda.jit(device=True)
def _permuted(place: int, count: int, bits: int, key: int) -> int:
    """Send a number below `count` to another one, each to a different one."""
    mask = (uint64(1) << uint64(bits)) - uint64(1)
    value = uint64(place)
    while True:
        for step in range(3):
            value = (value * (_hash(key + step) | uint64(1)) + _hash(key + 7 + step)) & mask
            value ^= value >> uint64((bits + 1) // 2)
        if value < uint64(count):
            return value


@cuda.jit
def _draw(
    papers: int,
    bits: int,
    seed: int,
    start: GpuArray,
    paper: GpuArray,
    level: GpuArray,
    worth: GpuArray,
) -> None:
    """Give one reviewer papers, opinions on them, and the ranking that follows."""
    reviewer = cuda.grid(1)
    if reviewer >= start.size - 1:
        return
    opinion = cuda.local.array(LOAD, float64)
    start[reviewer] = reviewer * LOAD
    if reviewer == start.size - 2:
        start[reviewer + 1] = paper.size
    for k in range(LOAD):
        place = reviewer * LOAD + k
        own = _permuted(place % papers, papers, bits, seed + 100 * (place // papers))
        key = uint64(seed) * uint64(0x100000001)
        paper[place] = own
        quality = 1.0 + 8.0 * _uniform(key + uint64(4) * uint64(own))
        one = _uniform(key + uint64(1 << 62) + uint64(2) * uint64(place))
        other = _uniform(key + uint64(1 << 62) + uint64(2) * uint64(place) + uint64(1))
        normal = math.sqrt(-2.0 * math.log(one)) * math.cos(2.0 * math.pi * other)
        opinion[k] = min(max(quality + NOISE * normal, 0.0), float64(MOST_LEVEL))
        level[place] = uint8(round(opinion[k]))
    for k in range(LOAD):
        below = 0
        for other_paper in range(LOAD):
            if opinion[other_paper] < opinion[k] or (
                opinion[other_paper] == opinion[k] and other_paper < k
            ):
                below += 1
        worth[reviewer * LOAD + k] = uint8(below)


def draw(reviews: int, *, seed: int = 1) -> GpuConference:
    """Return a conference of about so many reviews; papers are assigned at random."""
    papers = reviews // LOAD // LOAD * LOAD
    size = papers * LOAD
    conference = GpuConference(
        start=xp.empty(papers + 1, dtype=xp.int32),
        paper=xp.empty(size, dtype=xp.int32),
        level=xp.empty(size, dtype=xp.uint8),
        worth=xp.empty(size, dtype=xp.uint8),
        papers=papers,
    )
    for_each(_draw, papers, papers, max(papers - 1, 1).bit_length(), seed, *conference[:4])
    return conference
