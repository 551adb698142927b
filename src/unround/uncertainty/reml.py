"""Variances by restricted maximum likelihood, with average-information steps (AI-REML)."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from unround.arrays import FloatArray
from unround.uncertainty.mixed_model import Design, Effects, Equations, Variances

MOST_STEPS = 100
SETTLED = 1e-7  # relative change of the variances
LEAST_SHARE = 1e-6  # of the total variance: a component this small is none
LARGEST_STEP = 1.5  # in log variance


@dataclass(frozen=True)
class Fit:
    """The variances, their standard errors, and the effects that follow."""

    variances: Variances
    errors: FloatArray  # standard errors of between, strictness, noise
    effects: Effects
    equations: Equations
    settled: bool


def fit(design: Design) -> Fit:
    """Climb the restricted likelihood in the logarithms of the three variances."""
    total = max(float(design.values.var()), np.finfo(np.float64).tiny)
    logs = np.log(total * np.array([0.4, 0.1, 0.5]))
    floor = math.log(total * LEAST_SHARE)
    for _ in range(MOST_STEPS):
        score, information, equations, effects = _score(design, Variances(*np.exp(logs).tolist()))
        active = (logs > floor) | (score > 0.0)
        step = np.zeros(3)
        step[active] = _step(score[active], information[np.ix_(active, active)])
        logs = np.maximum(logs + step, floor)
        if np.max(np.abs(step)) < SETTLED:
            break
    variances = Variances(*np.exp(logs).tolist())
    spread = np.sqrt(np.diag(np.linalg.pinv(information)))
    return Fit(
        variances, spread * np.exp(logs), effects, equations, bool(np.abs(step).max() < SETTLED)
    )


def _step(score: FloatArray, information: FloatArray) -> FloatArray:
    if not score.size:
        return score
    damped = information + 1e-9 * np.trace(information) * np.eye(score.size)
    step = np.linalg.solve(damped, score)
    if score @ step <= 0.0:  # far from the top the information may mislead
        step = score / np.maximum(np.diag(damped), 1e-12)
    return np.clip(step, -LARGEST_STEP, LARGEST_STEP)


def _score(
    design: Design, variances: Variances
) -> tuple[FloatArray, FloatArray, Equations, Effects]:
    """Return gradient and average information of the restricted likelihood in log variances."""
    between, strictness, noise = variances.between, variances.strictness, variances.noise
    equations = Equations(design, variances)
    effects = equations.effects(design.values)
    papers, reviewers, reviews = effects.paper.size, effects.reviewer.size, design.values.size
    of_papers, of_reviewers = (noise * trace for trace in equations.traces())
    kept = np.array([papers - of_papers / between, reviewers - of_reviewers / strictness, 0.0])
    kept[2] = reviews - effects.mean.size - kept[0] - kept[1]
    projected = effects.residuals(design, design.values) / noise  # P y
    paper_sum, reviewer_sum = design.sums(projected)
    directions = np.stack(
        [
            between * paper_sum[design.paper],
            strictness * reviewer_sum[design.reviewer],
            noise * projected,
        ]
    )
    explained = directions @ projected
    answers = np.stack(
        [equations.effects(one).residuals(design, one) / noise for one in directions]
    )
    information = 0.5 * directions @ answers.T
    return 0.5 * (explained - kept), (information + information.T) / 2.0, equations, effects
