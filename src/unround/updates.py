"""`unround.update`: solve again after reviews changed, and list what moved and why."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Unpack

import numpy as np
import polars as pl
from numpy.typing import NDArray

from unround.arrays import BoolArray, FloatArray, IntArray
from unround.errors import UsageError
from unround.metrics.papers import paper_means
from unround.pipeline import solve_prepared
from unround.preparation import prepare
from unround.problem.orders import closure
from unround.progress import StageProgress, open_progress
from unround.result import FrameT, Internals, Result, checked_result
from unround.reviews.frames import Frame, rows_of, stacked, with_columns
from unround.reviews.review_set import Ids, ReviewSet, Statements
from unround.reviews.tables import Tables
from unround.settings import AUTO, TOLERANCE, MethodOptions, Settings, known_options
from unround.solver.engine import LOCAL, Engine, open_engine

if TYPE_CHECKING:
    from narwhals.stable.v2.typing import IntoDataFrame

# Moves below half of the fourth decimal cannot be seen and do not change a tie.
LEAST_MOVE = 0.5e-4
PARTS = ("consensus", "ranking", "cell")
COLUMNS = (
    *("reason", "score_before", "score", "dequantized_before", "dequantized", "moved"),
    *("by_score", *(f"by_{name}" for name in PARTS)),
)


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
    given = {"tolerance": TOLERANCE, **known_options(options, MethodOptions)}
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
    return replace(result.settings, scale=None, lam=AUTO, tolerance=TOLERANCE, allow_loss=False)


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
    levels = {
        level: code
        for code, level in enumerate((*before.reviews.scale.levels, *after.reviews.scale.levels))
    }
    both = _explained(after, after.reviews, levels).join(
        _explained(before, after.reviews, levels),
        on=("reviewer", "paper"),
        how="full",
        suffix="_before",
        coalesce=True,
        maintain_order="left_right",
    )
    earlier = both["review_before"].head(len(after.reviews)).fill_null(-1).to_numpy()
    orders = _changed_orders(before.reviews, after.reviews, earlier)
    reordered = pl.col("reviewer").is_in(np.flatnonzero(orders))
    added, gone = pl.col("review_before").is_null(), pl.col("review").is_null()
    rescored = (pl.col("level") != pl.col("level_before")).fill_null(False)
    touched = added | gone | rescored
    splits = {f"by_{name}": pl.col(name) - pl.col(f"{name}_before") for name in ("score", *PARTS)}
    pushed = (splits["by_ranking"].abs() > LEAST_MOVE).fill_null(False)
    moved = pl.col("dequantized") - pl.col("dequantized_before")
    shown = both.with_columns(
        pl.when(added)
        .then(pl.lit("new review"))
        .when(gone)
        .then(pl.lit("withdrawn"))
        .when(rescored)
        .then(pl.lit("score changed"))
        .when(reordered)
        .then(pl.lit("ranking changed"))
        .when(touched.any().over("paper"))
        .then(pl.lit("paper changed"))
        .when(touched.any().over("reviewer") & pushed)
        .then(pl.lit("reviewer changed"))
        .otherwise(pl.lit(distant_reason))
        .alias("reason"),
        moved.alias("moved"),
        **splits,
    ).filter(touched | (moved.abs() > LEAST_MOVE))
    ids = _ids_of(after, shown["review"])
    if shown["review"].null_count():
        withdrawn = shown.filter(gone)["review_before"]
        ids = stacked(ids, _ids_of(before, withdrawn))
    return with_columns(ids, {name: _array(shown[name]) for name in COLUMNS}).to_native()


def _explained(result: Internals, known: ReviewSet, levels: Mapping[Any, int]) -> pl.DataFrame:
    """Return one row per review: who and what by the codes of `known`, scores, and what moved them."""
    reviews = result.reviews
    return pl.DataFrame(
        {
            "reviewer": known.reviewers.codes(reviews.reviewers.of(reviews.reviewer)),
            "paper": known.papers.codes(reviews.papers.of(reviews.paper)),
            "review": np.arange(len(reviews)),
            "level": np.array([levels[one] for one in reviews.scale.levels])[reviews.level],
            "score": reviews.given,
            "dequantized": result.values,
            **{name: getattr(result.parts, name) for name in PARTS},
        }
    )


def _ids_of(result: Internals, reviews: pl.Series) -> Frame:
    """Return reviewer and paper of some reviews, as the caller's table has them."""
    rows = result.reviews.row[reviews.drop_nulls().to_numpy()]
    return rows_of(result.frame[["reviewer", "paper"]], rows)


def _array(column: pl.Series) -> NDArray[Any]:
    """Return numbers, NaN where there is none, or texts."""
    if column.dtype.is_numeric():
        return column.fill_null(float("nan")).to_numpy()
    return np.array(column.to_list(), dtype=object)


def _changed_orders(before: ReviewSet, after: ReviewSet, earlier: IntArray) -> BoolArray:
    """Return which reviewers state another order of the papers that they reviewed before and after."""
    place = np.full(len(before), -1)
    kept = np.flatnonzero(earlier >= 0)
    place[earlier[kept]] = kept
    then = _between_kept(before.statements, place, len(after))
    now = _between_kept(
        after.statements, np.where(earlier >= 0, np.arange(len(after)), -1), len(after)
    )
    differs = (then.rank != now.rank) & ~(np.isnan(then.rank) & np.isnan(now.rank))
    stated = (differs.nonzero()[0], then.better, now.better, then.alike, now.alike)
    start = np.searchsorted(after.reviewer, np.arange(len(after.reviewers) + 1))
    changed = np.zeros(len(after.reviewers), dtype=np.bool_)
    for one in np.unique(after.reviewer[np.concatenate(stated)]).tolist():
        own = range(start[one], start[one + 1])
        changed[one] = _order(then, own) != _order(now, own)
    return changed


def _between_kept(said: Statements, place: IntArray, count: int) -> Statements:
    """Return what is stated between reviews that have a place among `count` others, in their order."""
    rank, there = np.full(count, np.nan), place >= 0
    rank[place[there]] = said.rank[there]
    sides = list[IntArray]()
    for both in ((said.better, said.worse), (said.alike, said.alike_to)):
        one, other = place[np.stack(both)[:, there[both[0]] & there[both[1]]]]
        order = np.argsort(one, kind="stable")
        sides += [one[order], other[order]]
    return Statements(rank, *sides)


def _order(said: Statements, own: range) -> tuple[set[tuple[int, int]], set[tuple[int, int]]]:
    """Return every comparison that a reviewer's statements imply, and the papers about the same."""
    rank = said.rank[own.start : own.stop]
    ranked = (np.stack(np.nonzero(rank[:, None] < rank)) + own.start).T.tolist()
    pairs, alike = (
        np.stack(both)[:, slice(*np.searchsorted(both[0], [own.start, own.stop]))].T.tolist()
        for both in ((said.better, said.worse), (said.alike, said.alike_to))
    )
    return closure(map(tuple, [*ranked, *pairs])), set(map(tuple, alike))
