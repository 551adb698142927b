"""Components gathered from all reviewers -> the chains and posets of a Problem."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from unround.arrays import FloatArray, IntArray, group_starts, run_starts
from unround.problem.model import Chains, Posets


@dataclass
class ComponentBuilder:
    """Components gathered so far. A component is named by its first review."""

    # Columns: name, review, height.
    chain_members: list[tuple[IntArray, ...]] = field(default_factory=list)
    chain_gaps: list[FloatArray] = field(default_factory=list)
    # Columns: name, review; and name, above, below.
    poset_members: list[tuple[IntArray, ...]] = field(default_factory=list)
    poset_pairs: list[tuple[IntArray, ...]] = field(default_factory=list)
    poset_gaps: list[FloatArray] = field(default_factory=list)

    def add_chains(self, name: IntArray, member: IntArray, height: IntArray, gap: float) -> None:
        """Add members of chains with their heights, 0 = worst."""
        self.chain_members.append((name, member, height))
        self.chain_gaps.append(np.full(member.size, gap))

    def add_posets(self, name: IntArray, member: IntArray) -> None:
        """Add members of posets."""
        self.poset_members.append((name, member))

    def add_pairs(self, name: IntArray, above: IntArray, below: IntArray, gap: float) -> None:
        """Add comparisons of posets."""
        self.poset_pairs.append((name, above, below))
        self.poset_gaps.append(np.full(above.size, gap))

    def chains(self) -> Chains:
        """Return all chains."""
        name, member, height = _columns(self.chain_members, 3)
        self.chain_members.clear()
        gap = np.concatenate([np.zeros(0), *self.chain_gaps])
        key = name * (int(height.max(initial=0)) + 1) + height
        # Rank lists come in order: then sorting, and its copies, are saved.
        if not np.all((key[1:] > key[:-1]) | ((key[1:] == key[:-1]) & (member[1:] > member[:-1]))):
            order = np.lexsort((member, key))
            name, member, height, gap = name[order], member[order], height[order], gap[order]
        first = run_starts(name)
        start = np.append(first, name.size)
        return Chains(start, member, height.astype(np.int32), gap[first])

    def posets(self) -> Posets:
        """Return all posets."""
        if not self.poset_members:
            return Posets.none()
        name, member = _columns(self.poset_members, 2)
        order = np.lexsort((member, name))
        first = run_starts(name[order])
        names, start = name[order][first], np.append(first, name.size)
        owner, above, below = _columns(self.poset_pairs, 3)
        gap = np.concatenate([np.zeros(0), *self.poset_gaps])
        sequence = np.lexsort((below, above, owner))
        pair_start = group_starts(np.searchsorted(names, owner[sequence]), names.size)
        return Posets(
            start, member[order], pair_start, above[sequence], below[sequence], gap[sequence]
        )


def _columns(parts: list[tuple[IntArray, ...]], rows: int) -> list[IntArray]:
    """Column by column what the parts hold; a single part as it is."""
    if len(parts) == 1:
        return list(parts[0])
    none = np.zeros(0, dtype=np.int64)
    return [np.concatenate([none, *(part[row] for part in parts)]) for row in range(rows)]
