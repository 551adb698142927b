"""Write what the readers understand into docs/tables.md.

    python docs/_tools/tables.py

Only the parts between marks are written: names of columns, cells and ids. The examples are read by the
readers themselves.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import polars as pl
from marked import filled, table

from unround.formats.cells import EMPTY_WORDS, UNRANKED_WORDS, rank_of, read_score
from unround.formats.ids import canonical
from unround.formats.systems.plain.columns import SYNONYMS

PAGE = Path(__file__).parents[1] / "tables.md"
SCORES = (
    "6", "6: weak accept", "4.5 = strong", "3 good", "5. good", "8-accept", "6 (accept)", "7,5",
    "B", "B: fair", "Accept", "Accept (8)", "Score: 8", "8/10", "60%", "3-Apr",
)  # fmt: skip
RANKS = ("1", "1st", "#2", "Rank 3", "2 of 5", "1,5")
IDS = ("6.0", "006", "#6", "Paper 6", "Ann@X.org", "Ann Lee <ann@x.org>")


def with_tables(page: str) -> str:
    """Return the page with the present tables between its marks."""
    parts = {"columns": _columns(), "cells": _cells(), "ids": _ids()}
    return filled(page, parts, "docs/_tools/tables.py")


def _columns() -> str:
    rows = [
        (f"`{role}`", ", ".join(f"`{name}`" for name in names if name.replace(" ", "_") != role))
        for role, names in SYNONYMS.items()
    ]
    return table(("Column", "Also recognised as"), rows)


def _cells() -> str:
    scores = [(f"`{cell}`", _read(cell)) for cell in SCORES]
    ranks = [(f"`{cell}`", f"rank {rank_of(cell)}") for cell in RANKS]
    nothing = [
        (_words(EMPTY_WORDS), "no score: the review is left out and counted; no rank"),
        (_words(UNRANKED_WORDS - EMPTY_WORDS), "no rank"),
    ]
    return table(("Cell", "Read as"), [*scores, *ranks, *nothing])


def _read(cell: str) -> str:
    score = read_score(cell)
    assert score is not None
    if score == cell and not score.replace(".", "").isdigit():
        return "as it is: a symbol of the scale, or a cell to correct"
    return score


def _ids() -> str:
    rows = [(f"`{one}`", f"`{canonical(pl.Series([one]))[0]}`") for one in IDS]
    return table(("Id", "Plain form"), rows)


def _words(words: Iterable[str]) -> str:
    return ", ".join(f"`{word}`" if word else "empty" for word in sorted(words))


if __name__ == "__main__":
    PAGE.write_text(with_tables(PAGE.read_text("utf-8")), "utf-8")
