"""Solving again after reviews changed, and the table of what moved and why."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from unround.arrays import BoolArray, FloatArray, IntArray
from unround.errors import UsageError
from unround.frames import frame_like
from unround.ids import Ids
from unround.pipeline import prepare, solve_prepared
from unround.result import Result
from unround.scale import Scale
from unround.settings import AUTO, Settings, checked_lambda, checked_tolerance
from unround.validation import validate

# Moves below half of the fourth decimal cannot be seen and do not change a tie.
LEAST_MOVE = 0.5e-4
UPDATABLE = frozenset(
    ("lam", "scale", "conflicts", "epsilon", "unranked", "same", "same_within", "tolerance")
)


@dataclass(frozen=True)
class Update:
    """A result after a change, and one row for every review that the change touched.

    `changes` has reviewer, paper, reason, score_before, score, dequantized_before, dequantized, moved,
    and how much of the move came by the score itself, by consensus, by the ranking and by the cell.

    >>> import polars as pl, unround
    >>> reviews = pl.DataFrame({"reviewer": [1, 2], "paper": ["a", "a"], "score": [4, 6]})
    >>> unround.update(unround.dequantize(reviews, lam=1.0), reviews).changes.height
    0
    """

    result: Result
    changes: Any


def update(before: Result, reviews: object, rankings: object = None, **changes: Any) -> Update:
    """Solve again after some reviews changed, from where an earlier result stands.

    Give the whole tables as they are now. λ and the settings stay what they were, unless named in
    `changes` (the arguments of `dequantize`; lam="auto" validates anew).

    >>> import polars as pl, unround
    >>> first = pl.DataFrame({"reviewer": [1, 2], "paper": ["a", "a"], "score": [4, 6]})
    >>> second = pl.DataFrame({"reviewer": [1, 2], "paper": ["a", "a"], "score": [5, 6]})
    >>> update = unround.update(unround.dequantize(first, lam=1.0), second)
    >>> update.changes.select("reviewer", "reason", "moved").rows()
    [(1, 'score changed', 0.75), (2, 'paper changed', 0.25)]
    """
    unknown = set(changes) - UPDATABLE
    if unknown:
        raise UsageError(f"update does not know the argument {sorted(unknown)[0]!r}")
    kept = before.settings
    settings = Settings.checked(
        changes.get("epsilon", kept.epsilon),
        changes.get("conflicts", kept.conflicts),
        changes.get("unranked", kept.unranked),
        changes.get("same_within", kept.same_within),
    )
    scale: Scale = changes.get("scale", before.reviews.scale)
    prepared = prepare(reviews, rankings, same=changes.get("same"), scale=scale, settings=settings)
    lam, curve = changes.get("lam", before.lam), None
    if lam == AUTO:
        curve = validate(prepared.reviews, epsilon=settings.epsilon)
        lam = curve.best
    tolerance = checked_tolerance(changes.get("tolerance", 1e-9))
    start = _carried_centres(before, prepared.reviews.papers, prepared.problem.papers)
    after = solve_prepared(
        prepared, settings, checked_lambda(lam), tolerance, curve=curve, start=start
    )
    return Update(after, frame_like(after.frame, _what_moved(before, after)))


def _carried_centres(before: Result, papers: Ids, count: int) -> FloatArray:
    """The old means where a paper had one; the middle of all means for new papers."""
    start = before.problem.paper_start
    sums = np.bincount(before.problem.paper, weights=before.values, minlength=start.size - 1)
    old = sums / np.diff(start)
    place = before.reviews.papers.codes(_labels(papers, np.arange(count)))
    return np.where(place >= 0, old[place], old.mean())


def _labels(ids: Ids, codes: IntArray) -> NDArray[Any]:
    kind = object if ids.labels and isinstance(ids.labels[0], str) else None
    return np.array(ids.labels, dtype=kind)[codes]


def _what_moved(before: Result, after: Result) -> dict[str, NDArray[Any]]:
    """Rows for reviews that are new, withdrawn, changed, or moved visibly."""
    new = _aligned(after, before)
    gone = np.flatnonzero(_aligned(before, after) < 0)
    reason = _reasons(before, after, new)
    known = new >= 0
    moved = np.full(len(after.reviews), np.nan)
    moved[known] = after.values[known] - before.values[new[known]]
    shown = np.flatnonzero(~known | (np.abs(moved) > LEAST_MOVE) | (reason == "score changed"))
    parts = _parts(before, after, new)
    now, then = after.reviews, before.reviews
    table: dict[str, NDArray[Any]] = {
        "reviewer": _join(now.reviewers, now.reviewer[shown], then.reviewers, then.reviewer[gone]),
        "paper": _join(now.papers, now.paper[shown], then.papers, then.paper[gone]),
        "reason": np.concatenate([reason[shown], np.full(gone.size, "withdrawn", dtype=object)]),
        "score_before": np.concatenate([_pick(then.given, new[shown]), then.given[gone]]),
        "score": np.concatenate([now.given[shown], np.full(gone.size, np.nan)]),
        "dequantized_before": np.concatenate(
            [_pick(before.values, new[shown]), before.values[gone]]
        ),
        "dequantized": np.concatenate([after.values[shown], np.full(gone.size, np.nan)]),
        "moved": np.concatenate([moved[shown], np.full(gone.size, np.nan)]),
    }
    for name, values in parts.items():
        table[name] = np.concatenate([values[shown], np.full(gone.size, np.nan)])
    return table


def _aligned(these: Result, others: Result) -> IntArray:
    """For each review of `these` its index in `others`, -1 if it is not there."""
    here, there = these.reviews, others.reviews
    reviewer = there.reviewers.codes(_labels(here.reviewers, here.reviewer))
    return there.find(reviewer, there.papers.codes(_labels(here.papers, here.paper)))


def _pick(values: FloatArray, places: IntArray) -> FloatArray:
    return np.where(places >= 0, values[np.maximum(places, 0)], np.nan)


def _join(first: Ids, codes: IntArray, second: Ids, more: IntArray) -> NDArray[Any]:
    return np.concatenate([_labels(first, codes), _labels(second, more)])


def _reasons(before: Result, after: Result, new: IntArray) -> NDArray[Any]:
    """The nearest cause for each review to have moved."""
    reviews = after.reviews
    added = new < 0
    rescored = ~added & (_pick(before.reviews.given, new) != reviews.given)
    reranked = _changed_orders(before, after)[reviews.reviewer] & ~added & ~rescored
    touched = np.zeros(len(reviews.papers), dtype=np.bool_)
    touched[reviews.paper[added | rescored]] = True
    gone = _aligned(before, after) < 0
    lost = reviews.papers.codes(_labels(before.reviews.papers, before.reviews.paper[gone]))
    touched[lost[lost >= 0]] = True
    reason = np.full(len(reviews), "spillover", dtype=object)
    reason[touched[reviews.paper]] = "paper changed"
    reason[reranked] = "ranking changed"
    reason[rescored] = "score changed"
    reason[added] = "new review"
    return reason


def _changed_orders(before: Result, after: Result) -> BoolArray:
    """Which reviewers' comparisons are not what they were."""
    old, new = _comparisons(before), _comparisons(after)
    changed = np.zeros(len(after.reviews.reviewers), dtype=np.bool_)
    for reviewer in {triple[0] for triple in old ^ new}:
        code = int(after.reviews.reviewers.codes(np.array([reviewer]))[0])
        if code >= 0:
            changed[code] = True
    return changed


def _comparisons(result: Result) -> set[tuple[Any, Any, Any]]:
    reviews, pairs = result.reviews, result.problem.comparisons
    reviewer = _labels(reviews.reviewers, reviews.reviewer[pairs.above]).tolist()
    above = _labels(reviews.papers, reviews.paper[pairs.above]).tolist()
    below = _labels(reviews.papers, reviews.paper[pairs.below]).tolist()
    return set(zip(reviewer, above, below, strict=True))


def _parts(before: Result, after: Result, new: IntArray) -> dict[str, FloatArray]:
    """How the move splits: the given score's own change and the change of each part."""
    old, now = before.parts, after.parts
    pairs = (
        ("by_score", before.reviews.given, after.reviews.given),
        ("by_consensus", old.consensus, now.consensus),
        ("by_ranking", old.ranking, now.ranking),
        ("by_cell", old.cell, now.cell),
    )
    return {name: now_part - _pick(old_part, new) for name, old_part, now_part in pairs}
