"""Checks and runs: start, follow, share, archive and cancel."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from fastapi import Response
from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from unround.console.access.permissions import find_row
from unround.console.api.guards import ChairCheck, ChairRun, OwnConference
from unround.console.api.routing import (
    Reading,
    Writing,
    attachment,
    error_responses,
    file_responses,
    new_router,
)
from unround.console.context import Visit
from unround.console.errors import Refusal
from unround.console.jobs.job import unfinished_jobs
from unround.console.jobs.queue import Queued, enqueue
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
    ConferenceRow,
    FileRow,
    JobRow,
    RunRow,
)
from unround.console.storage.run_files import ISSUES, file_names, job_file, run_file
from unround.console.storage.uploads import begin_removal, remove
from unround.runs.contradictions import CONTRADICTIONS

# Fields of a RunDetail that are columns of its row.
ROW_FIELDS = "id", "conference", "name", "created", "finished", "shared", "archived", "inputs"


router = new_router("runs")


@router.post("/conferences/{conference}/runs", status_code=202, responses=error_responses(409))
def start_run(visit: Reading, conference: OwnConference, request: NewRun) -> RunDetail:
    """Start a run in the background."""
    return _run(visit.session, _enqueued(visit, RunRow, conference.id, request), None)


def _enqueued(visit: Visit, table: type[Queued], conference: str, request: NewCheck) -> Queued:
    database, supervisor = visit.console.database, visit.console.supervisor
    return enqueue(database, supervisor, table, conference, request, visit.viewer)


@router.get("/runs/{run}")
def get_run(visit: Reading, run: ChairRun) -> RunDetail:
    """Return a run's settings and state."""
    return _run(visit.session, run, visit.console.supervisor.progress(run.id))


@router.patch("/runs/{run}", responses=error_responses(409))
def change_run(visit: Writing, run: ChairRun, change: RunChange) -> RunDetail:
    """Rename, share or archive a run, or move the conference's line. Archived runs are not shared."""
    for action, detail in _apply_change(visit.session, run, change):
        visit.note(run.conference, action, detail)
    return _run(visit.session, run, None)


def _apply_change(session: Session, row: RunRow, change: RunChange) -> Iterator[tuple[str, str]]:
    """Change a run, and yield the lines for the log."""
    if change.name is not None and change.name.strip() != row.name:
        yield "renamed a run", f"{row.name} → {change.name.strip()}"
        row.name = change.name.strip()
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
        conference = session.get_one(ConferenceRow, row.conference)
        conference.line = None if change.line is None else change.line.model_dump()
        yield "moved the line", _line_text(change.line)


def _line_text(line: AcceptanceLine | None) -> str:
    if line is None:
        return "no line"
    amount = f"accept {line.amount:g}{'%' if line.percent else ''}"
    return f"{amount} in each track" if line.per_track else amount


@router.get("/runs/{run}/own-files")
def list_own_files(visit: Reading, run: ChairRun) -> list[FileInfo]:
    """List the uploaded files that this run read and no other run or check needs."""
    return [FileInfo.model_validate(file) for file in _own_files(visit.session, run)]


@router.delete("/runs/{run}", status_code=204, responses=error_responses(409))
def delete_run(visit: Reading, run: ChairRun, files: bool = False) -> None:
    """Delete a run with its results, and with `files` what it alone has read. Decisions stay."""
    uploads = visit.console.settings.uploads
    with visit.change(run.conference) as change:
        row = find_row(change.session, RunRow, run.id)
        if row.status in UNFINISHED:
            raise Refusal(409, "This run has not ended. Cancel it first, or wait.")
        unused = _own_files(change.session, row) if files else []
        ids, names = [file.id for file in unused], [file.name for file in unused]
        begin_removal(uploads, ids)
        change.session.execute(delete(RunRow).where(RunRow.id == row.id))
        change.session.execute(delete(FileRow).where(FileRow.id.in_(ids)))
        detail = f"{row.name} with {', '.join(names)}" if names else row.name
        change.note(row.conference, "deleted a run", detail)
    remove(uploads, ids)


