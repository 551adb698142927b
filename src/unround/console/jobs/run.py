"""The worker's side of a run: read the files, solve, and return the files of the run."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from unround.console.jobs.order import (
    Order,
    Outcome,
    import_options,
    linked_files,
    packed_csv,
    settings_of,
)
from unround.console.schemas.runs import NewRun
from unround.console.serializers import contradictions_out, issue_counts, issue_lines
from unround.console.storage.orm import FileRow
from unround.console.storage.run_files import packed_files
from unround.errors import InputRefused, NotSolved, UnroundError
from unround.issues import Issue, count_kinds
from unround.progress import StageProgress
from unround.reviews.tables import Tables
from unround.runs.contradictions import contradictions_by_reviewer
from unround.runs.inputs import Inputs, tables_of
from unround.runs.perform import Performed, perform_tables
from unround.runs.record import issue_record
from unround.runs.sureness import Asked


def solve_files(
    order: Order, request: dict[str, Any], files: Sequence[FileRow], progress: StageProgress
) -> Outcome:
    """Read and solve; return the files of the run, or why the input could not be used."""
    form = NewRun.model_validate(request)
    with linked_files(order, files) as paths:
        try:
            tables = tables_of(Inputs(paths, options=import_options(form)).read(progress))
            try:
                performed = perform_tables(
                    tables,
                    settings_of(form),
                    asked=Asked(uncertainty=form.uncertainty, calibration=form.calibrate),
                    progress=progress,
                )
            except InputRefused as refused:
                return _refused(refused.issues, tables)
        except NotSolved:
            raise
        except UnroundError as error:
            return Outcome("refused", {"reason": str(error)})
    return _solved(performed)


def _solved(performed: Performed) -> Outcome:
    result = performed.result
    contradictions = contradictions_by_reviewer(result.issues, result.internals.tables)
    columns = {
        "lam": str(performed.record["lam"]),
        "contradictions_csv": packed_csv(contradictions),
    }
    return Outcome("done", columns, packed_files(performed.tables, performed.record))


def _refused(found: Sequence[Issue], tables: Tables) -> Outcome:
    """Return the issues of an input that was refused, in short."""
    contradictions = contradictions_by_reviewer(found, tables)
    issues = {
        "counts": [count.model_dump() for count in issue_counts(found)],
        "lines": [line.model_dump() for line in issue_lines([issue_record(one) for one in found])],
        "contradictions": contradictions_out(contradictions).model_dump(),
    }
    reason = _in_short(count_kinds(found).total())
    columns = {
        "reason": reason,
        "issues": issues,
        "contradictions_csv": packed_csv(contradictions),
    }
    return Outcome("refused", columns)


def _in_short(count: int) -> str:
    return f"{count} issue{'' if count == 1 else 's'} in the input"
