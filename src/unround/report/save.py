"""A result -> its run folder or its page: what the command line and Python write."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import TYPE_CHECKING

from unround.disclosure.snapshot import Snapshot
from unround.disclosure.view import view
from unround.output.atomic import whole_file, whole_folder
from unround.report.page import MOST_REVIEWS, PageNotBuilt, write_page
from unround.result import Result
from unround.runs.folder import write_run, write_sums
from unround.runs.perform import Performed, performed
from unround.runs.saved import SavedResult
from unround.runs.sureness import NOTHING, of_calibration, of_posterior, of_stability

if TYPE_CHECKING:
    from unround.uncertainty.calibration import Calibration
    from unround.uncertainty.posterior import Posterior
    from unround.uncertainty.stability import Stability

REPORT = "report.html"


def save(
    result: Result,
    folder: Path,
    posterior: Posterior | None,
    calibration: Calibration | None,
    stability: Stability | None,
    *,
    force: bool,
) -> Path:
    """Write a result as a run folder; warn where its page is left out."""
    known = NOTHING
    if posterior is not None:
        known |= of_posterior(result, posterior)
    if calibration is not None:
        known |= of_calibration(calibration)
    if stability is not None:
        known |= of_stability(stability)
    left_out = save_run(performed(result, known), folder, force=force)
    if left_out:
        warnings.warn(left_out, stacklevel=3)
    return folder


def save_run(run: Performed, folder: Path, *, force: bool) -> str:
    """Write the folder whole or not at all; return why its page is left out, or nothing."""
    with whole_folder(folder, force=force) as draft:
        write_run(draft, run.tables, run.record)
        left_out = _write_page(Snapshot.of_tables(run.tables, run.record), draft / REPORT)
        write_sums(draft)
    return left_out


def write_report(result: Result | SavedResult, path: Path, title: str) -> Path:
    """Write the chair's page of a result."""
    if isinstance(result, SavedResult):
        snapshot = Snapshot.of_run(result.run)
    else:
        run = performed(result)
        snapshot = Snapshot.of_tables(run.tables, run.record)
    return write_snapshot(snapshot, path, title)


def write_snapshot(snapshot: Snapshot, path: Path, title: str) -> Path:
    """Write the chair's page of a run."""
    with whole_file(path) as draft:
        write_page(view(snapshot, conference=title), draft)
    return path


def _write_page(snapshot: Snapshot, path: Path) -> str:
    if snapshot.reviews.height > MOST_REVIEWS:
        return (
            f"{path.name} is left out: a page of more than {MOST_REVIEWS:,} reviews is too large "
            "for a browser; `unround report --all-area-chairs` makes smaller ones"
        )
    try:
        write_page(view(snapshot), path)
    except PageNotBuilt as error:
        return f"{path.name} is left out: {error}"
    return ""
