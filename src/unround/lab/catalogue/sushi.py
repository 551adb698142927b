"""Read the SUSHI preference data: scores of 0 to 4 of ten kinds of sushi per person, and their order."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import polars as pl

from unround.formats.model import ImportRefused
from unround.lab.catalogue.published import published_lines
from unround.reviews.tables import Tables
from unround.scale import Scale

SCORES, ORDERS = "sushi3b.5000.10.score", "sushi3b.5000.10.order"
NOT_RATED = -1
SCALE = Scale.integers(0, 4)


def read_sushi(folder: Path) -> Tables:
    """Read sushi3b.5000.10.score and sushi3b.5000.10.order; line n of either is person n."""
    scores = list(_scores(folder / SCORES))
    orders = list(_orders(folder / ORDERS))
    if len(scores) != len(orders):
        raise ImportRefused(
            f"{SCORES} has {len(scores):,} people and {ORDERS} {len(orders):,}: the files do not belong "
            "together"
        )
    if not scores:
        raise ImportRefused(f"{SCORES} is empty")
    _check_items(scores, orders)
    reviews = [
        (person, item, score)
        for person, row in enumerate(scores)
        for item, score in enumerate(row)
        if score != NOT_RATED
    ]
    ranks = [
        (person, item, place)
        for person, items in enumerate(orders)
        for place, item in enumerate(items, start=1)
    ]
    return Tables(
        reviews=pl.DataFrame(reviews, schema=["reviewer", "paper", "score"], orient="row"),
        rankings=(pl.DataFrame(ranks, schema=["reviewer", "paper", "rank"], orient="row"),),
        scale=SCALE,
    )


def _check_items(scores: list[list[int]], orders: list[list[int]]) -> None:
    """Refuse an order of anything that its person did not score."""
    for number, (row, items) in enumerate(zip(scores, orders, strict=True), start=1):
        for item in items:
            if not 0 <= item < len(row) or row[item] == NOT_RATED:
                raise ImportRefused(
                    f"{ORDERS}, line {number + 1}: item {item} is not scored in {SCORES}, line {number}: "
                    "the files do not belong together"
                )


def _scores(path: Path) -> Iterator[list[int]]:
    """Yield each person's scores, one per kind of sushi; -1 is not rated."""
    for number, row in _lines(path):
        if any(score != NOT_RATED and score not in SCALE.levels for score in row):
            raise ImportRefused(
                f"{path.name}, line {number}: scores are 0 to 4, or -1 for not rated"
            )
        yield row


def _orders(path: Path) -> Iterator[list[int]]:
    """Yield each person's order, best first. A line is 0, the length, the items; the first is a header."""
    lines = _lines(path)
    next(lines, None)
    for number, row in lines:
        if len(row) < 2 or row[1] != len(row) - 2 or len(set(row[2:])) < len(row) - 2:
            raise ImportRefused(
                f"{path.name}, line {number}: not 0, a number of items, and so many items"
            )
        yield row[2:]


def _lines(path: Path) -> Iterator[tuple[int, list[int]]]:
    for number, line in enumerate(published_lines(path), start=1):
        if not line.strip():
            continue
        try:
            yield number, [int(cell) for cell in line.split()]
        except ValueError:
            raise ImportRefused(f"{path.name}, line {number}: not whole numbers") from None
