"""The certificate of scores that lie on a GPU: on the host, one piece of the conference after the other.

A piece holds whole reviewers, and so whole components: its bound needs no other review but for the means of
papers. Imports no solver.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from unround.arrays import FloatArray
from unround.certificate.bound import Certificate, certify
from unround.certificate.multipliers import Papers
from unround.gpu.launch import GpuArray, to_host
from unround.gpu.metrics import index_groups, paper_means
from unround.problem.model import Chains, Posets, Problem
from unround.scale import Scale

if TYPE_CHECKING:
    from unround.gpu.conference import GpuConference

PIECE_REVIEWS = 1 << 22


def certify_in_pieces(
    conference: GpuConference,
    scale: Scale,
    epsilon: float,
    lam: float,
    scores: GpuArray,
    *,
    wanted: float = 0.0,
    sweeps: int = 0,
) -> Certificate:
    """Return the largest of the pieces' bounds; a piece is done as soon as its own is below `wanted`."""
    index = index_groups(conference.paper, conference.papers)
    ends = (scores.max(), -scores.min(), scale.upper[-1], -scale.lower[0])
    papers = Papers(
        to_host(paper_means(index, scores)),
        np.diff(to_host(index.start)).astype(np.int64),
        max(map(float, ends)),
    )
    found = [
        certify(problem, lam, own, wanted=wanted, papers=papers)
        for problem, own in _pieces(conference, scale, epsilon, scores)
    ]
    return Certificate(
        max(each.max_error for each in found),
        max(each.max_violation for each in found),
        math.fsum(each.objective for each in found),
        sweeps,
    )


def _pieces(
    conference: GpuConference, scale: Scale, epsilon: float, scores: GpuArray
) -> Iterator[tuple[Problem, FloatArray]]:
    """Yield the problem of some reviewers, its papers numbered as in the conference, and their scores."""
    starts = to_host(conference.start).astype(np.int64)
    cuts = np.searchsorted(starts, np.arange(0, int(starts[-1]) + PIECE_REVIEWS, PIECE_REVIEWS))
    cuts = np.unique(np.minimum(cuts, starts.size - 1))
    for first, last in zip(cuts[:-1].tolist(), cuts[1:].tolist(), strict=True):
        start = starts[first : last + 1] - starts[first]
        reviews = slice(int(starts[first]), int(starts[last]))
        level, worth = (to_host(column[reviews]) for column in (conference.level, conference.worth))
        owner = np.repeat(np.arange(last - first), np.diff(start))
        member = np.lexsort((worth, owner))
        opens = np.diff(worth[member].astype(np.int64), prepend=-1) != 0
        opens[start[:-1]] = True
        height = np.cumsum(opens) - 1
        height = (height - height[start[:-1]][owner]).astype(np.int32)
        chains = Chains(start, member, height, np.full(last - first, epsilon * scale.spacing))
        yield (
            Problem(
                given=scale.values[level],
                lower=scale.lower[level],
                upper=scale.upper[level],
                paper=to_host(conference.paper[reviews]).astype(np.int64),
                papers=conference.papers,
                chains=chains,
                posets=Posets.none(),
            ),
            to_host(scores[reviews]),
        )
