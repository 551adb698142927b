"""The scores that area chairs get instead of the run's: recomputed from their papers, or an order.

`scoped`: the run is computed again from the reviews and statements in scope. Nothing outside enters.

`order`: exact scores reveal hidden ones. A score that a ranking holds stands exactly ε from its neighbour,
and its digits say how hard it is pushed. Even which of two reviews of one level is higher says whose
ranking pushed. So only an order of the papers is shown: that of the run, as far as no hidden score follows
from it (`PaperOrder`). Reviews of one level stand in the order of their papers, except for what their
reviewer stated about papers in scope (`places_by_statements`), evenly spread over the level's cell. Means
are as near to the shown reviews as the order of papers allows; other statistics are those of the shown
reviews.

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

from unround.arrays import BoolArray, FloatArray, IntArray
from unround.disclosure.model import StatisticColumns
from unround.disclosure.scope import Scope
from unround.disclosure.snapshot import Snapshot, solved_input
from unround.errors import InputRefused
from unround.metrics import percentiles, tie_grid
from unround.metrics.papers import paper_means, paper_statistics
from unround.pipeline import dequantize_tables
from unround.problem.build import build_problem
from unround.problem.orders import closure
from unround.result import Result
from unround.runs.record import recorded_settings
from unround.scale import Scale
from unround.solver.local import Solver

PAPER_COLUMNS = ("paper", "better", "worse", "same_as")
DECIMALS = 6
STEP = 0.001  # least distance between two papers in order, where the scale has room for it
TOLERANCE = 1e-9  # of the scores that follow from a scope, in units of the smallest level spacing
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
    return replace(
        snapshot,
        papers=_within(snapshot.papers, scope),
        reviews=_within(snapshot.reviews, scope),
        ranks=_within(snapshot.ranks, scope),
        pairs=_within(snapshot.pairs, scope),
        bindings=snapshot.bindings.clear(),
        same=_within(snapshot.same, scope),
    )


def _within(table: pl.DataFrame, scope: Scope) -> pl.DataFrame:
    named = [name for name in PAPER_COLUMNS if name in table.columns]
    if not named:
        return table
    return table.filter(
        pl.all_horizontal(
            pl.col(name).cast(pl.String).is_in(sorted(scope.papers)) for name in named
        )
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
    def of(cls, snapshot: Snapshot, scope: Scope) -> PaperOrder:
        """Return the order of a scope: of what is hidden, only the ranks of hidden papers enter."""
        inside = within_scope(snapshot, scope)
        reviews, papers = inside.reviews, inside.papers.height
        if not reviews.height:
            nothing = np.full(papers, np.nan)
            return cls(nothing, nothing, nothing)
        settings = snapshot.record["settings"]
        scale = Scale(settings["scale"])
        push = settings["epsilon"] * scale.spacing / 2
        scores = _solve(inside)
        pushed = can_be_pushed(reviews, *_stated_by(reviews, snapshot))
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

    def places(self, mean: FloatArray) -> IntArray:
        """Return the place of each paper by its mean in the run, 0 for the lowest; tied ones are equal."""
        shown = tie_grid(np.clip(mean, self.base - self.down, self.base + self.up))
        tie = np.where(self.up > 0, 1 + np.arange(shown.size), 0)
        order = np.lexsort((tie, shown))
        apart = (np.diff(shown[order]) != 0) | (np.diff(tie[order]) != 0)
        places = np.zeros(shown.size, dtype=np.int64)
        places[order[1:]] = np.cumsum(apart)
        return places


def _stated_by(reviews: pl.DataFrame, snapshot: Snapshot) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Return the ranks and stated pairs of the reviewers of some reviews."""
    ranks, pairs = (
        table.join(reviews, on="reviewer", how="semi") for table in (snapshot.ranks, snapshot.pairs)
    )
    return ranks, pairs


def _solve(inside: Snapshot) -> FloatArray:
    """Return the scores of what is in scope with the λ of the run."""
    reviews, settings, lam = solved_input(inside)
    problem, _ = build_problem(reviews, settings)
    scores = Solver(problem).solve(lam, TOLERANCE * reviews.scale.spacing).scores
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


