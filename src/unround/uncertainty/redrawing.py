"""Reviewers drawn again -> the means of papers, draw by draw; on a card, many draws in one launch."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

import numpy as np

from unround.arrays import FloatArray, IntArray
from unround.metrics.papers import paper_statistics
from unround.problem.model import Problem
from unround.solver.engine import Engine
from unround.uncertainty.resampling import resample

# Numbers of one launch that say how often reviewers count.
MOST_COUNTS = 1 << 25


class Redrawn(NamedTuple):
    """The papers that a draw still has, their means, and their numbers of reviews."""

    paper: IntArray
    mean: FloatArray
    reviews: IntArray


def redraw(
    problem: Problem,
    reviewer: IntArray,
    draws: Iterator[IntArray],
    lam: float,
    tolerance: float,
    engine: Engine,
) -> Iterator[Redrawn]:
    """Solve for the reviewers of every draw. `reviewer` is the reviewer of each review, ascending."""
    if engine.on_card:
        from unround.solver.gpu.parts import fits

        if fits(problem):
            yield from _on_card(problem, reviewer, draws, lam, tolerance)
            return
    for drawn in draws:
        sample = resample(problem, reviewer, drawn)
        solved = engine.solver(sample.problem).solve(lam, tolerance)
        paper, papers = sample.problem.paper, sample.problem.papers
        mean = paper_statistics(solved.scores, paper, papers)["mean"]
        yield Redrawn(sample.paper, mean, np.diff(sample.problem.paper_start))


def _on_card(
    problem: Problem, reviewer: IntArray, draws: Iterator[IntArray], lam: float, tolerance: float
) -> Iterator[Redrawn]:
    from unround.solver.gpu.many import Solves, solve_each
    from unround.solver.gpu.parts import lay_out_parts

    parts, reviewers = lay_out_parts([problem], [reviewer]), int(reviewer[-1]) + 1
    most = max(1, MOST_COUNTS // reviewers)
    while some := list(islice(draws, most)):
        times = np.stack([np.bincount(drawn, minlength=reviewers) for drawn in some])
        solves = Solves(np.zeros(len(some), dtype=np.int64), np.full(len(some), lam), times)
        for counts, solved in zip(times, solve_each(parts, solves, tolerance), strict=True):
            reviews = np.bincount(problem.paper, weights=counts[reviewer], minlength=problem.papers)
            paper = np.flatnonzero(reviews)
            yield Redrawn(paper, solved.means[paper], reviews[paper].astype(np.int64))
