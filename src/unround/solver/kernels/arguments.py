"""Arguments of the kernels, grouped: Numba takes NamedTuples of arrays as it takes arrays.

Arrays are in sweep order (see local.py) unless said otherwise.
"""

from __future__ import annotations

from typing import NamedTuple

from unround.arrays import BoolArray, FloatArray, IntArray, ShortArray


class SweptReviews(NamedTuple):
    """One entry per review."""

    given: FloatArray
    paper: ShortArray
    lower: FloatArray  # tightened inside chains
    upper: FloatArray


class SweptChains(NamedTuple):
    """The levels of the chains, whose members come first."""

    start: IntArray  # where each chain's members start, and the end
    height: ShortArray  # one per member: its level within the chain, worst = 0
    shift: FloatArray  # height * gap


class SweptPosets(NamedTuple):
    """The pairs of the posets, whose members follow those of the chains."""

    start: IntArray  # where each poset's members start, and the end
    pair_start: IntArray
    above: IntArray  # one per pair, counted within the poset
    below: IntArray
    gap: FloatArray
    held: BoolArray  # one per edge of each graph: active in the last sweep


class Sweep(NamedTuple):
    """Where a sweep starts from, and where it writes."""

    centres: FloatArray  # one per paper
    weight: float  # 1/(1+λ): the pull of the centre
    scores: FloatArray  # written, one per review
    sums: FloatArray  # added to, one per paper


class ChainScratch(NamedTuple):
    """Working space for chains; nothing in it lasts."""

    target: FloatArray  # of all members whose centres are fetched together
    numbers: FloatArray  # five rows, one entry per member of a chain
    places: IntArray  # two rows


class PosetScratch(NamedTuple):
    """Working space for posets, by edge and by node of their graphs; nothing in it lasts."""

    edge_places: IntArray  # two rows
    edge_numbers: FloatArray  # two rows
    node_places: IntArray  # four rows
    node_numbers: FloatArray  # four rows
    links: IntArray  # three rows, for the edges of each node
