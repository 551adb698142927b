"""A check, as a worker does it: read the files, say what they are and what is wrong with them."""

from __future__ import annotations

import gzip
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import polars as pl

from unround.console.jobs.order import (
    Order,
    Tell,
    files_of,
    finish,
    laid_out,
    method_of,
    options_of,
)
from unround.console.schemas import EMPTY, FileColumns, NewCheck, Preview
from unround.console.serializers import issue_counts, issue_lines
from unround.console.storage.orm import Check, File
from unround.errors import UnroundError
from unround.formats.files.source import Source
from unround.formats.files.tables import table_columns
from unround.formats.files.write import shielded
from unround.formats.importer import Imported, import_files
from unround.glossary import PAGE, told
from unround.pipeline import check
from unround.reviews.reader import read
from unround.reviews.tables import Tables
from unround.runs.inputs import tables_of
from unround.runs.issue_table import issue_table
from unround.runs.method import Method
from unround.runs.record import issue_record
from unround.scale import Scale

FIRST_ROWS = 8
LONGEST_CELL = 200


def perform(order: Order, tell: Tell) -> None:
    """Check, and write down what was found."""
    database = order.open()
    with database.reading() as session:
        job = session.get_one(Check, order.id)
        request = NewCheck.model_validate(job.request)
        files = files_of(session, request.files)
    status, values = _checked(order, request, files, tell)
    tell("saving", 0, 1)
    with database.writing() as session:
        finish(session, order, status, **values)


def _checked(
    order: Order, request: NewCheck, files: Sequence[File], tell: Tell
) -> tuple[str, dict[str, Any]]:
    with laid_out(order, files) as paths:
        columns = _columns(files, paths)
        try:
            imported = import_files(
                paths, (), options_of(request), lambda done, total: tell("reading", done, total)
            )
            found, csv = _found(imported, method_of(request))
        except UnroundError as problem:
            return "refused", {
                "reason": told(str(problem), PAGE),
                "found": EMPTY | {"columns": columns},
            }
    return "done", {"found": found | {"columns": columns}, "issues_csv": gzip.compress(csv)}


def _found(imported: Imported, method: Method) -> tuple[dict[str, Any], bytes]:
    tables = tables_of(imported)
    issues = check(tables, **method.arguments())
    records = [issue_record(issue) for issue in issues]
    found = EMPTY | {
        "recognised": list(imported.recognised),
        "notes": list(imported.notes),
        "levels": _levels(tables, method),
        "counts": _counts(imported),
        "previews": [preview.model_dump() for preview in _previews(imported)],
        "issue_counts": [count.model_dump() for count in issue_counts(records)],
        "issues": [line.model_dump() for line in issue_lines(records)],
        "ready": all(issue.action for issue in issues),
    }
    return found, shielded(issue_table(records)).write_csv().encode()


def _levels(tables: Tables, method: Method) -> list[float | str]:
    """The scale's levels: as given, or as seen in the scores where these make a scale."""
    stated = method.scale or tables.scale
    if stated is not None:
        return list(Scale.of(stated).levels)
    try:
        _, known, _ = read(tables.reviews, None, None, None)
    except UnroundError:
        return []
    return list(known.scale.levels)


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


def _columns(files: Sequence[File], paths: Sequence[Path]) -> list[dict[str, Any]]:
    """The columns of every file that is a table."""
    found = []
    for file, path in zip(files, paths, strict=True):
        try:
            columns = [] if path.is_dir() else table_columns(Source(path))
        except UnroundError:
            columns = []
        found.append(FileColumns(file=file.id, name=file.name, columns=columns[:500]).model_dump())
    return found
