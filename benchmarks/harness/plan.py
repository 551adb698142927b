"""Plan: sizes, repeats and targets, in full, for a quick look, and for the tests."""

from __future__ import annotations

import math
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
    load: int | None = 4
    target: Target | None = None


@dataclass(frozen=True)
class Ladder:
    """One λ, and the sizes up which general solvers go until a solve takes over `limit` seconds."""

    lam: float
    sizes: tuple[int, ...]
    limit: float


@dataclass(frozen=True)
class AgainstPaper:
    """A conference for the paper's own formulation; `lambdas` of the 40 are tried."""

    reviews: int  # 240 = the paper's default; 1,278 = ICLR 2017's shape
    lambdas: int
    repeats: int
    limit: float  # seconds that a general solver's whole validation may be expected to take


@dataclass(frozen=True)
class HowSure:
    """A way to say how sure papers are (a name in benchmarks/probes/how_sure.py), and its conference."""

    what: str
    reviews: int
    load: int | None = 4
    target: Target | None = None
    repeats: int = 3


@dataclass(frozen=True)
class Plan:
    """One whole run of the benchmarks."""

    repeats: int
    targets: tuple[Size, ...]
    growth: tuple[Size, ...]
    paper: tuple[AgainstPaper, ...]
    ladders: tuple[Ladder, ...]
    repeats_of_first_call: int
    streamed: tuple[int, ...]  # reviews, for a sweep against a copy
    small: int  # reviews, for the sweeps by λ on a small conference
    reviews: int  # for the tables by λ, load, ties and orders
    lambdas: tuple[float, ...]
    loads: tuple[int, ...]
    ties: tuple[float, ...]
    order_loads: tuple[int, ...]
    clustered: tuple[int, ...]
    workers: tuple[int, ...]
    how_sure: tuple[HowSure, ...]


ICLR = Size("ICLR 2017's shape, k = 6", 1_278, None, Target(0.010))
MILLION = Size("250,000 papers x 4, k = 4", 1_000_000, 4, Target(8.0))
TEN_MILLION = Size("2,500,000 papers x 4, k = 4", 10_000_000, 4, Target(120.0, 4_096.0))
PAPER_RATIOS = {240: 2_000.0}
SOLVER_RATIOS = {1_278: 30.0, 20_000: 300.0}
EXPONENT_TARGET = 1.1
EXPONENT_FROM = 10_000
COPY_RATIO = 12.0
SWEEPS_TARGET = (1e-3, 500)
IMPORT_TARGET = 0.15
FIRST_CALL_TARGET = 15.0
LATER_CALL_TARGET = 1.5
FIRST_RUN_TARGET = 3.0
LATER_RUN_TARGET = 1.3
EFFECTIVE_TARGET = 400.0
# On the validation's grid, and near what it chooses.
USUAL_LAMBDA = math.exp(4.0)

FULL = Plan(
    repeats=5,
    targets=(
        ICLR,
        Size("19,000 papers x 4, k = 4", 76_000, 4, Target(0.5)),
        MILLION,
        TEN_MILLION,
    ),
    growth=(
        *(Size("", reviews) for reviews in (1_000, 3_000, 10_000, 30_000, 100_000, 300_000)),
        MILLION,
        Size("", 3_000_000),
        TEN_MILLION,
    ),
    paper=(
        AgainstPaper(240, 40, 2, 60.0),
        AgainstPaper(1_278, 40, 1, 60.0),
    ),
    ladders=(
        Ladder(1.0, (240, 1_278, 5_000, 20_000, 80_000, 320_000, 1_280_000), 300.0),
        Ladder(USUAL_LAMBDA, (240, 1_278, 5_000, 20_000), 30.0),
    ),
    repeats_of_first_call=3,
    streamed=(76_000, 1_000_000, 4_000_000),
    small=240,
    reviews=76_000,
    lambdas=tuple(10.0**power for power in range(-3, 7)),
    loads=(2, 3, 4, 6, 8, 10, 15, 20, 25, 30),
    ties=(0.0, 0.1, 0.25, 0.5, 0.75, 0.9, 1.0),
    order_loads=(4, 8, 12),
    clustered=(76_000, 1_000_000),
    workers=(1, 2),
    how_sure=(
        HowSure("posterior", 1_278, None, Target(1.0)),
        HowSure("posterior", 76_000, 4, Target(60.0, 500.0), repeats=1),
        HowSure("calibration", 1_278, None),
        HowSure("calibration", 76_000, 4, Target(2.0)),
        HowSure("stability", 1_278, None),
        HowSure("stability", 76_000, 4, repeats=1),
    ),
)

QUICK = Plan(
    repeats=2,
    targets=(ICLR, Size("1,000 papers x 4, k = 4", 4_000)),
    growth=(Size("", 1_000), Size("", 10_000), Size("", 40_000)),
    paper=(AgainstPaper(240, 2, 1, 5.0),),
    ladders=(Ladder(1.0, (240, 1_278), 10.0),),
    repeats_of_first_call=1,
    streamed=(76_000,),
    small=240,
    reviews=4_000,
    lambdas=(1e-3, 1.0, 1e3),
    loads=(2, 4, 30),
    ties=(0.0, 0.5, 1.0),
    order_loads=(4, 8),
    clustered=(4_000,),
    workers=(1, 2),
    how_sure=(
        HowSure("posterior", 1_278, None, Target(1.0)),
        HowSure("calibration", 4_000),
        HowSure("stability", 1_278, None),
    ),
)

TINY = Plan(
    repeats=1,
    targets=(Size("60 papers x 4, k = 4", 240, 4, Target(600.0, 1e6)),),
    growth=(Size("", 240), Size("", 10_000), Size("", 12_000)),
    paper=(AgainstPaper(240, 1, 1, 5.0),),
    ladders=(Ladder(1.0, (240,), 60.0),),
    repeats_of_first_call=1,
    streamed=(4_000,),
    small=240,
    reviews=480,
    lambdas=(1e-3, 1e3),
    loads=(2, 30),
    ties=(0.0, 1.0),
    order_loads=(4,),
    clustered=(480,),
    workers=(1,),
    how_sure=(
        HowSure("posterior", 240, 4, Target(600.0, 1e6), repeats=1),
        HowSure("calibration", 240, repeats=1),
        HowSure("stability", 240, repeats=1),
    ),
)
