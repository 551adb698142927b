"""places.csv of a run -> P(accept) of each paper, for any line, as the pages show it.

A run keeps each paper's place over the plausible orders by a few points of its distribution, and in
between it is linear. The same rules hold in `web/src/domain/line.ts`: a share in per cent counts all
papers, half a place counts as one, and papers without scores fill no place.
"""

from __future__ import annotations

import numpy as np
import polars as pl

ALL, TRACK = "all", "track"


def with_chances(
    papers: pl.DataFrame, places: pl.DataFrame, amount: float, *, percent: bool, per_track: bool
) -> pl.DataFrame:
    """Add p_accept: the share of the plausible orders that put a paper above the line.

    The line is below `amount` papers, or per cent of the papers, of all or of each track. `papers` has
    paper, dequantized_mean and, with `per_track`, track.
    """
    tracks = pl.col("track").fill_null("") if per_track else pl.lit("")
    known = papers.select(
        pl.col("paper").cast(pl.String), tracks.alias("track"), scored="dequantized_mean"
    )
    room = dict(
        known.group_by("track")
        .agg(_room(pl.len(), pl.col("scored").count(), amount, percent=percent).alias("room"))
        .iter_rows()
    )
    points = _points(places, TRACK if per_track else ALL)
    chances = [
        _chance(points.get(paper), room[track])
        for paper, track in known.select("paper", "track").iter_rows()
    ]
    return papers.with_columns(pl.Series("p_accept", chances, dtype=pl.Float64))


def _room(size: pl.Expr, scored: pl.Expr, amount: float, *, percent: bool) -> pl.Expr:
    """Return how many papers with scores are above the line."""
    wanted = size * amount / 100 if percent else pl.lit(amount)
    return pl.min_horizontal((wanted + 0.5).floor(), scored)


def _points(places: pl.DataFrame, within: str) -> dict[str, tuple[list[int], list[float]]]:
    """Return the points of each paper's distribution of places."""
    named = places.filter(pl.col("within") == within).with_columns(pl.col("paper").cast(pl.String))
    listed = named.sort("place").group_by("paper").agg("place", "share")
    return {paper: (place, share) for paper, place, share in listed.iter_rows()}


def _chance(points: tuple[list[int], list[float]] | None, room: float) -> float | None:
    return None if points is None else float(np.interp(room, *points, left=0.0, right=1.0))
