"""Write synthetic conferences as HotCRP exports them: reviews, and lists of ranks."""

from __future__ import annotations

import csv
import string
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import polars as pl

from unround.errors import UsageError
from unround.scale import Scale

if TYPE_CHECKING:
    from unround.formats.synthetic import NamedConference

REVIEWS_NAME = "hotcrp-reviews.csv"
RANKS_NAME = "hotcrp-ranks.csv"
# A list has one column per reviewer and one row per paper: blocks keep their product small.
REVIEWERS_PER_LIST = 200
REVIEW_HEADER = (
    *("paper", "title", "review", "reviewername", "email"),
    *("Overall merit", "Reviewer confidence"),
)


def write_conference(conference: NamedConference, folder: Path) -> list[Path]:
    """Write the reviews, and one list of ranks for every 200 reviewers."""
    _check_scale(conference.scale)
    folder.mkdir(parents=True, exist_ok=True)
    reviews = folder / REVIEWS_NAME
    _write_csv(reviews, [REVIEW_HEADER, *_review_rows(conference.reviews)])
    written = [reviews]
    blocks = _rank_blocks(conference)
    for number, rows in enumerate(blocks, start=1):
        name = RANKS_NAME if len(blocks) == 1 else RANKS_NAME.replace(".", f"-{number:03d}.")
        written.append(folder / name)
        _write_csv(written[-1], rows)
    return written


def _check_scale(scale: Scale) -> None:
    levels = scale.levels
    numbered = scale.is_consecutive_integers and levels[0] == 1
    # Worst first, so that letters run backwards.
    lettered = "".join(map(str, reversed(levels))) in string.ascii_uppercase
    if len(levels) < 2 or not (numbered or lettered):
        raise UsageError(
            "HotCRP has scales of 1 to n, or of consecutive capital letters with the first one "
            f"best; {', '.join(map(str, levels))} is neither"
        )


def _review_rows(reviews: pl.DataFrame) -> Iterable[tuple[Any, ...]]:
    """Yield reviews by paper, each with its ordinal: 1A, 1B, .."""
    ordered = reviews.sort("paper", maintain_order=True).with_columns(
        number=pl.int_range(pl.len()).over("paper")
    )
    for row in ordered.iter_rows(named=True):
        review = f"{row['paper']}{ordinal(row['number'])}"
        person = row["reviewer_name"], row["reviewer"]
        yield row["paper"], row["title"], review, *person, row["score"], row["confidence"]


def ordinal(number: int) -> str:
    """Return the letters of a paper's review: A for the first, Z for the 26th, AA for the next.

    >>> ordinal(0), ordinal(25), ordinal(26)
    ('A', 'Z', 'AA')
    """
    letters = ""
    number += 1
    while number:
        number, letter = divmod(number - 1, 26)
        letters = chr(ord("A") + letter) + letters
    return letters


def _rank_blocks(conference: NamedConference) -> list[list[Sequence[Any]]]:
    people = conference.reviews.select("reviewer", "reviewer_name").unique(maintain_order=True)
    names = dict(people.sort("reviewer").iter_rows())
    titles = dict(conference.reviews.select("paper", "title").unique().iter_rows())
    ranked = conference.rankings.partition_by("reviewer", as_dict=True)
    tables = {str(key[0]): table for key, table in ranked.items()}
    reviewers = [reviewer for reviewer in names if reviewer in tables]
    return [
        _rank_rows(reviewers[first : first + REVIEWERS_PER_LIST], names, titles, tables)
        for first in range(0, len(reviewers), REVIEWERS_PER_LIST)
    ]


def _rank_rows(
    reviewers: Sequence[str],
    names: dict[str, str],
    titles: dict[int, str],
    tables: dict[str, pl.DataFrame],
) -> list[Sequence[Any]]:
    """Return a header with one column per reviewer, and a row for every paper that one of them ranks."""
    cells: dict[int, list[Any]] = {}
    for place, reviewer in enumerate(reviewers):
        for paper, rank in tables[reviewer].select("paper", "rank").iter_rows():
            cells.setdefault(paper, [""] * len(reviewers))[place] = rank
    header = ["ID", "Title", *(f"{names[reviewer]} #~rank" for reviewer in reviewers)]
    return [header, *([paper, titles[paper], *cells[paper]] for paper in sorted(cells))]


def _write_csv(path: Path, rows: Iterable[Sequence[Any]]) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows(rows)
