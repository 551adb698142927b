"""λ by simulation (lam="auto+"): draws conferences like this one and finds the λ that restores them best.

A drawn conference has the same reviewers, papers and kinds of statements; its opinions are known,
so that the error of every λ is known too. The model only picks λ: the scores still come from the
paper's program.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np

from unround.arrays import FloatArray, coded, freeze, pairs_within, seed_from
from unround.metrics.kendall import KendallError
from unround.metrics.papers import paper_means
from unround.problem.build import build_problem
from unround.problem.model import Problem
from unround.problem.rank_lists import completed_ranks
from unround.progress import StepProgress
from unround.reviews.review_set import ReviewSet, Statements
from unround.selection.grid import count_pairs
from unround.selection.validation import PAPER_GRID, Curve, undecided_reason
from unround.settings import AUTO_PLUS, Policy, Settings, Unranked
from unround.solver.engine import ON_THIS_MACHINE, Engine

# Small conferences need many draws for a smooth curve; in large ones every draw is smooth.
MOST_DRAWS = 32
REVIEWS_TO_DRAW = 8_000
# In units of the smallest level spacing: a hundredth of the decimal to which scores are tied.
TOLERANCE = 1e-6
# Below this share of a cell's width, rounding hides the noise of opinions altogether.
LEAST_NOISE = 0.1


@dataclass(frozen=True)
class Model:
    """How opinions may have come about: a paper's centre plus normal noise."""

    centre: FloatArray  # one per paper
    centre_sd: FloatArray  # one per paper: posterior standard deviation of its centre
    noise_sd: float  # standard deviation of opinions around a centre
    levels_per_cell: int | None  # levels of opinion inside one cell; None = continuous

    def __post_init__(self) -> None:
        freeze(self.centre, self.centre_sd)

    def stepped(self, place: FloatArray) -> FloatArray:
        """Return places inside cells, from 0 to 1, on the levels of opinion if there are any."""
        steps = self.levels_per_cell
        if steps is None:
            return place
        level: FloatArray = np.clip(np.floor(place * steps), 0, steps - 1)
        return (level + 0.5) / steps


class DrawnConference(NamedTuple):
    """A conference whose opinions are known."""

    opinions: FloatArray
    reviews: ReviewSet  # scores and rankings that follow from the opinions
    guesses: FloatArray  # random opinions inside the same cells


