"""Statements that cannot all hold: found, listed, and settled by the chosen policy.

Works on a batch: reviewers with the same number of papers, each order a matrix (see orders.py).
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from unround.arrays import BoolArray, FloatArray, IntArray
from unround.issues import Issue, Kind
from unround.problem import orders
from unround.reviews.review_set import ReviewSet
from unround.settings import Policy

# Cells that miss by less than this are taken to touch: the rounding of a few additions.
ROUNDING = 1e-12


@dataclass
class Batch:
    """Reviewers with equally many papers, and what is known about their orders."""

    reviews: ReviewSet
    member: IntArray  # (reviewers, papers): reviews
    above: BoolArray  # (reviewers, papers, papers): closed order
    alike: BoolArray  # (reviewers, papers, papers): pairs stated to be about the same
    gap: FloatArray  # (reviewers,)
    lower: FloatArray  # (reviewers, papers): cells
    upper: FloatArray
    issues: list[Issue] = field(default_factory=list)

    def label(self, r: int, i: int) -> str:
        """A paper with its score, for messages."""
        return f"{self.paper(r, i)} (score {self.score(r, i)})"

    def reviewer(self, r: int) -> object:
        """A reviewer's id."""
        return self.reviews.reviewers.labels[self.reviews.reviewer[self.member[r, 0]]]

    def paper(self, r: int, i: int) -> object:
        """A paper's id."""
        return self.reviews.papers.labels[self.reviews.paper[self.member[r, i]]]

    def score(self, r: int, i: int) -> object:
        """The score that a reviewer gave a paper, as they wrote it."""
        return self.reviews.scale.levels[self.reviews.level[self.member[r, i]]]

    def report(self, kind: Kind, r: int, papers: list[int], message: str, action: str) -> None:
        """Add an issue about some of a reviewer's papers."""
        self.issues.append(
            Issue(
                kind,
                f"reviewer {self.reviewer(r)} {message}",
                rows=tuple(int(self.reviews.row[self.member[r, i]]) for i in papers),
                reviewer=self.reviewer(r),
                papers=tuple(self.paper(r, i) for i in papers),
                scores=tuple(self.score(r, i) for i in papers),
                action=action,
            )
        )


def settle(batch: Batch, policy: Policy, same_within: float | None) -> None:
    """Make the batch's orders hold together with its cells; every change is reported."""
    _set_cycles_aside(batch)
    against = batch.above & _scored_below(batch)
    _report_contradictions(batch, against, policy)
    agreeing = batch.above & ~against
    fitting = _fitting_gaps(batch, agreeing)
    _report_lack_of_room(batch, agreeing, fitting, policy)
    if policy is not Policy.RANKINGS:
        batch.above = agreeing
        batch.gap = np.where(fitting < batch.gap, fitting / 2.0, batch.gap)
    if same_within is not None:
        _settle_alike(batch, policy, same_within)
    if policy is Policy.RANKINGS:
        _open_cells(batch, _gaps(batch, batch.alike, same_within))


def _set_cycles_aside(batch: Batch) -> None:
    loops = orders.cycles(batch.above)
    for r in np.flatnonzero(loops.any(axis=(1, 2))).tolist():
        for papers in _distinct_rows(loops[r]):
            names = ", ".join(batch.label(r, i) for i in papers)
            batch.report(
                Kind.CYCLE,
                r,
                papers,
                f"states a cycle among papers {names}: each would have to be better than itself; "
                "remove one of the statements",
                "comparisons inside the cycle set aside",
            )
    batch.above = batch.above & ~loops


def _distinct_rows(relation: BoolArray) -> list[list[int]]:
    """The classes of an equivalence on those papers that stand in it."""
    rows = {tuple(np.flatnonzero(row).tolist()) for row in relation if row.any()}
    return [list(row) for row in sorted(rows)]


def _scored_below(batch: Batch) -> BoolArray:
    level = batch.reviews.level[batch.member]
    below: BoolArray = level[:, :, None] < level[:, None, :]
    return below


def _report_contradictions(batch: Batch, against: BoolArray, policy: Policy) -> None:
    action = "cells opened" if policy is Policy.RANKINGS else "comparison set aside"
    for r, i, j in np.argwhere(against).tolist():
        message = f"ranks {batch.label(r, i)} above {batch.label(r, j)}, against their own scores"
        batch.report(Kind.CONTRADICTION, r, [i, j], message, action)


def _fitting_gaps(batch: Batch, above: BoolArray) -> FloatArray:
    """The largest gap for which each reviewer's order fits into their cells."""
    steps = orders.longest_paths(above)
    room = batch.upper[:, :, None] - batch.lower[:, None, :]
    each = np.full(room.shape, np.inf)
    np.divide(room, steps, out=each, where=steps > 0)
    # A gap that fits up to rounding is left alone.
    largest: FloatArray = each.min(axis=(1, 2), initial=np.inf)
    return np.where(largest >= batch.gap - ROUNDING, np.inf, largest)


