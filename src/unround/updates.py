"""`unround.update`: solve again after reviews changed, and list what moved and why."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, pairwise, product
from operator import itemgetter
from typing import TYPE_CHECKING, Any, Unpack

import numpy as np
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
    earlier = _aligned(after, before)
    gone = np.flatnonzero(_aligned(before, after) < 0)
    reason = _reasons(before, after, earlier, distant_reason)
    old, given = _pick(before.values, earlier), _pick(before.reviews.given, earlier)
    moved = after.values - old
    visible = np.abs(moved) > LEAST_MOVE
    shown = np.flatnonzero((earlier < 0) | visible | (reason == "score changed"))
    nothing = np.full(gone.size, np.nan)
    columns: dict[str, NDArray[Any]] = {
        "reason": np.concatenate([reason[shown], np.full(gone.size, "withdrawn", dtype=object)]),
        "score_before": np.concatenate([given[shown], before.reviews.given[gone]]),
        "score": np.concatenate([after.reviews.given[shown], nothing]),
        "dequantized_before": np.concatenate([old[shown], before.values[gone]]),
        "dequantized": np.concatenate([after.values[shown], nothing]),
        "moved": np.concatenate([moved[shown], nothing]),
    }
    for name, values in _parts(before, after, earlier).items():
        columns[name] = np.concatenate([values[shown], nothing])
    ids = _ids_of(after, shown)
    if gone.size:
        ids = stacked(ids, _ids_of(before, gone))
    return with_columns(ids, columns).to_native()


def _ids_of(result: Internals, reviews: IntArray) -> Frame:
    """Return reviewer and paper of some reviews, as the caller's table has them."""
    return rows_of(result.frame[["reviewer", "paper"]], result.reviews.row[reviews])


def _aligned(these: Internals, others: Internals) -> IntArray:
    """Return for each review of `these` its index in `others`, -1 if it is not there."""
    here, there = these.reviews, others.reviews
    reviewer = there.reviewers.codes(here.reviewers.of(here.reviewer))
    return there.find(reviewer, there.papers.codes(here.papers.of(here.paper)))


def _pick(values: FloatArray, index: IntArray) -> FloatArray:
    return np.where(index >= 0, values[np.maximum(index, 0)], np.nan)


def _reasons(
    before: Internals, after: Internals, earlier: IntArray, distant_reason: str
) -> NDArray[Any]:
    """Return the nearest cause for each review to have moved; `earlier` is its index before, or -1."""
    reviews, old = after.reviews, before.reviews
    added = earlier < 0
    rescored = ~added & (_labels(old)[np.maximum(earlier, 0)] != _labels(reviews))
    gone = _aligned(before, after) < 0
    paper_changed = _touched(reviews.paper, added | rescored, reviews.papers)
    paper_changed |= _named(reviews.papers, old.papers.of(old.paper[gone]))
    reviewer_changed = _touched(reviews.reviewer, added | rescored, reviews.reviewers)
    reviewer_changed |= _named(reviews.reviewers, old.reviewers.of(old.reviewer[gone]))
    parts = _parts(before, after, earlier)
    by_order = np.abs(np.nan_to_num(parts["by_ranking"])) > LEAST_MOVE
    reason = np.full(len(reviews), distant_reason, dtype=object)
    reason[reviewer_changed[reviews.reviewer] & by_order] = "reviewer changed"
    reason[paper_changed[reviews.paper]] = "paper changed"
    reason[_changed_orders(before, after, earlier)[reviews.reviewer]] = "ranking changed"
    reason[rescored] = "score changed"
    reason[added] = "new review"
    return reason


def _labels(reviews: ReviewSet) -> NDArray[Any]:
    """Return the score of each review as it was given."""
    levels = np.empty(len(reviews.scale.levels), dtype=object)
    levels[:] = reviews.scale.levels
    return levels[reviews.level]


def _touched(codes: IntArray, changed: BoolArray, ids: Ids) -> BoolArray:
    """Return which papers or reviewers have a changed review."""
    touched = np.zeros(len(ids), dtype=np.bool_)
    touched[codes[changed]] = True
    return touched


