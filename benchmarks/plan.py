"""What is measured: sizes, repeats and targets, in full and for a quick look."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Target:
    """What a run of `dequantize` may take."""

    seconds: float
    megabytes: float | None = None


@dataclass(frozen=True)
class Size:
    """A conference to run end to end; `load` None = ICLR 2017's shape."""

    name: str
    reviews: int
    load: int | None
    target: Target | None


@dataclass(frozen=True)
class Plan:
    """One whole run of the benchmarks."""

    repeats: int
    sizes: tuple[Size, ...]
    papers_against_paper: int  # of the conference on which the paper's own formulation runs
    lambdas_against_paper: int  # how many of the validation's 40 values it tries
    repeats_of_paper: int
    repeats_of_first_call: int
    growth: tuple[int, ...]
    reviews_of_sweeps: int  # for the tables by λ and by load
    lambdas: tuple[float, ...]
    loads: tuple[int, ...]


ICLR = Size("ICLR 2017's shape, k = 6", 1_278, None, Target(0.060))
SPEEDUP_TARGET = 500.0
IMPORT_TARGET = 0.15
FIRST_CALL_TARGET = 15.0
LATER_CALL_TARGET = 1.5

FULL = Plan(
    repeats=5,
    sizes=(
        ICLR,
        Size("19,000 papers x 4, k = 4", 76_000, 4, Target(3.0)),
        Size("250,000 papers x 4, k = 4", 1_000_000, 4, Target(40.0, 700.0)),
    ),
    papers_against_paper=60,
    lambdas_against_paper=40,
    repeats_of_paper=2,
    repeats_of_first_call=5,
    growth=(1_000, 4_000, 16_000, 64_000, 256_000, 1_000_000),
    reviews_of_sweeps=76_000,
    lambdas=tuple(10.0**power for power in range(-3, 7)),
    loads=(2, 3, 4, 6, 8, 10, 15, 20, 25, 30),
)

QUICK = Plan(
    repeats=2,
    sizes=(ICLR, Size("1,000 papers x 4, k = 4", 4_000, 4, None)),
    papers_against_paper=60,
    lambdas_against_paper=2,
    repeats_of_paper=1,
    repeats_of_first_call=1,
    growth=(1_000, 4_000, 16_000),
    reviews_of_sweeps=4_000,
    lambdas=(1e-2, 1.0, 1e2),
    loads=(2, 4, 30),
)
