"""A run + a column -> the group of every review, and the units that groups consist of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import numpy as np
import polars as pl

from unround.arrays import IntArray
from unround.errors import UsageError
from unround.formats.files.source import Source
from unround.formats.files.tables import read_table
from unround.formats.model import PAPER_COLUMNS
from unround.formats.systems.plain import columns_by_role
from unround.reviews.review_set import ReviewSet
from unround.runs.tables import PAPERS, SCORES
from unround.wording import option

Unit = Literal["paper", "reviewer", "review"]
UNSTATED = "(not stated)"
MOST_GROUPS = 1_000
KEYS = ("reviewer", "paper")
COMPUTED = (*KEYS, "score", "dequantized", "percentile")


@dataclass(frozen=True)
class Membership:
    """The groups of a column. A unit (a paper, a reviewer or a review) is in one group as a whole."""

    by: str
    unit: Unit
    labels: tuple[str, ...]
    group: IntArray  # of each review
    member: IntArray  # the number of each review's unit

    @property
    def of_unit(self) -> IntArray:
        """The group of each unit."""
        found = np.zeros(int(self.member.max()) + 1, dtype=np.int64)
        found[self.member] = self.group
        return found


def membership(
    run: Mapping[str, pl.DataFrame], reviews: ReviewSet, by: str, table: Path | None = None
) -> Membership:
    """Find a column in a table, or in papers.csv or scores.csv of a run, and group the reviews by it."""
    stated = _from_file(table, by) if table is not None else _from_run(run, by)
    values = _per_review(stated, reviews)
    if all(value == UNSTATED for value in values):
        raise UsageError(
            f"column {by!r} says nothing about any review of the run: are the ids the same?"
        )
    labels, group = np.unique(np.array(values, dtype=object).astype(str), return_inverse=True)
    if labels.size > MOST_GROUPS:
        raise UsageError(
            f"column {by!r} has {labels.size:,} different values: too many groups; name a column "
            f"with at most {MOST_GROUPS:,} values"
        )
    group = group.reshape(-1).astype(np.int64)
    unit, member = _unit(reviews, group)
    return Membership(by, unit, tuple(labels.tolist()), group, member)


def _unit(reviews: ReviewSet, group: IntArray) -> tuple[Unit, IntArray]:
    """Return what is in one group as a whole: a paper, else a reviewer, else a review."""
    units: tuple[tuple[Unit, IntArray], ...] = (
        ("paper", reviews.paper),
        ("reviewer", reviews.reviewer),
    )
    for name, code in units:
        first = np.zeros(int(code.max()) + 1, dtype=np.int64)
        first[code] = group
        if np.array_equal(first[code], group):
            return name, code
    return "review", np.arange(group.size)


def _from_run(run: Mapping[str, pl.DataFrame], by: str) -> pl.DataFrame:
    papers, scores = run[PAPERS], run[SCORES]
    for table, keys in ((papers, ("paper",)), (scores, KEYS)):
        if by in table.columns and by not in KEYS:
            return _texts(table, by, keys)
    known = [name for name in PAPER_COLUMNS if name in papers.columns]
    there = [*known, *(name for name in scores.columns if name not in COMPUTED)]
    raise UsageError(
        f"the run has no column {by!r}; it has {', '.join(there) or 'none to group by'}. For any other "
        f"column, name a table that has it beside paper or reviewer with {option('table')}"
    )


def _from_file(path: Path, by: str) -> pl.DataFrame:
    source = Source(path)
    table = read_table(source)
    roles = columns_by_role(table.header, {})
    keys = [key for key in KEYS if key in roles and roles[key] != by]
    if by not in table.header or not keys:
        lacking = (
            f"column {by!r}" if by not in table.header else "column paper and no column reviewer"
        )
        raise UsageError(f"{source.name} has no {lacking}; found: {', '.join(table.header)}")
    named = {key: table.column(roles[key]) for key in keys}
    return _texts(pl.DataFrame({**named, "group": table.column(by)}), "group", keys)


def _texts(table: pl.DataFrame, by: str, keys: Sequence[str]) -> pl.DataFrame:
    text = pl.col(by).cast(pl.String).str.strip_chars().fill_null("").alias("group")
    ids = (pl.col(key).cast(pl.String).str.strip_chars() for key in keys)
    return table.select(*ids, text).filter(pl.col("group") != "").unique(maintain_order=True)


def _per_review(stated: pl.DataFrame, reviews: ReviewSet) -> list[str]:
    """Return the group of each review; refuse a table that puts one into two groups."""
    keys = [key for key in KEYS if key in stated.columns]
    twice = stated.filter(pl.struct(keys).is_duplicated()).sort(keys)
    if twice.height:
        where = ", ".join(f"{key} {twice[key][0]}" for key in keys)
        raise UsageError(f"{where} is in two groups: {twice['group'][0]} and {twice['group'][1]}")
    ids = {
        "reviewer": (reviews.reviewers, reviews.reviewer),
        "paper": (reviews.papers, reviews.paper),
    }
    named = {key: np.array([str(one) for one in ids[key][0].labels])[ids[key][1]] for key in keys}
    joined = pl.DataFrame(named).join(stated, on=keys, how="left", maintain_order="left")
    return joined["group"].fill_null(UNSTATED).to_list()
