"""The made-up conferences in `examples` are read as the conference that each was written from."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest
from polars.testing import assert_frame_equal

import unround

EXAMPLES = Path(__file__).parents[2] / "examples"
SCALES = {
    "hotcrp": range(1, 6),
    "openreview": [1, 3, 5, 6, 8, 10],
    "cmt": range(1, 7),
    "easychair": range(-3, 4),
}
REVIEWER = pl.col("reviewer").str.extract("([0-9]{5})").cast(pl.Int64)  # in every system's names


@pytest.mark.parametrize("system", SCALES)
def test_reviews_and_rankings_of_every_system(system: str) -> None:
    made = unround.simulate.thurstone(12, scale=SCALES[system], seed=3)
    tables = unround.read(EXAMPLES / system)
    keys = ["reviewer", "paper"]
    found = tables.reviews.select(REVIEWER, pl.col("paper") - 1, "score")
    assert_frame_equal(found.sort(keys), made.reviews.select(found.columns).sort(keys))
    one, other = (
        unround.dequantize(given.reviews, given.rankings, scale=SCALES[system], lam=9.0).scores
        for given in (tables, made)
    )
    scores = one.select(REVIEWER, pl.col("paper") - 1, "dequantized")
    assert_frame_equal(scores.sort(keys), other.select(scores.columns).sort(keys))
    assert tables.papers["title"].to_list() == [f"Synthetic paper {n}" for n in range(1, 13)]
    if system != "hotcrp":  # whose tables do not mark meta-reviews
        assert tables.notes == ()
