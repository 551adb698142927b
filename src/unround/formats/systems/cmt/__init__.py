"""Read CMT's reviews: Reviews.xls as exported, or saved again as XLSX or CSV; write paper statuses.

Comparisons and submissions are in `exports`.

A question of the form that has values has two columns: "Q10 (Overall score)" holds the label that was
chosen, "Q10 (Overall score - Value)" its number. The numbers are scores; a field is called by its label.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

import polars as pl

from unround.formats.cells import on_one_line
from unround.formats.files.source import Source
from unround.formats.files.tables import Table, title_of
from unround.formats.model import (
    Context,
    ExportedFile,
    ExportOptions,
    FileContent,
    Gives,
    ImportRefused,
    Options,
    content_of_tables,
)
from unround.formats.systems.cmt.exports import (
    EXPORTS,
    QUESTION,
    add_submissions,
    read_comparisons,
)
from unround.formats.systems.exports import (
    column_of,
    columns_by_title,
    decided_papers,
)
from unround.formats.systems.form_fields import Field
from unround.formats.systems.review_collector import ReviewCollector

__all__ = ["READERS", "export"]

HOW_TO_EXPORT = "In the chair's console choose Actions > Export to Excel > Reviews"
TITLES = {
    "paper": "Paper ID",
    "title": "Paper Title",
    "reviewer_name": "Reviewer Name",
    "reviewer_email": "Reviewer Email",
    "review": "Reviewer Number",
    "modified": "Last Modified",
}
BY_NAME = "no 'Reviewer Email': reviewers go by their names, so two of one name count as one"
_UNNAMED_SHEET = re.compile(r"(sheet|tabelle|feuil|hoja)? ?[0-9]*", re.IGNORECASE)
_VALUE = re.compile(r"\s*-\s*value(?=\)$)", re.IGNORECASE)


def read_reviews(source: Source, options: Options, context: Context) -> FileContent:
    """Read the reviews of all tracks, each with the form of its own table."""
    notes: list[str] = []
    tables = EXPORTS.tables(source, "reviews", notes=notes, wanted=_wanted(options))
    return content_of_tables([_content(table, options) for _, table in tables], notes)


def _wanted(options: Options) -> Callable[[str], bool]:
    """Return the test for columns that can matter: the texts of reviews are not even kept."""
    named = {title_of(title) for title in (*options.columns.values(), *options.score_fields)}

    def is_wanted(name: str) -> bool:
        title = on_one_line(name)
        is_text = QUESTION.fullmatch(title) and not _VALUE.search(title)
        return title_of(name) in named or not is_text

    return is_wanted


def _content(table: Table, options: Options) -> FileContent:
    collector = ReviewCollector(table.where, "CMT reviews", HOW_TO_EXPORT)
    collector.withdrawn_in = "the export of submissions with their status"
    columns = columns_by_title(table, TITLES, options)
    if "reviewer" in options.columns:
        columns["reviewer"] = column_of(table, options.columns["reviewer"])
    elif not _has_addresses(table, columns.get("reviewer_email")) and "reviewer_name" in columns:
        collector.notes.append(BY_NAME)
    # A worksheet is named after its track, unless a spreadsheet program named it.
    if not _UNNAMED_SHEET.fullmatch(table.sheet):
        table = replace(table, data=table.data.with_columns(pl.lit(table.sheet).alias("track")))
        columns["track"] = "track"
    fields = [name for name in table.data.columns if name not in columns.values()]
    for name in fields:
        collector.fields[name] = Field(name, _VALUE.sub("", on_one_line(name)))
    collector.add_rows(table, columns, fields)
    return replace(collector.part(options), file=f"sheet '{table.sheet}'" if table.sheet else "")


def _has_addresses(table: Table, column: str | None) -> bool:
    """Return whether reviewers have addresses; refuse a table where only some have."""
    addresses = table.texts(column) if column else []
    if not any(addresses):
        return False
    if "" in addresses:
        raise ImportRefused(
            f"{table.place(addresses.index(''))} has no {column!r}; write the reviewer's address there, or "
            "remove the row"
        )
    return True


def export(
    target: str, scores: pl.DataFrame, papers: pl.DataFrame, options: ExportOptions
) -> ExportedFile:
    """Return the paper's number and its decision, by the names of CMT's paper statuses, with tabs."""
    rows = (f"{paper}\t{decision}\r\n" for paper, decision in decided_papers(papers))
    return ExportedFile("txt", "".join(rows))


READERS = (
    EXPORTS.reader(read_reviews, Gives.REVIEWS, "reviews"),
    EXPORTS.unused("meta-reviews", "ratings"),
    EXPORTS.reader(read_comparisons, Gives.STATEMENTS, "comparisons"),
    EXPORTS.papers("submissions", add_submissions),
)
