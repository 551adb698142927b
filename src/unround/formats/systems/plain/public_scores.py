"""Tables of public scores number the reviews of each paper and name no reviewers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import polars as pl

from unround.formats.files.tables import Table
from unround.formats.model import ImportRefused

ANONYMOUS = "reviewers are not named: each review counts as a reviewer of its own"
CONFERENCE = ("venue", "year")
SPLIT = "split"
SUBMITTED_TO = (*CONFERENCE, SPLIT)  # columns that say where a paper was submitted


def with_own_reviewers(table: Table, columns: Mapping[str, str]) -> Table:
    """Return the table with a reviewer of its own for each review, such as 304/0."""
    paper, index = columns["paper"], columns["reviewer"]
    _refuse_several_conferences(table)
    _refuse_several_splits(table, paper)
    papers, numbers = table.texts(paper), table.texts(index)
    reviewers = [f"{one}/{number}" for one, number in zip(papers, numbers, strict=True)]
    return replace(table, data=table.data.with_columns(pl.Series(index, reviewers, pl.String)))


def _refuse_several_conferences(table: Table) -> None:
    given = [name for name in CONFERENCE if name in table.data.columns]
    found = table.data.select(given).unique(maintain_order=True).rows()
    if len(found) > 1:
        names = ", ".join(" ".join(map(str, row)) for row in found[:6])
        raise ImportRefused(
            f"{table.where} holds several conferences ({names}); keep the rows of one"
        )


def _refuse_several_splits(table: Table, paper: str) -> None:
    if SPLIT not in table.data.columns:
        return
    pairs = table.data.select(paper, SPLIT).unique(maintain_order=True)
    twice = pairs.filter(pl.col(paper).is_duplicated())
    if twice.height:
        first = twice[paper][0]
        splits = ", ".join(twice.filter(pl.col(paper) == first)[SPLIT])
        raise ImportRefused(f"{table.where} has paper {first} in more than one split: {splits}")
