"""The worker's side of a run: read, solve, and store its files in one transaction."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import polars as pl
from sqlalchemy.orm import Session

from unround.console.jobs.order import (
    Order,
    files_of,
    finish,
    import_options,
    linked_files,
    packed_csv,
    patient,
    settings_of,
)
from unround.console.schemas import NewRun
from unround.console.serializers import contradictions_out, issue_counts, issue_lines
from unround.console.storage.database import Database
from unround.console.storage.orm import FileRow, RunRow
from unround.console.storage.run_files import packed_files, store_files
from unround.errors import InputRefused, NotSolved, UnroundError
from unround.glossary import PAGE, told
from unround.issues import Issue, count_kinds
from unround.progress import StageProgress
from unround.runs.contradictions import contradictions_by_reviewer
from unround.runs.inputs import Inputs, tables_of
from unround.runs.perform import Performed, perform_tables
from unround.runs.record import issue_record
from unround.runs.sureness import Asked


@dataclass(frozen=True)
class Refused:
    """Why the input could not be used: one reason, or issues of its tables."""

    reason: str
    issues: Sequence[Issue] = ()
    contradictions: pl.DataFrame | None = None


def perform_run(order: Order, progress: StageProgress) -> None:
    """Run, and store the results whole or not at all."""
    database = order.open()
    request, files = patient(lambda: _requested(database, order))
    outcome = _performed(order, request, files, progress)
    progress("saving", 0, 1)
    save = _refusing(order, outcome) if isinstance(outcome, Refused) else _saving(order, outcome)

    def saved() -> None:
        with database.writing() as session:
            save(session)

    patient(saved)
    progress("saving", 1, 1)


def _requested(database: Database, order: Order) -> tuple[NewRun, list[FileRow]]:
    with database.reading() as session:
        request = NewRun.model_validate(session.get_one(RunRow, order.id).request)
        return request, files_of(session, request.files)


def _refusing(order: Order, refused: Refused) -> Callable[[Session], None]:
    values = _refusal(refused)
    return lambda session: finish(session, order, "refused", **values)


def _saving(order: Order, outcome: Performed) -> Callable[[Session], None]:
    """Return what writes a result: its row and its files."""
    packed, contradictions = packed_files(outcome.tables, outcome.record), _contradictions(outcome)
    lam = str(outcome.record["lam"])

    def save(session: Session) -> None:
        finish(session, order, "done", lam=lam, contradictions_csv=contradictions)
        store_files(session, order.id, packed)

    return save


def _performed(
    order: Order, request: NewRun, files: Sequence[FileRow], progress: StageProgress
) -> Performed | Refused:
    with linked_files(order, files) as paths:
        try:
            tables = tables_of(Inputs(paths, options=import_options(request)).read(progress))
            try:
                return perform_tables(
                    tables,
                    settings_of(request),
                    asked=Asked(uncertainty=request.uncertainty, calibration=request.calibrate),
                    progress=progress,
                )
            except InputRefused as refused:
                contradictions = contradictions_by_reviewer(refused.issues, tables)
                return Refused(
                    _in_short(count_kinds(refused.issues).total()), refused.issues, contradictions
                )
        except NotSolved:
            raise
        except UnroundError as error:
            return Refused(told(str(error), PAGE))


def _in_short(count: int) -> str:
    return f"{count} issue{'' if count == 1 else 's'} in the input"


def _refusal(refused: Refused) -> dict[str, Any]:
    """Return the columns of a refused run's row."""
    records = [issue_record(issue) for issue in refused.issues]
    issues: dict[str, Any] = {
        "counts": [count.model_dump() for count in issue_counts(refused.issues)],
        "lines": [line.model_dump() for line in issue_lines(records)],
    }
    table = refused.contradictions
    if table is None:
        return {"reason": refused.reason, "issues": issues}
    issues["contradictions"] = contradictions_out(table).model_dump()
    return {
        "reason": refused.reason,
        "issues": issues,
        "contradictions_csv": packed_csv(table),
    }


def _contradictions(outcome: Performed) -> bytes:
    result = outcome.result
    return packed_csv(contradictions_by_reviewer(result.issues, result.internals.tables))
