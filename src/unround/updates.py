"""`unround.update`: solve again after reviews changed, and list what moved and why."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import repeat
from typing import TYPE_CHECKING, Any, Unpack

import numpy as np
from numpy.typing import NDArray

from unround.arrays import FloatArray, IntArray
from unround.errors import UsageError
from unround.metrics.papers import paper_means
from unround.pipeline import solve_prepared
from unround.preparation import prepare
from unround.problem.orders import close, members
from unround.progress import StageProgress, open_progress
from unround.result import FrameT, Internals, Result, checked_result
from unround.reviews.frames import Frame, rows_of, stacked, with_columns
from unround.reviews.review_set import Ids, ReviewSet
from unround.reviews.tables import Tables
from unround.settings import AUTO, TOLERANCE_SPACINGS, MethodOptions, Settings, known_options
from unround.solver.engine import LOCAL, Engine, open_engine

if TYPE_CHECKING:
    from narwhals.stable.v2.typing import IntoDataFrame

# Moves below half of the fourth decimal cannot be seen and do not change a tie.
LEAST_MOVE = 0.5e-4
DISTANT = ""  # no cause nearby


@dataclass(frozen=True)
class Update:
    """A result after a change, and one row for every review that the change touched.

    Attributes
    ----------
    result : Result
        The result as it is now.
    changes : DataFrame
        Columns: reviewer, paper, reason, score_before, score, dequantized_before, dequantized,
        moved, and how much of the move came by the score itself (by_score), by consensus, by the
        ranking and by the cell.

    Examples
    --------
    >>> import polars as pl, unround
    >>> reviews = pl.DataFrame({"reviewer": [1, 2], "paper": ["a", "a"], "score": [4, 6]})
    >>> unround.update(unround.dequantize(reviews, lam=1.0), reviews).changes.height
    0
    """

    result: Result
    changes: Any


def update(
    before: Result[FrameT],
    reviews: FrameT | Tables,
    rankings: IntoDataFrame | Sequence[IntoDataFrame] | None = None,
    *,
    same: IntoDataFrame | None = None,
    engine: str | Engine = LOCAL,
    progress: StageProgress | bool | None = None,
    **options: Unpack[MethodOptions],
) -> Update:
    """Solve again after some reviews changed, starting from an earlier result.

    Parameters
    ----------
    before : Result
        The earlier result, as `dequantize` or `load` returned it.
    reviews, rankings, same
        The whole tables as they are now.
    engine, progress
        As for `dequantize`.
    **options
        lam, epsilon, scale, conflicts, unranked, allow_loss and ignore_rankings are what they were
        before, unless given here; lam="auto" or "auto+" chooses again. tolerance is as for `dequantize`.

    Returns
    -------
    Update
        The new result, and the table of what moved and why.

    Examples
    --------
    >>> import polars as pl, unround
    >>> first = pl.DataFrame({"reviewer": [1, 2], "paper": ["a", "a"], "score": [4, 6]})
    >>> second = pl.DataFrame({"reviewer": [1, 2], "paper": ["a", "a"], "score": [5, 6]})
    >>> update = unround.update(unround.dequantize(first, lam=1.0), second)
    >>> update.changes.select("reviewer", "reason", pl.col("moved").round(6)).rows()
    [(1, 'score changed', 0.75), (2, 'paper changed', 0.25)]
    """
    checked_result("before", before)
    given = {"tolerance": TOLERANCE_SPACINGS, **known_options(options, MethodOptions)}
    settings = replace(before.settings, lam=before.lam).changed(**given)
    prepared = prepare(Tables.of(reviews, rankings, same), settings)
    _check_same_kind_of_ids(before.internals.reviews, prepared.reviews)
    start = _carried_centres(before.internals, prepared.reviews.papers, prepared.problem.papers)
    with open_engine(engine) as where, open_progress(progress) as report:
        after = solve_prepared(prepared, start=start, report=report, engine=where, asked=engine)
    reason = _distant_reason(before, after)
    return Update(after, _changes(before.internals, after.internals, reason))


def _distant_reason(before: Result[Any], after: Result[Any]) -> str:
    """Return why reviews moved although nothing changed about their paper and their reviewer."""
    if before.lam != after.lam or _statement_rules(before) != _statement_rules(after):
        return "settings changed"
    same_scale = before.internals.reviews.scale == after.internals.reviews.scale
    return "spillover" if same_scale else "scale changed"


def _statement_rules(result: Result[Any]) -> Settings:
    """Return how statements became constraints, whatever the scale and λ."""
    return replace(
        result.settings, scale=None, lam=AUTO, tolerance=TOLERANCE_SPACINGS, allow_loss=False
    )


def _check_same_kind_of_ids(before: ReviewSet, after: ReviewSet) -> None:
    for name in ("reviewers", "papers"):
        old, new = getattr(before, name).labels[0], getattr(after, name).labels[0]
        if isinstance(old, str) != isinstance(new, str):
            raise UsageError(
                f"the {name}' ids were {'text' if isinstance(old, str) else 'integers'} before and "
                f"are {'text' if isinstance(new, str) else 'integers'} now ({old!r}, {new!r}): "
                "nothing could be compared"
            )


def _carried_centres(before: Internals, papers: Ids, count: int) -> FloatArray:
    """Return the old mean of each paper, and the mean of all means for new papers."""
    old = paper_means(before.values, before.problem.paper, before.problem.papers)
    place = before.reviews.papers.codes(papers.of(np.arange(count)))
    return np.where(place >= 0, old[place], old.mean())


def _changes(before: Internals, after: Internals, distant_reason: str) -> Any:
    """Return one row per review that is new, withdrawn, changed, or moved visibly."""
    earlier = _earlier(before.reviews, after.reviews)
    gone = np.setdiff1d(np.arange(len(before.reviews)), earlier)
    old, now = _explained(before), _explained(after)
    moves = {name: now[name] - _pick(old[name], earlier) for name in now}
    reason = _reasons(before.reviews, after.reviews, earlier, gone, moves["by_ranking"])
    reason[reason == DISTANT] = distant_reason
    visible = np.abs(moves["moved"]) > LEAST_MOVE
    shown = np.flatnonzero((earlier < 0) | visible | (reason == "score changed"))
    nothing = np.full(gone.size, np.nan)
    columns: dict[str, NDArray[Any]] = {
        "reason": np.concatenate([reason[shown], np.full(gone.size, "withdrawn", dtype=object)])
    }
    for name, values in (("score", "by_score"), ("dequantized", "moved")):
        was = _pick(old[values], earlier)[shown]
        columns[f"{name}_before"] = np.concatenate([was, old[values][gone]])
        columns[name] = np.concatenate([now[values][shown], nothing])
    columns |= {name: np.concatenate([move[shown], nothing]) for name, move in moves.items()}
    ids = _ids_of(after, shown)
    if gone.size:
        ids = stacked(ids, _ids_of(before, gone))
    return with_columns(ids, columns).to_native()


def _explained(result: Internals) -> dict[str, FloatArray]:
    """Return the new scores and what they consist of, by the columns for how each of these changes."""
    return {
        "moved": result.values,
        "by_score": result.reviews.given,
        "by_consensus": result.parts.consensus,
        "by_ranking": result.parts.ranking,
        "by_cell": result.parts.cell,
    }


def _ids_of(result: Internals, reviews: IntArray) -> Frame:
    """Return reviewer and paper of some reviews, as the caller's table has them."""
    return rows_of(result.frame[["reviewer", "paper"]], result.reviews.row[reviews])


