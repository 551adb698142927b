"""Resolve reviews and ranks that were given more than once: by date, or by --duplicates.

Of copies in several files, as dated exports hold them, the newest counts.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

import polars as pl

from unround.formats.cells import MOST_LISTED, counted
from unround.formats.copies import date_in_name
from unround.formats.model import FileContent, ImportRefused, Sheet, filter_rows
from unround.wording import option

_KEY = ["reviewer", "paper"]
MODIFIED = "modified"  # a column of reviews: when each was last changed, in milliseconds
_NONE = pl.DataFrame(schema={"row": pl.UInt32, "changed": pl.Boolean})


def settle_duplicates(sheet: Sheet, value: str, policy: str) -> tuple[Sheet, tuple[str, ...]]:
    """Return the sheet with one row per reviewer and paper, and a note on every case.

    Under `refuse`, and where `newest` cannot be decided, the rows stay and are reported as issues.
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


def repeated_rows(reviews: Sheet) -> list[int]:
    """Return the rows of reviews that are given more than once."""
    keys = reviews.table.select(pl.col(name).cast(pl.String) for name in _KEY)
    return keys.select(pl.struct(_KEY).is_duplicated()).to_series().arg_true().to_list()


def ask_which(reviews: Sheet, rows: list[int], given: pl.DataFrame, where: str = "") -> None:
    """Ask which of the repeated reviews count where they differ in one column, sheet or file.

    `given` has what may tell them apart, a row for each of these reviews.
    """
    if not (rows and given.columns):
        return
    keys = reviews.table[rows].select(pl.col(name).cast(pl.String) for name in _KEY)
    twice = pl.concat([keys, given.select(pl.all().name.prefix("of "))], how="horizontal")
    of_one = twice.group_by(_KEY).len()["len"]
    telling = [
        name
        for name in given.columns
        if (values := twice[f"of {name}"]).n_unique() == of_one.max() and not values.has_nulls()
        if twice.select(*_KEY, f"of {name}").is_unique().all()
    ]
    if of_one.len() < 2 or len(telling) != 1:
        return
    found = twice[f"of {telling[0]}"].cast(pl.String).unique(maintain_order=True).to_list()
    apart = f"with {telling[0]!r} " if where else "in "
    raise ImportRefused(
        f"{where}{counted(of_one.len(), 'review')} are given more than once, {apart}"
        f"{' and '.join(found[:MOST_LISTED])}. Keep one row of each review, and take the "
        "others out of the file"
    )


def ask_which_file(reviews: Sheet) -> None:
    """Ask which file or sheet counts where each has the same reviews."""
    rows = repeated_rows(reviews)
    places = pl.Series("place", [reviews.place(row) for row in rows], dtype=pl.String)
    ask_which(reviews, rows, places.str.replace(r", (line|row|record) .*$", "").to_frame())


def _have_copies(sheets: Sequence[Sheet | None]) -> bool:
    """Return whether two sheets may share a reviewer and paper, by comparing hashes."""
    tables = [sheet.table.select(_KEY) for sheet in sheets if sheet is not None]
    if len(tables) < 2:
        return False
    if len({tuple(table.schema.items()) for table in tables}) > 1:
        tables = [table.cast(pl.String) for table in tables]
    hashes = pl.concat([table.select(pl.struct(_KEY).hash()).to_series() for table in tables])
    return hashes.n_unique() < hashes.len()


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
    texts = table[value].cast(pl.String)
    return table.with_columns(texts.scatter(list(changed), list(changed.values())))


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
    return f"{option('duplicates', policy)} leaves {what} undecided: {why}"


def newest_copies(parts: Sequence[FileContent], names: Sequence[str]) -> list[FileContent]:
    """Return what each file gave, without reviews and ranks that another has in a newer copy.

    A copy is newer by the date the review was last changed, else by the date in the file's name. Of equal
    reviews the last counts. Copies that nothing decides are left for the checks to report.
    """
    places = (name.rpartition("/") for name in names)
    dates = [date_in_name(file) or date_in_name(folder) for folder, _, file in places]
    old_reviews = _older([part.reviews for part in parts], dates, "score")
    old_ranks = _older([part.ranks for part in parts], dates, "rank")
    return [
        replace(
            part,
            reviews=_without(part.reviews, reviews, MODIFIED),
            ranks=_without(part.ranks, ranks),
            notes=(
                *part.notes,
                *_notes(part, "review", reviews, "score"),
                *_notes(part, "rank", ranks, "value"),
            ),
        )
        for part, reviews, ranks in zip(parts, old_reviews, old_ranks, strict=True)
    ]


