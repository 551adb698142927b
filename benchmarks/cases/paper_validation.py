"""Algorithms 1 and 2 of the paper, with any solver for the program of Algorithm 1."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from unround.arrays import FloatArray, IntArray
from unround.metrics import kendall_error
from unround.simulate import Conference

GRID = np.exp(np.arange(40) / 4.0)


@dataclass(frozen=True)
class Program:
    """The input of Algorithm 1: scores, who wrote them about what, and every comparison."""

    score: FloatArray
    paper: IntArray
    above: IntArray  # reviews: above[k] is ranked over below[k] by one reviewer
    below: IntArray


Solve = Callable[[float], FloatArray]  # Algorithm 1 on a program, for a λ


@dataclass(frozen=True)
class Outcome:
    """The chosen λ and the scores for it."""

    lam: float
    scores: FloatArray


def dequantize(score: FloatArray, coarse: Solve, stated: Solve, lambdas: int) -> Outcome:
    """Algorithm 2 over the first so many λ of the grid, then Algorithm 1 with the chosen one."""
    errors = [kendall_error(score, coarse(float(lam))) for lam in GRID[:lambdas]]
    chosen = float(GRID[int(np.argmin(errors))])
    return Outcome(chosen, stated(chosen))


def programs(conference: Conference) -> tuple[Program, Program]:
    """The coarser program of the validation, and the stated one.

    Rows of reviews and rankings are the same in a simulated conference; rank 1 is the best.
    """
    reviewer, paper, score = (
        conference.reviews[name].to_numpy() for name in ("reviewer", "paper", "score")
    )
    stated = _comparisons(reviewer, -conference.rankings["rank"].to_numpy())
    implied = _comparisons(reviewer, score)
    return (
        Program(np.ceil(score / 2.0), paper, *implied),
        Program(score.astype(np.float64), paper, *stated),
    )


def _comparisons(reviewer: IntArray, merit: FloatArray) -> tuple[IntArray, IntArray]:
    """Every pair of reviews by one reviewer of which the first has more merit."""
    pairs = (reviewer[:, None] == reviewer[None, :]) & (merit[:, None] > merit[None, :])
    above, below = np.nonzero(pairs)
    return above, below
