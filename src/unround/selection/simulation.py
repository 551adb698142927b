"""λ by simulation (lam="auto+"): draw conferences like this one, see which λ restores them best.

A drawn conference has the same reviewers, papers and kinds of statements; its opinions are known,
so that the error of every λ is known too. The model only picks λ: the scores still come from the
paper's program.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from unround.arrays import FloatArray, IntArray, freeze
from unround.metrics import KendallError
from unround.problem.build import build_problem, completed_ranks
from unround.problem.model import Problem
from unround.reviews.review_set import ReviewSet, Statements
from unround.selection.curve import PAPER_GRID, Curve
from unround.settings import Policy, Settings, Unranked
from unround.solver.engine import ON_THIS_MACHINE, Engine

Progress = Callable[[int, int], None]
Drawn = tuple[Problem, FloatArray, FloatArray]  # a drawn conference, its opinions, the grid

AUTO_PLUS: Literal["auto+"] = "auto+"
# Small conferences need many draws for a smooth curve; in large ones every draw is smooth.
MOST_DRAWS = 32
REVIEWS_TO_DRAW = 8_000
# A hundredth of what makes a tie.
TOLERANCE = 1e-6
# Below this share of a cell's width, rounding hides the noise of opinions altogether.
LEAST_NOISE = 0.1


@dataclass(frozen=True)
class Model:
    """How opinions may have come about: a paper's centre plus normal noise."""

    centre: FloatArray  # one a paper
    doubt: FloatArray  # one a paper: standard deviation of its centre
    noise: float  # standard deviation of opinions around a centre
    grains: int | None  # different opinions that fall into one cell; None = any number

    def __post_init__(self) -> None:
        freeze(self.centre, self.doubt)


@dataclass(frozen=True)
class SimulatedCurve(Curve):
    """The mean error of every λ over the drawn conferences."""

    chosen_by = AUTO_PLUS


