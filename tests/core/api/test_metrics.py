"""The paper's measures against their definitions, pair by pair."""

import math
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from unround import UsageError, metrics

# Few distinct values, far apart or closer than the fourth decimal: ties of both kinds are common.
far = st.integers(-3, 3).map(float)
near = st.integers(-20, 20).map(lambda count: count * 3e-5)
vectors = st.lists(far | near, max_size=25)
# Estimates that lie close together are counted in another way than those far apart.
pairs = st.lists(st.tuples(far | near, far | near), max_size=25) | st.lists(
    st.tuples(far, near), max_size=25
)
metric_test = settings(max_examples=150)


def rounded(value):
    return round(value * 1e4)


def kendall_by_loop(truth, estimate):
    """Wrongly ordered pairs, half for pairs that the estimate ties, over pairs untied in truth."""
    wrong, untied = 0.0, 0
    for (true_a, a), (true_b, b) in combinations(zip(truth, estimate, strict=True), 2):
        if true_a == true_b:
            continue
        untied += 1
        if rounded(a) == rounded(b):
            wrong += 0.5
        elif (rounded(a) < rounded(b)) != (true_a < true_b):
            wrong += 1.0
    return wrong / untied if untied else 0.0


@metric_test
@given(pairs)
def test_kendall_error_counts_every_pair(drawn):
    truth, estimate = [true for true, _ in drawn], [guess for _, guess in drawn]
    assert metrics.kendall_error(truth, estimate) == pytest.approx(
        kendall_by_loop(truth, estimate), abs=1e-15
    )


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("unit", [1.0, 1e-5], ids=["far apart", "close together"])
def test_kendall_error_of_many_values(seed, unit):
    random = np.random.default_rng(seed)
    truth = random.integers(0, 10, 300).astype(float)
    estimate = unit * (truth + random.normal(0.0, 3.0, 300).round(1))
    assert metrics.kendall_error(truth, estimate) == pytest.approx(
        kendall_by_loop(truth.tolist(), estimate.tolist()), abs=1e-15
    )


def test_kendall_error_ends():
    truth = [1.0, 2.0, 3.0, 4.0]
    assert metrics.kendall_error(truth, truth) == 0.0
    assert metrics.kendall_error(truth, truth[::-1]) == 1.0
    assert metrics.kendall_error(truth, [7.0] * 4) == 0.5


def test_differences_in_truth_count_however_small():
    assert metrics.kendall_error([0.0, 1e-9], [1.0, 0.0]) == 1.0


def test_prepared_kendall_error_is_the_same():
    random = np.random.default_rng(3)
    truth, estimates = random.normal(size=50), random.normal(size=(4, 50))
    prepared = metrics.KendallError(truth)
    assert [prepared(guess) for guess in estimates] == [
        metrics.kendall_error(truth, guess) for guess in estimates
    ]


@pytest.mark.parametrize("size", [2, 4])
def test_prepared_kendall_error_wants_as_many_values(size):
    prepared = metrics.KendallError(np.array([1.0, 2.0, 3.0]))
    with pytest.raises(UsageError):
        prepared(np.arange(size, dtype=float))


# Ties are equal after rounding to 4 decimals


@pytest.mark.parametrize(("values", "tied"), [([6e-5, 14e-5], 1.0), ([4e-5, 6e-5], 0.0)])
def test_values_that_round_together_are_tied_and_closer_ones_may_not_be(values, tied):
    assert metrics.tie_share(values) == tied
    assert metrics.kendall_error([0.0, 1.0], values) == tied / 2


@metric_test
@given(vectors)
def test_tie_share_counts_every_pair(drawn):
    tied = [rounded(a) == rounded(b) for a, b in combinations(drawn, 2)]
    assert metrics.tie_share(drawn) == pytest.approx(sum(tied) / max(len(tied), 1), abs=1e-15)


# Percentiles


@metric_test
@given(vectors)
def test_percentile_is_share_below_plus_half_the_share_tied(drawn):
    expected = [
        100.0
        * sum(
            1.0 if rounded(other) < rounded(own) else 0.5 * (rounded(other) == rounded(own))
            for other in drawn
        )
        / len(drawn)
        for own in drawn
    ]
    assert metrics.percentiles(drawn).tolist() == pytest.approx(expected)


# Distance


@metric_test
@given(pairs)
def test_l2_error_is_the_euclidean_distance(drawn):
    truth, estimate = [true for true, _ in drawn], [guess for _, guess in drawn]
    assert metrics.l2_error(truth, estimate) == pytest.approx(math.dist(truth, estimate))


# Bad arguments


@pytest.mark.parametrize("measure", [metrics.kendall_error, metrics.l2_error])
def test_lengths_must_match(measure):
    with pytest.raises(UsageError, match="truth has 2 values and estimate 3: they must match"):
        measure([1, 2], [1, 2, 3])


@pytest.mark.parametrize("bad", [math.nan, math.inf, None])
@pytest.mark.parametrize("measure", [metrics.kendall_error, metrics.l2_error])
def test_numbers_must_be_finite(measure, bad):
    with pytest.raises(UsageError, match="truth must be finite numbers"):
        measure([1, bad], [1, 2])
    with pytest.raises(UsageError, match="estimate must be finite numbers"):
        measure([1, 2], [1, bad])


@pytest.mark.parametrize("measure", [metrics.tie_share, metrics.percentiles])
def test_scores_must_be_finite_vectors(measure):
    with pytest.raises(UsageError, match="scores must be finite numbers"):
        measure([1, math.nan])
    with pytest.raises(UsageError, match="scores must have one dimension, not 2"):
        measure([[1, 2]])
