"""Read the ranks of batch/rank.php (user,item,rank), and what all rank files share.

These are the sheet of ranks, the choice of a tag, and the reviewers that names mean.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import polars as pl

from unround.formats.cells import counted, listed
from unround.formats.files.delimited import read_delimited
from unround.formats.files.source import Source
from unround.formats.model import FileContent, ImportRefused, KnownReviewers, Options, Sheet
from unround.wording import option

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
        f"{option('columns', 'rank=TAG')}"
    )


def resolve(labels: Iterable[str], reviewers: KnownReviewers, file: str) -> dict[str, str]:
    """Return the one reviewer behind each label; refuse labels that mean nobody or several."""
    meant = {label: reviewers.find(label) for label in dict.fromkeys(labels)}
    unknown = [label for label, people in meant.items() if not people]
    if unknown and reviewers and not reviewers.have_names:
        raise ImportRefused(
            f"{file}: the reviews do not say who wrote them, so this ranking cannot be linked to "
            "them. Export the reviews again with a chair's (administrator's) account, which sees "
            "reviewername and email"
        )
    unclear = [
        f"{label!r} may be {' or '.join(people)}"
        for label, people in meant.items()
        if len(people) > 1
    ]
    if unknown or unclear:
        raise ImportRefused(f"{file}: {_refusal(unknown, unclear)}")
    return {label: people[0] for label, people in meant.items()}


def _refusal(unknown: Sequence[str], unclear: Sequence[str]) -> str:
    reasons: list[str] = []
    if unknown:
        reasons.append(f"no review is by {listed([repr(label) for label in unknown])}")
    if unclear:
        reasons.append(f"names that several reviewers share: {listed(unclear)}")
    return (
        "; ".join(reasons) + ". Give the reviews of the same conference, with names and e-mails; "
        "write the e-mail in place of a shared name, and remove the rankings of people who wrote "
        "no reviews"
    )
