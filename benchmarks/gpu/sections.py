"""What is measured on the card; every function returns the rows of one table."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from time import perf_counter

import numpy as np

import unround
from benchmarks.gpu.data import draw
from benchmarks.gpu.kinds import problems
from benchmarks.gpu.timing import median_seconds, sweep_bytes
from unround.card.launch import cuda
from unround.certificate import certify
from unround.certificate.on_card import certify_on_card
from unround.problem.model import Chains, Posets, Problem
from unround.scale import Scale
from unround.selection.on_card import dequantize_on_card, laid_out, statements
from unround.settings import AUTO, EPSILON, LambdaChoice
from unround.solver.engine import Solving
from unround.solver.gpu.batch import redrawn
from unround.solver.gpu.conference import CardConference
from unround.solver.gpu.locality import Reordered
from unround.solver.gpu.solver import CardSolver, CardSweeps
from unround.solver.local import Solver
from unround.solver.loop import Solution
from unround.uncertainty.resampling import resample

SCALE = Scale.integers(0, 10)
COMMUNITY = 4096
COPIES = 1000
COPIES_ON_CPU = 5
CONFERENCE = 76_000
LAM = 20.0
LAMS = (0.1, 5.0, 100.0)
MOST_ON_CPU = 10_000_000
PROVEN = 1e-9
Rows = Iterator[tuple[str, ...]]


def choosing(sizes: list[int], speed: float, repeats: int, lam: LambdaChoice = AUTO) -> Rows:
    """λ chosen and solved, from arrays on the card to scores on the card."""
    for size in sizes:
        run = partial(dequantize_on_card, draw(size), SCALE, lam=lam)
        with _counted_sweeps() as counted:
            done = run()
        sweeps, moved = counted["sweeps"], counted["bytes"]
        seconds = median_seconds(run, repeats)
        yield (
            f"{size:,}", f"{seconds:.2f} s", f"{done.lam:.1f}", str(sweeps),
            f"{moved / 1e9:,.0f} GB", f"{moved / speed:.2f} s", f"{seconds * speed / moved:.1f}",
        )  # fmt: skip


@contextmanager
def _counted_sweeps() -> Iterator[dict[str, int]]:
    counted, sweep = {"sweeps": 0, "bytes": 0}, CardSweeps.sweep

    def counting(self: CardSweeps, centres: object, weight: float) -> object:
        counted["sweeps"] += 1
        counted["bytes"] += sweep_bytes(self)
        return sweep(self, centres, weight)

    CardSweeps.sweep = counting  # type: ignore[method-assign, assignment]
    try:
        yield counted
    finally:
        CardSweeps.sweep = sweep  # type: ignore[method-assign]


def sweeping(sizes: list[int], speed: float, repeats: int) -> Rows:
    """One sweep, against a copy of its bytes."""
    for size in sizes:
        yield _swept(f"{size:,} random", draw(size), speed, repeats)
        yield _swept(
            f"{size:,} random, reordered", Reordered(draw(size)).conference, speed, repeats
        )
    size = sizes[-1]
    label = f"{size:,} in communities of {COMMUNITY:,} papers"
    scattered = draw(size, COMMUNITY)
    yield _swept(f"{label}, scattered", scattered, speed, repeats)
    found = Reordered(scattered, by_community=True).conference
    yield _swept(f"{label}, found and reordered", found, speed, repeats)
    del scattered, found
    together = draw(size, COMMUNITY, scattered=False)
    yield _swept(f"{label}, numbered together beforehand", together, speed, repeats)


def finding(size: int, speed: float, repeats: int) -> Rows:
    """Papers numbered by community: what it takes, and what it brings."""
    for label, community, strays in (
        ("none (random assignment)", 0, 0.0),
        (f"{COMMUNITY:,} papers each", COMMUNITY, 0.0),
        (f"{COMMUNITY:,} papers each, 2% of the reviews anywhere", COMMUNITY, 0.02),
        (f"{COMMUNITY:,} papers each, 10% of the reviews anywhere", COMMUNITY, 0.1),
    ):
        conference = draw(size, community, strays=strays)
        row = [label]
        for by_community in (False, True):
            order = partial(Reordered, conference, by_community=by_community)
            seconds = median_seconds(order, repeats)
            sweep = _swept("", order().conference, speed, 10)
            run = partial(dequantize_on_card, conference, SCALE, by_community=by_community)
            row += [
                f"{1e3 * seconds:.0f} ms",
                sweep[1],
                sweep[5],
                f"{median_seconds(run, 1):.2f} s",
            ]
        yield tuple(row)


def _swept(label: str, conference: CardConference, speed: float, repeats: int) -> tuple[str, ...]:
    sweeps = CardSweeps(
        laid_out(conference, conference.worth, conference.level, SCALE, EPSILON).layout
    )
    centres, weight = sweeps.first_centres(0.5), 0.5
    seconds = median_seconds(lambda: sweeps.sweep(centres, weight), repeats)
    alone = median_seconds(lambda: sweeps.project(centres, weight), repeats)
    moved = sweep_bytes(sweeps)
    return (
        label, f"{1e3 * seconds:.2f} ms", f"{1e3 * alone:.2f} ms", f"{moved / 1e9:.2f} GB",
        f"{1e3 * moved / speed:.2f} ms", f"{seconds * speed / moved:.1f}",
    )  # fmt: skip


def bootstrapping(speed: float, repeats: int) -> Rows:
    """Copies of one conference with reviewers drawn again, λ given: all at once, and on the CPU."""
    conference = draw(CONFERENCE)
    reviewers = conference.start.size - 1
    drawn = np.random.default_rng(1).integers(0, reviewers, (COPIES, reviewers))

    def on_card() -> object:
        batch = redrawn(conference, drawn)
        return dequantize_on_card(batch, SCALE, lam=LAM, certified=False).centres.copy_to_host()

    with _counted_sweeps() as counted:
        on_card()
    seconds, moved = median_seconds(on_card, repeats), counted["bytes"]
    program = host_problem(conference)
    owner = np.repeat(np.arange(reviewers), np.diff(conference.start.copy_to_host()))
    Solver(program).solve(LAM, 1e-9)
    began = perf_counter()
    for row in drawn[:COPIES_ON_CPU]:
        Solver(resample(program, owner, row).problem).solve(LAM, 1e-9)
    one = (perf_counter() - began) / COPIES_ON_CPU
    yield (
        f"{COPIES:,} × {CONFERENCE:,}", f"{seconds:.2f} s", f"{COPIES * one:.1f} s",
        f"{COPIES * one / seconds:.0f}", f"{moved / 1e9:.0f} GB", f"{seconds * speed / moved:.1f}",
    )  # fmt: skip


def host_problem(conference: CardConference) -> Problem:
    """The same conference as a problem of the CPU."""
    start, paper, level, worth = (array.copy_to_host() for array in conference[:4])
    owner = np.repeat(np.arange(start.size - 1), np.diff(start))
    member = np.lexsort((worth, owner))
    return Problem(
        given=SCALE.values[level],
        lower=SCALE.lower[level],
        upper=SCALE.upper[level],
        paper=paper.astype(np.int64),
        papers=conference.papers,
        chains=Chains(
            start=start.astype(np.int64),
            member=member,
            height=worth[member].astype(np.int32),
            gap=np.full(start.size - 1, EPSILON * SCALE.spacing),
        ),
        posets=Posets.none(),
    )


def certifying(sizes: list[int], repeats: int) -> Rows:
    """The certificate of solved scores on the card, and on the CPU where it has the memory and time."""
    for size in sizes:
        conference = draw(size)
        scores = dequantize_on_card(conference, SCALE, lam=LAM, certified=False).scores
        stated = statements(conference, SCALE, EPSILON)

        on_card = partial(certify_on_card, stated, conference.papers, LAM, scores, wanted=PROVEN)
        there = on_card()
        seconds = median_seconds(on_card, repeats)
        same = "yes" if on_card() == there else "NO"
        cpu, bound = "not measured", ""
        if size <= MOST_ON_CPU:
            problem, given = host_problem(conference), scores.copy_to_host()
            certify(problem, LAM, given, wanted=PROVEN)
            began = perf_counter()
            here = certify(problem, LAM, given, wanted=PROVEN)
            cpu, bound = f"{perf_counter() - began:.2f} s", f"{here.max_error:.3e}"
        yield f"{size:,}", f"{1e3 * seconds:.1f} ms", cpu, f"{there.max_error:.3e}", bound, same


def agreeing(size: int) -> Rows:
    """Every kind of order, scale and policy: the card's scores against the CPU's."""
    for kind, problem in problems(size):
        local, card = Solver(problem), CardSolver(problem)
        for solver in (local, card):
            solver.solve(LAM, 1e-10)  # compiles
        for lam in LAMS:
            here, on_cpu = _timed(local, lam)
            there, on_card = _timed(card, lam)
            again = CardSolver(problem).solve(lam, 1e-10)
            yield (
                kind.name, f"{len(problem):,}", f"{lam:g}",
                f"{np.abs(here.scores - there.scores).max():.0e}",
                "yes" if np.array_equal(again.scores, there.scores) else "NO",
                f"{on_cpu:.2f} s", f"{on_card:.2f} s",
            )  # fmt: skip


def _timed(solver: Solving, lam: float) -> tuple[Solution, float]:
    """Solve; return the solution and its seconds."""
    began = perf_counter()
    solution = solver.solve(lam, 1e-10)
    return solution, perf_counter() - began


def whole_runs(size: int) -> Rows:
    """From tables to a result with its certificate, lam="auto": where the CPU reads and certifies."""
    drawn = unround.simulate.thurstone(size // 4, noise=0.5, seed=1)
    for engine in ("local", "gpu"):
        unround.dequantize(drawn.reviews, drawn.rankings, engine=engine)  # type: ignore[arg-type]
        began = perf_counter()
        done = unround.dequantize(drawn.reviews, drawn.rankings, engine=engine)  # type: ignore[arg-type]
        seconds = perf_counter() - began
        yield engine, f"{size:,}", f"{seconds:.2f} s", f"{done.certificate.max_error:.0e}"
    cuda.synchronize()
