"""Snapshot of a finished run -> the input that it was solved from."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from unround.preparation import prepare
from unround.report.snapshot import Snapshot
from unround.reviews.review_set import ReviewSet
from unround.reviews.tables import Tables
from unround.settings import Settings


def solved_input(snapshot: Snapshot) -> tuple[ReviewSet, Settings, float]:
    """Return the reviews and statements of a run, its settings, and its λ."""
    stated = [table for table in (snapshot.ranks, snapshot.pairs) if table.height]
    tables = Tables.of(
        snapshot.reviews.select("reviewer", "paper", "score"),
        stated or None,
        snapshot.same if snapshot.same.height else None,
    )
    settings = _settings(snapshot.record["settings"])
    return prepare(tables, settings).reviews, settings, float(snapshot.record["lam"])


def _settings(settings: Mapping[str, Any]) -> Settings:
    return Settings.checked(
        settings["epsilon"],
        settings["conflicts"],
        settings["unranked"],
        settings["same_within"],
        settings["scale"],
        True,  # the run went through
    )
