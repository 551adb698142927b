"""The one pipeline: dataframes -> ReviewSet -> Problem -> solver -> certificate -> Result."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

from unround.arrays import FloatArray
from unround.certificate import Certificate, certify, rounding_bound
from unround.errors import NotSolved, UsageError
from unround.issues import Issue, Kind
from unround.preparation import PreparedInput, prepare
from unround.progress import StageProgress, StepProgress, open_progress
from unround.result import FrameT, Internals, Result
from unround.reviews.frames import frame_like
from unround.reviews.review_set import ReviewSet
from unround.reviews.tables import Tables
from unround.scale import Scale
from unround.selection.simulation import simulated
from unround.selection.validation import Coarsening, Curve, Loss, validate
from unround.settings import (
    AUTO_PLUS,
    EPSILON,
    TOLERANCE_SPACINGS,
    LambdaChoice,
    Policy,
    PolicyName,
    Settings,
    Unranked,
    UnrankedName,
)
from unround.solver.engine import LOCAL, ON_THIS_MACHINE, Engine, open_engine

if TYPE_CHECKING:
    from narwhals.stable.v2.typing import IntoDataFrame


# Rounding leaves even exact scores some bound; so many times this bound is always reached in practice.
TIMES_LEAST_BOUND = 8.0


@dataclass(frozen=True)
class Selection:
    """A validated λ and the curve it was chosen from.

    Attributes
    ----------
    lam : float
        The λ of the smallest error; math.inf, which moves scores least, if nothing decides it.
    curve : DataFrame
        Every λ that was tried (lam) and its error (error).
    decided : bool
        Whether the errors single out one λ.
    reason : str
        Why not; empty if they do.

    Examples
    --------
    >>> import unround
    >>> conference = unround.simulate.thurstone(seed=1)
    >>> chosen = unround.select_lambda(conference.reviews, grid=[1.0, 10.0, 100.0])
    >>> chosen.lam in (1.0, 10.0, 100.0), chosen.curve.columns
    (True, ['lam', 'error'])
    """

    lam: float
    curve: Any
    decided: bool = True
    reason: str = ""


def dequantize(
    reviews: FrameT | Tables,
    rankings: IntoDataFrame | Sequence[IntoDataFrame] | None = None,
    *,
    lam: float | LambdaChoice = AUTO_PLUS,
    epsilon: float = EPSILON,
    scale: Scale | Sequence[Any] | str | None = None,
    conflicts: PolicyName | Policy = "refuse",
    same: IntoDataFrame | None = None,
    unranked: UnrankedName | Unranked = "apart",
    allow_loss: bool = False,
    ignore_rankings: bool = False,
    tolerance: float = TOLERANCE_SPACINGS,
    engine: str | Engine = LOCAL,
    progress: StageProgress | bool | None = None,
) -> Result[FrameT]:
    """Compute one real-valued score per review: in its cell, in its reviewer's order, pulled to the others.

    Parameters
    ----------
    reviews : DataFrame or Tables
        A dataframe of any kind with reviewer, paper and score; or what `unround.read` returns.
    rankings : DataFrame or sequence of DataFrame, optional
        Ranks (reviewer, paper, rank; 1 = best, equal = tie, unranked left out) or stated pairs
        (reviewer, better, worse), or several such tables. None: scores only.
    lam : "auto+", "auto" or float
        "auto+" chooses λ by simulation, "auto" by quantization validation, as the paper does; or the
        strength λ > 0, or math.inf.
    epsilon : float
        The smallest gap between ranked papers, in units of the smallest level spacing.
    scale : sequence, str or Scale, optional
        Every level, worst to best. None: inferred from the scores, and always shown.
    conflicts : "refuse", "scores" or "rankings"
        What to do about statements that cannot all hold.
    same : DataFrame, optional
        Papers that a reviewer calls about the same: reviewer, paper, same_as.
    unranked : "apart" or "below"
        Whether unranked papers are compared with none, or rank below all others.
    allow_loss : bool
        Continue where most statements fall away; otherwise that stops a run under every policy.
    ignore_rankings : bool
        Use scores alone, whatever the tables hold.
    tolerance : float
        No score may be further than this from the optimum, and that must be proven. In units of
        the smallest level spacing.
    engine : str or engine object
        Where to compute, with the same scores within the proven bound: "local", on this machine;
        "gpu", on its NVIDIA GPU; `unround.Dask("tcp://host:8786")`, on a Dask cluster; or the name
        of an engine that another package adds.
    progress : bool or callable, optional
        True shows a bar in terminals and notebooks; a function gets (stage, done, total).

    Returns
    -------
    Result
        The scores, their proof and their reasons, as tables of the caller's kind.

    Raises
    ------
    InputRefused
        The data cannot be used as they are; every issue is listed.
    NotSolved
        The tolerance could not be proven.

    Examples
    --------
    >>> import polars as pl, unround
    >>> reviews = pl.DataFrame({
    ...     "reviewer": ["ann", "ann", "bob", "bob"],
    ...     "paper": [1, 2, 1, 2],
    ...     "score": [6, 6, 7, 5],
    ... })
    >>> rankings = pl.DataFrame({"reviewer": ["ann", "ann"], "paper": [1, 2], "rank": [1, 2]})
    >>> result = unround.dequantize(reviews, rankings, lam=4.0)
    >>> result.scores["dequantized"].round(3).to_list()
    [6.1, 5.9, 6.9, 5.1]
    """
    tables = Tables.of(reviews, rankings, same)
    settings = Settings.checked(
        lam=lam,
        epsilon=epsilon,
        scale=scale,
        conflicts=conflicts,
        unranked=unranked,
        allow_loss=allow_loss,
        ignore_rankings=ignore_rankings,
        tolerance=tolerance,
    )
    return dequantize_tables(tables, settings, engine=engine, progress=progress)


def dequantize_tables(
    tables: Tables,
    settings: Settings,
    *,
    engine: str | Engine = LOCAL,
    progress: StageProgress | bool | None = None,
) -> Result[Any]:
    """`dequantize` for tables and settings that are already built."""
    with open_engine(engine) as where, open_progress(progress) as report:
        report("reading", 0, 1)
        prepared = prepare(tables, settings)
        report("reading", 1, 1)
        return solve_prepared(prepared, report=report, engine=where, asked=engine)


def solve_prepared(
    prepared: PreparedInput,
    *,
    start: FloatArray | None = None,
    report: StageProgress,
    engine: Engine,
    asked: str | Engine = LOCAL,
) -> Result[Any]:
    """Choose λ if it is not given, solve, and raise NotSolved if the tolerance is not proven.

    The result keeps the engine as it was asked for: one that is connected may be closed by then.
    """
    curve: Curve | None = None
    lam = prepared.settings.lam
    if isinstance(lam, str):
        curve = choose(
            prepared.reviews,
            prepared.settings,
            progress=partial(report, "validating"),
            engine=engine,
        )
        prepared, lam = _with_doubt(prepared, curve), curve.best
    report("solving", 0, 2)
    scores, certificate = _solved(prepared, lam, start, report, engine)
    report("solving", 2, 2)
    solved = Internals(
        tables=prepared.tables,
        settings=prepared.settings,
        frame=prepared.frame,
        reviews=prepared.reviews,
        problem=prepared.problem,
        lam=lam,
        values=scores,
        curve=curve,
        engine=asked,
    )
    result = Result[Any].of(solved, certificate, prepared.issues)
    tolerance = prepared.settings.tolerance
    if certificate.max_error > tolerance * prepared.reviews.scale.spacing:
        raise NotSolved(result, tolerance)
    return result


def choose(
    reviews: ReviewSet,
    settings: Settings,
    progress: StepProgress | None = None,
    engine: Engine = ON_THIS_MACHINE,
) -> Curve:
    """Compute the curve that "auto" (quantization validation) or "auto+" (simulation) chooses λ from."""
    if settings.lam == AUTO_PLUS:
        return simulated(reviews, settings, progress=progress, engine=engine)
    return validate(reviews, epsilon=settings.epsilon, progress=progress, engine=engine)


def _solved(
    prepared: PreparedInput,
    lam: float,
    start: FloatArray | None,
    report: StageProgress,
    engine: Engine,
) -> tuple[FloatArray, Certificate]:
    """Return scores and their certificate, which may still miss the tolerance."""
    unit, tolerance = prepared.reviews.scale.spacing, prepared.settings.tolerance
    bound = tolerance * unit
    _check_within_reach(lam, tolerance, rounding_bound(prepared.problem, lam) / unit)
    sweeps = 0
    # The certificate adds what rounding can do, so the solver aims lower: at half, which is nearly always
    # enough, or less.
    for part in (2.0, 8.0, 32.0):
        # No name is kept for the solver, so that its memory is free when the certificate needs some.
        solution = engine.solver(prepared.problem).solve(lam, bound / part, start)
        report("solving", 1, 2)
        start, sweeps = solution.centres, sweeps + solution.sweeps
        certificate = certify(prepared.problem, lam, solution.scores, wanted=bound, sweeps=sweeps)
        if certificate.max_error <= bound:
            break
    return solution.scores, certificate


def _with_doubt(prepared: PreparedInput, curve: Curve) -> PreparedInput:
    """Add an issue if nothing decides λ."""
    if curve.decided:
        return prepared
    action = "λ = ∞ taken, which moves scores only as far as the rankings need"
    issue = Issue(Kind.UNDECIDED, f"nothing decides λ: {curve.reason}", action=action)
    return replace(prepared, issues=(*prepared.issues, issue))


def _check_within_reach(lam: float, tolerance: float, attainable: float) -> None:
    """Refuse a λ so small that rounding alone allows no bound within the tolerance.

    `attainable` is the bound that rounding alone leaves; it grows as 1 / λ. Where λ = 1 would not reach the
    tolerance either, λ is not to blame.
    """
    if lam < 1.0 and lam * attainable <= tolerance < attainable:
        raise UsageError(
            f"lam = {lam:g} is too small to prove scores to a tolerance of {tolerance:g}: rounding "
            f"alone leaves {attainable:.2g}. Choose a lam of at least "
            f"{_rounded_up(TIMES_LEAST_BOUND * lam * attainable / tolerance)}, or a tolerance of at "
            f"least {_rounded_up(TIMES_LEAST_BOUND * attainable)}"
        )


def _rounded_up(value: float) -> str:
    """Show a number with one digit, not below itself."""
    power = math.floor(math.log10(value))
    return f"{math.ceil(value / 10.0**power) * 10.0**power:.0e}"


def select_lambda(
    reviews: IntoDataFrame | Tables,
    *,
    epsilon: float = EPSILON,
    scale: Scale | Sequence[Any] | str | None = None,
    grid: Sequence[float] | FloatArray | None = None,
    coarsening: Coarsening | None = None,
    loss: Loss | None = None,
    engine: str | Engine = LOCAL,
    progress: StageProgress | bool | None = None,
) -> Selection:
    """Choose λ by quantization validation: round the scores once more and see which λ restores them best.

    Rankings play no part: the finer scores stand in for them.

    Parameters
    ----------
    reviews, epsilon, scale, engine, progress
        As for `dequantize`.
    grid : sequence of float, optional
        Values of λ to try. None: the paper's exp(t/4), t = 0 .. 39.
    coarsening : callable, optional
        A function of the scale's values to coarser ones. None: ⌈z/2⌉, by position on uneven scales.
    loss : callable, optional
        A function of (scores, restored scores), smaller is better. None: Kendall-tau error.

    Returns
    -------
    Selection
        The λ of the smallest error, and the curve it was chosen from.

    Examples
    --------
    >>> import unround
    >>> conference = unround.simulate.thurstone(seed=0, draw="published")
    >>> unround.select_lambda(conference.reviews).lam
    25.7903399172
    """
    tables = Tables.of(reviews)
    settings = Settings.checked(epsilon=epsilon, scale=scale)
    with open_engine(engine) as where, open_progress(progress) as report:
        prepared = prepare(replace(tables, rankings=None, same=None), settings)
        curve = validate(
            prepared.reviews,
            epsilon=epsilon,
            grid=grid,
            coarsening=coarsening,
            loss=loss,
            progress=partial(report, "validating"),
            engine=where,
        )
    table = frame_like(prepared.frame, {"lam": curve.lam, "error": curve.error})
    return Selection(curve.best, table, curve.decided, curve.reason)
