"""Read CMT's submissions: titles, tracks, decisions and area chairs of papers."""

from __future__ import annotations

import polars as pl

from unround.formats.files.source import Source
from unround.formats.model import FileContent, ImportRefused, Options, Sheet
from unround.formats.systems.cmt.exports import Export, tables
from unround.formats.systems.sheet_tables import Places, SheetTable

TITLES = {
    "paper": "Paper ID",
    "title": "Paper Title",
    "track": "Track Name",
    "decision": "Status",
}
AREA_CHAIR = "meta-reviewer"


def read_submissions(source: Source, options: Options) -> FileContent:
    """Read one row per paper."""
    names = (*TITLES, "area_chair")
    cells: dict[str, list[str | None]] = {name: [] for name in names}
    places = Places(source.name)
    for table in tables(source, Export.SUBMISSIONS):
        columns = _columns(table, options)
        for row in table.records():
            for name in names:
                text = row.cells.get(columns.get(name, -1), "").strip()
                cells[name].append(text or None)
            places.add(row)
    filled = {name: cells[name] for name in names if name == "paper" or any(cells[name])}
    return FileContent(
        recognised=f"{source.name}: CMT submissions, with {', '.join(filled)}",
        papers=Sheet(pl.DataFrame(filled, schema=dict.fromkeys(filled, pl.String)), places),
    )


def _columns(table: SheetTable, options: Options) -> dict[str, int]:
    columns = {
        name: column
        for name, title in TITLES.items()
        if (column := table.find(options.columns.get(name, title))) is not None
    }
    if "paper" not in columns:
        raise ImportRefused(
            f"{table.place} has no column {options.columns['paper']!r}; "
            f"found: {', '.join(table.header)}"
        )
    chair = _area_chair(table, options)
    return columns if chair is None else {**columns, "area_chair": chair}


def _area_chair(table: SheetTable, options: Options) -> int | None:
    """Return the column of meta-reviewers, preferring the primary one's."""
    if "area_chair" in options.columns:
        return table.find(options.columns["area_chair"])
    titles = [title for title in table.header if AREA_CHAIR in title.casefold()]
    junior = [title for title in titles if "senior" not in title.casefold()]
    primary = [title for title in junior if "primary" in title.casefold()]
    chosen = next(iter(primary or junior), None)
    return None if chosen is None else table.header[chosen]
