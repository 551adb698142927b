"""Read HotCRP's lists of papers (CSV and JSON): titles and decisions, but no reviews."""

from __future__ import annotations

import re
from collections.abc import Mapping

import polars as pl

from unround.formats.cells import listed
from unround.formats.files.json_stream import json_stream
from unround.formats.files.source import Source
from unround.formats.files.tables import read_table
from unround.formats.model import FileContent, ImportRefused, Options, Sheet
from unround.formats.systems.exports import sheet_of

CSV_TITLE = "HotCRP paper list (CSV)"
JSON_TITLE = "HotCRP papers (JSON)"
NO_REVIEWS = (
    "which has no single reviews: export Reviews (CSV), or the JSON for reviewqualitycollector"
)
SORTED_SCORES = "the scores in it are sorted by paper and name no reviewer: they are not used"
_PAPER = re.compile(r'"object"\s*:\s*"paper"')


def recognises_csv(source: Source) -> bool:
    """Return whether the header is that of get/csv: the paper's number first, then its title."""
    return source.header[:1] == ["ID"] and "Title" in source.header


def recognises_json(source: Source) -> bool:
    """Return whether the file is get/json: paper objects."""
    return source.looks_like_json and _PAPER.search(source.head_text) is not None


def read_csv(source: Source, options: Options) -> FileContent:
    """Read titles, and decisions where the list shows them."""
    table = read_table(source, fill_short=True)
    names = {"paper": ("ID",), "title": ("Title",), "decision": ("Decision", "Status")}
    columns = {
        ours: next(name for name in theirs if name in table.header)
        for ours, theirs in names.items()
        if any(name in table.header for name in theirs)
    }
    if not {"paper", "title"} <= columns.keys():
        raise ImportRefused(
            f"{source.name} has no columns 'ID' and 'Title'; found: {listed(table.header)}"
        )
    return FileContent(
        recognised=f"{source.name}: {CSV_TITLE}, {NO_REVIEWS}",
        papers=sheet_of(table, columns),
        notes=(f"{source.name}: {SORTED_SCORES}",),
    )


def read_json(source: Source, options: Options) -> FileContent:
    """Read titles, tracks and decisions."""
    rows: list[tuple[str, str | None, str | None, str | None]] = []
    for _, paper in json_stream(source):
        if isinstance(paper, Mapping) and type(paper.get("pid")) is int:
            values = (paper.get(key) for key in ("title", "submission_class", "decision"))
            title, track, decision = (text if isinstance(text, str) else None for text in values)
            rows.append((str(paper["pid"]), title, track, decision))
    names = ("paper", "title", "track", "decision")
    table = pl.DataFrame(rows, schema=dict.fromkeys(names, pl.String), orient="row")
    return FileContent(
        recognised=f"{source.name}: {JSON_TITLE}, {NO_REVIEWS}",
        papers=Sheet(table, lambda row: f"{source.name}, paper {rows[row][0]}"),
    )
