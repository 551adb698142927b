"""The kinds of jobs: what a worker is given, and what it computes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from unround.console.access.permissions import assigned_papers, present_area_chairs
from unround.console.access.scopes import scope_values, titles
from unround.console.jobs.audits import measure_influence, measure_privacy
from unround.console.jobs.compute import check_files, make_views, solve_files
from unround.console.jobs.job import JobResult, files_of, link_files
from unround.console.storage.orm import ConferenceRow, Job, JobRow, RunFileRow, RunRow
from unround.console.storage.run_files import FILES
from unround.progress import StageProgress

# Computes a result from the request of a job's row and from what was given, both as JSON.
Compute = Callable[[dict[str, Any], dict[str, Any], StageProgress], JobResult]
# Puts files into the worker's folder, given that of uploads; returns what else the worker needs.
Give = Callable[[Session, Any, Path, Path], dict[str, Any]]


def uploads_named(session: Session, row: Any, folder: Path, uploads: Path) -> dict[str, Any]:
    """Give the uploads that the request names."""
    files = files_of(session, row.conference, row.request["files"])
    return {"files": [str(path) for path in link_files(folder, uploads, files)]}


def finished_run(session: Session, row: Any, folder: Path, _uploads: Path) -> dict[str, Any]:
    """Give the files of the run that is looked at."""
    files = select(RunFileRow.name, RunFileRow.content).where(RunFileRow.run == row.run)
    for name, content in session.execute(files.where(RunFileRow.name.in_(FILES))):
        (folder / name).write_bytes(content)
    return {"run": str(folder)}


def run_and_scopes(session: Session, row: Any, folder: Path, uploads: Path) -> dict[str, Any]:
    """Give the files of the run that is looked at, and what each area chair may see of it."""
    run, conference = (
        session.get_one(RunRow, row.run),
        session.get_one(ConferenceRow, row.conference),
    )
    papers = assigned_papers(session, conference.id)
    return {
        **finished_run(session, row, folder, uploads),
        "titles": titles(conference, run),
        "scopes": {
            one.id: scope_values(conference, one, papers.get(one.id, ()))
            for one in present_area_chairs(session, conference.id)
        },
    }


@dataclass(frozen=True)
class JobSpec:
    """What is to be known of one kind of job."""

    compute: Compute
    give: Give
    table: type[Job] = JobRow
    at_once: int = 1
    longest: float | None = None  # seconds; None: as long as it needs


JOBS = {
    "check": JobSpec(check_files, uploads_named, at_once=2, longest=600.0),
    "run": JobSpec(solve_files, uploads_named, RunRow, at_once=2),
    "privacy": JobSpec(measure_privacy, run_and_scopes),
    "influence": JobSpec(measure_influence, finished_run),
    "views": JobSpec(make_views, run_and_scopes),
}