def _earlier(before: ReviewSet, after: ReviewSet) -> IntArray:
    """Return the index of each review before the change, -1 if it was not there."""
    reviewer = before.reviewers.codes(after.reviewers.of(after.reviewer))
    return before.find(reviewer, before.papers.codes(after.papers.of(after.paper)))


def _pick(values: FloatArray, index: IntArray) -> FloatArray:
    return np.where(index >= 0, values[np.maximum(index, 0)], np.nan)


def _reasons(
    old: ReviewSet, new: ReviewSet, earlier: IntArray, gone: IntArray, by_ranking: FloatArray
) -> NDArray[Any]:
    """Return the nearest cause for each review to have moved; DISTANT if it is not nearby."""
    added = earlier < 0
    rescored = ~added & (_labels(old)[np.maximum(earlier, 0)] != _labels(new))
    changed = added | rescored
    papers = [new.paper[changed], new.papers.codes(old.papers.of(old.paper[gone]))]
    reviewers = [
        new.reviewer[changed],
        new.reviewers.codes(old.reviewers.of(old.reviewer[gone])),
    ]
    by_order = np.abs(np.nan_to_num(by_ranking)) > LEAST_MOVE
    reason = np.full(len(new), DISTANT, dtype=object)
    reason[np.isin(new.reviewer, np.concatenate(reviewers)) & by_order] = "reviewer changed"
    reason[np.isin(new.paper, np.concatenate(papers))] = "paper changed"
    reason[np.isin(new.reviewer, _changed_orders(old, new, earlier))] = "ranking changed"
    reason[rescored] = "score changed"
    reason[added] = "new review"
    return reason


