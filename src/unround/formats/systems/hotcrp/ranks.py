"""The neutral table of batch/rank.php: user,item,rank."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import polars as pl

from unround.formats.cells import counted, listed
from unround.formats.files.source import Source, read_delimited
from unround.formats.model import FileContent, ImportRefused, Options, Sheet
from unround.formats.systems.hotcrp.people import People

TITLE = "HotCRP ranks (user, item, rank)"
COLUMNS = ("user", "item", "rank")


def recognises(source: Source) -> bool:
    """Exactly these three columns, in any order."""
    return sorted(source.header) == sorted(COLUMNS)


def read(source: Source, options: Options) -> FileContent:
    """Ranks of many reviewers; as in HotCRP, a rank that is no number is no rank."""
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
    known = People.among(options.known_reviewers).resolve(
        [users[row] for row in ranked], source.name
    )
    entries = [
        Rank(known[users[row]], items[row], rank, f"line {delimited.lines[row]}")
        for row in ranked
        if (rank := ranks[row]) is not None
    ]
    left = len(cells) - len(ranked)
    return FileContent(
        recognised=f"{source.name}: {TITLE}",
        ranks=ranks_sheet(source, entries),
        notes=(f"{source.name}: {counted(left, 'line without a rank')} left out",) * bool(left),
    )


LARGEST = 2_147_483_647.0
USUAL_TAG = "rank"
LONGEST_NUMBER = 40
NUMBER = re.compile(r"[-+]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)", re.ASCII)


@dataclass(frozen=True, slots=True)
class Rank:
    """One paper's rank by one reviewer."""

    reviewer: str
    paper: str
    rank: float
    where: str


def rank_of(text: str) -> float | None:
    """The number in a cell; None if it is none that a tag could hold."""
    plain = len(text) <= LONGEST_NUMBER and NUMBER.fullmatch(text)
    value = float(text) if plain else LARGEST
    return value if abs(value) < LARGEST else None


def ranks_sheet(source: Source, ranks: Sequence[Rank]) -> Sheet:
    """Ranks as a table; whole numbers as such."""
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
    """The tag whose values are the ranking: the one asked for, "rank", or the only one."""
    wanted = (asked or "").lstrip("#~").lower()
    if wanted in tags:
        return wanted
    if USUAL_TAG in tags:
        return USUAL_TAG
    if len(tags) == 1:
        return tags[0]
    found = listed([repr(tag) for tag in tags])
    raise ImportRefused(
        f"{source.name} has values of several tags: {found}; choose the ranking with "
        "--column rank=TAG"
    )