def places_by_statements(
    place: IntArray, reviews: pl.DataFrame, ranks: pl.DataFrame, pairs: pl.DataFrame
) -> FloatArray:
    """Move the places of reviews as little as the order needs that their reviewer stated within a level.

    A review stands halfway between the highest place among it and those below it, and the lowest
    among it and those above it; of reviews that meet there, the one that is above more stands higher.
    """
    keys = ["reviewer", "paper"]
    several = pl.len().over("reviewer", "value") > 1
    rows = reviews.select("reviewer", "paper", "value").with_row_index("row").filter(several)
    moved = place.astype(np.float64)
    if not rows.height:
        return moved
    stated: dict[object, set[tuple[object, object]]] = {}
    theirs = pairs.join(rows, on="reviewer", how="semi").select("reviewer", "better", "worse")
    for reviewer, better, worse in theirs.iter_rows():
        stated.setdefault(reviewer, set()).add((better, worse))
    ranked = rows.join(ranks, on=keys, how="left", maintain_order="left")
    for (reviewer, _), group in ranked.group_by("reviewer", "value", maintain_order=True):
        at = group["row"].to_numpy()
        above = _above(group, stated.get(reviewer, set()))
        moved[at] = _fitted_places(moved[at], above)
    return moved


def _above(group: pl.DataFrame, pairs: set[tuple[object, object]]) -> BoolArray:
    """Return which of a reviewer's papers stands above which, by ranks, pairs, and what follows."""
    rank = group["rank"].cast(pl.Float64).fill_null(np.nan).to_numpy()
    papers = group["paper"].to_list()
    above: BoolArray = rank[:, None] < rank
    above |= np.array([[(one, other) in pairs for other in papers] for one in papers])
    better, worse = (side.tolist() for side in np.nonzero(above))
    for one, other in closure(zip(better, worse, strict=True)):
        above[one, other] = True
    return above


def _fitted_places(place: FloatArray, above: BoolArray) -> FloatArray:
    """Return places that fall from each review to those which it is above."""
    itself = np.eye(place.size, dtype=np.bool_)
    highest = np.where(above | itself, place, -np.inf).max(axis=1)
    lowest = np.where(above.T | itself, place, np.inf).min(axis=1)
    first = above.sum(axis=1) - above.sum(axis=0)
    # Places are whole numbers, so that halves of their sums are 1/2 apart or more.
    fitted: FloatArray = (highest + lowest) / 2 + first / (5.0 * place.size)
    return fitted


def spread_within_levels(reviews: pl.DataFrame, place: FloatArray, scale: Scale) -> pl.DataFrame:
    """Spread reviews evenly over the cells of their levels, in the order of their places.

    Equal places share the middle. Cells are the scale's: how far one was opened would reveal
    what it was compared with. Percentiles are among these reviews.
    """
    value = reviews["value"].to_numpy()
    level = np.searchsorted(scale.values, value)
    lower, upper = scale.lower[level], scale.upper[level]
    within = pl.DataFrame({"value": value, "place": place}).select(
        part=(pl.col("place").rank("average") - 0.5).over("value"),
        count=pl.len().over("value").cast(pl.Float64),
    )
    part, count = within["part"].to_numpy(), within["count"].to_numpy()
    shown = np.round(lower + (upper - lower) * part / count, DECIMALS)
    return reviews.with_columns(
        pl.Series("dequantized", shown),
        pl.Series("percentile", percentiles(shown, scale.spacing) if shown.size else shown),
        pl.Series("lower", lower),
        pl.Series("upper", upper),
    )


def statistics_in_order(shown: pl.DataFrame, places: IntArray, scale: Scale) -> StatisticColumns:
    """Return the statistics of each paper's shown reviews, the means fitted to the order of papers.

    shown     reviews with paper_number and dequantized
    places    the place of each paper, the lowest first
    """
    papers = places.size
    step = min(STEP, float(scale.upper[-1] - scale.lower[0]) / (4 * max(papers, 1)))
    found = paper_statistics(
        shown["dequantized"].to_numpy(), shown["paper_number"].to_numpy().astype(np.int64), papers
    )
    reviewed = ~np.isnan(found["mean"])
    order = places[reviewed].astype(np.float64)
    found["mean"][reviewed] = fitted_to_order(order, found["mean"][reviewed], step)
    columns = pl.DataFrame(found).with_columns(pl.all().round(DECIMALS))
    return columns.fill_nan(None).to_dict(as_series=False)


def fitted_to_order(order: FloatArray, target: FloatArray, step: float) -> FloatArray:
    """Return the numbers nearest to `target` that stand in the order of `order`, `step` apart or more.

    Equal entries of `order` get equal numbers.

    >>> fitted_to_order(np.array([1.0, 3.0, 2.0]), np.array([5.0, 7.0, 8.0]), 0.5).tolist()
    [5.0, 7.75, 7.25]
    """
    _, group, size = np.unique(order, return_inverse=True, return_counts=True)
    if not size.size:
        return target
    from scipy.optimize import isotonic_regression  # takes a moment to load

    means = np.bincount(group, weights=target) / size
    climb = step * np.arange(size.size)
    fitted = isotonic_regression(means - climb, weights=size).x + climb
    # A fit near the end of the range must not leave it downwards.
    shown: FloatArray = np.round(np.maximum(fitted, means.min() + climb), DECIMALS)
    return shown[group]
