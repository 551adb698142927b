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


def test_differences_in_truth_count_however_small():
    assert metrics.kendall_error([0.0, 1e-9], [1.0, 0.0]) == 1.0


def test_prepared_kendall_error_takes_any_number_of_estimates_of_the_same_length():
    random = np.random.default_rng(3)
    truth, estimates = random.normal(size=50), random.normal(size=(4, 50))
    prepared = metrics.KendallError(truth)
    assert [prepared(guess) for guess in estimates] == [
        metrics.kendall_error(truth, guess) for guess in estimates
    ]
    for size in (49, 51):
        with pytest.raises(UsageError, match=f"estimate {size}: they must match"):
            prepared(np.arange(size, dtype=float))


# Ties are equal after rounding to 4 decimals


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
@pytest.mark.parametrize(
    ("truth", "estimate", "words"),
    [
        ([1, 2], [1, 2, 3], "truth has 2 values and estimate 3: they must match"),
        ([1, math.nan], [1, 2], "truth must be finite numbers"),
        ([1, 2], [1, math.inf], "estimate must be finite numbers"),
        ([1, 2], [1, None], "estimate must be finite numbers"),
        (["a"], [1], "truth must be numbers, one per review"),
        (None, [1], "truth must have one dimension, not 0"),
    ],
)
def test_bad_truths_and_estimates(measure, truth, estimate, words):
    with pytest.raises(UsageError, match=words):
        measure(truth, estimate)


@pytest.mark.parametrize("measure", [metrics.tie_share, metrics.percentiles])
@pytest.mark.parametrize(
    ("scores", "spacing", "words"),
    [
        ([1, math.nan], 1.0, "scores must be finite numbers"),
        ([[1, 2]], 1.0, "scores must have one dimension, not 2"),
        ([1, 2], "x", "spacing must be a number above 0, not 'x'"),
        ([1, 2], 0, "spacing must be a number above 0, not 0"),
    ],
)
def test_bad_scores_and_spacings(measure, scores, spacing, words):
    with pytest.raises(UsageError, match=words):
        measure(scores, spacing)
