"""Decide which of several copies of a review, rank or record counts: the newest.

Dumps hold every version of a review, folders of dated exports hold each review many times, and a table
may give a review twice. Copies that differ and have no ages that order them stay undecided.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from functools import lru_cache
from typing import Any, Generic, TypeVar

import polars as pl

from unround.formats.cells import MOST_LISTED, counted, listed
from unround.formats.model import FileContent, ImportRefused, Sheet, filter_rows, stacked
from unround.wording import option

KEY = ("reviewer", "paper")
MODIFIED = "modified"  # a column of reviews: when each was last changed, in milliseconds
# The first that all copies have decides. Dates of files count where copies have none.
AGES: Mapping[str, pl.DataType] = {
    MODIFIED: pl.Int64(),
    "version": pl.Float64(),
    "exported": pl.Datetime("us"),
}
NAMED_IN_MESSAGES = 5
Value = TypeVar("Value")
# 2025-11-20, 20251120, 2025_11_20T1830, 2025-11-20 18.30.05
_DATE = re.compile(
    r"(?<![0-9])(20[0-9]{2})([-_.]?)([01][0-9])\2([0-3][0-9])"
    r"(?:[-_. T]*([0-2][0-9])[-_.:h]?([0-5][0-9])(?:[-_.:m]?([0-5][0-9]))?)?(?![0-9])"
)


def newest(copies: pl.DataFrame, key: Sequence[str]) -> pl.DataFrame:
    """Return the row that counts for each key, null if undecided; copies have row, value and ages.

    Of copies with one value the last counts. Nothing is decided by dates that contradict versions.
    """
    aged = copies.with_columns(
        pl.lit(None, kind).alias(age) for age, kind in AGES.items() if age not in copies.columns
    ).with_columns(equal=0)
    found = [expression for age in (*AGES, "equal") for expression in _newest_by(age)]
    modified, version = (pl.col(f"{age} of") for age in (MODIFIED, "version"))
    return (
        aged.group_by(key, maintain_order=True)
        .agg(*found, rows="row", differ=pl.col("value").n_unique() > 1)
        .with_columns(
            pl.when((modified == version).fill_null(value=True)).then(
                pl.coalesce(*AGES, "equal").alias("counts")
            )
        )
        .select(*key, "counts", "rows", "differ")
    )


def _newest_by(age: str) -> Iterator[pl.Expr]:
    """Yield the newest row by an age that all copies have, and its value; null if two values are newest."""
    ages, values = pl.col(age), pl.col("value").fill_null("")
    of_newest = values.filter(ages == ages.max())
    is_sure = (ages.null_count() == 0) & (of_newest.n_unique() == 1)
    yield pl.when(is_sure).then(pl.col("row").filter(ages == ages.max()).last()).alias(age)
    yield pl.when(is_sure).then(of_newest.first()).alias(f"{age} of")


class Copies(Generic[Value]):
    """Records by their ids, each of which may have several copies."""

    def __init__(self, ordered_by: str = "tmdate, version and mdate") -> None:
        self.values: list[Value] = []
        self._ordered_by = ordered_by
        self._rows: list[tuple[object, ...]] = []
        self._repeated = self._surplus = self._differing = 0

    def add(
        self,
        identifier: str,
        record: Mapping[str, Any],
        file: str,
        place: str,
        value: Value,
        decisive: str | None,
    ) -> None:
        """Add a copy. Copies must agree on what is decisive, such as the score, or be ordered.

        A record without an id is not a copy of any other.
        """
        row = len(self.values)
        ages = modified_at(record), _number(record.get("version")), date_in_name(file)
        self._rows.append((identifier or f"\0{row}", decisive, place, *ages))
        self.values.append(value)

    def newest(self, name: str, what: str) -> Iterator[Value]:
        """Yield the newest copy of each record, in order; refuse those that nothing decides."""
        text = dict.fromkeys(("id", "value", "place"), pl.String())
        schema: dict[str, pl.DataType] = {**text, **AGES}
        table = pl.DataFrame(self._rows, schema=schema, orient="row")
        copies = table.with_row_index("row").filter(pl.col("id").is_duplicated())
        found = newest(copies, ["id"])
        self._repeated, self._surplus = found.height, copies.height - found.height
        self._differing = int(found["differ"].sum())
        self._refuse(copies, found.filter(pl.col("counts").is_null()), name, what)
        counts = dict(zip(found["rows"].list.first(), found["counts"], strict=True))
        passed = {row for rows in found["rows"].to_list() for row in rows} - counts.keys()
        for row in range(len(self.values)):
            if row not in passed:
                yield self.values[counts.get(row, row)]

    def _refuse(self, copies: pl.DataFrame, undecided: pl.DataFrame, name: str, what: str) -> None:
        if undecided.is_empty():
            return
        said = {
            row: f"{value} in {place}"
            for row, value, place in copies["row", "value", "place"].rows()
        }
        named = [" and ".join(said[row] for row in rows) for rows in undecided["rows"].to_list()]
        raise ImportRefused(
            f"{name}: {counted(undecided.height, what)} with copies that differ, and neither "
            f"{self._ordered_by} nor the dates in the files' names say which is the newest: "
            f"{listed(named, NAMED_IN_MESSAGES)}. Keep the copy that counts, or export again with versions "
            "and dates"
        )

    def note(self, what: str, decisive: str) -> tuple[str, ...]:
        """Say how many records occur more than once, and what differs between their copies."""
        if not self._repeated:
            return ()
        occur = "occurs" if self._repeated == 1 else "occur"
        left = "1 copy" if self._surplus == 1 else f"{self._surplus} copies"
        differ = (
            f"{self._differing} of them with copies that differ in the {decisive}; the newest copy counts"
            if self._differing
            else f"the copies agree on the {decisive}"
        )
        return (
            f"{counted(self._repeated, what)} {occur} more than once, {left} left out: {differ}",
        )


def modified_at(record: Mapping[str, Any]) -> int | None:
    """Return when a record was last changed, in milliseconds: its true date, else the one shown."""
    true_date = _number(record.get("tmdate"))
    date = _number(record.get("mdate")) if true_date is None else true_date
    return None if date is None or abs(date) > 2**53 else int(date)


def _number(value: object) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return value if math.isfinite(value) else None


@lru_cache(maxsize=1024)
def date_in_name(name: str) -> datetime | None:
    """Return the date (and time, if there is one) in a file's name; None without exactly one.

    >>> date_in_name("notes-2025-11-20.json"), date_in_name("notes.json")
    (datetime.datetime(2025, 11, 20, 0, 0), None)
    >>> date_in_name("reviews_20251120T1830.csv")
    datetime.datetime(2025, 11, 20, 18, 30)
    """
    dates = {_date(*match.groups(default="0")) for match in _DATE.finditer(name)} - {None}
    return dates.pop() if len(dates) == 1 else None


def _date(
    year: str, _: str, month: str, day: str, hour: str, minute: str, second: str
) -> datetime | None:
    try:
        return datetime(int(year), int(month), int(day), int(hour), int(minute), int(second))
    except ValueError:
        return None


def settled(
    parts: Sequence[FileContent], name: str, value: str, files: Sequence[str], policy: str
) -> tuple[Sheet | None, list[tuple[str, str]]]:
    """Return the reviews, or ranks, of all parts without copies that do not count, and notes by file.

    Of copies in several files, as dated exports hold them, the newest counts; of others the one that the
    policy says. `files` are the names that may hold dates. The checks report what stays undecided.
    """
    sheets: list[Sheet | None] = [getattr(part, name) for part in parts]
    every = stacked(sheets)
    rows = [] if every is None else repeated_rows(every)
    if every is None or not rows:
        return every and Sheet(every.table.drop(MODIFIED, strict=False), every.place), []
    file = [number for number, one in enumerate(sheets) if one for _ in range(one.table.height)]
    places = (one.rpartition("/") for one in files)
    dates = [date_in_name(last) or date_in_name(folder) for folder, _, last in places]
    copies = _copies(every, rows, value, file, dates)
    older = _older(copies.filter(pl.col("file").n_unique().over(KEY) == pl.len().over(KEY)))
    if name == "ranks":  # a ranking is replaced as a whole or not at all
        ranks = every.table.select(pl.col("reviewer").cast(pl.String), file=pl.Series(file))
        kept = ranks.with_row_index("row").join(older, on="row", how="anti")
        older = older.join(kept, on=("reviewer", "file"), how="anti")
    notes = [
        (
            parts[number].file,
            f"{counted(count, name[:-1])} left out because another file has a newer copy or the same; the "
            f"{'value' if name == 'ranks' else value} of {changed} differs",
        )
        for number, count, changed in older.group_by("file", maintain_order=True)
        .agg(pl.len(), pl.col("changed").sum())
        .rows()
    ]
    rest = copies.join(older, on="row", how="anti").filter(pl.len().over(KEY) > 1)
    if name == "ranks" and policy == "newest":
        policy = "refuse"  # no rank says when it was changed
    table, gone, more = _by_policy(every, rest, value, policy)
    gone = pl.concat([older["row"], gone])
    left = filter_rows(
        Sheet(table.drop(MODIFIED, strict=False), every.place),
        ~pl.int_range(table.height, dtype=pl.UInt32, eager=True).is_in(gone.implode()),
    )
    if name == "reviews":
        _ask_which_file(left)
    return left, [*notes, *(("", note) for note in more)]


def _copies(
    every: Sheet, rows: list[int], value: str, file: list[int], dates: Sequence[datetime | None]
) -> pl.DataFrame:
    """Return the rows that are given more than once, with their values and ages."""
    table = every.table[rows]
    modified = pl.col(MODIFIED) if MODIFIED in table.columns else pl.lit(None)
    numbers = [file[row] for row in rows]
    return table.select(
        *(pl.col(role).cast(pl.String) for role in KEY),
        row=pl.Series(rows, dtype=pl.UInt32),
        value=pl.col(value).cast(pl.String),
        modified=modified.cast(pl.Int64),
        exported=pl.Series([dates[number] for number in numbers], dtype=AGES["exported"]),
        file=pl.Series(numbers),
    )


def _older(copies: pl.DataFrame) -> pl.DataFrame:
    """Return the copies of which another file has a newer one, and whether its value changed."""
    found = copies.join(newest(copies, KEY), on=KEY, maintain_order="left")
    of_newest = pl.col("value").filter(pl.col("row") == pl.col("counts")).first().over(KEY)
    changed = found.with_columns(changed=pl.col("value").ne_missing(of_newest))
    return changed.filter(pl.col("row") != pl.col("counts"))


def _by_policy(
    every: Sheet, copies: pl.DataFrame, value: str, policy: str
) -> tuple[pl.DataFrame, pl.Series, list[str]]:
    """Return the table, the rows of it that do not count by a policy, and a note on every case."""
    if policy == "refuse" or copies.is_empty():
        return every.table, pl.Series(dtype=pl.UInt32), []
    numbers = pl.col("value").cast(pl.Float64, strict=False)
    cases = copies.group_by(KEY, maintain_order=True).agg(
        counts=pl.col("row").first(), rows="row", mean=numbers.mean(), known=numbers.count()
    )
    table = every.table
    if policy == "newest":
        cases = newest(copies, KEY)
    elif policy == "mean":
        cases = cases.filter(pl.col("known") == pl.col("rows").list.len())
        means = [str(int(one)) if one.is_integer() else repr(one) for one in cases["mean"]]
        texts = table[value].cast(pl.String).scatter(cases["counts"], means)
        table = table.with_columns(texts) if means else table
    known = cases.drop_nulls("counts")
    notes = [
        f"reviewer {reviewer}, paper {paper}: {value}s "
        f"{', '.join(f'{every.table[value][row]} [{every.place(row)}]' for row in rows)}; "
        f"{table[value][counts]} counts ({policy})"
        for reviewer, paper, counts, rows in known.select(*KEY, "counts", "rows")
        .head(MOST_LISTED)
        .rows()
    ]
    if known.height > MOST_LISTED:
        more = known.height - MOST_LISTED
        notes.append(f"{more:,} more {value}s given more than once settled: {policy}")
    if undecided := copies.select(KEY).n_unique() - known.height:
        why = "nothing says when each was changed, or two are equally new"
        why = why if policy == "newest" else f"not every {value} is a number"
        what = counted(undecided, f"{value} given more than once")
        notes.append(f"{option('duplicates', policy)} leaves {what} undecided: {why}")
    gone = (
        known.select("counts", row="rows").explode("row").filter(pl.col("row") != pl.col("counts"))
    )
    return table, gone["row"], notes


def repeated_rows(reviews: Sheet) -> list[int]:
    """Return the rows of reviews that are given more than once."""
    keys = reviews.table.select(KEY)
    if keys.select(pl.struct(KEY).hash()).to_series().n_unique() == keys.height:
        return []
    texts = keys.select(pl.col(KEY).cast(pl.String))
    return texts.select(pl.struct(KEY).is_duplicated()).to_series().arg_true().to_list()


def ask_which(reviews: Sheet, rows: list[int], given: pl.DataFrame, where: str = "") -> None:
    """Ask which of the repeated reviews count where they differ in one column, sheet or file.

    `given` has what may tell them apart, a row for each of these reviews.
    """
    if not (rows and given.columns):
        return
    keys = reviews.table[rows].select(pl.col(KEY).cast(pl.String))
    twice = pl.concat([keys, given.select(pl.all().name.prefix("of "))], how="horizontal")
    of_one = twice.group_by(KEY).len()["len"]
    telling = [
        name
        for name in given.columns
        if (values := twice[f"of {name}"]).n_unique() == of_one.max() and not values.has_nulls()
        if twice.select(*KEY, f"of {name}").is_unique().all()
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


def _ask_which_file(reviews: Sheet) -> None:
    """Ask which file or sheet counts where each has the same reviews."""
    rows = repeated_rows(reviews)
    places = [reviews.place(row).rpartition(", ")[0] for row in rows]
    ask_which(reviews, rows, pl.DataFrame({"place": places}, schema={"place": pl.String}))
