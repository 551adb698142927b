"""What a worker computes: a check lists the contents and issues of files; a run solves them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import polars as pl

from unround.console.jobs.job import (
    Order,
    Outcome,
    import_options,
    linked_files,
    packed_csv,
    settings_of,
)
from unround.console.schemas.runs import FileColumns, NewCheck, NewRun, Preview, ScaleInUse
from unround.console.serializers import EMPTY, contradictions_out, issue_counts, issue_lines
from unround.console.storage.orm import FileRow
from unround.console.storage.run_files import packed_files
from unround.errors import InputRefused, NotSolved, UnroundError
from unround.formats.files.source import Source
from unround.formats.files.tables import table_columns
from unround.formats.importer import Imported
from unround.issues import Issue, count_kinds
from unround.preparation import check_tables
from unround.progress import StageProgress
from unround.reviews.reader import read_reviews_alone
from unround.reviews.tables import Tables
from unround.runs.contradictions import contradictions_by_reviewer
from unround.runs.inputs import Inputs, tables_of
from unround.runs.perform import Performed, perform_tables
from unround.runs.record import issue_record, issue_table
from unround.runs.sureness import Asked
from unround.scale import Scale
from unround.settings import Settings

FIRST_ROWS = 8
LONGEST_CELL = 200


def check_files(
    order: Order, request: dict[str, Any], files: Sequence[FileRow], progress: StageProgress
) -> Outcome:
    """Check the files; return the findings, or why they cannot be read."""
    form = NewCheck.model_validate(request)
    with linked_files(order, files) as paths:
        columns = _columns(files, paths)
        try:
            imported = Inputs(paths, options=import_options(form)).read(progress)
            return Outcome("done", _findings(imported, settings_of(form), columns))
        except UnroundError as error:
            found = EMPTY | {"columns": columns}
            return Outcome("refused", {"reason": str(error), "found": found})


def _findings(
    imported: Imported, settings: Settings, columns: list[dict[str, Any]]
) -> dict[str, Any]:
    """Return the columns of the check's row."""
    tables = tables_of(imported)
    issues = check_tables(tables, settings)
    records = [issue_record(issue) for issue in issues]
    contradictions = contradictions_by_reviewer(issues, tables)
    findings = EMPTY | {
        "recognised": list(imported.recognised),
        "notes": list(imported.notes),
        "scale": _scale(tables, settings.scale),
        "counts": _counts(imported),
        "previews": [preview.model_dump() for preview in _previews(imported)],
        "issue_counts": [count.model_dump() for count in issue_counts(issues)],
        "issues": [line.model_dump() for line in issue_lines(records)],
        "contradictions": contradictions_out(contradictions).model_dump(),
        "columns": columns,
        "ready": all(issue.action for issue in issues),
    }
    return {
        "found": findings,
        "issues_csv": packed_csv(issue_table(records)),
        "contradictions_csv": packed_csv(contradictions),
    }


def _scale(tables: Tables, stated: Scale | None) -> dict[str, Any] | None:
    """Return the scale in use and its origin, or None where the scores make no scale."""
    reviews = read_reviews_alone(tables.reviews, stated or tables.scale)
    if reviews is None:
        return None
    scale, origin = reviews.scale, reviews.scale_origin
    return ScaleInUse(text=scale.text, levels=list(scale.levels), origin=origin).model_dump()


def _counts(imported: Imported) -> dict[str, int]:
    reviews = imported.reviews.table
    return {
        "reviews": reviews.height,
        "papers": reviews["paper"].n_unique(),
        "reviewers": reviews["reviewer"].n_unique(),
        "rankings": sum(sheet.table.height for sheet in imported.rankings),
    }


def _previews(imported: Imported) -> list[Preview]:
    previews = [_preview("reviews", imported.reviews.table)]
    previews += [_preview("rankings", sheet.table) for sheet in imported.rankings]
    if imported.papers.width > 1:
        previews.append(_preview("papers", imported.papers))
    return previews


def _preview(name: Any, table: pl.DataFrame) -> Preview:
    first = table.head(FIRST_ROWS).select(
        pl.all().cast(pl.String).fill_null("").str.slice(0, LONGEST_CELL)
    )
    rows = [list(row) for row in first.rows()]
    return Preview(table=name, columns=table.columns, rows=rows, height=table.height)


def _columns(files: Sequence[FileRow], paths: Sequence[Path]) -> list[dict[str, Any]]:
    """List the columns of every file that is a table."""
    tables = []
    for file, path in zip(files, paths, strict=True):
        try:
            columns = table_columns(Source(path))
        except UnroundError:
            columns = []
        tables.append(FileColumns(file=file.id, name=file.name, columns=columns[:500]).model_dump())
    return tables


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
