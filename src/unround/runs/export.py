"""A finished run for a conference system: what the chair uploads there."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, Literal, get_args

import polars as pl

from unround.errors import UsageError

SystemTarget = Literal["hotcrp", "openreview", "openreview-notes"]
SYSTEMS: tuple[SystemTarget, ...] = get_args(SystemTarget)


def hotcrp_text(scores: pl.DataFrame, papers: pl.DataFrame, tag: str, *, per_review: bool) -> str:
    """Return bulk assignments of tag values, as CSV."""
    from unround.formats.systems import hotcrp

    return hotcrp.assignments(scores, papers, tag=tag, per_review=per_review)


def openreview_items(
    scores: pl.DataFrame, papers: pl.DataFrame, target: str, invitation: str | None
) -> list[dict[str, Any]]:
    """Return an edge for each review, or a note for each paper ("openreview-notes")."""
    from unround.formats.systems import openreview

    if not invitation:
        raise UsageError(
            f"{target} needs the invitation to post to, such as VENUE/-/Dequantized_Score"
        )
    if target == "openreview":
        return openreview.edges(scores, papers, invitation)
    return openreview.notes(papers, invitation)


def items_text(items: Sequence[dict[str, Any]]) -> str:
    """Return edges or notes as JSON."""
    return json.dumps(items, indent=1, ensure_ascii=False) + "\n"
