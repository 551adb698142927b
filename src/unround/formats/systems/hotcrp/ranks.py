"""Read the ranks of batch/rank.php (user,item,rank), and make the sheet that all rank files share."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import polars as pl

from unround.formats.cells import counted, listed
from unround.formats.files.delimited import read_delimited
from unround.formats.files.source import Source
from unround.formats.model import FileContent, ImportRefused, Options, Sheet
from unround.formats.systems.hotcrp.people import resolve

TITLE = "HotCRP ranks (user, item, rank)"
COLUMNS = ("user", "item", "rank")
LARGEST = 2_147_483_647.0
USUAL_TAG = "rank"
LONGEST_NUMBER = 40
NUMBER = re.compile(r"[-+]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)", re.ASCII)


def recognises(source: Source) -> bool:
    """Return whether the columns are user, item and rank, in any order."""
    return sorted(source.header) == sorted(COLUMNS)


def read(source: Source, options: Options) -> FileContent:
    """Read the ranks of many reviewers; as in HotCRP, only numbers are ranks."""
    delimited = read_delimited(source)
    missing = [name for name in COLUMNS if name not in delimited.header]
    if missing:
        raise ImportRefused(
            f"{source.name} has no column {', '.join(map(repr, missing))}; found: "
            f"{listed(delimited.header)}"
        )
    users, items, cells = (delimited.column(name) for name in COLUMNS)
    ranks = [rank_of(cell) for cell in cells]
    ranked = [row for row, rank in enumerate(ranks) if rank is not None]
    named = [users[row] for row in ranked]
    reviewers = resolve(named, options.known_reviewers, source.name)
    entries = [
        Rank(reviewers[users[row]], items[row], rank, f"line {delimited.lines[row]}")
        for row in ranked
        if (rank := ranks[row]) is not None
    ]
    left = len(cells) - len(ranked)
    return FileContent(
        recognised=f"{source.name}: {TITLE}",
        ranks=ranks_sheet(source, entries),
        notes=(f"{source.name}: {counted(left, 'line without a rank')} left out",) * bool(left),
    )


@dataclass(frozen=True, slots=True)
class Rank:
    """The rank one reviewer gave one paper."""

    reviewer: str
    paper: str
    rank: float
    where: str


def rank_of(text: str) -> float | None:
    """Return the number in a cell; None if a HotCRP tag could not hold it."""
    plain = len(text) <= LONGEST_NUMBER and NUMBER.fullmatch(text)
    value = float(text) if plain else LARGEST
    return value if abs(value) < LARGEST else None


def ranks_sheet(source: Source, ranks: Sequence[Rank]) -> Sheet:
    """Return ranks as a sheet, with integers if all are whole."""
    values = pl.Series("rank", [entry.rank for entry in ranks], dtype=pl.Float64)
    whole = bool((values == values.round()).all())
    table = pl.DataFrame(
        {
            "reviewer": pl.Series([entry.reviewer for entry in ranks], dtype=pl.String),
            "paper": pl.Series([entry.paper for entry in ranks], dtype=pl.String),
            "rank": values.cast(pl.Int64) if whole else values,
        }
    )
    places = [entry.where for entry in ranks]
    return Sheet(table, lambda row: f"{source.name}, {places[row]}")


def chosen_tag(source: Source, tags: Sequence[str], asked: str | None) -> str:
    """Return the tag whose values are the ranking: the one asked for, "rank", or the only one."""
    names = listed([repr(tag) for tag in tags])
    if asked is not None:
        named = asked.lstrip("#~").lower()
        if named not in tags:
            raise ImportRefused(
                f"{source.name} has no values of the tag {asked!r}, only of {names}"
            )
        return named
    if USUAL_TAG in tags:
        return USUAL_TAG
    if len(tags) == 1:
        return tags[0]
    raise ImportRefused(
        f"{source.name} has values of several tags: {names}; choose the ranking with "
        "--column rank=TAG"
    )
