"""Runs, tables and samples as the audits take them."""

from __future__ import annotations

import os

from unround.disclosure.snapshot import Snapshot
from unround.errors import UsageError
from unround.result import Result
from unround.runs.saved import load
from unround.settings import checked_count

PathLike = str | os.PathLike[str]


def result_of(run: Result | PathLike) -> Result:
    """Return a result, read from its folder if that was given."""
    if isinstance(run, Result):
        return run
    if not isinstance(run, str | os.PathLike):
        kind = type(run).__name__
        raise UsageError(f"run must be a result or the folder of one, not {kind}")
    return load(run)


def snapshot_of(run: Result | Snapshot | PathLike) -> Snapshot:
    """Return the snapshot of a run; the console has one."""
    return run if isinstance(run, Snapshot) else Snapshot.of(result_of(run))


def sample_of(sample: int | None) -> int | None:
    """Return the size of a sample; None stands for all."""
    return None if sample is None else checked_count("sample", sample)
