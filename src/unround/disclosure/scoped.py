"""A run computed anew from what is in a scope: nothing outside enters, to the byte."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import polars as pl

from unround.disclosure.scope import Scope
from unround.disclosure.snapshot import Snapshot
from unround.errors import InputRefused
from unround.pipeline import dequantize_tables
from unround.result import Result
from unround.runs.record import recorded_settings

STATEMENTS = ("paper", "better", "worse", "same_as")


def computed_within(snapshot: Snapshot, scope: Scope) -> Snapshot:
    """Return the snapshot of a run on the reviews and comparisons in scope, with the same settings.

    λ is chosen anew where it was chosen, and the scale told anew where it was told from the scores.
    """
    inside = within_scope(snapshot, scope)
    if not inside.reviews.height:
        return replace(inside, record=_nothing_computed(snapshot.record))
    computed = Snapshot.of(_dequantized(inside))
    names = inside.reviews.select("reviewer", "paper", "reviewer_name")
    reviews = computed.reviews.drop("reviewer_name").join(
        names, on=["reviewer", "paper"], how="left", maintain_order="left"
    )
    return replace(computed, papers=inside.papers, reviews=reviews)


def within_scope(snapshot: Snapshot, scope: Scope) -> Snapshot:
    """Return the papers, reviews and statements that are in scope entirely."""
    return replace(
        snapshot,
        papers=_within(snapshot.papers, scope),
        reviews=_within(snapshot.reviews, scope),
        ranks=_within(snapshot.ranks, scope),
        pairs=_within(snapshot.pairs, scope),
        bindings=snapshot.bindings.clear(),
        same=_within(snapshot.same, scope),
    )


def _within(table: pl.DataFrame, scope: Scope) -> pl.DataFrame:
    named = [name for name in STATEMENTS if name in table.columns]
    if not named:
        return table
    return table.filter(
        pl.all_horizontal(
            pl.col(name).cast(pl.String).is_in(sorted(scope.papers)) for name in named
        )
    )


def _dequantized(inside: Snapshot) -> Result[pl.DataFrame]:
    # The run as a whole went through: a part of it is not refused for what falls away there.
    settings = recorded_settings(inside.record).changed(allow_loss=True)
    try:
        return dequantize_tables(inside.tables(), settings)
    except InputRefused:
        if settings.scale is not None:
            raise
        # A few reviews may leave the scale in doubt; nobody is there to settle it.
        used = set(inside.reviews["score"].to_list())
        levels = [level for level in inside.record["settings"]["scale"] if level in used]
        return dequantize_tables(inside.tables(), settings.changed(scale=levels))


def _nothing_computed(record: Mapping[str, Any]) -> dict[str, Any]:
    settings = dict(record["settings"])
    if recorded_settings(record).scale is None:
        settings["scale"] = []
    return {
        **record,
        "settings": settings,
        "lam": None,
        "selection": None,
        "certificate": None,
        "issues": [],
    }
