"""Snapshot -> how sure its result is, in columns by the numbers of papers and reviewers. For chairs only.

Area chairs get nothing of this: places among all papers and the strictness of reviewers tell about
papers and people outside their scope.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

import polars as pl

from unround.disclosure.model import (
    CalibrationView,
    PlaceShares,
    StabilityView,
    SurenessView,
    UncertaintyView,
)
from unround.runs.sureness import (
    CALIBRATION,
    PLACES,
    REVIEWERS,
    STABILITY,
    UNCERTAINTY,
    untold,
)

DECIMALS = 4  # of effects and standard errors
SHARE_DECIMALS = 3


def sureness_view(
    record: Mapping[str, Any],
    tables: Mapping[str, pl.DataFrame],
    papers: pl.DataFrame,
    reviewers: pl.DataFrame,
) -> SurenessView | None:
    """Return what a run was asked beside its scores; None if it was asked nothing.

    `papers` has paper and number, `reviewers` has reviewer and number; ids are compared as text.
    """
    if not any(name in record for name in ("uncertainty", "calibration", "stability")):
        return None
    ids = papers.select(_text("paper")), reviewers.select(_text("reviewer"))
    return {
        "untold": untold(record),
        "uncertainty": _uncertainty(record["uncertainty"], tables, ids[0])
        if UNCERTAINTY in tables
        else None,
        "calibration": _calibration(record["calibration"], tables, *ids)
        if CALIBRATION in tables
        else None,
        "stability": _stability(record["stability"], tables[STABILITY], ids[0])
        if STABILITY in tables
        else None,
    }


def _text(name: str) -> pl.Expr:
    return pl.col(name).cast(pl.String)


def _along(ids: pl.DataFrame, table: pl.DataFrame) -> pl.DataFrame:
    """Return the rows of a table in the order of ids, nulls where it has none."""
    key = ids.columns[0]
    return ids.join(table.with_columns(_text(key)), on=key, how="left", maintain_order="left")


def _uncertainty(
    note: Mapping[str, Any], tables: Mapping[str, pl.DataFrame], papers: pl.DataFrame
) -> UncertaintyView:
    found = _along(papers, tables[UNCERTAINTY])
    places = {
        str(name): part for (name,), part in tables[PLACES].group_by("within", maintain_order=True)
    }
    within = places.get("track")
    columns = {
        **{name: note[name] for name in ("interval", "draws", "rhat", "effective")},
        **{name: found[name].round(DECIMALS).to_list() for name in ("mean", "low", "high")},
        **{name: found[name].to_list() for name in ("place_low", "place", "place_high")},
        "among_all": _shares(papers, places["all"]),
        "within_track": None if within is None else _shares(papers, within),
    }
    return cast(UncertaintyView, columns)


def _shares(papers: pl.DataFrame, places: pl.DataFrame) -> PlaceShares:
    """Return the points of each paper's distribution of places, one paper after the other."""
    points = papers.join(
        places.with_columns(_text("paper")), on="paper", how="inner", maintain_order="left_right"
    )
    sizes = _along(papers, points.group_by("paper").len())["len"].fill_null(0)
    return {
        "start": [0, *sizes.cum_sum().to_list()],
        "place": points["place"].to_list(),
        "share": points["share"].round(SHARE_DECIMALS).to_list(),
    }


def _calibration(
    note: Mapping[str, Any],
    tables: Mapping[str, pl.DataFrame],
    papers: pl.DataFrame,
    reviewers: pl.DataFrame,
) -> CalibrationView:
    by_paper, by_reviewer = (
        _along(papers, tables[CALIBRATION]),
        _along(reviewers, tables[REVIEWERS]),
    )
    columns = {
        **{name: note[name] for name in ("verdict", "caution", "recommended", "parts")},
        "calibrated": by_paper["calibrated"].round(DECIMALS).to_list(),
        "se": by_paper["se"].round(DECIMALS).to_list(),
        "effect": by_reviewer["effect"].round(DECIMALS).to_list(),
        "effect_se": by_reviewer["se"].round(DECIMALS).to_list(),
    }
    return cast(CalibrationView, columns)


def _stability(note: Mapping[str, Any], table: pl.DataFrame, papers: pl.DataFrame) -> StabilityView:
    found, line = _along(papers, table), note["accept"] is not None
    columns = {
        **{name: note[name] for name in ("share_of_pairs", "draws", "accept", "caution")},
        "stays": found["stays"].round(SHARE_DECIMALS).to_list() if line else None,
        "depends_on": found["depends_on"].fill_null("").to_list() if line else None,
    }
    return cast(StabilityView, columns)