@dataclass(frozen=True)
class Simulation:
    """Conferences drawn like this one, once for every question that they answer.

    The draws depend on the scores alone, so that the same data give the same answers in any row order.
    """

    reviews: ReviewSet
    unranked: Unranked
    model: Model
    draws: int

    @classmethod
    def of(
        cls,
        reviews: ReviewSet,
        settings: Settings,
        model: Model | None = None,
        draws: int | None = None,
    ) -> Simulation:
        """Return a simulation of as many draws as a smooth curve needs, by a model fitted to the reviews."""
        if draws is None:
            draws = int(np.clip(REVIEWS_TO_DRAW // max(len(reviews), 1), 1, MOST_DRAWS))
        return cls(reviews, settings.unranked, model or fit(reviews), draws)

    @property
    def random(self) -> np.random.Generator:
        """A generator that depends on who scored what and how, always in the same state."""
        known = self.reviews
        return np.random.default_rng(seed_from(known.reviewer, known.paper, known.level, size=16))

    @cached_property
    def conferences(self) -> list[DrawnConference]:
        """Every drawn conference."""
        random, model = self.random, self.model
        drawn = [
            draw_conference(self.reviews, model, self.unranked, random) for _ in range(self.draws)
        ]
        return [
            DrawnConference(opinions, reviews, _guesses(reviews, model, random))
            for opinions, reviews in drawn
        ]

    def where(self, engine: Engine) -> Engine:
        """Return the engine to solve the conferences on: small ones are solved sooner here than sent."""
        return engine if self.draws == 1 else ON_THIS_MACHINE


@dataclass(frozen=True)
class SimulatedCurve(Curve):
    """The mean error of every λ over the drawn conferences."""

    simulation: Simulation | None = None
    chosen_by = AUTO_PLUS


def simulated(
    reviews: ReviewSet,
    settings: Settings,
    *,
    model: Model | None = None,
    draws: int | None = None,
    grid: FloatArray = PAPER_GRID,
    progress: StepProgress | None = None,
    engine: Engine = ON_THIS_MACHINE,
) -> SimulatedCurve:
    """Compute the mean Kendall-tau error of every λ over conferences drawn from the model."""
    simulation = Simulation.of(reviews, settings, model, draws)
    where, spacing = simulation.where(engine), reviews.scale.spacing
    as_drawn = Settings(epsilon=settings.epsilon, conflicts=Policy.SCORES)
    total = np.zeros(grid.size)
    for done, drawn in enumerate(simulation.conferences, start=1):
        problem = build_problem(drawn.reviews, as_drawn)[0]
        total += error_curve(
            problem, drawn.opinions, grid, TOLERANCE * spacing, spacing, engine=where
        )
        if progress is not None:
            progress(done, simulation.draws)
    error, reviewed = total / simulation.draws, len(reviews)
    pairs = reviewed * (reviewed - 1) / 2.0
    reason = undecided_reason(grid, error, reviewed, pairs)
    return SimulatedCurve(grid.copy(), error, reason, simulation)


def error_curve(
    problem: Problem,
    truth: FloatArray,
    grid: FloatArray = PAPER_GRID,
    tolerance: float = 1e-9,
    spacing: float = 1.0,
    *,
    engine: Engine = ON_THIS_MACHINE,
) -> FloatArray:
    """Compute the Kendall-tau error of every λ against a known truth, from the largest λ down."""
    measure = KendallError(truth, spacing)
    pairs = count_pairs(*engine.counting(problem, measure), grid[::-1], tolerance, ahead=False)
    return np.array([measure.share(*each) for each in pairs])[::-1]


def fit(reviews: ReviewSet) -> Model:
    """Estimate centres, shrunk to the grand mean by the variance ratio, and noise, less that of rounding."""
    given, paper = reviews.given, reviews.paper
    count = np.bincount(paper, minlength=len(reviews.papers))
    mean = paper_means(given, paper, count.size)
    width = float(np.mean(reviews.upper - reviews.lower))
    freedom = max(given.size - count.size, 1)
    within = float(np.sum((given - mean[paper]) ** 2)) / freedom
    of_means = float(mean.var(ddof=1)) if mean.size > 1 else 0.0
    between = max(of_means - float(np.mean(within / count)), 0.0)
    rounding = width**2 / 12.0
    ratio = between / np.maximum(between + within / count, np.finfo(np.float64).tiny)
    grand = float(given.mean())
    return Model(
        grand + ratio * (mean - grand),
        # However many reviewers agree, a centre is known no better than to its cell.
        np.sqrt(ratio * np.maximum(within / count, rounding)),
        float(np.sqrt(max(within - rounding, (LEAST_NOISE * width) ** 2))),
        opinion_levels_per_cell(reviews),
    )


def opinion_levels_per_cell(reviews: ReviewSet) -> int | None:
    """Estimate the levels of opinion inside one cell from the ties in rankings.

    With g equally frequent levels, a share 1/g of a reviewer's pairs of equal score is tied in rank.
    Without any tie, opinions are continuous; if all are tied, nothing is known. None stands for both.
    """
    rank = reviews.statements.rank
    ranked = np.flatnonzero(~np.isnan(rank))
    scored = reviews.reviewer[ranked] * len(reviews.scale.levels) + reviews.level[ranked]
    ranks, place = coded(rank[ranked])
    equal_score = pairs_within(np.bincount(scored))
    tied = pairs_within(np.unique(scored * ranks.size + place, return_counts=True)[1])
    if tied in (0, equal_score):
        return None
    return max(round(equal_score / tied), 2)


def draw_conference(
    reviews: ReviewSet, model: Model, unranked: Unranked, random: np.random.Generator
) -> tuple[FloatArray, ReviewSet]:
    """Draw opinions, and the reviews and statements that follow from them."""
    scale = reviews.scale
    centre = model.centre + model.centre_sd * random.standard_normal(model.centre.size)
    noise = model.noise_sd * random.standard_normal(len(reviews))
    opinions = np.clip(centre[reviews.paper] + noise, scale.lower[0], scale.upper[-1])
    level = np.searchsorted(scale.values, scale.nearest(opinions)).astype(np.int64)
    low, width = scale.lower[level], (scale.upper - scale.lower)[level]
    if model.levels_per_cell is not None:
        opinions = low + width * model.stepped((opinions - low) / width)
    drawn = replace(reviews, level=level)
    return opinions, restate(drawn, opinions, unranked, stepped=model.levels_per_cell is not None)


def _guesses(reviews: ReviewSet, model: Model, random: np.random.Generator) -> FloatArray:
    place = model.stepped(random.random(len(reviews)))
    guesses: FloatArray = reviews.lower + (reviews.upper - reviews.lower) * place
    return guesses


def restate(
    reviews: ReviewSet, opinions: FloatArray, unranked: Unranked, *, stepped: bool
) -> ReviewSet:
    """Restate the rankings for other opinions: as many ranks, ties as before, the same pairs."""
    rank = completed_ranks(reviews, unranked)
    ranked = np.flatnonzero(~np.isnan(rank))
    owner = reviews.reviewer[ranked]
    was = rank[ranked[np.lexsort((rank[ranked], owner))]]
    now = ranked[np.lexsort((-opinions[ranked], owner))]
    restated = np.full(len(reviews), np.nan)
    # Opinions on levels tie by themselves; continuous ones tie in groups as large as before.
    restated[now] = np.where(np.isinf(was), np.inf, -opinions[now]) if stepped else was
    one, other = reviews.statements.better, reviews.statements.worse
    apart = opinions[one] != opinions[other]
    one, other = one[apart], other[apart]
    upward = opinions[one] > opinions[other]
    none = np.zeros(0, dtype=np.int64)
    return reviews.with_statements(
        Statements(
            restated, np.where(upward, one, other), np.where(upward, other, one), none, none.copy()
        )
    )