def _named(ids: Ids, labels: NDArray[Any]) -> BoolArray:
    """Return which papers or reviewers are among those labels."""
    named = np.zeros(len(ids), dtype=np.bool_)
    codes = ids.codes(labels)
    named[codes[codes >= 0]] = True
    return named


def _changed_orders(before: Internals, after: Internals, earlier: IntArray) -> BoolArray:
    """Return which reviewers state another order of the papers that they reviewed before and after."""
    kept = np.flatnonzero(earlier >= 0)
    changed = np.zeros(len(after.reviews.reviewers), dtype=np.bool_)
    if _same_rank_lists(before.reviews.statements, after.reviews.statements, earlier):
        return changed
    owner = after.reviews.reviewer[kept]
    new, old = _stated(after.reviews, kept, owner), _stated(before.reviews, earlier[kept], owner)
    for reviewer in {*new, *old}:
        now, then = new[reviewer], old[reviewer]
        changed[reviewer] = now != then and _closed(now) != _closed(then)
    return changed


def _same_rank_lists(old: Statements, new: Statements, earlier: IntArray) -> bool:
    """Return whether no rank list changed and nothing else is stated; most updates are like that."""
    others = (old.better, new.better, old.alike, new.alike)
    ranks = _pick(old.rank, earlier)
    return not any(pairs.size for pairs in others) and np.array_equal(
        ranks, new.rank, equal_nan=True
    )


Statement = tuple[int, int, bool]  # above, below, whether they are only about the same


def _stated(
    reviews: ReviewSet, chosen: IntArray, owner: IntArray
) -> defaultdict[int, set[Statement]]:
    """Return what each owner states between chosen reviews, by their places among those.

    That is: neighbours in rank lists, pairs, and papers that are about the same.
    """
    number = np.full(len(reviews), -1, dtype=np.int64)
    number[chosen] = np.arange(chosen.size)
    said = reviews.statements
    statements = list(_neighbours(owner, said.rank[chosen]))
    for one, other, alike in ((said.better, said.worse, False), (said.alike, said.alike_to, True)):
        both = (number[one] >= 0) & (number[other] >= 0)
        pairs = zip(number[one[both]].tolist(), number[other[both]].tolist(), strict=True)
        statements += [(first, second, alike) for first, second in pairs]
    by_owner = defaultdict[int, set[Statement]](set)
    for statement in statements:
        by_owner[int(owner[statement[0]])].add(statement)
    return by_owner


def _neighbours(reviewer: IntArray, rank: FloatArray) -> Iterator[Statement]:
    """Yield each ranked review above every one of the next rank of its reviewer."""
    ranked = np.flatnonzero(~np.isnan(rank))
    order = ranked[np.lexsort((rank[ranked], reviewer[ranked]))]
    keys = zip(reviewer[order].tolist(), rank[order].tolist(), order.tolist(), strict=True)
    ranks = [list(tied) for _, tied in groupby(keys, key=itemgetter(0, 1))]
    for above, below in pairwise(ranks):
        if above[0][0] == below[0][0]:
            yield from ((one[2], other[2], False) for one, other in product(above, below))


def _closed(stated: set[Statement]) -> set[Statement]:
    """Return statements with every comparison they imply, so that equal orders compare equal."""
    alike = {statement for statement in stated if statement[2]}
    above = closure((better, worse) for better, worse, same in stated if not same)
    return alike | {(better, worse, False) for better, worse in above}


def _parts(before: Internals, after: Internals, earlier: IntArray) -> dict[str, FloatArray]:
    """Return how the move splits: the given score's own change and the change of each part."""
    old, now = before.parts, after.parts
    pairs = (
        ("by_score", before.reviews.given, after.reviews.given),
        ("by_consensus", old.consensus, now.consensus),
        ("by_ranking", old.ranking, now.ranking),
        ("by_cell", old.cell, now.cell),
    )
    return {name: now_part - _pick(old_part, earlier) for name, old_part, now_part in pairs}
