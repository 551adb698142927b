"""lam="auto" from arrays on a GPU to scores on a GPU: nothing but counts and curves leaves the card."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from unround.arrays import FloatArray
from unround.card.launch import CardArray, cuda
from unround.certificate import Certificate
from unround.certificate.judging import CardStatements
from unround.certificate.on_card import certify_on_card
from unround.metrics import KendallError
from unround.scale import Scale
from unround.selection.curve import PAPER_GRID, Curve, why_undecided
from unround.selection.opinions_on_card import Opinions, draw_on_card, fit_on_card
from unround.selection.simulation import (
    AUTO_PLUS,
    MOST_DRAWS,
    REVIEWS_TO_DRAW,
    TOLERANCE,
    SimulatedCurve,
)
from unround.selection.validation import coarse_scale
from unround.settings import AUTO, EPSILON, LambdaChoice
from unround.solver.gpu.conference import (
    Arranged,
    CardConference,
    arrange,
    in_order_of_places,
    in_order_of_reviews,
    recoded,
)
from unround.solver.gpu.counting import CardKendall, level_counts
from unround.solver.gpu.engine import pairs_on_card
from unround.solver.gpu.inversions import CardInversions
from unround.solver.gpu.locality import Reordered
from unround.solver.gpu.solver import CardSweeps


@dataclass(frozen=True)
class CardScores:
    """Scores on the card, one per review of the conference, and what is known about them."""

    scores: CardArray
    centres: CardArray  # one per paper: the mean of its scores
    lam: float
    bound: float  # no score is further from the optimum, but for rounding
    certificate: Certificate | None  # what is proven with rounding allowed for, unless left out
    sweeps: int
    curve: Curve | None


def dequantize_on_card(
    conference: CardConference,
    scale: Scale,
    *,
    lam: float | LambdaChoice = AUTO,
    epsilon: float = EPSILON,
    tolerance: float = 1e-9,
    grid: FloatArray = PAPER_GRID,
    certified: bool = True,
    by_community: bool = False,
) -> CardScores:
    """Choose λ by validation or simulation unless it is given, solve, and certify the scores.

    `by_community` looks for papers that share reviewers and numbers them together, which makes sweeps
    faster where there are such communities; nothing else depends on it but the last bits of the scores.
    The certificate judges the conference as it came in; it may not prove the tolerance, and says so.
    """
    original, reordered = conference, Reordered(conference, by_community=by_community)
    conference = reordered.conference
    curve = choose_on_card(lam, conference, scale, epsilon, tolerance, grid)
    strength = float(lam) if curve is None else curve.best
    arranged = laid_out(conference, conference.worth, conference.level, scale, epsilon)
    sweeps = CardSweeps(arranged.layout)
    # Half of the tolerance leaves the certificate room for rounding.
    bound = tolerance * scale.spacing
    ended = sweeps.converge(strength, bound / 2.0)
    scores = reordered.put_back(in_order_of_reviews(arranged, sweeps.scores()))
    centres = reordered.papers_put_back(ended.centres)
    found = CardScores(
        scores, centres, strength, ended.bound, None, ended.sweeps, curve
    )  # fmt: skip
    if not certified:
        return found
    judged = certify_on_card(
        statements(original, scale, epsilon), original.papers, found.lam, scores,
        wanted=bound, sweeps=ended.sweeps,
    )  # fmt: skip
    return replace(found, certificate=judged)


def statements(conference: CardConference, scale: Scale, epsilon: float) -> CardStatements:
    """Return what the certificate judges scores by."""
    return CardStatements(
        start=conference.start,
        member=cuda.device_array(0, dtype=np.int32),
        worth=conference.worth,
        gap=cuda.to_device(np.array([epsilon * scale.spacing])),
        code=conference.level,
        cells=cuda.to_device(np.stack([scale.values, scale.lower, scale.upper])),
        paper=conference.paper,
    )


def choose_on_card(
    lam: float | LambdaChoice,
    conference: CardConference,
    scale: Scale,
    epsilon: float,
    tolerance: float,
    grid: FloatArray = PAPER_GRID,
) -> Curve | None:
    """Return the curve that λ is chosen from; None if λ is given."""
    if lam == AUTO:
        return validate_on_card(conference, scale, epsilon, tolerance, grid)
    if lam == AUTO_PLUS:
        return simulate_on_card(conference, scale, epsilon, grid)
    return None


def simulate_on_card(
    conference: CardConference,
    scale: Scale,
    epsilon: float,
    grid: FloatArray = PAPER_GRID,
    *,
    draws: int | None = None,
    seed: int = 0,
) -> SimulatedCurve:
    """Compute the mean Kendall-tau error of every λ over conferences drawn on the card."""
    model, reviews = fit_on_card(conference, scale), int(conference.paper.size)
    count = draws or int(np.clip(REVIEWS_TO_DRAW // reviews, 1, MOST_DRAWS))
    total = np.zeros(grid.size)
    for number in range(count):
        drawn = draw_on_card(conference, model, scale, seed * MOST_DRAWS + number)
        arranged = laid_out(conference, drawn.worth, drawn.level, scale, epsilon)
        untied, kendall = _measure(arranged, drawn, model.steps * scale.values.size)
        pairs = pairs_on_card(
            CardSweeps(arranged.layout), kendall, grid[::-1], TOLERANCE * scale.spacing, ahead=False
        )
        total += np.array([(wrong + 0.5 * tied) / max(untied, 1) for wrong, tied in pairs])[::-1]
    error = total / count
    all_pairs = reviews * (reviews - 1) / 2.0
    return SimulatedCurve(grid.copy(), error, why_undecided(grid, error, reviews, all_pairs))


def _measure(
    arranged: Arranged, drawn: Opinions, levels: int
) -> tuple[int, CardKendall | CardInversions]:
    """Return how many pairs the drawn opinions tell apart, and what counts those that estimates get wrong."""
    if levels:
        measure = KendallError.of_levels(level_counts(drawn.step, levels))
        return measure.untied, CardKendall(measure, in_order_of_places(arranged, drawn.step))
    inversions = CardInversions(in_order_of_places(arranged, drawn.opinion))
    return inversions.untied, inversions


def validate_on_card(
    conference: CardConference, scale: Scale, epsilon: float, tolerance: float, grid: FloatArray
) -> Curve:
    """Round the scores once more and see which λ restores their order best."""
    coarse, level = coarse_scale(scale, None)
    arranged = laid_out(
        conference, conference.level, recoded(conference.level, level), coarse, epsilon
    )
    measure = KendallError.of_levels(level_counts(conference.level, scale.values.size))
    kendall = CardKendall(measure, in_order_of_places(arranged, conference.level))
    pairs = pairs_on_card(
        CardSweeps(arranged.layout), kendall, grid[::-1], tolerance * coarse.spacing, ahead=True
    )
    errors = np.array([measure.published_share(*each) for each in pairs])[::-1]
    reviews = int(conference.paper.size)
    return Curve(grid.copy(), errors, why_undecided(grid, errors, reviews, float(measure.untied)))


def laid_out(
    conference: CardConference, worth: CardArray, code: CardArray, scale: Scale, epsilon: float
) -> Arranged:
    """Lay out the reviews in the order of `worth`, with the cells of a scale."""
    cells = np.stack([scale.values, scale.lower, scale.upper])
    return arrange(conference, worth, code, cells, epsilon * scale.spacing)
