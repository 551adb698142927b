"""The certificate is honest: no score is further from the optimum than it says, whoever made it.

The optimum itself is not known, so scores are held against a run at a far tighter tolerance, whose
own bound is added, and in a few cases against fractions.
"""

import math
from dataclasses import replace
from fractions import Fraction

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import unround
from tests.core import oracle
from tests.core.strategies import conferences
from tests.core.tables import pairs_of, reviews_of
from unround.certificate.bound import certify, largest_violation
from unround.problem.model import part_of
from unround.solver.local import Solver

reproducible = settings(max_examples=60)
sizes = st.floats(-12.0, -1.0).map(lambda power: 10.0**power)
seeds = st.integers(0, 2**32 - 1)


def best_known(problem, lam):
    """Scores as exact as numbers allow, and how far they may still be off."""
    scores = Solver(problem).solve(lam, 1e-13).scores
    bound = certify(problem, lam, scores).max_error
    assert bound <= 1e-8
    return scores, bound


def solved_loosely(instance, _scores, size, _seed):
    return Solver(instance.problem).solve(instance.lam, size).scores


def solved_at_another_lambda(instance, _scores, _size, seed):
    factor = 10.0 ** np.random.default_rng(seed).uniform(-3.0, 3.0)
    other = factor if math.isinf(instance.lam) else instance.lam * factor
    return Solver(instance.problem).solve(other, 1e-9).scores


def solved_by_clarabel(instance, _scores, size, _seed):
    return oracle.solve(instance.problem, instance.lam, size).scores


def noisy(_instance, scores, size, seed):
    return scores + size * np.random.default_rng(seed).uniform(-1.0, 1.0, scores.size)


def noisy_inside_cells(instance, scores, size, seed):
    problem = instance.problem
    return np.clip(noisy(instance, scores, size, seed), problem.lower, problem.upper)


def noisy_inside_all_constraints(instance, scores, size, seed):
    """The closest scores to noisy ones that keep every constraint."""
    given = noisy(instance, scores, size, seed)
    found = Solver(replace(instance.problem, given=given)).solve(math.inf, 1.0).scores
    assert largest_violation(instance.problem, found) <= 1e-12
    return found


def one_moved(_instance, scores, size, seed):
    moved = scores.copy()
    moved[seed % moved.size] += size if seed % 2 else -size
    return moved


@pytest.mark.parametrize(
    "scores",
    [
        solved_loosely,
        solved_at_another_lambda,
        solved_by_clarabel,
        noisy,
        noisy_inside_cells,
        noisy_inside_all_constraints,
        one_moved,
    ],
)
@reproducible
@given(instance=conferences(), size=sizes, seed=seeds)
def test_bound_covers_the_error_of_scores(scores, instance, size, seed):
    optimum, unsure = best_known(instance.problem, instance.lam)
    found = scores(instance, optimum, size, seed)
    proven = certify(instance.problem, instance.lam, found).max_error
    assert np.abs(found - optimum).max() <= proven + unsure


@reproducible
@given(conferences(), st.sampled_from([1e-3, 1e-6, 1e-9]))
def test_bound_is_no_larger_than_what_the_solver_promised(instance, tolerance):
    problem, lam = instance.problem, instance.lam
    solution = Solver(problem).solve(lam, tolerance / 2.0)
    assert certify(problem, lam, solution.scores).max_error <= tolerance


@pytest.mark.parametrize("lam", [0.1, 1.0, 100.0])
@pytest.mark.parametrize("size", [1e-11, 1e-9, 1e-7])
def test_bound_grows_no_faster_than_the_damage(lam, size):
    """Else "infinitely far" would be honest, too. 2k is for the constraints, k = 4 papers each."""
    conference = unround.simulate.thurstone(papers=20, seed=4)
    problem = unround.dequantize(conference.reviews, conference.rankings, lam=lam).internals.problem
    optimum, unsure = best_known(problem, lam)
    scores = noisy(None, optimum, size, seed=0)
    factor = (1.0 + 1.0 / lam) * (2 * 4 * 2 + 2)
    assert certify(problem, lam, scores).max_error <= factor * size + unsure


