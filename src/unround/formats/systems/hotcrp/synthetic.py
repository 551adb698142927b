"""Write synthetic conferences as HotCRP exports them: reviews, and ranks."""

from __future__ import annotations

import string
from pathlib import Path

import polars as pl

from unround.errors import UsageError
from unround.formats.synthetic import NamedConference
from unround.output.tables import write_csv
from unround.scale import Scale


def write_conference(conference: NamedConference, folder: Path) -> list[Path]:
    """Write the reviews, and everybody's ranks as a table of user, item and rank."""
    _check_scale(conference.scale)
    folder.mkdir(parents=True, exist_ok=True)
    number = pl.int_range(pl.len()).over("paper")
    letters = number.map_elements(ordinal, return_dtype=pl.String)
    reviews = conference.reviews.sort("paper", maintain_order=True).select(
        "paper",
        "title",
        pl.format("{}{}", "paper", letters).alias("review"),
        reviewername="reviewer_name",
        email="reviewer",
        **{"Overall merit": "score", "Reviewer confidence": "confidence"},
    )
    ranks = conference.rankings.select(user="reviewer", item="paper", rank="rank")
    paths = [folder / "hotcrp-reviews.csv", folder / "hotcrp-ranks.csv"]
    for table, path in zip((reviews, ranks), paths, strict=True):
        write_csv(table, path)
    return paths


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


def ordinal(number: int) -> str:
    """Return the letters of a paper's review: A for the first, Z for the 26th, AA for the next.

    >>> ordinal(0), ordinal(25), ordinal(26)
    ('A', 'Z', 'AA')
    """
    more, letter = divmod(number, 26)
    return (ordinal(more - 1) if more else "") + chr(ord("A") + letter)