def simulated(
    reviews: ReviewSet,
    settings: Settings,
    *,
    model: Model | None = None,
    draws: int | None = None,
    grid: FloatArray = PAPER_GRID,
    progress: Progress | None = None,
    engine: Engine = ON_THIS_MACHINE,
) -> SimulatedCurve:
    """Mean Kendall-tau error of every λ over conferences drawn from the model.

    The draws depend on the scores alone, so that the same data give the same λ in any row order.
    """
    fitted = fit(reviews) if model is None else model
    count = draws or int(np.clip(REVIEWS_TO_DRAW // max(len(reviews), 1), 1, MOST_DRAWS))
    random = np.random.default_rng(_seed(reviews))
    as_drawn = Settings(epsilon=settings.epsilon, conflicts=Policy.SCORES)

    def drawn() -> Iterator[Drawn]:
        for _ in range(count):
            opinions, conference = draw_conference(reviews, fitted, settings.unranked, random)
            yield build_problem(conference, as_drawn)[0], opinions, grid

    # One draw is large enough to be shared out; many are each done whole.
    curves = (
        engine.each(_drawn_curve, drawn())
        if count > 1
        else (error_curve(*draw, TOLERANCE, engine) for draw in drawn())
    )
    total = np.zeros(grid.size)
    for done, errors in enumerate(curves, start=1):
        total += errors
        if progress is not None:
            progress(done, count)
    return SimulatedCurve(grid.copy(), total / count)


def _drawn_curve(draw: Drawn) -> FloatArray:
    return error_curve(*draw, TOLERANCE)


def error_curve(
    problem: Problem,
    truth: FloatArray,
    grid: FloatArray = PAPER_GRID,
    tolerance: float = 1e-9,
    engine: Engine = ON_THIS_MACHINE,
) -> FloatArray:
    """The Kendall-tau error of every λ against a known truth, walked from the largest λ down."""
    solver, measure = engine.solver(problem), KendallError(truth)
    errors, centres = np.empty(grid.size), None
    for place in range(grid.size - 1, -1, -1):
        solution = solver.solve(float(grid[place]), tolerance, centres)
        centres = solution.centres
        errors[place] = measure(solution.scores)
    return errors


def fit(reviews: ReviewSet) -> Model:
    """Centres shrunk to the grand mean by the variance ratio, noise without rounding's share."""
    z, paper = reviews.given, reviews.paper
    count = np.bincount(paper, minlength=len(reviews.papers))
    mean = np.bincount(paper, weights=z, minlength=count.size) / count
    freedom = max(z.size - count.size, 1)
    within = float(np.sum((z - mean[paper]) ** 2)) / freedom
    of_means = float(mean.var(ddof=1)) if mean.size > 1 else 0.0
    between = max(of_means - float(np.mean(within / count)), 0.0)
    width = float(np.mean(reviews.upper - reviews.lower))
    rounding = width**2 / 12.0
    ratio = between / np.maximum(between + within / count, np.finfo(np.float64).tiny)
    grand = float(z.mean())
    return Model(
        centre=grand + ratio * (mean - grand),
        # However many reviewers agree, a centre is known no better than to its cell.
        doubt=np.sqrt(ratio * np.maximum(within / count, rounding)),
        noise=float(np.sqrt(max(within - rounding, (LEAST_NOISE * width) ** 2))),
        grains=grains_of(reviews),
    )


def grains_of(reviews: ReviewSet) -> int | None:
    """How many different opinions fall into one cell, told from the ties in rankings.

    With g equally frequent ones, a share 1/g of a reviewer's pairs of equal score is tied in rank.
    No tie at all says that opinions are continuous; nothing but ties says nothing.
    """
    ranked = np.flatnonzero(~np.isnan(reviews.statements.rank))
    scored = np.stack([reviews.reviewer[ranked], reviews.level[ranked]])
    _, rank = np.unique(reviews.statements.rank[ranked], return_inverse=True)
    equal_score = _pairs_within(scored)
    tied = _pairs_within(np.vstack([scored, rank]))
    if tied in (0, equal_score):
        return None
    return max(round(equal_score / tied), 2)


def _pairs_within(keys: IntArray) -> int:
    _, sizes = np.unique(keys, axis=1, return_counts=True)
    return int(np.sum(sizes * (sizes - 1) // 2))


def draw_conference(
    reviews: ReviewSet, model: Model, unranked: Unranked, random: np.random.Generator
) -> tuple[FloatArray, ReviewSet]:
    """Opinions, and the reviews and statements that come of them."""
    scale = reviews.scale
    centre = model.centre + model.doubt * random.standard_normal(model.centre.size)
    noise = model.noise * random.standard_normal(len(reviews))
    opinions = np.clip(centre[reviews.paper] + noise, scale.lower[0], scale.upper[-1])
    level = np.searchsorted(scale.values, scale.nearest(opinions)).astype(np.int64)
    if model.grains is not None:
        low, width = scale.lower[level], (scale.upper - scale.lower)[level]
        place = np.clip(np.floor((opinions - low) / width * model.grains), 0, model.grains - 1)
        opinions = low + width * (place + 0.5) / model.grains
    statements = _restated(reviews, opinions, unranked, grained=model.grains is not None)
    return opinions, replace(reviews, level=level, statements=statements)


def _restated(
    reviews: ReviewSet, opinions: FloatArray, unranked: Unranked, *, grained: bool
) -> Statements:
    """The statements of before, about other opinions: as many ranks, ties alike, the same pairs."""
    rank = completed_ranks(reviews, unranked)
    ranked = np.flatnonzero(~np.isnan(rank))
    owner = reviews.reviewer[ranked]
    was = rank[ranked[np.lexsort((rank[ranked], owner))]]
    now = ranked[np.lexsort((-opinions[ranked], owner))]
    restated = np.full(len(reviews), np.nan)
    # Opinions in grains tie by themselves; others tie in groups as large as before.
    restated[now] = np.where(np.isinf(was), np.inf, -opinions[now]) if grained else was
    one, other = reviews.statements.better, reviews.statements.worse
    apart = opinions[one] != opinions[other]
    one, other = one[apart], other[apart]
    upward = opinions[one] > opinions[other]
    none = np.zeros(0, dtype=np.int64)
    return Statements(
        restated, np.where(upward, one, other), np.where(upward, other, one), none, none.copy()
    )


def _seed(reviews: ReviewSet) -> int:
    """A number from who scored what how: nothing else of the input matters."""
    digest = hashlib.sha256()
    for column in (reviews.reviewer, reviews.paper, reviews.level):
        digest.update(column.astype("<i8").tobytes())
    return int.from_bytes(digest.digest()[:16], "little")
