"""Rows of the database as models of the API."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal

import polars as pl
from sqlalchemy import func, select
from sqlalchemy.orm import Session

from unround.console.access.permissions import Viewer, visible_conferences, visible_runs
from unround.console.schemas.access import CreatedLink, Link
from unround.console.schemas.runs import (
    AcceptanceLine,
    Check,
    ConferenceDetail,
    ConferenceSummary,
    Contradictions,
    FileInfo,
    IssueCount,
    IssueLine,
    JobProgress,
    NewRun,
    ReviewerContradictions,
    RunDetail,
    RunSummary,
)
from unround.console.storage.orm import (
    UNFINISHED,
    AreaChairRow,
    CheckRow,
    ConferenceRow,
    FileRow,
    LinkRow,
    RunRow,
)
from unround.issues import Issue, count_kinds
from unround.wording import advice

SHOWN = 200  # issues and reviewers that are listed; the CSV files have all
NO_CONTRADICTIONS: dict[str, Any] = {
    "reviewers": 0,
    "contradictions": 0,
    "fewest_changes": 0,
    "lines": [],
}
# What a check has found before it has found anything.
EMPTY: dict[str, Any] = {
    "recognised": [],
    "notes": [],
    "scale": None,
    "counts": {},
    "previews": [],
    "columns": [],
    "issue_counts": [],
    "issues": [],
    "contradictions": NO_CONTRADICTIONS,
    "ready": False,
}
NO_ISSUES = {"counts": [], "lines": [], "contradictions": NO_CONTRADICTIONS}


def conference_summaries(session: Session, viewer: Viewer) -> list[ConferenceSummary]:
    """List the conferences that the viewer may open, newest first."""
    conferences = visible_conferences(viewer).order_by(
        ConferenceRow.created.desc(), ConferenceRow.id
    )
    runs = visible_runs(viewer).subquery()
    counting = select(runs.c.conference, func.count()).group_by(runs.c.conference)
    counts: dict[str, int] = {row[0]: row[1] for row in session.execute(counting)}
    return [
        ConferenceSummary(id=row.id, name=row.name, created=row.created, runs=counts.get(row.id, 0))
        for row in session.scalars(conferences)
    ]


def conference_out(session: Session, viewer: Viewer, row: ConferenceRow) -> ConferenceDetail:
    """Return a conference; for an area chair its name and shared runs only."""
    runs = visible_runs(viewer).where(RunRow.conference == row.id)
    run_rows = session.scalars(runs.order_by(RunRow.created.desc(), RunRow.id))
    if not viewer.is_chair:
        return ConferenceDetail(
            id=row.id,
            name=row.name,
            created=row.created,
            runs=[_shared_summary(run) for run in run_rows],
            files=[],
            show_stars=None,
            show_names=None,
            disclosure=None,
        )
    files = select(FileRow).where(FileRow.conference == row.id)
    file_rows = session.scalars(files.order_by(FileRow.uploaded, FileRow.id))
    return ConferenceDetail(
        id=row.id,
        name=row.name,
        created=row.created,
        runs=[run_summary(run) for run in run_rows],
        files=[file_info(file) for file in file_rows],
        show_stars=row.show_stars,
        show_names=row.show_names,
        disclosure=row.disclosure,  # type: ignore[arg-type]
    )


def run_summary(run: RunRow) -> RunSummary:
    """Return one line of the list of runs."""
    return RunSummary(
        id=run.id,
        name=run.name,
        status=run.status,  # type: ignore[arg-type]
        created=run.created,
        finished=run.finished,
        shared=run.shared,
        archived=run.archived,
        lam=_lambda(run.lam),
        conflicts=run.request["method"]["conflicts"],
    )


def _shared_summary(run: RunRow) -> RunSummary:
    """Leave out what only chairs may know."""
    return run_summary(run).model_copy(update={"lam": None, "conflicts": None})


def _lambda(text: str | None) -> float | Literal["inf"] | None:
    if text == "inf":
        return "inf"
    return None if text is None else float(text)


def file_info(file: FileRow) -> FileInfo:
    """Return an uploaded file's facts."""
    return FileInfo(
        id=file.id, name=file.name, size=file.size, sha256=file.sha256, uploaded=file.uploaded
    )


