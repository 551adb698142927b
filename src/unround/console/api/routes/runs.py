"""Checks and runs: start, follow, share, archive and cancel."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from fastapi import APIRouter, Response
from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from unround.console.access.log import note
from unround.console.access.permissions import get_or_404, lock_owned, open_run
from unround.console.api.routing import (
    ChairRoute,
    ConsoleDep,
    PathId,
    ViewerDep,
    error_responses,
    file_responses,
    packed_csv_response,
)
from unround.console.errors import Refusal
from unround.console.jobs.job import unfinished_jobs
from unround.console.jobs.queue import enqueue
from unround.console.schemas.conferences import FileInfo
from unround.console.schemas.runs import (
    AcceptanceLine,
    Check,
    JobProgress,
    NewCheck,
    NewRun,
    RunChange,
    RunDetail,
)
from unround.console.storage.orm import (
    UNFINISHED,
    CheckRow,
    ConferenceRow,
    FileRow,
    RunRow,
)
from unround.console.storage.run_files import file_names
from unround.console.storage.uploads import begin_removal, remove
from unround.runs.contradictions import CONTRADICTIONS

# Fields of a RunDetail that are columns of its row.
ROW_FIELDS = [
    "id",
    "conference",
    "name",
    "created",
    "finished",
    "shared",
    "archived",
    "inputs",
]


router = APIRouter(tags=["runs"], route_class=ChairRoute)


@router.post("/conferences/{conference}/runs", status_code=202, responses=error_responses(409))
def start_run(
    console: ConsoleDep, viewer: ViewerDep, conference: PathId, request: NewRun
) -> RunDetail:
    """Start a run in the background."""
    row = enqueue(console.database, console.supervisor, RunRow, conference, request, viewer)
    with console.database.reading() as session:
        return _run(session, row, None)


@router.get("/runs/{run}", responses=error_responses())
def get_run(console: ConsoleDep, run: PathId) -> RunDetail:
    """Return a run's settings and state."""
    progress = console.supervisor.progress(run)
    with console.database.reading() as session:
        row = get_or_404(session, RunRow, run)
        return _run(session, row, progress)


@router.patch("/runs/{run}", responses=error_responses(409))
def change_run(console: ConsoleDep, viewer: ViewerDep, run: PathId, change: RunChange) -> RunDetail:
    """Rename, share or archive a run, or move the conference's line. Archived runs are not shared."""
    with console.database.writing() as session:
        row = lock_owned(session, RunRow, run)
        for action, detail in _apply_change(session, row, change):
            note(session, row.conference, viewer.label, action, detail)
        return _run(session, row, None)


def _apply_change(session: Session, row: RunRow, change: RunChange) -> Iterator[tuple[str, str]]:
    """Change a run, and yield the lines for the log."""
    if change.name is not None and change.name.strip() != row.name:
        yield "renamed a run", f"{row.name} → {change.name.strip()}"
        row.name = change.name.strip()
        get_or_404(session, ConferenceRow, row.conference).edition += 1  # views hold the name
    if change.archived is not None and change.archived != row.archived:
        if change.archived and row.status in UNFINISHED:
            raise Refusal(409, "This run has not ended. Cancel it first, or wait.")
        row.archived = change.archived
        yield "archived a run" if change.archived else "brought a run back", row.name
        if row.archived and row.shared:
            row.shared = False
            yield "stopped sharing a run", row.name
    if change.shared is not None:
        if change.shared and row.status != "done":
            raise Refusal(409, "Only a run that is done can be shared.")
        if change.shared and row.archived:
            raise Refusal(409, "This run is archived. Bring it back first, then share it.")
        row.shared = change.shared
        yield "shared a run" if change.shared else "stopped sharing a run", row.name
    if "line" in change.model_fields_set:
        conference = get_or_404(session, ConferenceRow, row.conference)
        conference.line = None if change.line is None else change.line.model_dump()
        yield "moved the line", _line_text(change.line)


def _line_text(line: AcceptanceLine | None) -> str:
    if line is None:
        return "no line"
    amount = f"accept {line.amount:g}{'%' if line.percent else ''}"
    return f"{amount} in each track" if line.per_track else amount


@router.get("/runs/{run}/own-files", responses=error_responses())
def list_own_files(console: ConsoleDep, viewer: ViewerDep, run: PathId) -> list[FileInfo]:
    """List the uploaded files that this run read and no other run or check needs."""
    with console.database.reading() as session:
        files = _own_files(session, open_run(session, viewer, run))
        return [FileInfo.model_validate(file) for file in files]


@router.delete("/runs/{run}", status_code=204, responses=error_responses(409))
def delete_run(
    console: ConsoleDep, viewer: ViewerDep, run: PathId, files: bool = False
) -> Response:
    """Delete a run with its results, and with `files` what it alone has read. Decisions stay."""
    with console.database.writing() as session:
        row = lock_owned(session, RunRow, run)
        if row.status in UNFINISHED:
            raise Refusal(409, "This run has not ended. Cancel it first, or wait.")
        unused = _own_files(session, row) if files else []
        ids, names = [file.id for file in unused], [file.name for file in unused]
        begin_removal(console.settings.uploads, ids)
        session.execute(delete(RunRow).where(RunRow.id == run))
        session.execute(delete(FileRow).where(FileRow.id.in_(ids)))
        detail = f"{row.name} with {', '.join(names)}" if names else row.name
        note(session, row.conference, viewer.label, "deleted a run", detail)
    remove(console.settings.uploads, ids)
    return Response(status_code=204)


