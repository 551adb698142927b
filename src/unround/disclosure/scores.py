"""The scores that area chairs get instead of the run's: recomputed from their papers, or an order.

`scoped`: the run is computed again from the reviews and statements in scope. Nothing outside enters.

`order`: exact scores reveal hidden ones. A score that a ranking holds stands exactly ε from its neighbour,
and its digits say how hard it is pushed. Even which of two reviews of one level is higher says whose
ranking pushed. So an area chair gets one order of the papers and no score but the given ones: the order
of the run, as far as no hidden score follows from it (`PaperOrder`).

A hidden paper that a reviewer ranked just above or below one in scope, with the same score, pushes it,
and with it the mean of that paper. If only one hidden paper can have pushed, an order that needs a push
reveals its score; and if none can push back, an order without a push reveals what its score is not. So a
paper is shown by its mean in the run only where two hidden papers or more can have pushed it up, and
two or more down, and no further from the mean that follows from the scope alone than all but one of
them can have pushed it. Other papers are shown by the mean that follows from the scope. Then each hidden
score may be another one, with the push done by another paper. Papers that hidden ones can move are never
shown as tied: a tie would reveal that nothing moved them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import polars as pl

from unround.arrays import BoolArray, FloatArray
from unround.disclosure.scope import Scope
from unround.disclosure.snapshot import Snapshot
from unround.errors import InputRefused
from unround.metrics import tie_grid
from unround.metrics.papers import paper_means
from unround.pipeline import dequantize_tables
from unround.result import Result
from unround.runs.record import recorded_settings
from unround.scale import Scale
from unround.solver.local import Solver

PAPER_COLUMNS = ("paper", "better", "worse", "same_as")
TOLERANCE_SPACINGS = (
    1e-9  # of the scores that follow from a scope, in units of the smallest level spacing
)
ENOUGH = 2  # hidden papers that can have pushed, on either side: each is an excuse for the other
Reviews = set[tuple[object, object]]  # by reviewer and paper


def recompute_within_scope(snapshot: Snapshot, scope: Scope) -> Snapshot:
    """Return the snapshot of a run on the reviews and comparisons in scope, with the same settings.

    λ is chosen again unless it was given, and the scale inferred again unless it was stated.
    """
    inside = within_scope(snapshot, scope)
    if not inside.reviews.height:
        return replace(inside, record=_nothing_computed(snapshot.record))
    computed = Snapshot.of(_dequantize(inside))
    names = inside.reviews.select("reviewer", "paper", "reviewer_name")
    reviews = computed.reviews.drop("reviewer_name").join(
        names, on=["reviewer", "paper"], how="left", maintain_order="left"
    )
    return replace(computed, papers=inside.papers, reviews=reviews)


def within_scope(snapshot: Snapshot, scope: Scope) -> Snapshot:
    """Return the papers, reviews and statements that are in scope entirely."""
    papers = snapshot.papers.filter(pl.col("paper").cast(pl.String).is_in(sorted(scope.papers)))

    def within(table: pl.DataFrame) -> pl.DataFrame:
        named = [pl.col(name) for name in PAPER_COLUMNS if name in table.columns]
        own = papers["paper"].implode()
        return table.filter([one.is_in(own) for one in named]) if named else table

    return replace(
        snapshot,
        papers=papers,
        reviews=within(snapshot.reviews),
        ranks=within(snapshot.ranks),
        pairs=within(snapshot.pairs),
        bindings=snapshot.bindings.clear(),
        same=within(snapshot.same),
    )


def _dequantize(inside: Snapshot) -> Result[pl.DataFrame]:
    # The whole run was accepted, so a part of it is not refused for lost statements.
    settings = recorded_settings(inside.record).changed(allow_loss=True)
    try:
        return dequantize_tables(inside.tables(), settings)
    except InputRefused:
        if settings.scale is not None:
            raise
        # A few reviews may leave the scale in doubt: use the levels of the run that they have.
        used = set(inside.reviews["score"].to_list())
        levels = [level for level in inside.record["settings"]["scale"] if level in used]
        return dequantize_tables(inside.tables(), settings.changed(scale=levels))


def _nothing_computed(record: Mapping[str, Any]) -> dict[str, Any]:
    settings = dict(record["settings"])
    if recorded_settings(record).scale is None:
        settings["scale"] = []
    return {
        **record,
        "settings": settings,
        "lam": None,
        "selection": None,
        "certificate": None,
        "issues": [],
    }


@dataclass(frozen=True)
class PaperOrder:
    """Where each paper of a scope may be shown, by the place of its id; nan for papers without reviews.

    base  the mean of its scores that follows from what is in scope
    up    how far above that it may be shown, and `down` how far below; both or neither is zero
    """

    base: FloatArray
    up: FloatArray
    down: FloatArray

    @classmethod
    def of(cls, snapshot: Snapshot, inside: Snapshot) -> PaperOrder:
        """Return the order of a scope (`within_scope`): of what is hidden, only ranks enter."""
        reviews, papers = inside.reviews, inside.papers.height
        if not reviews.height:
            nothing = np.full(papers, np.nan)
            return cls(nothing, nothing, nothing)
        settings = snapshot.record["settings"]
        scale = Scale(settings["scale"])
        push = settings["epsilon"] * scale.spacing / 2
        scores = _solve(inside)
        stated = (
            one.join(reviews, on="reviewer", how="semi") for one in (snapshot.ranks, snapshot.pairs)
        )
        pushed = can_be_pushed(reviews, *stated)
        room = has_room(reviews["value"].to_numpy(), scores, scale, push)
        numbers = {one: number for number, one in enumerate(inside.papers["paper"].to_list())}
        paper = np.array([numbers[one] for one in reviews["paper"].to_list()], dtype=np.int64)
        count = np.bincount(paper, minlength=papers)
        up, down = (
            np.bincount(paper, can & has, papers) for can, has in zip(pushed, room, strict=True)
        )
        moves = (up >= ENOUGH) & (down >= ENOUGH)
        step = np.where(moves, push / np.maximum(count, 1), 0.0)
        return cls(paper_means(scores, paper, papers), step * (up - 1.0), step * (down - 1.0))

    def places(self, mean: FloatArray) -> list[int | None]:
        """Return the place of each paper by its mean in the run, 1 for the best; tied papers share one."""
        shown = tie_grid(np.clip(mean, self.base - self.down, self.base + self.up))
        tie = np.where(self.up > 0, 1 + np.arange(shown.size), 0)
        papers = pl.DataFrame({"shown": -shown, "tie": tie}).select(
            place=pl.when(pl.col("shown").is_not_nan()).then(
                pl.struct("shown", "tie").rank("min").cast(pl.Int64)
            )
        )
        return papers["place"].to_list()


def _solve(inside: Snapshot) -> FloatArray:
    """Return the scores of what is in scope with the λ of the run."""
    reviews = inside.prepared.reviews
    solver = Solver(inside.prepared.problem)
    scores = solver.solve(inside.lam, TOLERANCE_SPACINGS * reviews.scale.spacing).scores
    return reviews.in_caller_order(scores)


def can_be_pushed(
    reviews: pl.DataFrame, ranks: pl.DataFrame, pairs: pl.DataFrame
) -> tuple[BoolArray, BoolArray]:
    """Return which reviews a hidden paper can have pushed up, and which down.

    Only what certainly can is counted: the reviewer ranked a hidden paper just below the review (or
    above), and gave no other paper in scope the same score, since that one might be pushed along.

    reviews       those in scope: reviewer, paper, value
    ranks, pairs  what their reviewers stated, about hidden papers too
    """
    seen = list(reviews.select("reviewer", "paper").iter_rows())
    given = Counter(reviews.select("reviewer", "value").iter_rows())
    alone = [given[row] == 1 for row in reviews.select("reviewer", "value").iter_rows()]
    found = []
    for step, mine, other in ((1, "better", "worse"), (-1, "worse", "better")):
        beside = _ranked_beside(ranks, set(seen), step) | _paired(pairs, set(seen), mine, other)
        found.append(np.array([key in beside for key in seen], dtype=np.bool_) & alone)
    return found[0], found[1]


def has_room(
    value: FloatArray, base: FloatArray, scale: Scale, push: float
) -> tuple[BoolArray, BoolArray]:
    """Return which scores a push can move so far up within their cells, and which down.

    At the ends of the scale there is no choice: a hidden paper beyond has the same score, as is known.
    """
    level = np.searchsorted(scale.values, value)
    up: BoolArray = (base + push <= scale.upper[level]) & (level > 0)
    down: BoolArray = (base - push >= scale.lower[level]) & (level < len(scale.levels) - 1)
    return up, down


def _ranked_beside(ranks: pl.DataFrame, seen: Reviews, step: int) -> Reviews:
    """Return the reviews with a hidden paper at the next rank: below with step 1, above with -1."""
    rows = list(ranks.select("reviewer", "paper", "rank").iter_rows())
    hidden = {(who, rank) for who, paper, rank in rows if (who, paper) not in seen}
    return {(who, paper) for who, paper, rank in rows if (who, rank + step) in hidden}


def _paired(pairs: pl.DataFrame, seen: Reviews, mine: str, other: str) -> Reviews:
    """Return the reviews that a stated pair compares with a hidden paper."""
    rows = pairs.select("reviewer", mine, other).iter_rows()
    return {(who, paper) for who, paper, against in rows if (who, against) not in seen}
