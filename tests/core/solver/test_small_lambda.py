"""Small λ, large numbers, tight tolerances: what is taken is solved, and the rest is refused in words."""

import polars as pl
import pytest

import unround
from unround import UsageError
from unround.certificate import certify

PUBLISHED = [unround.simulate.thurstone(seed=seed, draw="published") for seed in range(3)]


@pytest.mark.parametrize("conference", PUBLISHED)
@pytest.mark.parametrize(
    ("lam", "tolerance"),
    [
        (1e-3, 1e-9),
        (1e-4, 1e-9),
        (1e-5, 1e-6),
        (1e-5, 1e-7),
        (1e-6, 1e-6),
        (1e-7, 1e-5),
        (1e-8, 1e-5),
    ],
)
def test_small_lambdas_are_solved_as_far_as_rounding_allows(conference, lam, tolerance):
    result = unround.dequantize(
        conference.reviews, conference.rankings, lam=lam, tolerance=tolerance
    )
    assert result.certificate.max_error <= tolerance
    inside = result.internals
    assert certify(inside.problem, lam, inside.values).max_error <= tolerance


@pytest.mark.parametrize(("lam", "tolerance"), [(1e-6, 1e-9), (1e-9, 1e-6), (1e-12, 1e-3)])
def test_a_lambda_beyond_rounding_is_refused_with_the_way_out(lam, tolerance):
    conference = PUBLISHED[0]
    with pytest.raises(UsageError, match="too small") as refused:
        unround.dequantize(conference.reviews, conference.rankings, lam=lam, tolerance=tolerance)
    words = str(refused.value).replace(",", "").split()
    lam_enough, tolerance_enough = float(words[words.index("lam", 5) + 4]), float(words[-1])
    for least_lam, least_tolerance in ((lam_enough, tolerance), (lam, tolerance_enough)):
        result = unround.dequantize(
            conference.reviews, conference.rankings, lam=least_lam, tolerance=least_tolerance
        )
        assert result.certificate.max_error <= least_tolerance


@pytest.mark.parametrize("unit", [1e-3, 1.0, 1e6])
def test_tolerance_is_in_units_of_the_smallest_spacing(unit):
    """Levels 0, 1, .., 10 in any unit: the same scores, each to the tolerance in that unit."""
    conference = PUBLISHED[0]
    scaled = conference.reviews.with_columns(pl.col("score") * unit)
    levels = [level * unit for level in range(11)]
    result = unround.dequantize(scaled, conference.rankings, lam=2.0, scale=levels)
    plain = unround.dequantize(conference.reviews, conference.rankings, lam=2.0, scale=range(11))
    assert result.certificate.max_error <= 1e-9 * unit
    found = result.scores["dequantized"].to_numpy() / unit
    assert found == pytest.approx(plain.scores["dequantized"].to_numpy(), abs=3e-9)
