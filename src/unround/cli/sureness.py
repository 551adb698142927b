"""How sure a run is, in lines for the screen."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import polars as pl

from unround.formats.cells import counted
from unround.runs.sureness import STABILITY, UNCERTAINTY
from unround.selection.consensus import Consensus

GREY = (0.1, 0.9)  # P(accept) between these: the grey zone


def sureness_rows(
    record: Mapping[str, Any], tables: Mapping[str, pl.DataFrame]
) -> Iterator[tuple[str, str]]:
    """Yield a name and a sentence: whether consensus holds, and what the run was asked beside its scores."""
    if record["consensus"]["pairs"]:
        yield "consensus", Consensus(**record["consensus"]).in_short()
    note = record.get("uncertainty")
    if note and note["mixed"]:
        yield "how sure", _places(note, tables[UNCERTAINTY])
        if note["accept"]:
            yield "line", _line(note["accept"], tables[UNCERTAINTY])
    if "verdict" in record.get("calibration", {}):
        found = record["calibration"]
        yield "strictness", "; ".join(filter(None, (found["verdict"], found["caution"])))
    if "stability" in record:
        yield "stability", _stability(record["stability"], tables[STABILITY])


def _places(note: Mapping[str, Any], papers: pl.DataFrame) -> str:
    width = papers.select(pl.col("place_high") - pl.col("place_low") + 1).median().item()
    return (
        f"for half of the papers {note['interval']:.0%} of the plausible orders span "
        f"{width:,.0f} places or fewer; this rests on a model ({note['draws']:,} draws, R-hat "
        f"{note['rhat']:.3f}, {note['effective']:,.0f} effective)"
    )


def _line(accept: Mapping[str, Any], papers: pl.DataFrame) -> str:
    grey = papers.filter(pl.col("p_accept").is_between(*GREY)).height
    return (
        f"{counted(accept['papers'], 'paper')} accepted; {counted(grey, 'paper')} in the grey zone, "
        f"above the line in {GREY[0]:.0%} to {GREY[1]:.0%} of the plausible orders"
    )


def _stability(note: Mapping[str, Any], papers: pl.DataFrame) -> str:
    text = (
        f"the order of {note['share_of_pairs']:.1%} of the pairs of papers stands when reviewers "
    )
    text += f"are drawn again ({note['draws']} draws)"
    if note["caution"]:
        text += f"; {note['caution']}"
    if note["accept"] is None:
        return text
    depends = papers.filter(pl.col("depends_on").fill_null("") != "").height
    return f"{text}; for {counted(depends, 'paper')} the side of the line depends on λ, ε or the policy"
