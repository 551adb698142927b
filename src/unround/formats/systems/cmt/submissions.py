"""Read CMT's submissions: titles, tracks, decisions and area chairs of papers."""

from __future__ import annotations

from unround.formats.files.source import Source
from unround.formats.files.tables import Table
from unround.formats.model import (
    FileContent,
    ImportRefused,
    Options,
    Sheet,
    filled_columns,
    stacked,
)
from unround.formats.systems.cmt.exports import EXPORTS, Export
from unround.formats.systems.exports import column_of, sheet_of

TITLES = {
    "paper": "Paper ID",
    "title": "Paper Title",
    "track": "Track Name",
    "decision": "Status",
}
AREA_CHAIR = "meta-reviewer"


def read_submissions(source: Source, options: Options) -> FileContent:
    """Read one row per paper."""
    sheets: list[Sheet | None] = []
    for kind, table, _ in EXPORTS.tables(source):
        if kind is Export.SUBMISSIONS:
            sheets.append(sheet_of(table, _columns(table, options)))
    papers = stacked(sheets)
    if papers is None:
        raise ImportRefused(f"{source.name} (CMT submissions) holds no table of papers")
    filled = filled_columns(papers.table, ("paper",))
    return FileContent(
        recognised=f"{source.name}: CMT submissions, with {', '.join(filled.columns)}",
        papers=Sheet(filled, papers.place),
    )


def _columns(table: Table, options: Options) -> dict[str, str]:
    columns = {
        name: column
        for name, title in TITLES.items()
        if (column := table.find(options.columns.get(name, title))) is not None
    }
    columns["paper"] = column_of(table, options.columns.get("paper", TITLES["paper"]))
    chair = _area_chair(table, options)
    return columns if chair is None else {**columns, "area_chair": chair}


def _area_chair(table: Table, options: Options) -> str | None:
    """Return the column of meta-reviewers, preferring the primary one's."""
    if "area_chair" in options.columns:
        return table.find(options.columns["area_chair"])
    titles = [title for title in table.header if AREA_CHAIR in title.casefold()]
    junior = [title for title in titles if "senior" not in title.casefold()]
    primary = [title for title in junior if "primary" in title.casefold()]
    return next(iter(primary or junior), None)
