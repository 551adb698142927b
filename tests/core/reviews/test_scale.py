"""Levels, their cells, their spacing, their coarsening, and rounding onto them."""

from itertools import pairwise

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


# Cells and spacing


@pytest.mark.parametrize(
    ("levels", "ends", "spacing"),
    [
        (range(-2, 4), [-2.5, -1.5, -0.5, 0.5, 1.5, 2.5, 3.5], 1.0),
        (UNEVEN, [0.0, 2.0, 4.0, 5.5, 7.0, 9.0, 11.0], 1.0),
        ([1, 1.5, 2], [0.75, 1.25, 1.75, 2.25], 0.5),
        ([10, 30, 70], [0.0, 20.0, 50.0, 90.0], 20.0),
        ([4], [3.5, 4.5], 1.0),
        (list("DCBA"), [0.5, 1.5, 2.5, 3.5, 4.5], 1.0),
    ],
    ids=["the paper's integers", "uneven", "halves", "uneven tens", "one level", "letters"],
)
def test_cells_reach_to_the_midpoints_and_the_spacing_is_the_smallest(levels, ends, spacing):
    scale = Scale(levels)
    assert [scale.cell(level) for level in levels] == list(pairwise(ends))
    assert [scale.position(level) for level in levels] == list(range(len(levels)))
    assert scale.spacing == spacing


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
    assert Scale(UNEVEN).position(4) is None


def test_whole_floats_and_integers_are_one_level():
    assert Scale([1.0, 2.5]).levels == (1, 2.5)
    assert Scale([1.0, 2.0]) == Scale([1, 2]) == Scale(np.array([1.0, 2.0]))
    assert Scale([1.0, 2.0]).position(2) == 1
    assert hash(Scale([1.0, 2.0])) == hash(Scale([1, 2]))
    assert Scale([1, 2]) != Scale([1, 2, 3])
    assert Scale([1, 2]) != (1, 2)


def test_letters_run_from_worst_to_best_with_the_earliest_best():
    assert Scale.letters("A", "D") == Scale(["D", "C", "B", "A"])
    assert not Scale.letters("A", "D").is_numeric
    assert Scale(["reject", "weak", "accept"]).values.tolist() == [1.0, 2.0, 3.0]


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
        (list("DCBA"), [1, 1, 2, 2]),
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


@pytest.mark.parametrize(
    ("levels", "latent", "expected"),
    [
        (range(11), [0.5, 1.5, 2.5, 9.5], [0, 2, 2, 10]),
        (UNEVEN, [2.0, 4.0, 5.5, 7.0, 9.0], [1, 5, 5, 8, 8]),
        (range(1, 6), [-100.0, 100.0], [1, 5]),
        (UNEVEN, [-100.0, 100.0], [1, 10]),
    ],
    ids=["to the even integer", "to the even position", "to the ends", "to uneven ends"],
)
def test_halves_and_values_beyond_the_ends_are_rounded(levels, latent, expected):
    assert Scale(levels).nearest(np.array(latent)).tolist() == expected


@scale_test
@given(numbers, st.lists(st.floats(-30, 30), min_size=1, max_size=20))
def test_no_level_is_nearer_than_the_nearest(levels, latent):
    scale, values = Scale(levels), np.array(latent)
    distance = np.abs(values[:, None] - scale.values[None, :])
    np.testing.assert_allclose(
        np.abs(values - scale.nearest(values)), distance.min(axis=1), atol=1e-12
    )


# Bad arguments; those of `scale=` are in test_bad_input.py


@pytest.mark.parametrize(
    ("make", "ends", "words"),
    [
        (Scale.integers, (5, 1), "integers go from worst to best: 5 to 1 does not"),
        (Scale.integers, (1.5, 3), "integers go from worst to best: 1.5 to 3 does not"),
        (Scale.integers, (1, 1001), "from 1 to 1001: too wide"),
        *(
            (Scale.letters, ends, "letters are single capitals, the best one first")
            for ends in [("D", "A"), ("AB", "C"), ("", "C"), ("A", "d"), ("1", "5")]
        ),
    ],
    ids=str,
)
def test_ends_that_make_no_scale(make, ends, words):
    assert len(Scale.integers(1, 1000).levels) == 1000  # one more is too many
    with pytest.raises(UsageError, match=words):
        make(*ends)


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
    fine = Scale.of("1..5:0.1")
    assert fine.position(float(np.float32(2.3))) == 13
    assert fine.position(2.34) is None
