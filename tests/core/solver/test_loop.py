"""When the sweeps stop, and what a solution then says."""

import math

import numpy as np
import pytest

from unround.solver import loop
from unround.solver.loop import PATIENCE_SWEEPS, ROUNDING_OF_LARGEST, TIMES, iterate

FIXED_POINT = np.array([1.0, 3.0])


class Halving:
    """Sweeps of two papers that halve the distance to their fixed point, from (0, 0)."""

    def __init__(self):
        self.swept, self.weights = [], []

    def first_centres(self, weight):
        self.weights.append(weight)
        return np.zeros(2)

    def sweep(self, centres, weight):
        self.swept.append(centres.copy())
        self.weights.append(weight)
        means = (centres + FIXED_POINT) / 2.0
        return means, float(np.abs(means - centres).max())

    def scores(self):
        return self.swept[-1] + 10.0


class Restless(Halving):
    """Sweeps that always move the second of two papers, at 4, by as much."""

    def __init__(self, moved):
        super().__init__()
        self.moved = moved

    def sweep(self, centres, weight):
        self.swept.append(centres.copy())
        return np.array([0.0, 4.0]), self.moved


@pytest.mark.parametrize(("lam", "weight"), [(3.0, 0.25), (0.25, 0.8)])
def test_the_bound_is_the_last_move_over_lambda(lam, weight):
    sweeps = Halving()
    solution = iterate(sweeps, lam, 1e-9, None)
    assert set(sweeps.weights) == {weight}
    assert solution.sweeps == len(sweeps.swept)
    last = sweeps.swept[-1]
    assert solution.centres == pytest.approx((last + FIXED_POINT) / 2.0, abs=1e-15)
    assert solution.bound == np.abs(solution.centres - last).max() / lam
    assert solution.bound <= 1e-9
    assert solution.scores.tolist() == (last + 10.0).tolist()
    before = sweeps.swept[-2]
    assert np.abs(FIXED_POINT - before).max() / 2.0 / lam > 1e-9


def test_a_bound_of_just_the_tolerance_is_enough():
    assert iterate(Halving(), 3.0, 0.5, None).sweeps == 1  # the first sweep moves 3 to 1.5
    assert iterate(Halving(), 3.0, math.nextafter(0.5, 0.0), None).sweeps > 1


def test_at_infinite_lambda_one_sweep_without_centres_is_exact():
    sweeps = Halving()
    solution = iterate(sweeps, math.inf, 0.0, None)
    assert (solution.sweeps, solution.bound) == (1, 0.0)
    assert set(sweeps.weights) == {0.0}


def test_sweeps_start_where_they_are_told():
    sweeps, start = Halving(), np.array([2, 4])
    iterate(sweeps, 3.0, 1e-9, start)
    assert sweeps.swept[0].tolist() == [2.0, 4.0]
    assert sweeps.swept[0].dtype == np.float64
    assert start.tolist() == [2, 4]


def test_a_solution_cannot_be_changed():
    solution = iterate(Halving(), 3.0, 1e-9, None)
    for array in (solution.scores, solution.centres):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 0.0


@pytest.mark.parametrize(
    ("lam", "patience"),
    [(1.0, PATIENCE_SWEEPS), (1e-4, math.ceil(TIMES / math.sqrt(1e-4 / 1.0001)))],
)
def test_moves_no_larger_than_rounding_end_the_sweeps_after_a_while(lam, patience):
    moved = 4.0 * ROUNDING_OF_LARGEST
    solution = iterate(Restless(moved), lam, 0.0, None)
    assert solution.bound == moved / lam
    assert solution.sweeps == 1 + patience  # the first made progress


@pytest.mark.parametrize(("lam", "most"), [(1.0, 80), (0.01, 502)])
def test_larger_moves_end_at_the_limit_of_sweeps(monkeypatch, lam, most):
    """At small λ the limit is fifty times as long as momentum takes for a factor of e."""
    monkeypatch.setattr(loop, "MOST_SWEEPS", 80)
    moved = 4.1 * ROUNDING_OF_LARGEST
    solution = iterate(Restless(moved), lam, 0.0, None)
    assert solution.bound == moved / lam
    assert solution.sweeps == most
