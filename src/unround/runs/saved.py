"""A result as a folder: write it, and read it back."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from unround.errors import UsageError
from unround.preparation import prepare
from unround.result import Internals, Result
from unround.runs.compute import run_of_result
from unround.runs.folder import PageWriter, Run, read_run, save_run
from unround.runs.record import (
    accepted_settings,
    recorded_certificate,
    recorded_issues,
    recorded_settings,
)
from unround.runs.uncertainty import (
    NO_ESTIMATES,
    calibration_tables,
    posterior_tables,
    stability_tables,
)
from unround.scale import Scale
from unround.settings import checked_path
from unround.uncertainty.calibration import Calibration
from unround.uncertainty.posterior import Posterior
from unround.uncertainty.stability import Stability

if TYPE_CHECKING:
    import polars as pl

ESTIMATES: Mapping[str, tuple[type[Any], Callable[..., Any]]] = {
    "posterior": (Posterior, posterior_tables),
    "calibration": (Calibration, lambda _, found: calibration_tables(found)),
    "stability": (Stability, lambda _, found: stability_tables(found)),
}


def load(folder: str | os.PathLike[str]) -> Result[pl.DataFrame]:
    """Read a result that `result.save` or `unround run` wrote.

    Parameters
    ----------
    folder : path
        The run's folder.

    Returns
    -------
    Result
        Its tables, λ, certificate and issues.

    Examples
    --------
    >>> import pathlib, tempfile, warnings, unround
    >>> conference = unround.simulate.thurstone(papers=8, seed=1)
    >>> result = unround.dequantize(conference.reviews, conference.rankings, lam=2.0)
    >>> with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
    ...     warnings.simplefilter("ignore")  # the page is left out of an unbuilt checkout
    ...     loaded = unround.load(result.save(pathlib.Path(folder, "run")))
    >>> loaded.scores.equals(result.scores), loaded.lam
    (True, 2.0)
    """
    run = read_run(checked_path("folder", folder))
    record = run.record
    return Result(
        certificate=recorded_certificate(record),
        issues=recorded_issues(record),
        settings=recorded_settings(record),
        lam=float(record["lam"]),
        scale=Scale(record["settings"]["scale"]),
        solved=partial(_solved, run),
        run=run,
    )


def _solved(run: Run) -> Internals:
    """Build the problem of a run again; its scores are those that it has."""
    prepared = prepare(run.input_tables(), accepted_settings(run.record))
    return Internals(
        tables=prepared.tables,
        settings=recorded_settings(run.record),
        frame=prepared.frame,
        reviews=prepared.reviews,
        problem=prepared.problem,
        lam=float(run.record["lam"]),
        values=run.scores["dequantized"].to_numpy()[prepared.reviews.row],
        curve=None,
    )


def save(
    result: Result,
    folder: Path,
    estimates: Mapping[str, object],
    *,
    page: PageWriter,
    force: bool,
) -> Path:
    """Write a result as a run folder, with estimates by name; warn where its page is left out."""
    known = NO_ESTIMATES
    for name, given in estimates.items():
        kind, tables_of = ESTIMATES[name]
        if given is None:
            continue
        if not isinstance(given, kind):
            raise UsageError(f"{name} must be a {kind.__name__}, not {type(given).__name__}")
        if not given._reviews.has_same_scores(result.internals.reviews):
            raise UsageError(f"{name} was computed from other reviews: compute it from this result")
        known |= tables_of(result, given)
    left_out = save_run(run_of_result(result, known), folder, page=page, force=force)
    if left_out:
        warnings.warn(left_out, stacklevel=3)
    return folder