def progress_of(job: RunRow | CheckRow, live: JobProgress | None) -> JobProgress:
    """Return how far a job has come: by its worker (`live`) until its row says that it has ended."""
    if live is not None and job.status in UNFINISHED:
        return live
    return JobProgress(
        status=job.status,  # type: ignore[arg-type]
        stage=None,
        done=0,
        total=0,
        reason=job.reason,
    )


def run_out(row: RunRow, live: JobProgress | None, files: Sequence[str] = ()) -> RunDetail:
    """Return everything about a run but its results."""
    request, progress = NewRun.model_validate(row.request), progress_of(row, live)
    issues = NO_ISSUES | (row.issues or {})
    return RunDetail(
        id=row.id,
        conference=row.conference,
        name=row.name,
        status=progress.status,
        reason=progress.reason,
        created=row.created,
        finished=row.finished,
        shared=row.shared,
        archived=row.archived,
        line=None if row.line is None else AcceptanceLine.model_validate(row.line),
        progress=progress,
        reading=request.reading,
        method=request.method,
        lam=request.lam,
        uncertainty=request.uncertainty,
        calibrate=request.calibrate,
        inputs=[FileInfo.model_validate(file) for file in row.inputs],
        issue_counts=[IssueCount(**count) for count in issues["counts"]],
        issues=[IssueLine(**line) for line in issues["lines"]],
        contradictions=Contradictions(**issues["contradictions"]),
        files=list(files),
    )


def check_out(row: CheckRow, live: JobProgress | None) -> Check:
    """Return the state and the findings of a check."""
    progress = progress_of(row, live)
    return Check.model_validate(
        EMPTY
        | (row.found or {})
        | {"id": row.id, "status": progress.status, "reason": progress.reason}
    )


def link_out(row: LinkRow) -> Link:
    """Return a link as it is listed."""
    return Link(
        id=row.id,
        role="area_chair" if row.area_chair else "reviewer" if row.ballot else "chair",
        area_chair=row.area_chair,
        label=row.label,
        created=row.created,
        expires=row.expires,
        revoked=row.revoked,
        opened=row.opened,
    )


def made_link_out(row: LinkRow, url: str, person: AreaChairRow | None) -> CreatedLink:
    """Return a new link with its URL."""
    return CreatedLink(
        **link_out(row).model_dump(),
        url=url,
        name=person.name if person else row.label or None,
        email=person.email if person else None,
    )


def issue_counts(issues: Iterable[Issue]) -> list[IssueCount]:
    """Count the cases of each kind of issue, most frequent first."""
    return [
        IssueCount(kind=kind, count=count, advice=advice(kind))
        for kind, count in count_kinds(issues).most_common()
    ]


def issue_lines(records: Sequence[Mapping[str, Any]]) -> list[IssueLine]:
    """Return the first issues."""
    return [
        IssueLine(
            kind=record["kind"],
            message=record["message"],
            where=list(record["where"]),
            action=record["action"],
        )
        for record in records[:SHOWN]
    ]


def contradictions_out(table: pl.DataFrame) -> Contradictions:
    """Sum up a table of contradictions per reviewer, and list the first reviewers."""
    names = list(ReviewerContradictions.model_fields)
    return Contradictions(
        reviewers=table.height,
        contradictions=int(table["contradictions"].sum()),
        fewest_changes=int(table["fewest_changes"].sum()),
        lines=[
            ReviewerContradictions(**row)
            for row in table.head(SHOWN).select(names).iter_rows(named=True)
        ],
    )
