"""A finished run -> tables for a spreadsheet, and files to upload to a conference system.

Places are those of the pages: papers whose means are equal to four decimals share a range of places,
and papers without scores have none.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import numpy as np
import polars as pl

from unround.arrays import BoolArray, FloatArray, IntArray
from unround.formats.cells import listed
from unround.formats.files.source import Source
from unround.formats.files.tables import read_table
from unround.formats.model import ExportedFile, ExportOptions, ImportRefused
from unround.formats.registry import system_module
from unround.formats.systems.exports import column_of, sheet_of
from unround.metrics import tie_grid
from unround.metrics.papers import tied_places
from unround.runs.folder import Run
from unround.runs.tables import RANKINGS
from unround.runs.uncertainty import PLACES as DISTRIBUTIONS
from unround.runs.uncertainty import UNCERTAINTY
from unround.settings import Accept
from unround.wording import EXPORT_PARTS, SYSTEMS

# The system that takes each target. Its package has a function `export`.
SYSTEM_OF = {target: name for name, system in SYSTEMS.items() for target in system.exports}
if TYPE_CHECKING:
    SystemTarget = str
    ExportPart = str
else:
    SystemTarget = Literal[tuple(SYSTEM_OF)]  # the console's API lists its values
    ExportPart = Literal[tuple(EXPORT_PARTS)]
Side = Literal["above", "near", "below"]  # of the line
PLACES = ("place", "place_last", "given_place", "given_place_last", "change")
NAMES = ("title", "track", "area_chair")
INTERPOLATION = 0.01  # how far a chance may be off
# Columns of papers, from those of reviews.
LISTED = {"scores": "score", "confidences": "confidence"}


def wide_papers(run: Run) -> pl.DataFrame:
    """Return one row per paper, best place first: places, names, decision, statistics, scores."""
    papers = _with_places(_with_scores(run.papers, run.scores))
    papers = papers.with_columns(moved=pl.col("dequantized_mean") - pl.col("score_mean"))
    papers = _with_uncertainty(papers, run)
    known = [name for name in NAMES if name in papers.columns]
    first = [*PLACES, "paper", *known]
    return papers.sort("place", "paper", nulls_last=True).select(*first, pl.exclude(first))


def _with_places(papers: pl.DataFrame) -> pl.DataFrame:
    """Add the first and last place by mean, now and by given scores, and the change of place."""
    ranges = {
        prefix: _ranges(papers[f"{name}_mean"].to_numpy())
        for prefix, name in (("", "dequantized"), ("given_", "score"))
    }
    columns = [
        pl.Series(f"{prefix}{name}", places, dtype=pl.Int64)
        for prefix, both in ranges.items()
        for name, places in zip(("place", "place_last"), both, strict=True)
    ]
    middle = (pl.col("given_place") + pl.col("given_place_last")) / 2
    change = middle - (pl.col("place") + pl.col("place_last")) / 2
    return papers.with_columns(columns).with_columns(change=change)


def _ranges(values: FloatArray) -> tuple[list[int | None], list[int | None]]:
    """Return the first and the last place of each value; None for a value that is missing."""
    scored = ~np.isnan(values)
    first, last = np.full(values.size, 0), np.full(values.size, 0)
    first[scored], last[scored] = tied_places(tie_grid(values[scored]))
    return [place or None for place in first.tolist()], [place or None for place in last.tolist()]


def _with_scores(papers: pl.DataFrame, reviews: pl.DataFrame) -> pl.DataFrame:
    """Add the scores and confidences of each paper as texts, in the order of its reviewers."""
    listed = reviews.sort("reviewer", "paper").group_by("paper", maintain_order=True)
    gathered = listed.agg(
        pl.col(column).cast(pl.String).fill_null("").str.join(" ").alias(name)
        for name, column in LISTED.items()
        if column in reviews.columns
    )
    return papers.join(gathered, on="paper", how="left", maintain_order="left")


def _with_uncertainty(papers: pl.DataFrame, run: Run) -> pl.DataFrame:
    """Add intervals and probabilities where the run has them."""
    uncertainty = run.tables.get(UNCERTAINTY)
    if uncertainty is None:
        return papers
    own = ("paper", "p_accept")
    renamed = uncertainty.rename(
        {name: f"model_{name}" for name in uncertainty.columns if name not in own}
    )
    ids = renamed.with_columns(pl.col("paper").cast(pl.String).cast(papers.schema["paper"]))
    return papers.join(ids, on="paper", how="left", maintain_order="left")


def line_table(run: Run, accept: Accept, *, per_track: bool) -> pl.DataFrame:
    """Return for each paper its `side` of a line and `p_accept`, null where it is unknown, as on the pages.

    A paper is "above" or "below" by the places of its mean, or "near": tied across the line, or with a
    chance of 10% to 90%.
    """
    papers, by_track = run.papers, per_track and "track" in run.papers.columns
    tracks = papers["track"].fill_null("") if by_track else pl.repeat("", papers.height, eager=True)
    means = papers["dequantized_mean"].to_numpy()
    room, first, last = (np.zeros(papers.height, np.int64) for _ in range(3))
    for track in tracks.unique():
        own = np.flatnonzero((tracks == track).to_numpy())
        scored = own[~np.isnan(means[own])]
        most = accept if accept.percent else replace(accept, amount=min(accept.amount, own.size))
        room[own] = min(most.papers(own.size), scored.size)
        first[scored], last[scored] = tied_places(tie_grid(means[scored]))
    chance = _chances(run, room, "track" if by_track else "all")
    for track in tracks.unique():
        own = np.flatnonzero((tracks == track).to_numpy())
        chance[own] = _added_up(chance[own], room[own[0]])
    close = np.where(_is_close(chance), "near", "")
    placed = np.select([(first == 0) | (first > room), last <= room], ["below", "above"], "near")
    sides = pl.Series("side", np.where(close == "", placed, close))
    return papers.select("paper").with_columns(sides, p_accept=pl.Series(chance).fill_nan(None))


def _chances(run: Run, room: IntArray, within: str) -> FloatArray:
    """Return the share of the plausible orders that put each paper among the first so many."""
    chances = np.full(room.size, np.nan)
    if DISTRIBUTIONS not in run.tables:
        return chances
    points = run.tables[DISTRIBUTIONS].filter(pl.col("within") == within)
    known = {
        str(paper): own for (paper,), own in points.partition_by("paper", as_dict=True).items()
    }
    for row, paper in enumerate(run.papers["paper"].cast(pl.String)):
        if paper in known:
            own = known[paper]
            share = own["share"].round(3)  # thousandths, as the pages get them
            chances[row] = np.interp(room[row], own["place"], share, left=0.0, right=1.0)
    return chances


def _added_up(chances: FloatArray, room: float) -> FloatArray:
    """Share out what interpolated chances lack to the room, most where they are open, as pages do."""
    opened = np.nan_to_num(chances * (1.0 - chances))
    by = opened * (room - np.nansum(chances)) / (opened.sum() or np.inf)
    kept = (np.abs(by) > INTERPOLATION) | (_is_close(chances + by) != _is_close(chances))
    return np.where(kept, chances, chances + by)


def _is_close(chances: FloatArray) -> BoolArray:
    """Return which chances are too close to call."""
    close: BoolArray = (chances >= 0.1) & (chances <= 0.9)
    return close


def reviews_with_papers(run: Run) -> pl.DataFrame:
    """Return one row per review, with everything that is known of its paper."""
    return run.scores.join(run.papers, on="paper", how="left", maintain_order="left")


def wide_reviews(run: Run) -> pl.DataFrame:
    """Return one row per review: who, what they gave, the result, and the rank."""
    known = [name for name in ("title", "track") if name in run.papers.columns]
    reviews = run.scores.join(
        run.papers.select("paper", *known), on="paper", how="left", maintain_order="left"
    )
    ranks = run.tables.get(RANKINGS)
    if ranks is not None:
        keys = ["reviewer", "paper"]
        reviews = reviews.join(ranks.unique(keys), on=keys, how="left", maintain_order="left")
    first = [
        name
        for name in ("reviewer", "reviewer_name", "paper", *known, "score", "dequantized")
        if name in reviews.columns
    ]
    return reviews.select(*first, pl.exclude(first))


def with_decisions(papers: pl.DataFrame, path: Path) -> pl.DataFrame:
    """Return papers with the decisions, and the tags if there are any, of a table that chairs made."""
    table = read_table(Source(path))
    columns = {name: column_of(table, name) for name in ("paper", "decision")}
    if table.find("tags"):
        columns["tags"] = column_of(table, "tags")
    made = sheet_of(table, columns).table.with_columns(pl.all().str.strip_chars())
    made = made.unique(maintain_order=True)
    twice = made.filter(pl.col("paper").is_duplicated())["paper"].unique(maintain_order=True)
    if twice.len():
        raise ImportRefused(
            f"{path.name} has different rows for one paper: {listed(twice.to_list())}; keep one row of each"
        )
    ids = papers.with_columns(pl.col("paper").cast(pl.String).alias("_id"))
    unknown = made.join(ids, left_on="paper", right_on="_id", how="anti")["paper"].to_list()
    if unknown:
        raise ImportRefused(f"{path.name}: no paper of this run is called {listed(unknown)}")
    return (
        ids.drop("decision", strict=False)
        .join(made, left_on="_id", right_on="paper", how="left", maintain_order="left")
        .drop("_id")
    )


def export_for_system(
    target: SystemTarget, scores: pl.DataFrame, papers: pl.DataFrame, options: ExportOptions
) -> ExportedFile:
    """Return the file that a conference system takes; `papers` may have a column of decisions."""
    system = system_module(SYSTEM_OF[target])
    file: ExportedFile = system.export(target, scores, _with_places(papers), options)
    return file
