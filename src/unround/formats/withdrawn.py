"""Leave out papers that are out of the running, with their reviews and their places in rankings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import polars as pl

from unround.formats.cells import counted, listed
from unround.formats.model import FileContent, Options, Sheet, filter_rows
from unround.wording import option

# The columns of each sheet that name papers. Lists of papers stay: they only describe.
PAPERS = {
    "reviews": ("paper",),
    "ranks": ("paper",),
    "pairs": ("better", "worse"),
    "same": ("paper", "same_as"),
}


def without_withdrawn(
    parts: Sequence[FileContent], options: Options
) -> tuple[Sequence[FileContent], list[str]]:
    """Return the contents without withdrawn papers, and notes on the reviews that were left out."""
    reasons = {paper: reason for part in parts for paper, reason in part.withdrawn.items()}
    if options.keep_withdrawn or not reasons:
        return parts, []
    tables = [part.reviews.table for part in parts if part.reviews is not None]
    papers = [paper for table in tables for paper in table["paper"].cast(pl.String).to_list()]
    notes = [
        _note(reason, [paper for paper in papers if reasons.get(paper) == reason])
        for reason in dict.fromkeys(reasons[paper] for paper in papers if paper in reasons)
    ]
    return [_without(part, reasons) for part in parts], notes


def _note(reason: str, papers: Sequence[str]) -> str:
    """Describe the reviews left out for one reason; `papers` has an entry for each review."""
    names = list(dict.fromkeys(papers))
    which = f"{len(names):,} {reason} paper{'s' * (len(names) > 1)} ({listed(names)})"
    kept = f"{option('keep_withdrawn')} counts them"
    return f"{counted(len(papers), 'review')} of {which} left out; {kept}"


def _without(part: FileContent, reasons: Mapping[str, str]) -> FileContent:
    sheets: dict[str, Any] = {
        name: _filtered(sheet, columns, reasons)
        for name, columns in PAPERS.items()
        if (sheet := getattr(part, name)) is not None
    }
    return replace(part, **sheets)


def _filtered(sheet: Sheet, columns: Sequence[str], reasons: Mapping[str, str]) -> Sheet:
    named = pl.any_horizontal(pl.col(name).cast(pl.String).is_in(list(reasons)) for name in columns)
    return filter_rows(sheet, ~sheet.table.select(named.fill_null(value=False)).to_series())
