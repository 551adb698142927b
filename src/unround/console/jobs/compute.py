"""What workers compute: a check lists the contents and issues of files, a run solves them, views show it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import polars as pl

from unround.console.access.scopes import scope_of
from unround.console.cache import EncodedView
from unround.console.jobs.job import JobResult
from unround.console.schemas.runs import (
    Contradictions,
    FileColumns,
    Findings,
    IssueCount,
    IssueLine,
    NewCheck,
    NewRun,
    Preview,
    ReviewerContradictions,
    ScaleInUse,
)
from unround.console.storage.run_files import ISSUES, open_folder, packed_csv, packed_files
from unround.disclosure.view import encoded, view
from unround.errors import InputRefused, NotSolved, UnroundError
from unround.formats.cells import counted
from unround.formats.files.source import Source
from unround.formats.files.tables import table_columns
from unround.issues import Issue, count_kinds
from unround.preparation import check_tables
from unround.progress import StageProgress
from unround.result import Result
from unround.reviews.review_set import ReviewSet
from unround.reviews.tables import Tables
from unround.runs.compute import compute_run
from unround.runs.contradictions import CONTRADICTIONS, contradictions_by_reviewer
from unround.runs.folder import Run
from unround.runs.inputs import InputFiles
from unround.runs.record import issue_record, issue_table
from unround.runs.uncertainty import EstimateOptions
from unround.settings import Settings
from unround.wording import advice

FIRST_ROWS = 8
LONGEST_CELL = 200
SHOWN = 200  # issues and reviewers that are listed; the CSV files have all


def check_files(
    request: dict[str, Any], given: dict[str, Any], progress: StageProgress
) -> JobResult:
    """Check the files; return the findings, or why they cannot be read."""
    form, paths = NewCheck.model_validate(request), _paths(given)
    columns = _columns(form.files, paths, form.reading.encoding)
    try:
        tables = InputFiles(paths, options=form.reading.options()).read(progress)
        return _findings(tables, form.settings(), columns)
    except UnroundError as error:
        found = Findings(columns=columns).model_dump()
        return JobResult("refused", {"reason": str(error), "found": found})


def _paths(given: dict[str, Any]) -> list[Path]:
    return [Path(path) for path in given["files"]]


def _findings(tables: Tables, settings: Settings, columns: list[FileColumns]) -> JobResult:
    issues, reviews = check_tables(tables, settings)
    records = [issue_record(issue) for issue in issues]
    contradictions = contradictions_by_reviewer(issues, tables)
    found = Findings(
        recognised=list(tables.recognised),
        notes=list(tables.notes),
        scale=_scale(reviews),
        counts=_counts(tables),
        previews=_previews(tables),
        issue_counts=_issue_counts(issues),
        issues=_issue_lines(records),
        contradictions=_contradictions(contradictions),
        columns=columns,
        ready=all(issue.action for issue in issues),
    )
    files = {ISSUES: issue_table(records), CONTRADICTIONS: contradictions}
    packed = {name: packed_csv(table) for name, table in files.items()}
    return JobResult("done", {"found": found.model_dump()}, packed)


def _scale(reviews: ReviewSet | None) -> ScaleInUse | None:
    """Return the scale in use and its origin, or None where the scores make no scale."""
    if reviews is None:
        return None
    scale, origin = reviews.scale, reviews.scale_origin
    return ScaleInUse(text=scale.text, levels=list(scale.levels), origin=origin)


def _counts(tables: Tables) -> dict[str, int]:
    reviews = tables.reviews
    return {
        "reviews": reviews.height,
        "papers": reviews["paper"].n_unique(),
        "reviewers": reviews["reviewer"].n_unique(),
        "rankings": sum(table.height for table in tables.ranking_tables),
    }


def _previews(tables: Tables) -> list[Preview]:
    previews = [_preview("reviews", tables.reviews)]
    previews += [_preview("rankings", table) for table in tables.ranking_tables]
    if tables.papers.width > 1:
        previews.append(_preview("papers", tables.papers))
    return previews


def _preview(name: Any, table: pl.DataFrame) -> Preview:
    first = table.head(FIRST_ROWS).select(
        pl.all().cast(pl.String).fill_null("").str.slice(0, LONGEST_CELL)
    )
    rows = [list(row) for row in first.rows()]
    return Preview(table=name, columns=table.columns, rows=rows, height=table.height)


def _columns(files: Sequence[str], paths: Sequence[Path], encoding: str) -> list[FileColumns]:
    """List the columns of every file that is a table."""
    tables = []
    for file, path in zip(files, paths, strict=True):
        try:
            columns = table_columns(Source(path, other_encoding=encoding))
        except UnroundError:
            columns = []
        tables.append(FileColumns(file=file, name=path.name, columns=columns[:500]))
    return tables


def solve_files(
    request: dict[str, Any], given: dict[str, Any], progress: StageProgress
) -> JobResult:
    """Read and solve; return the files of the run, or why the input could not be used."""
    form = NewRun.model_validate(request)
    try:
        tables = InputFiles(_paths(given), options=form.reading.options()).read(progress)
        try:
            result, run = compute_run(
                tables,
                form.settings(),
                estimates=EstimateOptions(uncertainty=form.uncertainty, calibration=form.calibrate),
                progress=progress,
            )
        except InputRefused as refused:
            return _refused_run(refused.issues, tables)
    except NotSolved:
        raise
    except UnroundError as error:
        return JobResult("refused", {"reason": str(error)})
    return _solved_run(result, run)


def _solved_run(result: Result, run: Run) -> JobResult:
    contradictions = contradictions_by_reviewer(result.issues, result.internals.tables)
    files = packed_files(run.tables, run.record)
    files[CONTRADICTIONS] = packed_csv(contradictions)
    return JobResult("done", {"lam": str(run.record["lam"])}, files)


def _refused_run(issues: Sequence[Issue], tables: Tables) -> JobResult:
    contradictions = contradictions_by_reviewer(issues, tables)
    columns = {
        "reason": f"{counted(count_kinds(issues).total(), 'issue')} in the input",
        "issues": {
            "counts": [one.model_dump() for one in _issue_counts(issues)],
            "lines": [
                one.model_dump() for one in _issue_lines([issue_record(issue) for issue in issues])
            ],
            "contradictions": _contradictions(contradictions).model_dump(),
        },
    }
    return JobResult("refused", columns, {CONTRADICTIONS: packed_csv(contradictions)})


def _issue_counts(issues: Sequence[Issue]) -> list[IssueCount]:
    """Count the cases of each kind of issue, most frequent first."""
    return [
        IssueCount(kind=kind, count=count, advice=advice(kind))
        for kind, count in count_kinds(issues).most_common()
    ]


def _issue_lines(records: Sequence[Mapping[str, Any]]) -> list[IssueLine]:
    """Return the first issues."""
    return [IssueLine.model_validate(record) for record in records[:SHOWN]]


def _contradictions(table: pl.DataFrame) -> Contradictions:
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


def make_views(
    _request: dict[str, Any], given: dict[str, Any], progress: StageProgress
) -> JobResult:
    """Make what every area chair may see of a finished run; return it by their ids."""
    snapshot, scopes, files = open_folder(given["run"]).snapshot, given["scopes"], {}
    for area_chair, values in scopes.items():
        shown = view(snapshot, scope_of(values), **given["titles"])
        files[area_chair] = EncodedView.of(encoded(shown)).packed
        progress("making views", len(files), len(scopes))
    return JobResult("done", {}, files)