@reproducible
@given(conferences(), sizes, seeds)
def test_max_violation_is_the_worst_of_all_constraints(instance, size, seed):
    problem, lam = instance.problem, instance.lam
    scores = noisy(instance, Solver(problem).solve(lam, 1e-9).scores, size, seed)
    worst = oracle.violations(problem, scores).max()
    assert certify(problem, lam, scores).max_violation == pytest.approx(worst, rel=0, abs=1e-14)


@reproducible
@given(conferences(), sizes, seeds)
def test_objective_is_spread_plus_lambda_times_distance(instance, size, seed):
    problem, lam = instance.problem, instance.lam
    scores = noisy(instance, problem.given, size, seed)
    plain = oracle.objective(problem, lam, scores)
    assert certify(problem, lam, scores).objective == pytest.approx(plain, rel=1e-12, abs=1e-15)


def test_bound_holds_against_fractions():
    """Ann has papers p and q apart by 1/4 (both scored 5), Bob gives them 5 and 6; λ = 1.

    By hand: 5 + 1/4 and 5 for Ann, 61/12 and 17/3 for Bob.
    """
    reviews = pl.concat([reviews_of({"p": 5, "q": 5}), reviews_of({"p": 5, "q": 6}, "bob")])
    exact = [Fraction(21, 4), Fraction(5), Fraction(61, 12), Fraction(17, 3)]
    with pytest.raises(unround.NotSolved) as stopped:
        unround.dequantize(reviews, pairs_of("pq"), lam=1.0, epsilon=0.25, tolerance=1e-30)
    result = stopped.value.result
    errors = [
        abs(Fraction(y) - e) for y, e in zip(result.internals.values.tolist(), exact, strict=True)
    ]
    assert 0 < max(errors) <= Fraction(result.certificate.max_error)
    assert result.certificate.max_error <= 1e-12


@reproducible
@given(conferences())
def test_asking_for_more_than_numbers_hold_is_refused_with_an_honest_bound(instance):
    lam = 1.0 if math.isinf(instance.lam) else instance.lam
    with pytest.raises(unround.NotSolved, match="asked for scores within 1e-30") as stopped:
        unround.dequantize(
            instance.reviews, instance.rankings, lam=lam, tolerance=1e-30, **instance.options
        )
    result = stopped.value.result
    bound = result.certificate.max_error
    assert f"only {bound:.3g} could be proven" in str(stopped.value)
    assert 1e-30 < bound <= 1e-8
    optimum, unsure = best_known(result.internals.problem, lam)
    assert np.abs(result.internals.values - optimum).max() <= bound + unsure


@pytest.mark.parametrize("lam", [1e-17, 1e-300])
def test_a_lambda_that_numbers_cannot_tell_from_zero_is_refused(lam):
    reviews = pl.DataFrame({"reviewer": ["a", "b"], "paper": ["p", "p"], "score": [5, 5]})
    with pytest.raises(unround.UsageError, match="lam must be"):
        unround.dequantize(reviews, lam=lam)


def unranked(scores):
    """The problem of one reviewer who only scores."""
    return unround.dequantize(reviews_of(scores), lam=1.0).internals.problem


@pytest.mark.parametrize("lam", [1e-3, 1.0, math.inf])
def test_nothing_to_prove_about_no_reviews(lam):
    none = np.zeros(0, dtype=np.int64)
    certificate = certify(part_of(unranked({"a": 5}), none, none, none).problem, lam, np.zeros(0))
    assert (certificate.max_error, certificate.max_violation, certificate.objective) == (0, 0, 0)


@pytest.mark.parametrize("lam", [1e-3, 1.0, 1e6, math.inf])
def test_one_review_is_proven_wrong_by_as_much_as_it_is_away_from_its_score(lam):
    problem = unranked({"a": 5})
    certificate = certify(problem, lam, problem.given)
    assert certificate.max_error <= 1e-11
    assert (certificate.max_violation, certificate.objective) == (0.0, 0.0)
    away = certify(problem, lam, np.array([5.25]))
    assert away.max_error == pytest.approx(0.25, rel=1e-9)


def test_scores_that_are_not_numbers_prove_nothing():
    assert certify(unranked({"a": 5, "b": 6}), 1.0, np.array([5.0, np.nan])).max_error == math.inf
