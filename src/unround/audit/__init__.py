"""Audits of a finished run: what area chairs could find out, what one reviewer can do, how groups fare.

Each takes the folder of a run, as `result.save(folder)` or `unround run` wrote it.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from unround.progress import StageProgress, open_progress
from unround.settings import Accept, checked_count, checked_path

if TYPE_CHECKING:
    from unround.audit.groups.audit import GroupsAudit
    from unround.audit.influence.audit import Influence
    from unround.audit.privacy.audit import PrivacyFindings


def audit_privacy(
    folder: str | os.PathLike[str],
    areachairs: str | os.PathLike[str],
    *,
    sample: int | None = None,
    progress: StageProgress | bool | None = None,
) -> PrivacyFindings:
    """Measure what the pages of area chairs reveal about papers that are not theirs.

    Parameters
    ----------
    folder : path
        The run.
    areachairs : path
        A table of papers and their area chairs.
    sample : int, optional
        How many area chairs and how many changes of the input are tried, at random. None: all.
    progress : bool or callable, optional
        As for `dequantize`.
    """
    from unround.audit.privacy.audit import audit_privacy as audit
    from unround.disclosure.snapshot import read_snapshot
    from unround.report.pages import area_chairs

    size = _sample_size(sample)
    snapshot = read_snapshot(checked_path("folder", folder))
    chairs, _ = area_chairs(snapshot, checked_path("areachairs", areachairs), "areachairs")
    with open_progress(progress) as report:
        return audit(snapshot, chairs, sample=size, facts=size, progress=report)


def audit_influence(
    folder: str | os.PathLike[str],
    *,
    accept: int | float | str = "25%",
    sample: int | None = None,
    progress: StageProgress | bool | None = None,
) -> Influence:
    """Measure how far each reviewer alone could move the papers they read.

    Parameters
    ----------
    folder : path
        The run.
    accept : int, float or str
        How many papers there is room for: 500, 0.25 or "25%".
    sample : int, optional
        How many reviewers are tried, at random. None: all.
    progress : bool or callable, optional
        As for `dequantize`.
    """
    from unround.audit.influence.audit import audit_influence as audit
    from unround.disclosure.snapshot import read_snapshot

    room, size = Accept.of(accept), _sample_size(sample)
    snapshot = read_snapshot(checked_path("folder", folder))
    with open_progress(progress) as report:
        return audit(snapshot, accept=room, sample=size, progress=report)


def audit_groups(
    folder: str | os.PathLike[str],
    by: str,
    *,
    table: str | os.PathLike[str] | None = None,
    accept: int | float | str = "25%",
    sample: int | None = None,
    progress: StageProgress | bool | None = None,
) -> GroupsAudit:
    """Measure how each group of papers, reviewers or reviews fares in a run.

    Parameters
    ----------
    folder, accept, progress
        As for `audit_influence`.
    by : str
        The column that names the group.
    table : path, optional
        Where the column is, beside paper or reviewer. None: in the run's own tables.
    sample : int, optional
        The most reviews on which errors are measured. None: all.
    """
    from unround.audit.groups.audit import audit_groups as audit

    where: Path = checked_path("folder", folder)
    options: dict[str, Any] = {"accept": Accept.of(accept), "sample": _sample_size(sample)}
    options["table"] = None if table is None else checked_path("table", table)
    with open_progress(progress) as report:
        return audit(where, by, **options, progress=report)


def _sample_size(sample: int | None) -> int | None:
    return None if sample is None else checked_count("sample", sample)
