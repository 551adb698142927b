"""A run computed anew from what is in a scope: nothing outside enters, to the byte."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import polars as pl

from unround.errors import InputRefused
from unround.pipeline import dequantize
from unround.report.scope import Scope
from unround.report.snapshot import Snapshot
from unround.result import Result

# Scales that were told from all scores of a conference start with these words: told anew from a scope.
TOLD = "told from"
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
    settings = inside.record["settings"]
    if not _is_told(settings):
        return _with_scale(inside, settings["scale"])
    try:
        return _with_scale(inside, None)
    except InputRefused:
        # A few reviews may leave the scale in doubt; nobody is there to settle it.
        used = set(inside.reviews["score"].to_list())
        return _with_scale(inside, [level for level in settings["scale"] if level in used])


def _with_scale(inside: Snapshot, scale: list[Any] | None) -> Result[pl.DataFrame]:
    settings = inside.record["settings"]
    stated = [table for table in (inside.ranks, inside.pairs) if table.height]
    lam = settings["lam"]
    return dequantize(
        inside.reviews.select("reviewer", "paper", "score"),
        stated or None,
        lam=float(lam) if lam == "inf" else lam,
        epsilon=settings["epsilon"],
        scale=scale,
        conflicts=settings["conflicts"],
        same=inside.same if inside.same.height else None,
        same_within=settings["same_within"],
        unranked=settings["unranked"],
        # The run as a whole went through: a part of it is not refused for what falls away there.
        allow_loss=True,
    )


def _is_told(settings: Mapping[str, Any]) -> bool:
    """Whether the scale depends on all scores; runs of earlier versions do not say."""
    return str(settings.get("scale_origin", TOLD)).startswith(TOLD)


def _nothing_computed(record: Mapping[str, Any]) -> dict[str, Any]:
    settings = dict(record["settings"])
    if _is_told(settings):
        settings["scale"] = []
    return {
        **record,
        "settings": settings,
        "lam": None,
        "selection": None,
        "certificate": None,
        "issues": [],
    }
