"""Snapshot of a finished run -> the input that it was solved from."""

from __future__ import annotations

from unround.preparation import prepare
from unround.report.snapshot import Snapshot
from unround.reviews.review_set import ReviewSet
from unround.runs.record import recorded_settings
from unround.settings import Settings


def solved_input(snapshot: Snapshot) -> tuple[ReviewSet, Settings, float]:
    """Return the reviews and statements of a run, its settings, and its λ."""
    # What a run went through with is not refused here.
    settings = recorded_settings(snapshot.record).changed(
        scale=snapshot.record["settings"]["scale"], allow_loss=True
    )
    return prepare(snapshot.tables(), settings).reviews, settings, float(snapshot.record["lam"])
