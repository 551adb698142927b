"""Random problems of every kind of order, scale and policy, drawn by several processes."""

from __future__ import annotations

import math
import multiprocessing
import os
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from typing import Any, NamedTuple

import numpy as np
import polars as pl

import unround
from unround.arrays import IntArray
from unround.problem.model import Chains, Posets, Problem

PARTS = 16


class Kind(NamedTuple):
    """What reviewers state, on which scale, and who rules where they contradict themselves."""

    name: str
    statements: str = "total"
    scale: tuple[float, ...] | None = None
    conflicts: str = "refuse"
    load: int = 4


KINDS = (
    Kind("total, 0..10"),
    Kind("total, lists of 40", load=40),
    Kind("ties, 1 3 5 6 8 10", "ties", (1, 3, 5, 6, 8, 10), "scores"),
    Kind("partial, half points", "partial", tuple(k / 2 for k in range(2, 11))),
    Kind("pairs, 1..5", "pairs", (1, 2, 3, 4, 5)),
    Kind("about the same, 1..5", "same", (1, 2, 3, 4, 5), "scores"),
    Kind("no rankings", "none"),
    Kind("contradictory, scores rule", "against", conflicts="scores"),
    Kind("contradictory, rankings rule", "against", conflicts="rankings"),
    Kind("contradictory pairs, scores rule", "pairs against", conflicts="scores"),
    Kind("contradictory pairs, rankings rule", "pairs against", conflicts="rankings"),
)


def problems(size: int, kinds: Sequence[Kind] = KINDS) -> Iterator[tuple[Kind, Problem]]:
    """Yield a problem of about so many random reviews for each kind: conferences side by side."""
    # A process that has opened a GPU must not be forked.
    fresh = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(min(PARTS, os.cpu_count() or 1), mp_context=fresh) as pool:
        for kind in kinds:
            yield kind, joined(list(pool.map(partial(drawn, kind, size // PARTS), range(PARTS))))


def drawn(kind: Kind, size: int, seed: int) -> Problem:
    """Draw one conference and return its problem."""
    scale = None if kind.scale is None else list(kind.scale)
    conference = unround.simulate.thurstone(
        size // 4, papers_per_reviewer=kind.load, noise=0.5, scale=scale, seed=seed
    )
    ranks, options = _stated(kind.statements, conference.rankings)
    result = unround.dequantize(
        conference.reviews, ranks, lam=math.inf, scale=scale, conflicts=kind.conflicts,  # type: ignore[arg-type]
        tolerance=1e-3, allow_loss=True, **options,
    )  # fmt: skip
    return result.internals.problem


def _stated(statements: str, ranks: pl.DataFrame) -> tuple[pl.DataFrame | None, dict[str, Any]]:
    """Return what reviewers with these rankings state, and options that go with it."""
    reversed_ranks = pl.col("rank") * 7 % 5
    if statements == "none":
        return None, {}
    if statements == "ties":
        return ranks.with_columns(rank=(pl.col("rank") + 1) // 2), {}
    if statements == "partial":
        return ranks.filter(pl.col("rank") != 2), {}
    if statements == "against":
        return ranks.with_columns(rank=reversed_ranks), {}
    if statements == "total":
        return ranks, {}
    turned = ranks.with_columns(rank=reversed_ranks) if statements == "pairs against" else ranks
    both = turned.join(turned, on="reviewer")
    stated = pl.DataFrame({"rank": [1, 1, 2], "rank_right": [3, 4, 4]})
    pairs = both.join(
        stated.cast({"rank": turned["rank"].dtype, "rank_right": turned["rank"].dtype}),
        on=["rank", "rank_right"],
    ).select("reviewer", better="paper", worse="paper_right")
    if statements != "same":
        return pairs, {}
    alike = both.filter(pl.col("rank") == 1, pl.col("rank_right") == 2)
    return pairs, {
        "same": alike.select("reviewer", "paper", same_as="paper_right"),
    }


def joined(parts: Sequence[Problem]) -> Problem:
    """Return problems side by side as one."""
    reviews = _before([len(part) for part in parts])
    papers = _before([part.papers for part in parts])
    chains, posets = [part.chains for part in parts], [part.posets for part in parts]
    pairs = _before([each.above.size for each in posets])
    return Problem(
        given=np.concatenate([part.given for part in parts]),
        lower=np.concatenate([part.lower for part in parts]),
        upper=np.concatenate([part.upper for part in parts]),
        paper=_shifted([part.paper for part in parts], papers),
        papers=int(papers[-1]),
        chains=Chains(
            start=_starts([each.start for each in chains]),
            member=_shifted([each.member for each in chains], reviews),
            height=np.concatenate([each.height for each in chains]),
            gap=np.concatenate([each.gap for each in chains]),
        ),
        posets=Posets(
            start=_starts([each.start for each in posets]),
            member=_shifted([each.member for each in posets], reviews),
            pair_start=np.append(
                _shifted([each.pair_start[:-1] for each in posets], pairs), pairs[-1]
            ),
            above=_shifted([each.above for each in posets], reviews),
            below=_shifted([each.below for each in posets], reviews),
            gap=np.concatenate([each.gap for each in posets]),
        ),
    )


def _before(sizes: Sequence[int]) -> IntArray:
    return np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)


def _shifted(columns: Sequence[IntArray], shifts: IntArray) -> IntArray:
    return np.concatenate([column + shift for column, shift in zip(columns, shifts, strict=False)])


def _starts(starts: Sequence[IntArray]) -> IntArray:
    ends = _before([int(start[-1]) for start in starts])
    return np.append(_shifted([start[:-1] for start in starts], ends), ends[-1])
