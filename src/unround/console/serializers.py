"""Rows of the database as the API gives them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Literal

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from unround.console import schemas as schema
from unround.console.access.viewer import Who
from unround.console.schemas import (
    EMPTY,
    ConferenceSummary,
    FileInfo,
    IssueCount,
    IssueLine,
    JobProgress,
    NewRun,
    RunSummary,
)
from unround.console.storage.orm import (
    UNFINISHED,
    AreaChair,
    Check,
    Conference,
    File,
    Link,
    Run,
)
from unround.glossary import PAGE, advice, told


def summaries(session: Session, who: Who) -> list[ConferenceSummary]:
    """The conferences that the asking one may look at, newest first."""
    wanted = select(Conference).order_by(Conference.created.desc(), Conference.id)
    counted = select(Run.conference, func.count()).group_by(Run.conference)
    if not who.is_chair:
        wanted = wanted.where(Conference.id == who.conference)
        counted = counted.where(Run.shared, Run.status == "done")
    counts: dict[str, int] = {row[0]: row[1] for row in session.execute(counted)}
    return [
        ConferenceSummary(id=one.id, name=one.name, created=one.created, runs=counts.get(one.id, 0))
        for one in session.scalars(wanted)
    ]


def conference(session: Session, who: Who, row: Conference) -> schema.Conference:
    """A conference; for an area chair its name and shared runs only."""
    runs = select(Run).where(Run.conference == row.id).order_by(Run.created.desc(), Run.id)
    if not who.is_chair:
        shared = session.scalars(runs.where(Run.shared, Run.status == "done"))
        return schema.Conference(
            id=row.id,
            name=row.name,
            created=row.created,
            runs=[_shared_summary(run) for run in shared],
            files=[],
            show_stars=None,
            show_names=None,
        )
    files = select(File).where(File.conference == row.id).order_by(File.uploaded, File.id)
    return schema.Conference(
        id=row.id,
        name=row.name,
        created=row.created,
        runs=[run_summary(run) for run in session.scalars(runs)],
        files=[file_info(file) for file in session.scalars(files)],
        show_stars=row.show_stars,
        show_names=row.show_names,
    )


def run_summary(run: Run) -> RunSummary:
    """One line of the list of runs."""
    return RunSummary(
        id=run.id,
        name=run.name,
        status=run.status,  # type: ignore[arg-type]
        created=run.created,
        finished=run.finished,
        shared=run.shared,
        lam=_lambda(run.lam),
        conflicts=run.request["method"]["conflicts"],
    )


def _shared_summary(run: Run) -> RunSummary:
    return run_summary(run).model_copy(update={"lam": None, "conflicts": None})


def _lambda(text: str | None) -> float | Literal["inf"] | None:
    if text == "inf":
        return "inf"
    return None if text is None else float(text)


def file_info(file: File) -> FileInfo:
    """An uploaded file."""
    return FileInfo(
        id=file.id, name=file.name, size=file.size, sha256=file.sha256, uploaded=file.uploaded
    )


def progress_of(job: Run | Check, known: JobProgress | None) -> JobProgress:
    """How far a job has come: its row rules once it has ended, else what is known of its worker."""
    if known is not None and job.status in UNFINISHED:
        return known
    return JobProgress(
        status=job.status,  # type: ignore[arg-type]
        stage=None,
        done=0,
        total=0,
        reason=job.reason,
    )


def run(row: Run, known: JobProgress | None) -> schema.Run:
    """Everything about a run but its results."""
    request, progress = NewRun.model_validate(row.request), progress_of(row, known)
    issues = row.issues or {"counts": [], "lines": []}
    return schema.Run(
        id=row.id,
        conference=row.conference,
        name=row.name,
        status=progress.status,
        reason=progress.reason,
        created=row.created,
        finished=row.finished,
        shared=row.shared,
        progress=progress,
        reading=request.reading,
        method=request.method,
        lam=request.lam,
        inputs=[FileInfo.model_validate(file) for file in row.inputs],
        issue_counts=[IssueCount(**count) for count in issues["counts"]],
        issues=[IssueLine(**line) for line in issues["lines"]],
    )


def check(row: Check, known: JobProgress | None) -> schema.Check:
    """What a check has found so far."""
    progress = progress_of(row, known)
    return schema.Check.model_validate(
        (row.found or EMPTY) | {"id": row.id, "status": progress.status, "reason": progress.reason}
    )


def link(row: Link) -> schema.Link:
    """A link as it is listed."""
    return schema.Link(
        id=row.id,
        role="chair" if row.area_chair is None else "area_chair",
        area_chair=row.area_chair,
        label=row.label,
        created=row.created,
        expires=row.expires,
        revoked=row.revoked,
        opened=row.opened,
    )


def made_link(row: Link, url: str, person: AreaChair | None) -> schema.MadeLink:
    """A link just made, with its address."""
    return schema.MadeLink(
        **link(row).model_dump(),
        url=url,
        name=person.name if person else None,
        email=person.email if person else None,
    )


SHOWN = 200


def issue_counts(records: Sequence[Mapping[str, Any]]) -> list[IssueCount]:
    """How many there are of each kind, most first."""
    counts = Counter(record["kind"] for record in records)
    return [
        IssueCount(kind=kind, count=count, advice=advice(kind, PAGE))
        for kind, count in counts.most_common()
    ]


def issue_lines(records: Sequence[Mapping[str, Any]]) -> list[IssueLine]:
    """The first problems."""
    return [
        IssueLine(
            kind=record["kind"],
            message=told(record["message"], PAGE),
            where=list(record["where"]),
            action=record["action"],
        )
        for record in records[:SHOWN]
    ]