def _report_lack_of_room(
    batch: Batch, above: BoolArray, fitting: FloatArray, policy: Policy
) -> None:
    unit = batch.reviews.scale.spacing
    for r in np.flatnonzero(np.isfinite(fitting)).tolist():
        steps = orders.longest_paths(above[r : r + 1])[0]
        room = batch.upper[r][:, None] - batch.lower[r][None, :]
        each = np.divide(room, steps, out=np.full(room.shape, np.inf), where=steps > 0)
        best, worst = (int(place) for place in np.unravel_index(int(np.argmin(each)), each.shape))
        action = (
            "cells opened"
            if policy is Policy.RANKINGS
            else f"epsilon reduced to {fitting[r] / 2.0 / unit:.4g} for this reviewer"
        )
        message = (
            f"ranks {steps[best, worst] + 1} papers in a row from {batch.label(r, best)} down to "
            f"{batch.label(r, worst)}: epsilon {batch.gap[r] / unit:g} does not fit between their "
            f"scores, the largest that does is {fitting[r] / unit:.4g}"
        )
        batch.report(Kind.NO_ROOM, r, [best, worst], message, action)


def _gaps(batch: Batch, alike: BoolArray | None, same_within: float | None) -> FloatArray:
    """The gap that follows between any two papers of a reviewer; -inf where none does."""
    steps = orders.longest_paths(batch.above)
    gaps = np.where(steps > 0, steps * batch.gap[:, None, None], -np.inf)
    if alike is None or same_within is None:
        return gaps
    apart = -same_within * batch.reviews.scale.spacing
    return orders.tightest_gaps(np.where(alike, np.maximum(gaps, apart), gaps))


def _lack(batch: Batch, gaps: FloatArray) -> FloatArray:
    """How much cells i and j must open for the gap that must lie between them."""
    lack: FloatArray = batch.lower[:, None, :] + gaps - batch.upper[:, :, None]
    return np.where(lack > ROUNDING, lack, 0.0)


def _settle_alike(batch: Batch, policy: Policy, same_within: float) -> None:
    """Report bounds on "about the same" that cannot be met; drop them unless rankings rule."""
    keep = policy is Policy.RANKINGS
    for r, i, j in np.argwhere(np.triu(batch.alike & _broken(batch, same_within))).tolist():
        message = (
            f"calls {batch.label(r, i)} and {batch.label(r, j)} about the same, but their "
            f"statements leave no scores within {same_within:g} of each other"
        )
        action = "cells opened" if keep else "bound set aside"
        batch.report(Kind.TOO_FAR_APART, r, [i, j], message, action)
        if not keep:
            batch.alike[r, i, j] = batch.alike[r, j, i] = False


def _broken(batch: Batch, same_within: float) -> BoolArray:
    """Pairs whose bound the order and the cells cannot meet: alone, or failing that, all together."""
    order_alone = _lack(batch, _gaps(batch, None, None))
    broken = np.zeros_like(batch.alike)
    for i, j in np.argwhere(np.triu(batch.alike.any(axis=0))).tolist():
        one = np.zeros_like(batch.alike)
        one[:, i, j] = one[:, j, i] = batch.alike[:, i, j]
        worse = _lack(batch, _gaps(batch, one, same_within)) > order_alone + ROUNDING
        broken[:, i, j] = broken[:, j, i] = worse.any(axis=(1, 2))
    rest = _lack(batch, _gaps(batch, batch.alike & ~broken, same_within)) > order_alone + ROUNDING
    jointly: BoolArray = np.asarray(rest.any(axis=(1, 2)))
    return broken | jointly[:, None, None]


def _open_cells(batch: Batch, gaps: FloatArray) -> None:
    """Widen cells just as far as the order needs: the least total squared stretch."""
    lack = _lack(batch, gaps)
    for r in np.flatnonzero(lack.any(axis=(1, 2))).tolist():
        up, down = least_stretch(lack[r])
        batch.upper[r] += up
        batch.lower[r] -= down


def least_stretch(lack: FloatArray) -> tuple[FloatArray, FloatArray]:
    """The smallest Σ up² + down² with up[i] + down[j] ≥ lack[i, j] where lack is positive.

    A least-distance problem, solved through non-negative least squares (Lawson and Hanson, ch. 23).
    Any order fits into the widened cells: what must lie between two papers is met for every pair.
    """
    from scipy.optimize import nnls  # slow to load, and rarely needed

    upper, lower = np.nonzero(lack > 0.0)
    needed = lack[upper, lower]
    size = lack.shape[0]
    system = np.zeros((2 * size + 1, needed.size))
    columns = np.arange(needed.size)
    system[upper, columns] = 1.0
    system[size + lower, columns] = 1.0
    system[-1] = needed
    target = np.zeros(2 * size + 1)
    target[-1] = 1.0
    weights, _ = nnls(system, target, maxiter=100 * needed.size + 1000)
    residual = system @ weights - target
    stretch = np.maximum(residual[:-1] / -residual[-1], 0.0)
    up, down = stretch[:size], stretch[size:]
    # Close what rounding left open, so that every pair fits exactly.
    short = np.zeros(size)
    np.maximum.at(short, upper, needed - up[upper] - down[lower])
    return up + short, down
