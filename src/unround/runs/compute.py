"""Tables -> run: its tables and its record, for the command line and the console."""

from __future__ import annotations

from unround.pipeline import dequantize_tables
from unround.problem.conflicts import POLICIES
from unround.progress import StageProgress, no_progress
from unround.result import Result
from unround.reviews.tables import Tables
from unround.runs.contradictions import by_reviewer, places_without
from unround.runs.folder import Run
from unround.runs.tables import PAPERS, run_tables
from unround.runs.uncertainty import (
    NO_ESTIMATES,
    SCORES_ONLY,
    WITHOUT,
    EstimateOptions,
    Estimates,
    calibration_tables,
    estimate_uncertainty,
)
from unround.settings import Settings
from unround.solver.engine import LOCAL, Engine, open_engine
from unround.uncertainty.calibration import calibrate


def compute_run(
    tables: Tables,
    settings: Settings,
    *,
    estimates: EstimateOptions = SCORES_ONLY,
    checks: bool = True,
    engine: str | Engine = LOCAL,
    progress: StageProgress = no_progress,
) -> tuple[Result, Run]:
    """Compute the scores and the requested estimates. Issues of a refused input name files and lines."""
    with open_engine(engine) as where:
        result = dequantize_tables(tables, settings, engine=where, progress=progress)
        found = NO_ESTIMATES
        if estimates != SCORES_ONLY:
            found = estimate_uncertainty(result, estimates, progress, where)
        return result, run_of_result(result, found, checks=checks)


def run_of_result(
    result: Result, estimates: Estimates = NO_ESTIMATES, *, checks: bool = True
) -> Run:
    """Return the tables and the record of a result, with any estimates and, with `checks`, diagnostics.

    Reviewers' strictness is estimated without being requested where the data show it, and places
    without contradictions where rankings count against scores. A result that was read from a folder
    keeps the tables and the record that it has there.
    """
    if result.run is not None:
        tables = {**run_tables(result), **estimates.tables}
        return Run(tables, {**result.record, **estimates.notes})
    record = result.record
    if checks:
        found = result.diagnostics
        record["diagnostics"] = found.record()
        if found.recommends_calibration and "calibration" not in estimates.notes:
            estimates |= calibration_tables(calibrate(result))
    tables = {**run_tables(result), **estimates.tables}
    if not POLICIES[result.settings.conflicts].drops and by_reviewer(result.issues):
        tables[WITHOUT] = places_without(result.internals, result.issues, tables[PAPERS])
    return Run(tables, {**record, **estimates.notes})
