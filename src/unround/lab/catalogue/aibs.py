"""Read the grant reviews of AIBS: a workbook with a sheet per panel, scores of 1.0 to 5.0 and places.

In the header of a panel's sheet, RandomPropID is followed by the proposals. Rows below name a reviewer
in its column and hold scores, and further below, for the same reviewers, "First Place" to "Sixth Place".
This layout is the one that published analyses of the workbook read.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import Path

import polars as pl

from unround.formats.files.grid import grid_rows
from unround.formats.files.source import Source
from unround.formats.files.xml_sheets import GridRow
from unround.formats.model import ImportRefused
from unround.reviews.tables import Tables
from unround.scale import Scale

CORNER = "RandomPropID"
SCALE = Scale.of("5..1:0.1")  # 1.0 is best
PLACES = (
    "first",
    "second",
    "third",
    "fourth",
    "fifth",
    "sixth",
    "seventh",
    "eighth",
    "ninth",
    "tenth",
)
_PANEL = re.compile(r"Pnl\s*\d+", re.IGNORECASE)
_PLACE = re.compile(rf"({'|'.join(PLACES)})\s+place", re.IGNORECASE)
# Rows of statistics below the scores name no reviewer.
_STATISTIC = re.compile(
    r"mean|average|avg|median|sd|std|st\.?\s?dev.*|count|n|min|max|total", re.IGNORECASE
)


@dataclass
class _Found:
    reviews: list[tuple[str, str, float]] = field(default_factory=list)
    ranks: list[tuple[str, str, int]] = field(default_factory=list)


def read_aibs(path: Path) -> Tables:
    """Read every panel of the workbook; reviewers and proposals are told apart by panel."""
    source, found, panels = Source(path), _Found(), 0
    for sheet, rows in groupby(grid_rows(source), key=lambda row: row.sheet):
        if _PANEL.fullmatch(sheet.strip()):
            _read_panel(sheet.strip(), rows, found)
            panels += 1
    if not found.reviews:
        raise ImportRefused(f"{source.name} has no sheet such as Pnl2 with scores below {CORNER}")
    return Tables(
        reviews=pl.DataFrame(found.reviews, schema=["reviewer", "paper", "score"], orient="row"),
        rankings=(pl.DataFrame(found.ranks, schema=["reviewer", "paper", "rank"], orient="row"),),
        scale=SCALE,
        notes=(f"{panels} panels: {', '.join(_panels(found))}",),
    )


def _panels(found: _Found) -> Iterable[str]:
    return dict.fromkeys(reviewer.partition("/")[0] for reviewer, _, _ in found.reviews)


def _read_panel(panel: str, rows: Iterator[GridRow], found: _Found) -> None:
    """Read scores and places of one panel, wherever below the header they stand."""
    corner, proposals = -1, dict[int, str]()
    for row in rows:
        cells = {column: text.strip() for column, text in row.cells.items() if text.strip()}
        if corner < 0:
            corner = next((at for at, text in cells.items() if text == CORNER), -1)
            proposals = {at: text for at, text in cells.items() if 0 <= corner < at}
            continue
        name = cells.get(corner, "")
        if not name or name == CORNER or _STATISTIC.fullmatch(name):
            continue
        for at, proposal in proposals.items():
            ids = (f"{panel}/{name}", f"{panel}/{proposal}")
            _read_cell(cells.get(at, ""), ids, f"sheet {panel}, row {row.number}", found)


def _read_cell(text: str, ids: tuple[str, str], where: str, found: _Found) -> None:
    """Keep a score or a place; other words, such as a conflict of interest, are neither."""
    place = _PLACE.fullmatch(text)
    if place:
        found.ranks.append((*ids, PLACES.index(place[1].lower()) + 1))
        return
    try:
        score = float(text)
    except ValueError:
        return
    if round(score, 1) not in SCALE.levels or abs(score - round(score, 1)) > 1e-9:
        raise ImportRefused(f"{where}: {text} is no score of 1.0 to 5.0 in steps of 0.1")
    found.reviews.append((*ids, round(score, 1)))