def _own_files(session: Session, run: RunRow) -> Sequence[FileRow]:
    """Return the files that a run read and that no other run, and no unfinished check, reads."""
    theirs = select(RunRow.request).where(RunRow.conference == run.conference, RunRow.id != run.id)
    used = {file for request in session.scalars(theirs) for file in request["files"]}
    unfinished = unfinished_jobs(session, run.conference)
    used = used.union(*(files for (_, id), files in unfinished.items() if id != run.id))
    alone = [file for file in run.request["files"] if file not in used]
    return session.scalars(
        select(FileRow).where(FileRow.id.in_(alone)).order_by(FileRow.name)
    ).all()


@router.post("/runs/{run}/cancel", responses=error_responses())
def cancel_run(console: ConsoleDep, viewer: ViewerDep, run: PathId) -> RunDetail:
    """Stop a run that has not ended; one that has stays as it is."""
    with console.database.reading() as session:
        get_or_404(session, RunRow, run)
    stopped = console.supervisor.cancel("run", run)
    with console.database.writing() as session:
        row = get_or_404(session, RunRow, run)
        if stopped:
            note(session, row.conference, viewer.label, "cancelled a run", row.name)
        return _run(session, row, console.supervisor.progress(run))


@router.get(
    "/runs/{run}/contradictions.csv", response_class=Response, responses=file_responses("text/csv")
)
def get_run_contradictions(console: ConsoleDep, run: PathId) -> Response:
    """Return one row per reviewer who contradicts themselves, for a mail merge."""
    with console.database.reading() as session:
        packed = get_or_404(session, RunRow, run).contradictions_csv
    return packed_csv_response(packed, CONTRADICTIONS)


checks_router = APIRouter(tags=["checks"], route_class=ChairRoute)


@checks_router.post(
    "/conferences/{conference}/checks", status_code=202, responses=error_responses(409)
)
def start_check(
    console: ConsoleDep, viewer: ViewerDep, conference: PathId, request: NewCheck
) -> Check:
    """Read the files in the background and list every issue; ends one of theirs that has not ended."""
    row = enqueue(console.database, console.supervisor, CheckRow, conference, request, viewer)
    return _check(row, None)


@checks_router.get("/checks/{check}", responses=error_responses())
def get_check(console: ConsoleDep, check: PathId) -> Check:
    """Return the state of a check and its findings."""
    progress = console.supervisor.progress(check)
    with console.database.reading() as session:
        return _check(get_or_404(session, CheckRow, check), progress)


@checks_router.post("/checks/{check}/cancel", responses=error_responses())
def cancel_check(console: ConsoleDep, check: PathId) -> Check:
    """Stop a check that has not ended; one that has stays as it is."""
    with console.database.reading() as session:
        get_or_404(session, CheckRow, check)
    console.supervisor.cancel("check", check, "The check was cancelled.")
    with console.database.reading() as session:
        return _check(get_or_404(session, CheckRow, check), None)


@checks_router.get(
    "/checks/{check}/issues.csv", response_class=Response, responses=file_responses("text/csv")
)
def get_issues(console: ConsoleDep, check: PathId) -> Response:
    """Return every issue, as `unround check --output` writes them."""
    with console.database.reading() as session:
        packed = get_or_404(session, CheckRow, check).issues_csv
    return packed_csv_response(packed, "issues.csv")


@checks_router.get(
    "/checks/{check}/contradictions.csv",
    response_class=Response,
    responses=file_responses("text/csv"),
)
def get_check_contradictions(console: ConsoleDep, check: PathId) -> Response:
    """Return one row per reviewer who contradicts themselves, for a mail merge."""
    with console.database.reading() as session:
        packed = get_or_404(session, CheckRow, check).contradictions_csv
    return packed_csv_response(packed, CONTRADICTIONS)


def _check(row: CheckRow, live: JobProgress | None) -> Check:
    """Return the state and the findings of a check."""
    progress = _progress_of(row, live)
    state = {"id": row.id, "status": progress.status, "reason": progress.reason}
    return Check.model_validate((row.found or {}) | state)


def _run(session: Session, row: RunRow, live: JobProgress | None) -> RunDetail:
    """Return everything about a run but its results."""
    progress, issues = _progress_of(row, live), row.issues or {}
    line = get_or_404(session, ConferenceRow, row.conference).line
    return RunDetail.model_validate(
        {
            **NewRun.model_validate(row.request).model_dump(),
            **{name: getattr(row, name) for name in ROW_FIELDS},
            "status": progress.status,
            "reason": progress.reason,
            "progress": progress,
            "issue_counts": issues.get("counts", []),
            "issues": issues.get("lines", []),
            "contradictions": issues.get("contradictions", {}),
            "line": line,
            "files": file_names(session, row.id),
        }
    )


def _progress_of(job: RunRow | CheckRow, live: JobProgress | None) -> JobProgress:
    """Return a job's progress: its worker's (`live`) until its row says that it has ended."""
    if live is not None and job.status in UNFINISHED:
        return live
    return JobProgress.of(job.status, job.reason)
