"""Many solves in one launch, against the CPU that does one after the other."""

from __future__ import annotations

from collections.abc import Iterator
from time import perf_counter

import numpy as np

from benchmarks.gpu.data import draw
from benchmarks.gpu.kinds import KINDS, drawn
from benchmarks.gpu.sections import CONFERENCE, LAM, host_problem
from benchmarks.gpu.timing import median_seconds
from unround.arrays import FloatArray, IntArray
from unround.problem.model import Problem
from unround.selection.curve import PAPER_GRID
from unround.solver.gpu.many import Solved, Solves, solve_each
from unround.solver.gpu.parts import lay_out_parts
from unround.solver.local import Solver
from unround.uncertainty.resampling import Resampled, resample

TOLERANCE = 1e-9
ON_CPU = 20  # solves
SMALL = 2_000  # conferences
SMALL_REVIEWS = 400
Rows = Iterator[tuple[str, ...]]


def batches(speed: float, repeats: int) -> Rows:
    """Bootstraps, λ × bootstraps, and small conferences with a λ each."""
    conference = draw(CONFERENCE)
    owner = np.repeat(
        np.arange(conference.start.size - 1), np.diff(conference.start.copy_to_host())
    )
    problem, random = host_problem(conference), np.random.default_rng(1)
    label = f"bootstraps of {CONFERENCE:,} reviews"
    yield _row(f"1,000 {label}, λ given", [problem], owner, np.full(1_000, LAM), speed, repeats)
    lams = np.repeat(PAPER_GRID, 25)
    yield _row(f"40 λ × 25 {label}", [problem], owner, lams, speed, repeats)
    small = [drawn(KINDS[0], SMALL_REVIEWS, seed) for seed in range(SMALL)]
    lams = random.choice(PAPER_GRID, SMALL)
    label = f"{SMALL:,} conferences of {SMALL_REVIEWS} reviews, a λ each"
    yield _row(label, small, None, lams, speed, repeats)


def _row(
    label: str,
    problems: list[Problem],
    owner: IntArray | None,
    lams: FloatArray,
    speed: float,
    repeats: int,
) -> tuple[str, ...]:
    part = np.arange(lams.size) % len(problems)
    times = None
    if owner is not None:
        random, reviewers = np.random.default_rng(2), int(owner[-1]) + 1
        times = np.stack(
            [
                np.bincount(random.integers(0, reviewers, reviewers), minlength=reviewers)
                for _ in range(lams.size)
            ]
        )
    solves = Solves(part, lams, times)

    def on_card() -> list[Solved]:
        parts = lay_out_parts(problems, None if owner is None else [owner])
        return list(solve_each(parts, solves, TOLERANCE))

    found = on_card()
    seconds = median_seconds(on_card, repeats)
    moved = sum(
        one.sweeps * _bytes(problems[at]) for one, at in zip(found, part.tolist(), strict=True)
    )
    cpu, apart = _on_cpu(problems, owner, solves, found)
    return (
        label, f"{seconds:.2f} s", f"{cpu:.1f} s", f"{cpu / seconds:.0f}", f"{apart:.0e}",
        f"{moved / 1e9:,.0f} GB", f"{seconds * speed / moved:.1f}",
    )  # fmt: skip


def _bytes(problem: Problem) -> int:
    """Bytes that a sweep cannot do without, as in the other tables."""
    return 34 * len(problem) + 4 * problem.chains.start.size + 20 * problem.papers


def _on_cpu(
    problems: list[Problem], owner: IntArray | None, solves: Solves, found: list[Solved]
) -> tuple[float, float]:
    """Return the seconds of all solves by those of some, and how far any mean is from the card's."""
    some = np.linspace(0, solves.lam.size - 1, ON_CPU).astype(np.int64).tolist()
    _solved(problems, owner, solves, some[0])  # compiles
    spent = apart = 0.0
    for place in some:
        began = perf_counter()
        paper, centres = _solved(problems, owner, solves, place)
        spent += perf_counter() - began
        apart = max(apart, float(np.abs(found[place].means[paper] - centres).max()))
    return spent / len(some) * solves.lam.size, apart


def _solved(
    problems: list[Problem], owner: IntArray | None, solves: Solves, place: int
) -> tuple[IntArray, FloatArray]:
    """Do one solve on the CPU; return the papers that it has, and their means."""
    problem = problems[int(solves.part[place])]
    paper = np.arange(problem.papers)
    if owner is not None and solves.times is not None:
        reviewers = np.arange(solves.times.shape[1])
        problem, paper = _as_pair(
            resample(problem, owner, np.repeat(reviewers, solves.times[place]))
        )
    return paper, Solver(problem).solve(float(solves.lam[place]), TOLERANCE).centres


def _as_pair(sample: Resampled) -> tuple[Problem, IntArray]:
    return sample.problem, sample.paper
