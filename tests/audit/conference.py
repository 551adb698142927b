"""A simulated conference with area chairs, its rankings turned into each kind of statement."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Literal

import numpy as np
import polars as pl

import unround
from unround.disclosure.area_chairs import AreaChair
from unround.disclosure.model import View
from unround.disclosure.scope import Disclosure, Scope
from unround.disclosure.snapshot import Snapshot
from unround.disclosure.view import view


@dataclass(frozen=True, eq=False)
class Held:
    """A conference that was held: what went in, what came out, and whose papers are whose."""

    reviews: pl.DataFrame
    stated: pl.DataFrame
    policy: str
    snapshot: Snapshot
    chairs: list[AreaChair]

    def view(self, chair: int, disclosure: Disclosure, *, stars: bool = True) -> View:
        """An area chair's view; reviewers by their ids, so that claims can be judged."""
        one = self.chairs[chair]
        scope = Scope(one.name, one.papers, stars=stars, names=True, disclosure=disclosure)
        return view(self.snapshot, scope)


@cache
def held(
    kind: str = "total",
    policy: str = "refuse",
    papers: int = 120,
    per: int = 8,
    seed: int = 1,
    lam: float | Literal["auto", "auto+"] = 20.0,
) -> Held:
    """Simulate, state rankings of a kind, let some contradict their scores, solve."""
    conference = unround.simulate.thurstone(papers, seed=seed)
    reviews, ranks = conference.reviews, conference.rankings
    if policy != "refuse":
        ranks = contradicting(ranks, every=5, first=seed % 5)
    stated = {"total": ranks, "tied": _tied(ranks), "pairs": _pairs(ranks)}[kind]
    result = unround.dequantize(
        reviews, stated, scale=range(11), conflicts=policy, lam=lam, allow_loss=True
    )
    ids = reviews["paper"].unique().sort().cast(pl.String).to_list()
    np.random.default_rng(seed).shuffle(ids)
    chairs = [
        AreaChair(f"Chair {start}", frozenset(ids[start : start + per]))
        for start in range(0, papers, per)
    ]
    return Held(reviews, stated, policy, Snapshot.of(result), chairs)


def _tied(ranks: pl.DataFrame) -> pl.DataFrame:
    """The first two of every ranking share a rank."""
    return ranks.with_columns(pl.when(pl.col("rank") == 2).then(1).otherwise("rank").alias("rank"))


def _pairs(ranks: pl.DataFrame) -> pl.DataFrame:
    """First above second, and first above third: a partial order."""
    first = ranks.filter(pl.col("rank") == 1).select("reviewer", better="paper")
    others = ranks.filter(pl.col("rank").is_in([2, 3])).select("reviewer", worse="paper")
    return first.join(others, on="reviewer")


def contradicting(ranks: pl.DataFrame, every: int, first: int) -> pl.DataFrame:
    """Some reviewers state the ranking upside down."""
    upside_down = pl.col("reviewer").cast(pl.Int64) % every == first
    last = pl.col("rank").max().over("reviewer")
    turned = pl.when(upside_down).then(last + 1 - pl.col("rank")).otherwise("rank")
    return ranks.with_columns(turned.alias("rank"))