def _labels(reviews: ReviewSet) -> NDArray[Any]:
    """Return the score of each review as it was given."""
    levels = np.empty(len(reviews.scale.levels), dtype=object)
    levels[:] = reviews.scale.levels
    return levels[reviews.level]


def _changed_orders(old: ReviewSet, new: ReviewSet, earlier: IntArray) -> list[int]:
    """Return the reviewers who state another order of the papers that they reviewed before and after."""
    kept = np.flatnonzero(earlier >= 0)
    owner = new.reviewer[kept]
    now, then = _stated(new, kept, owner), _stated(old, earlier[kept], owner)
    ranks = np.stack([now[0], then[0]])
    others = [np.flatnonzero(np.ptp(np.where(np.isnan(ranks), -1.0, ranks), axis=0))]
    others += [np.setxor1d(*both) // kept.size for both in zip(now[1:], then[1:], strict=True)]
    return [
        reviewer
        for reviewer in np.unique(owner[np.concatenate(others)]).tolist()
        if _order(now, owner, reviewer) != _order(then, owner, reviewer)
    ]


# Of n chosen reviews: the rank of each, 0, 1, .. within a reviewer; and the pairs that are in order or about
# the same, that of the a-th and the b-th as the number n a + b.
Stated = tuple[FloatArray, IntArray, IntArray]


def _stated(reviews: ReviewSet, chosen: IntArray, owner: IntArray) -> Stated:
    """Return what reviewers state about chosen reviews, which are sorted by their owner."""
    said, rank = reviews.statements, np.full(chosen.size, np.nan)
    ranked = np.flatnonzero(~np.isnan(said.rank[chosen]))
    order = ranked[np.lexsort((said.rank[chosen[ranked]], owner[ranked]))]
    opens = np.diff(said.rank[chosen[order]], prepend=-1.0) != 0.0
    level, first = np.cumsum(opens), np.searchsorted(owner[order], owner[order])
    rank[order] = level - level[first]
    index = np.full(len(reviews), -1, dtype=np.int64)
    index[chosen] = np.arange(chosen.size)
    pairs = []
    for one, other in ((said.better, said.worse), (said.alike, said.alike_to)):
        both = (index[one] >= 0) & (index[other] >= 0)
        pairs.append(index[one[both]] * chosen.size + index[other[both]])
    return rank, pairs[0], pairs[1]


def _order(stated: Stated, owner: IntArray, reviewer: int) -> set[tuple[int, int]]:
    """Return every pair of reviews that a reviewer's statements put in order."""
    first, last = np.searchsorted(owner, [reviewer, reviewer + 1]).tolist()
    above, alike = (
        [(one - first, other - first) for one, other in map(divmod, own, repeat(owner.size))]
        for own in (
            pairs[(first * owner.size <= pairs) & (pairs < last * owner.size)].tolist()
            for pairs in stated[1:]
        )
    )
    closed = close(stated[0][first:last], above, alike)
    place = closed.sequence.tolist()
    return {
        (place[one], place[other])
        for one, below in enumerate(closed.order.below)
        for other in members(below)
    }
