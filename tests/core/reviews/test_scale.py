"""Levels, their cells, their spacing, their coarsening, and rounding onto them."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from unround import Scale, UsageError

UNEVEN = [1, 3, 5, 6, 8, 10]
numbers = st.lists(
    st.integers(-100, 100).map(lambda count: count / 4.0), min_size=1, max_size=12, unique=True
).map(sorted)
scale_test = settings(max_examples=60)


# Cells


def test_cells_of_consecutive_integers_are_the_papers():
    scale = Scale.integers(-2, 10)
    assert scale.lower.tolist() == [level - 0.5 for level in range(-2, 11)]
    assert scale.upper.tolist() == [level + 0.5 for level in range(-2, 11)]


def test_cells_of_uneven_levels_reach_to_the_midpoints():
    assert [Scale(UNEVEN).cell(level) for level in UNEVEN] == [
        (0.0, 2.0),
        (2.0, 4.0),
        (4.0, 5.5),
        (5.5, 7.0),
        (7.0, 9.0),
        (9.0, 11.0),
    ]


def test_single_level_has_a_cell_of_width_one():
    assert Scale([4]).cell(4) == (3.5, 4.5)
    assert Scale([4]).spacing == 1.0


@scale_test
@given(numbers)
def test_cells_meet_without_gap_or_overlap(levels):
    scale = Scale(levels)
    assert scale.upper[:-1].tolist() == scale.lower[1:].tolist()
    assert np.all(scale.lower < scale.values)
    assert np.all(scale.values < scale.upper)


@scale_test
@given(numbers)
def test_end_cells_mirror_their_inner_half(levels):
    scale = Scale(levels)
    for place in (0, -1):
        below = scale.values[place] - scale.lower[place]
        assert below == scale.upper[place] - scale.values[place]


def test_level_off_the_scale_has_no_cell():
    with pytest.raises(UsageError, match=r"4 is not on the scale Scale\(1, 3, 5, 6, 8, 10\)"):
        Scale(UNEVEN).cell(4)


def test_position_counts_from_the_worst():
    scale = Scale(UNEVEN)
    assert [scale.position(level) for level in UNEVEN] == list(range(6))
    assert scale.position(2) is None


def test_whole_floats_and_integers_are_one_level():
    assert Scale([1.0, 2.5]).levels == (1, 2.5)
    assert Scale([1.0, 2.0]) == Scale([1, 2]) == Scale(np.array([1.0, 2.0]))
    assert Scale([1.0, 2.0]).position(2) == 1
    assert hash(Scale([1.0, 2.0])) == hash(Scale([1, 2]))


def test_scales_with_different_levels_differ():
    assert Scale([1, 2]) != Scale([1, 2, 3])
    assert Scale([1, 2]) != (1, 2)


# Spacing


@pytest.mark.parametrize(
    ("levels", "spacing"),
    [([1, 2, 3], 1.0), (UNEVEN, 1.0), ([1, 1.5, 2], 0.5), ([10, 30, 70], 20.0), ("ABC", 1.0)],
)
def test_spacing_is_the_smallest_distance(levels, spacing):
    assert Scale(levels).spacing == spacing


# Letters


def test_letters_run_from_worst_to_best_with_the_earliest_best():
    scale = Scale.letters("A", "D")
    assert scale.levels == ("D", "C", "B", "A")
    assert scale.values.tolist() == [1.0, 2.0, 3.0, 4.0]
    assert scale.cell("A") == (3.5, 4.5)
    assert not scale.is_numeric


def test_symbols_count_by_position():
    scale = Scale(["reject", "weak", "accept"])
    assert [scale.position(symbol) for symbol in scale.levels] == [0, 1, 2]
    assert scale.values.tolist() == [1.0, 2.0, 3.0]


# Coarsening


@pytest.mark.parametrize(
    ("levels", "coarse"),
    [
        (range(11), [0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5]),
        (range(1, 6), [1, 1, 2, 2, 3]),
        (range(-3, 2), [-1, -1, 0, 0, 1]),
        (UNEVEN, [1, 1, 2, 2, 3, 3]),
        ([1, 1.5, 2], [1, 2, 2]),  # as for 2, 3, 4
        (range(0, 50, 10), [0, 1, 1, 2, 2]),
        ([0.5, 1.5, 2.5], [1, 1, 2]),
        ("DCBA", [1, 1, 2, 2]),
    ],
    ids=str,
)
def test_coarsened_levels(levels, coarse):
    assert Scale(levels).coarse_values().tolist() == coarse


@scale_test
@given(numbers)
def test_coarsening_keeps_the_order_and_joins_two_at_most(levels):
    coarse = Scale(levels).coarse_values()
    assert np.all(np.diff(coarse) >= 0)
    assert np.unique(coarse, return_counts=True)[1].max() <= 2


# Rounding onto the scale


def test_halves_round_to_the_even_integer():
    nearest = Scale.integers(0, 10).nearest(np.array([0.5, 1.5, 2.5, 9.5]))
    assert nearest.tolist() == [0.0, 2.0, 2.0, 10.0]


def test_halfway_between_uneven_levels_rounds_to_the_even_position():
    nearest = Scale(UNEVEN).nearest(np.array([2.0, 4.0, 5.5, 7.0, 9.0]))
    assert nearest.tolist() == [1.0, 5.0, 5.0, 8.0, 8.0]


def test_values_beyond_the_ends_round_to_the_ends():
    for scale in (Scale.integers(1, 5), Scale(UNEVEN)):
        nearest = scale.nearest(np.array([-100.0, 100.0]))
        assert nearest.tolist() == [scale.values[0], scale.values[-1]]


@scale_test
@given(numbers, st.lists(st.floats(-30, 30), min_size=1, max_size=20))
def test_no_level_is_nearer_than_the_nearest(levels, latent):
    scale, values = Scale(levels), np.array(latent)
    distance = np.abs(values[:, None] - scale.values[None, :])
    np.testing.assert_allclose(
        np.abs(values - scale.nearest(values)), distance.min(axis=1), atol=1e-12
    )


# Bad arguments; those of `scale=` are in test_bad_input.py


@pytest.mark.parametrize(("worst", "best"), [(5, 1), (1.5, 3)])
def test_consecutive_integers_need_two_integers_in_order(worst, best):
    with pytest.raises(UsageError):
        Scale.integers(worst, best)


def test_too_many_consecutive_integers():
    assert len(Scale.integers(1, 1000).levels) == 1000
    with pytest.raises(UsageError, match="from 1 to 1001: too wide"):
        Scale.integers(1, 1001)


@pytest.mark.parametrize(
    ("best", "worst"), [("D", "A"), ("AB", "C"), ("", "C"), ("A", "d"), ("1", "5")]
)
def test_letters_that_are_no_single_capitals_in_order(best, worst):
    with pytest.raises(UsageError):
        Scale.letters(best, worst)


# Scales as text


@pytest.mark.parametrize(
    ("text", "levels"),
    [
        ("1,3,5,6,8,10", UNEVEN),
        ("1..5", [1, 2, 3, 4, 5]),
        (" 1 .. 3 ", [1, 2, 3]),
        ("1...3", [1, 2, 3]),
        ("1-4", [1, 2, 3, 4]),
        ("1 to 3", [1, 2, 3]),
        ("5..1", [5, 4, 3, 2, 1]),
        ("-3..3", [-3, -2, -1, 0, 1, 2, 3]),
        ("1..2:0.1", [1, 1.1, 1.2, 1.3, 1.4, 1.5, 1.6, 1.7, 1.8, 1.9, 2]),
        ("2..1:0.5", [2, 1.5, 1]),
        ("1..3,77", [1, 2, 3, 77]),
        ("D..A", ["D", "C", "B", "A"]),
        ("A..C", ["A", "B", "C"]),
        ("reject, weak accept", ["reject", "weak accept"]),
        ("7", [7]),
    ],
)
def test_scale_as_text(text, levels):
    assert Scale.of(text).levels == tuple(levels)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("1..5:0.3", "does not reach 5 in steps of 0.3"),
        ("1..x", "is no scale; write levels worst to best"),
        ("1..5:0", "is no scale"),
        ("1..5:-1", "is no scale"),
        ("1..100000", "more than 1000 levels"),
        ("1..inf", "more than 1000 levels"),
        ("", "is no scale"),
        ("1,,2", "is no scale"),
        ("1..", "is no scale"),
        ("1,3,2", "levels go from worst to best: 1, 3, 2 does not"),
    ],
)
def test_text_that_is_no_scale(text, words):
    with pytest.raises(UsageError, match=words):
        Scale.of(text)


@scale_test
@given(numbers, st.booleans())
def test_text_of_a_scale_gives_the_scale_back(levels, turned):
    scale = Scale(levels[::-1] if turned else levels)
    assert Scale.of(scale.text) == scale


def test_levels_that_differ_by_rounding_alone_are_one_level():
    assert Scale(np.arange(1.0, 2.05, 0.1)).levels == Scale.of("1..2:0.1").levels
    assert Scale([1.7999999999999998, 2]).position(1.8) == 0
    assert Scale([1.8, 2]).position(1.7999999999999998) == 0
    with pytest.raises(UsageError, match=r"1\.8 is on the scale twice"):
        Scale([1.8, 1.7999999999999998])


def test_a_score_of_single_precision_finds_its_level():
    scale = Scale.of("1..5:0.1")
    assert scale.position(float(np.float32(2.3))) == 13
    assert scale.position(2.34) is None