def _own_files(session: Session, run: RunRow) -> Sequence[FileRow]:
    """Return the files that a run read and that no other run, and no unfinished check, reads."""
    theirs = select(RunRow.request).where(RunRow.conference == run.conference, RunRow.id != run.id)
    used = {file for request in session.scalars(theirs) for file in request["files"]}
    unfinished = unfinished_jobs(session, run.conference)
    used = used.union(*(files for id, files in unfinished.items() if id != run.id))
    alone = [file for file in run.request["files"] if file not in used]
    return session.scalars(
        select(FileRow).where(FileRow.id.in_(alone)).order_by(FileRow.name)
    ).all()


@router.post("/runs/{run}/cancel")
def cancel_run(visit: Reading, run: ChairRun) -> RunDetail:
    """Stop a run that has not ended; one that has stays as it is."""
    stopped = visit.console.supervisor.cancel(run.id)
    with visit.change(run.conference) as change:
        row = find_row(change.session, RunRow, run.id)
        if stopped:
            change.note(row.conference, "cancelled a run", row.name)
        return _run(change.session, row, visit.console.supervisor.progress(row.id))


@router.get(
    "/runs/{run}/contradictions.csv", response_class=Response, responses=file_responses("text/csv")
)
def get_run_contradictions(visit: Reading, run: ChairRun) -> Response:
    """Return one row per reviewer who contradicts themselves, for a mail merge."""
    return attachment(run_file(visit.session, run.id, CONTRADICTIONS), CONTRADICTIONS, "text/csv")


checks_router = new_router("checks")


@checks_router.post(
    "/conferences/{conference}/checks", status_code=202, responses=error_responses(409)
)
def start_check(visit: Reading, conference: OwnConference, request: NewCheck) -> Check:
    """Read the files in the background and list every issue; ends one of theirs that has not ended."""
    return _check(_enqueued(visit, JobRow, conference.id, request), None)


@checks_router.get("/checks/{check}")
def get_check(visit: Reading, check: ChairCheck) -> Check:
    """Return the state of a check and its findings."""
    return _check(check, visit.console.supervisor.progress(check.id))


@checks_router.post("/checks/{check}/cancel")
def cancel_check(visit: Reading, check: ChairCheck) -> Check:
    """Stop a check that has not ended; one that has stays as it is."""
    visit.console.supervisor.cancel(check.id, "The check was cancelled.")
    visit.session.rollback()  # to read how it has ended
    return _check(check, None)


@checks_router.get(
    "/checks/{check}/issues.csv", response_class=Response, responses=file_responses("text/csv")
)
def get_issues(visit: Reading, check: ChairCheck) -> Response:
    """Return every issue, as `unround check --output` writes them."""
    return attachment(job_file(visit.session, check.id, ISSUES), ISSUES, "text/csv")


@checks_router.get(
    "/checks/{check}/contradictions.csv",
    response_class=Response,
    responses=file_responses("text/csv"),
)
def get_check_contradictions(visit: Reading, check: ChairCheck) -> Response:
    """Return one row per reviewer who contradicts themselves, for a mail merge."""
    return attachment(job_file(visit.session, check.id, CONTRADICTIONS), CONTRADICTIONS, "text/csv")


def _check(row: JobRow, live: JobProgress | None) -> Check:
    """Return the state and the findings of a check."""
    progress = _progress_of(row, live)
    state = {"id": row.id, "status": progress.status, "reason": progress.reason}
    return Check.model_validate((row.found or {}) | state)


def _run(session: Session, row: RunRow, live: JobProgress | None) -> RunDetail:
    """Return everything about a run but its results."""
    progress, issues = _progress_of(row, live), row.issues or {}
    line = session.get_one(ConferenceRow, row.conference).line
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


def _progress_of(job: RunRow | JobRow, live: JobProgress | None) -> JobProgress:
    """Return a job's progress: its worker's (`live`) until its row says that it has ended."""
    if live is not None and job.status in UNFINISHED:
        return live
    return JobProgress.of(job.status, job.reason)