def _older(
    sheets: Sequence[Sheet | None], dates: Sequence[datetime | None], value: str
) -> list[pl.DataFrame]:
    """Return, for each file, the rows that another has in a newer copy, and whether they changed."""
    if not _have_copies(sheets):
        return [_NONE] * len(sheets)
    every = pl.concat(
        _rows(sheet, date, number, value)
        for number, (sheet, date) in enumerate(zip(sheets, dates, strict=True))
        if sheet is not None
    )
    newest = _newest(every.filter(pl.struct(_KEY).is_duplicated()))
    older = every.join(newest, on=_KEY, how="left", maintain_order="left").with_columns(
        older=(pl.col("file") != pl.col("newest")).fill_null(value=False)
    )
    if value == "rank":  # a ranking is replaced as a whole or not at all
        whole = pl.col("older").all().over("reviewer", "file")
        older = older.with_columns(older=pl.col("older") & whole)
    changed = (pl.col("value") != pl.col("new_value")).alias("changed")
    superseded = older.filter("older").select("file", "row", changed)
    return [superseded.filter(file=number).drop("file") for number in range(len(sheets))]


def _rows(sheet: Sheet, date: datetime | None, file: int, value: str) -> pl.DataFrame:
    table = sheet.table.with_row_index("row")
    modified = pl.col(MODIFIED) if MODIFIED in table.columns else pl.lit(None)
    return table.select(
        "row",
        *(pl.col(name).cast(pl.String) for name in _KEY),
        value=pl.col(value).cast(pl.String),
        modified=modified.cast(pl.Int64),
        exported=pl.lit(date, dtype=pl.Datetime("us")),
        file=pl.lit(file),
    )


def _newest(copies: pl.DataFrame) -> pl.DataFrame:
    """Return the file and value of the newest copy, for those whose copies have known ages."""
    one_per_file = pl.col("file").n_unique().over(_KEY) == pl.len().over(_KEY)
    aged = copies.filter(one_per_file).with_columns(equal=pl.lit(0))
    newest = pl.concat(_newest_by(aged, age) for age in (MODIFIED, "exported", "equal"))
    return newest.unique(_KEY, keep="first", maintain_order=True)


def _newest_by(copies: pl.DataFrame, age: str) -> pl.DataFrame:
    """Return the newest copies by one of their ages, where every copy has it and one is newest.

    What did not change between two exports has one age in both: then either copy serves.
    """
    complete = pl.col(age).is_not_null().all().over(_KEY)
    latest = pl.col(age) == pl.col(age).max().over(_KEY)
    return (
        copies.filter(complete)
        .filter(latest)
        .group_by(_KEY, maintain_order=True)
        .agg(newest=pl.col("file").last(), new_value=pl.col("value").unique())
        .filter(pl.col("new_value").list.len() == 1)
        .with_columns(pl.col("new_value").list.first())
    )


def _without(sheet: Sheet | None, older: pl.DataFrame, dropped: str = "") -> Sheet | None:
    """Return the sheet without some rows, and without a column that has served its purpose."""
    if sheet is None:
        return None
    rest = Sheet(sheet.table.drop(dropped, strict=False), sheet.place)
    if older.is_empty():
        return rest
    numbers = pl.int_range(sheet.table.height, dtype=pl.UInt32, eager=True)
    return filter_rows(rest, ~numbers.is_in(older["row"].implode()))


def _notes(part: FileContent, what: str, older: pl.DataFrame, value: str) -> tuple[str, ...]:
    if older.is_empty():
        return ()
    file = part.recognised.partition(": ")[0]
    return (
        f"{file}: {counted(older.height, what)} left out because another file has a newer copy or "
        f"the same; the {value} of {int(older['changed'].sum())} differs",
    )
