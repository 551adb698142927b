"""bulk.json: settings, λ, certificate and versions of scores that were computed in bulk on a GPU."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from unround.runs.record import number_or_word, versions
from unround.scale import Scale
from unround.selection.curve import Curve
from unround.selection.on_card import CardScores


def bulk_record(
    epsilon: float,
    scale: Scale,
    found: CardScores,
    curve: Curve | None,
    counts: tuple[int, int, int],
) -> dict[str, Any]:
    """Return everything needed to repeat and to judge the run: no clock and no path is in it."""
    return {
        "settings": {
            "lam": number_or_word(found.lam) if curve is None else curve.chosen_by,
            "epsilon": epsilon,
            "scale": list(scale.levels),
        },
        "lam": number_or_word(found.lam),
        "selection": None
        if curve is None
        else {
            "lam": curve.lam.tolist(),
            "error": curve.error.tolist(),
            "decided": curve.decided,
            "reason": curve.reason,
        },
        "certificate": None if found.certificate is None else asdict(found.certificate),
        "counts": dict(zip(("reviews", "papers", "reviewers"), counts, strict=True)),
        "versions": versions(),
    }
