"""The order that the papers of a scope are shown in: that of the run, as far as no hidden score follows.

A hidden paper that a reviewer ranked just above or below one in scope, with the same score, pushes it,
and with it the mean of that paper. If only one hidden paper can have pushed, an order that needs a push
tells its score; and if none can push back, an order without a push tells what its score is not. So a
paper is shown by its mean in the run only where two hidden papers or more can have pushed it up, and
two or more down, and no further from the mean that follows from the scope alone than all but one of
them can have pushed it. Other papers are shown by the mean that follows from the scope.

Nobody can be told from such an order, since each hidden score may as well be another one, with the
push done by another paper. Papers that hidden ones can move are never shown as tied: a tie would tell
that nothing moved them.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import polars as pl

from unround.arrays import FloatArray, IntArray
from unround.metrics import tie_grid
from unround.metrics.papers import paper_means
from unround.problem.build import build_problem
from unround.report.inputs import solved_input
from unround.report.pushes import can_be_pushed, has_room
from unround.report.scope import Scope
from unround.report.scoped import within_scope
from unround.report.snapshot import Snapshot
from unround.scale import Scale
from unround.solver.local import Solver

TOLERANCE = 1e-9  # of the scores that follow from a scope, in units of the smallest level spacing
ENOUGH = 2  # hidden papers that can have pushed, on either side: each is an excuse for the other


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
        scores = _solved(inside)
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

    def standing(self, mean: FloatArray) -> IntArray:
        """Return the place of each paper from the lowest up, by its mean in the run; tied ones are equal."""
        shown = tie_grid(np.clip(mean, self.base - self.down, self.base + self.up))
        tie = np.where(self.up > 0, 1 + np.arange(shown.size), 0)
        order = np.lexsort((tie, shown))
        apart = (np.diff(shown[order]) != 0) | (np.diff(tie[order]) != 0)
        standing = np.zeros(shown.size, dtype=np.int64)
        standing[order[1:]] = np.cumsum(apart)
        return standing


def _stated_by(reviews: pl.DataFrame, snapshot: Snapshot) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Return the ranks and stated pairs of the reviewers of some reviews."""
    ranks, pairs = (
        table.join(reviews, on="reviewer", how="semi") for table in (snapshot.ranks, snapshot.pairs)
    )
    return ranks, pairs


def _solved(inside: Snapshot) -> FloatArray:
    """Return the scores of what is in scope with the λ of the run."""
    reviews, settings, lam = solved_input(inside)
    problem, _ = build_problem(reviews, settings)
    scores = Solver(problem).solve(lam, TOLERANCE * reviews.scale.spacing).scores
    return reviews.in_caller_order(scores)
