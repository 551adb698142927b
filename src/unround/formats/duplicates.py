"""Settle reviews and ranks that were given more than once, as the user says."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import polars as pl

from unround.formats.cells import MOST_LISTED, counted
from unround.formats.model import FileContent, Sheet
from unround.formats.sheets import kept_rows
from unround.formats.versions import MODIFIED

_KEY = ["reviewer", "paper"]
_COMPARED = [*_KEY, "score"]
_TEXTS = [pl.col(name).cast(pl.String).fill_null("") for name in _COMPARED]


def settle_duplicates(sheet: Sheet, value: str, policy: str) -> tuple[Sheet, tuple[str, ...]]:
    """Return the sheet with one row per reviewer and paper, and a note on every case.

    Under `refuse`, and where `newest` cannot be told, the rows stay for the checks to report.
    """
    if policy == "refuse":
        return sheet, ()
    rows = sheet.table.select(pl.col(name).cast(pl.String) for name in _KEY).with_row_index("row")
    copies = rows.filter(pl.struct(_KEY).is_duplicated())
    if copies.is_empty():
        return sheet, ()
    cases = copies.group_by(_KEY, maintain_order=True).agg("row")["row"].to_list()
    settled = [_settled(sheet, value, policy, case) for case in cases]
    known = [(case, *found) for case, found in zip(cases, settled, strict=True) if found]
    gone = {row for case, keep, _ in known for row in case if row != keep}
    kept = [row for row in range(sheet.table.height) if row not in gone]
    table = _with_values(sheet.table, value, {keep: new for _, keep, new in known})
    notes = [_case(sheet, value, policy, *one) for one in known[:MOST_LISTED]]
    if len(known) > MOST_LISTED:
        notes.append(
            f"{len(known) - MOST_LISTED:,} more {value}s given more than once settled: {policy}"
        )
    if len(known) < len(cases):
        notes.append(_undecided(policy, value, len(cases) - len(known)))
    return Sheet(table[kept], lambda row: sheet.place(kept[row])), tuple(notes)


def have_copies(sheets: Sequence[Sheet | None]) -> bool:
    """Tell whether several sheets may have one reviewer and paper in common: quickly, by hashes."""
    tables = [sheet.table.select(_KEY) for sheet in sheets if sheet is not None]
    if len(tables) < 2:
        return False
    if len({tuple(table.schema.items()) for table in tables}) > 1:
        tables = [table.cast(pl.String) for table in tables]
    hashes = pl.concat([table.select(pl.struct(_KEY).hash()).to_series() for table in tables])
    return hashes.n_unique() < hashes.len()


def without_equal_copies(contents: Sequence[FileContent]) -> list[FileContent]:
    """Leave out reviews that an earlier file has too, with the same score: they are the same review."""
    kept: list[FileContent] = []
    earlier: list[pl.DataFrame] = []
    for content in contents:
        if content.reviews is not None:
            earlier.append(content.reviews.table)
            content = _without_seen(content, content.reviews, earlier[:-1])
        kept.append(content)
    return kept


def _without_seen(
    content: FileContent, reviews: Sheet, earlier: Sequence[pl.DataFrame]
) -> FileContent:
    if not earlier:
        return content
    seen = pl.concat([table.select(_TEXTS) for table in earlier]).unique()
    again = reviews.table.select(_TEXTS).with_row_index("row").join(seen, on=_COMPARED)["row"]
    if again.is_empty():
        return content
    fresh = pl.Series(range(reviews.table.height), dtype=again.dtype).is_in(again.implode()).not_()
    file = content.recognised.partition(": ")[0]
    what = counted(again.len(), "review")
    note = f"{file}: {what} left out that another file has too, with the same score"
    return replace(content, reviews=kept_rows(reviews, fresh), notes=(*content.notes, note))


def _settled(
    sheet: Sheet, value: str, policy: str, case: list[int]
) -> tuple[int, str | None] | None:
    """Return the row that stays and its new value, if it gets one; None if the policy cannot decide."""
    if policy == "first":
        return case[0], None
    if policy == "mean":
        return _mean(sheet.table[value][case].cast(pl.String).to_list(), case[0])
    if MODIFIED not in sheet.table.columns:
        return None
    ages = sheet.table[MODIFIED][case].to_list()
    if None in ages or ages.count(max(ages)) > 1:
        return None
    return case[ages.index(max(ages))], None


def _mean(values: list[str], row: int) -> tuple[int, str] | None:
    try:
        mean = sum(map(float, values)) / len(values)
    except ValueError:
        return None
    return row, str(int(mean)) if mean.is_integer() else repr(mean)


def _with_values(table: pl.DataFrame, value: str, new: dict[int, str | None]) -> pl.DataFrame:
    changed = {row: text for row, text in new.items() if text is not None}
    if not changed:
        return table
    texts = table[value].cast(pl.String).to_list()
    for row, text in changed.items():
        texts[row] = text
    return table.with_columns(pl.Series(value, texts, dtype=pl.String))


def _case(
    sheet: Sheet, value: str, policy: str, case: list[int], keep: int, new: str | None
) -> str:
    reviewer, paper = sheet.table.select(_KEY).row(case[0])
    given = ", ".join(f"{sheet.table[value][row]} [{sheet.place(row)}]" for row in case)
    counts = sheet.table[value][keep] if new is None else new
    return f"reviewer {reviewer}, paper {paper}: {value}s {given}; {counts} counts ({policy})"


def _undecided(policy: str, value: str, count: int) -> str:
    why = (
        "nothing says when each was changed, or two are equally new"
        if policy == "newest"
        else f"not every {value} is a number"
    )
    what = counted(count, f"{value} given more than once")
    return f"--duplicates {policy} leaves {what} undecided: {why}"
