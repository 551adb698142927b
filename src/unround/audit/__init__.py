"""Audits of a run: what area chairs could find out, what one reviewer can do, how groups fare.

Each takes a result, or the folder that `result.save(folder)` or `unround run` wrote.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from unround.errors import UsageError
from unround.progress import StageProgress, open_progress
from unround.settings import Accept, checked_count, checked_path

if TYPE_CHECKING:
    from unround.audit.groups.audit import GroupsAudit
    from unround.audit.influence.audit import Influence
    from unround.audit.privacy.audit import PrivacyFindings
    from unround.result import Result

PathLike = str | os.PathLike[str]


def audit_privacy(
    run: Result | PathLike,
    areachairs: PathLike | None = None,
    *,
    sample: int | None = None,
    progress: StageProgress | bool | None = None,
) -> PrivacyFindings:
    """Measure what the pages of area chairs reveal about papers that are not theirs.

    Parameters
    ----------
    run : Result or path
        The result, or its folder.
    areachairs : path, optional
        A table of papers and their area chairs. None: those that the run's files name.
    sample : int, optional
        How many area chairs and how many changes of the input are tried, at random. None: all.
    progress : bool or callable, optional
        As for `dequantize`.
    """
    from unround.audit.privacy.audit import audit_privacy as audit
    from unround.disclosure.snapshot import Snapshot
    from unround.report.pages import area_chairs

    size, table = _sample_size(sample), _path("areachairs", areachairs)
    snapshot = Snapshot.of(_result(run))
    chairs, _ = area_chairs(snapshot, table, "areachairs")
    with open_progress(progress) as report:
        return audit(snapshot, chairs, sample=size, facts=size, progress=report)


def audit_influence(
    run: Result | PathLike,
    *,
    authors: PathLike | None = None,
    accept: int | float | str = "25%",
    sample: int | None = None,
    progress: StageProgress | bool | None = None,
) -> Influence:
    """Measure how far each reviewer alone could move the papers they read.

    Parameters
    ----------
    run : Result or path
        The result, or its folder.
    authors : path, optional
        A table of papers and their authors, to find reviewers who could lift their own paper.
    accept : int, float or str
        How many papers there is room for: 500, 0.25 or "25%".
    sample : int, optional
        How many reviewers are tried, at random. None: all.
    progress : bool or callable, optional
        As for `dequantize`.
    """
    from unround.audit.influence.audit import audit_influence as audit
    from unround.audit.influence.authors import read_authors
    from unround.disclosure.snapshot import Snapshot

    room, size, table = Accept.of(accept), _sample_size(sample), _path("authors", authors)
    written = None if table is None else read_authors(table)
    snapshot = Snapshot.of(_result(run))
    with open_progress(progress) as report:
        return audit(snapshot, authors=written, accept=room, sample=size, progress=report)


def audit_groups(
    run: Result | PathLike,
    by: str,
    *,
    table: PathLike | None = None,
    accept: int | float | str = "25%",
    sample: int | None = None,
    progress: StageProgress | bool | None = None,
) -> GroupsAudit:
    """Measure how each group of papers, reviewers or reviews fares in a run.

    Parameters
    ----------
    run, accept, progress
        As for `audit_influence`.
    by : str
        The column that names the group.
    table : path, optional
        Where the column is, beside paper or reviewer. None: in the run's own tables.
    sample : int, optional
        The most reviews on which errors are measured. None: all.
    """
    from unround.audit.groups.audit import audit_groups as audit

    options: dict[str, Any] = {"accept": Accept.of(accept), "sample": _sample_size(sample)}
    options["table"] = _path("table", table)
    result = _result(run)
    with open_progress(progress) as report:
        return audit(result, by, **options, progress=report)


def _result(run: object) -> Result:
    """Return a result, read from its folder if that was given."""
    from unround.result import Result
    from unround.runs.saved import load

    if isinstance(run, Result):
        return run
    if not isinstance(run, str | os.PathLike):
        kind = type(run).__name__
        raise UsageError(f"run must be a result or the folder of one, not {kind}")
    return load(run)


def _path(name: str, path: PathLike | None) -> Path | None:
    return None if path is None else checked_path(name, path)


def _sample_size(sample: int | None) -> int | None:
    return None if sample is None else checked_count("sample", sample)
