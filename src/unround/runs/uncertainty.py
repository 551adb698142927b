"""A result -> estimates of its uncertainty, as tables and notes for run.json.

They rest on a model or on resampled reviewers; the scores of a run never depend on them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any

import polars as pl

from unround.errors import UsageError
from unround.progress import StageProgress, no_progress
from unround.reviews.frames import as_polars
from unround.runs.tables import with_known
from unround.settings import Accept
from unround.solver.engine import LOCAL, Engine

if TYPE_CHECKING:
    from unround.result import Result
    from unround.uncertainty.calibration import Calibration
    from unround.uncertainty.posterior import Posterior
    from unround.uncertainty.stability import Stability

UNCERTAINTY, PLACES = "uncertainty.csv", "places.csv"
CALIBRATION, REVIEWERS, STABILITY = "calibration.csv", "reviewers.csv", "stability.csv"
WITHOUT = "without_contradictions.csv"
ESTIMATE_FILES = (UNCERTAINTY, PLACES, CALIBRATION, REVIEWERS, STABILITY, WITHOUT)


@dataclass(frozen=True)
class EstimateOptions:
    """Which estimates to compute beside the scores."""

    uncertainty: bool = False
    calibration: bool = False
    stability: bool = False
    accept: Accept | None = None


SCORES_ONLY = EstimateOptions()


@dataclass(frozen=True)
class Estimates:
    """Estimates of uncertainty: tables by file name, and notes for run.json."""

    tables: Mapping[str, pl.DataFrame] = field(default_factory=dict)
    notes: Mapping[str, Any] = field(default_factory=dict)

    def __or__(self, other: Estimates) -> Estimates:
        return Estimates({**self.tables, **other.tables}, {**self.notes, **other.notes})


NO_ESTIMATES = Estimates()


def estimate_uncertainty(
    result: Result,
    options: EstimateOptions,
    progress: StageProgress = no_progress,
    engine: str | Engine = LOCAL,
) -> Estimates:
    """Compute the requested estimates; one that cannot be computed is left out, with a reason in its note.

    The engine solves for resampled reviewers; everything else runs on this machine.
    """
    count = result.internals.problem.papers
    accepted = None if options.accept is None else options.accept.papers(count)
    found = NO_ESTIMATES
    if options.calibration:
        found |= _calibration_estimates(result, progress)
    if options.uncertainty:
        found |= _posterior_estimates(result, options.accept, progress)
    if options.stability:
        found |= _stability_estimates(result, accepted, progress, engine)
    return found


def _posterior_estimates(
    result: Result, accept: Accept | None, progress: StageProgress
) -> Estimates:
    from unround.uncertainty.posterior import NotMixed, posterior

    try:
        found = posterior(result, progress=partial(progress, "sampling"))
    except NotMixed as error:
        note = {"mixed": False, "reason": str(error), **asdict(error.diagnostics)}
        return Estimates(notes={"uncertainty": note})
    return posterior_tables(result, found, accept)


def posterior_tables(result: Result, found: Posterior, accept: Accept | None = None) -> Estimates:
    """Return uncertainty.csv and places.csv of a posterior."""
    from unround.uncertainty.mixed_model import Design
    from unround.uncertainty.places import RESOLUTION

    papers, count = as_polars(found.papers), result.internals.problem.papers
    reviews = result.internals.reviews
    part = Design(reviews.paper, reviews.reviewer, reviews.given).parts[0]
    if part.any():  # reviewers of different parts share no paper
        papers = papers.with_columns(part=part + 1)
    line: dict[str, Any] | None = None
    if accept is not None:
        line = {"asked": str(accept), "papers": accept.papers(count)}
        chances = as_polars(found.p_top(accept.papers(count)))["probability"]
        papers = papers.with_columns(p_accept=chances)
    note = {
        "mixed": True,
        "interval": found.interval,
        **asdict(found.diagnostics),
        "resolution": RESOLUTION,
        "accept": line,
    }
    return Estimates({UNCERTAINTY: papers, PLACES: _places(result, found)}, {"uncertainty": note})


def _places(result: Result, found: Posterior) -> pl.DataFrame:
    """The distribution of each paper's place, among all papers and within tracks where there are any."""
    tables = [as_polars(found.places()).with_columns(within=pl.lit("all"))]
    known = with_known(as_polars(found.papers).select("paper"), result)
    if "track" in known.columns and known["track"].null_count() < known.height:
        within = found.places(known["track"].fill_null("").to_list())
        tables.append(as_polars(within).with_columns(within=pl.lit("track")))
    return pl.concat(tables).select("paper", "within", "place", "share")


def _calibration_estimates(result: Result, progress: StageProgress) -> Estimates:
    from unround.uncertainty.calibration import calibrate

    progress("calibrating", 0, 1)
    try:
        found = calibration_tables(calibrate(result))
    except UsageError as error:  # too few people or papers, or scores that are all equal
        found = Estimates(notes={"calibration": {"reason": str(error)}})
    progress("calibrating", 1, 1)
    return found


def calibration_tables(found: Calibration) -> Estimates:
    """Return calibration.csv and reviewers.csv of a calibration."""
    from unround.uncertainty.mixed_model import HIDDEN_BY_ROUNDING

    variances = as_polars(found.variances)
    note = {
        "p_value": found.p_value,
        "recommended": found.recommended,
        "verdict": found.verdict,
        "caution": HIDDEN_BY_ROUNDING if found.hidden_by_rounding else "",
        "parts": found.parts,
        "settled": found.settled,
        "variances": dict(variances.select("component", "variance").iter_rows()),
    }
    tables = {CALIBRATION: as_polars(found.papers), REVIEWERS: as_polars(found.reviewers)}
    return Estimates(tables, {"calibration": note})


def _stability_estimates(
    result: Result, accepted: int | None, progress: StageProgress, engine: str | Engine
) -> Estimates:
    from unround.uncertainty.stability import stability

    inside = accepted if accepted and accepted < result.internals.problem.papers else None
    resampling = partial(progress, "resampling")
    return stability_tables(stability(result, accept=inside, engine=engine, progress=resampling))


def stability_tables(found: Stability) -> Estimates:
    """Return stability.csv; without an acceptance line, without the columns about it."""
    from unround.uncertainty.mixed_model import HIDDEN_BY_ROUNDING

    note = {
        "share_of_pairs": found.share_of_pairs,
        "draws": found.draws,
        "accept": found.accept,
        "caution": HIDDEN_BY_ROUNDING if found.hidden_by_rounding else "",
    }
    papers = as_polars(found.papers)
    if found.accept is None:
        papers = papers.drop("stays", "depends_on")
    return Estimates({STABILITY: papers}, {"stability": note})
