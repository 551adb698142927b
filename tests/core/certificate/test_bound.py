"""The certificate is honest: no score is further from the optimum than it says, whoever made it.

The optimum itself is not known, so scores are held against a run at a far tighter tolerance, whose
own bound is added, and in a few cases against fractions.
"""

import math
import subprocess
import sys
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
from unround.certificate.bound import (
    certify,
    error_bound,
    largest_violation,
    opening_errors,
)
from unround.problem.model import Chains, Posets, Problem
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


def assert_honest(problem, lam, scores):
    """The bound on these scores covers their distance from the optimum."""
    optimum, unsure = best_known(problem, lam)
    proven = certify(problem, lam, scores).max_error
    assert np.abs(scores - optimum).max() <= proven + unsure


def damaged(_problem, scores, size, seed):
    """The scores with noise of a given size."""
    return scores + size * np.random.default_rng(seed).uniform(-1.0, 1.0, scores.size)


@reproducible
@given(conferences(), st.sampled_from([1e-1, 1e-3, 1e-6, 1e-9]))
def test_bound_covers_the_error_of_solutions_of_any_tolerance(instance, tolerance):
    problem, lam = instance.problem, instance.lam
    assert_honest(problem, lam, Solver(problem).solve(lam, tolerance).scores)


@reproducible
@given(conferences(), st.sampled_from([1e-3, 1e-6, 1e-9]))
def test_bound_is_no_larger_than_what_the_solver_promised(instance, tolerance):
    problem, lam = instance.problem, instance.lam
    solution = Solver(problem).solve(lam, tolerance / 2.0)
    assert certify(problem, lam, solution.scores).max_error <= tolerance


def clipped(problem, scores, size, seed):
    return np.clip(damaged(problem, scores, size, seed), problem.lower, problem.upper)


def projected(problem, scores, size, seed):
    """The closest scores to the damaged ones that keep every constraint."""
    given = damaged(problem, scores, size, seed)
    found = Solver(replace(problem, given=given)).solve(math.inf, 1.0).scores
    assert largest_violation(problem, found) <= 1e-12
    return found


def one_moved(problem, scores, size, seed):
    moved = scores.copy()
    moved[seed % moved.size] += size if seed % 2 else -size
    return moved


@pytest.mark.parametrize("spoilt", [damaged, clipped, projected, one_moved])
@reproducible
@given(instance=conferences(), size=sizes, seed=seeds)
def test_bound_covers_noise(spoilt, instance, size, seed):
    """Noise that breaks constraints, clipped to the cells, projected, or in one score alone."""
    problem, lam = instance.problem, instance.lam
    assert_honest(problem, lam, spoilt(problem, best_known(problem, lam)[0], size, seed))


@reproducible
@given(conferences(), st.floats(-3.0, 3.0))
def test_bound_covers_the_solution_of_another_lambda(instance, power):
    problem, lam = instance.problem, instance.lam
    other = 10.0**power if math.isinf(lam) else lam * 10.0**power
    assert_honest(problem, lam, Solver(problem).solve(other, 1e-9).scores)


@reproducible
@given(conferences(), st.sampled_from([1e-3, 1e-6, 1e-9, 1e-12]))
def test_bound_covers_the_output_of_clarabel(instance, tolerance):
    problem, lam = instance.problem, instance.lam
    assert_honest(problem, lam, oracle.solve(problem, lam, tolerance).scores)


@reproducible
@given(conferences(), st.floats(-16.0, 0.0))
def test_any_width_of_touching_gives_a_valid_bound(instance, power):
    problem, lam = instance.problem, instance.lam
    optimum, unsure = best_known(problem, lam)
    scores = damaged(problem, optimum, 1e-4, 7)
    proven = error_bound(problem, lam, scores, 10.0**power, opening_errors(problem))
    assert np.abs(scores - optimum).max() <= proven + unsure


@pytest.mark.parametrize("lam", [0.1, 1.0, 100.0])
@pytest.mark.parametrize("size", [1e-11, 1e-9, 1e-7])
def test_bound_grows_no_faster_than_the_damage(lam, size):
    """Else "infinitely far" would be honest, too. 2k is for the constraints, k = 4 papers each."""
    conference = unround.simulate.thurstone(papers=20, seed=4)
    problem = unround.dequantize(conference.reviews, conference.rankings, lam=lam).internals.problem
    optimum, unsure = best_known(problem, lam)
    scores = damaged(problem, optimum, size, seed=0)
    factor = (1.0 + 1.0 / lam) * (2 * 4 * 2 + 2)
    assert certify(problem, lam, scores).max_error <= factor * size + unsure


@reproducible
@given(conferences(), sizes, seeds)
def test_max_violation_is_the_worst_of_all_constraints(instance, size, seed):
    problem, lam = instance.problem, instance.lam
    scores = damaged(problem, Solver(problem).solve(lam, 1e-9).scores, size, seed)
    worst = 0.0
    for y, low, high in zip(scores, problem.lower, problem.upper, strict=True):
        worst = max(worst, low - y, y - high)
    pairs = problem.comparisons
    for above, below, gap in zip(pairs.above, pairs.below, pairs.gap, strict=True):
        worst = max(worst, scores[below] + gap - scores[above])
    assert certify(problem, lam, scores).max_violation == pytest.approx(worst, rel=0, abs=1e-14)


@reproducible
@given(conferences(), sizes, seeds)
def test_objective_is_spread_plus_lambda_times_distance(instance, size, seed):
    problem, lam = instance.problem, instance.lam
    scores = damaged(problem, problem.given, size, seed)
    plain = oracle.objective(problem, lam, scores)
    assert certify(problem, lam, scores).objective == pytest.approx(plain, rel=1e-12, abs=1e-15)


def test_bound_holds_against_fractions():
    """Ann has papers p and q apart by 1/4 (both scored 5), Bob gives them 5 and 6; λ = 1.

    By hand: 5 + 1/4 and 5 for Ann, 61/12 and 17/3 for Bob.
    """
    reviews = pl.DataFrame(
        {"reviewer": ["ann", "ann", "bob", "bob"], "paper": list("pqpq"), "score": [5, 5, 5, 6]}
    )
    rankings = pl.DataFrame({"reviewer": ["ann"], "better": ["p"], "worse": ["q"]})
    exact = [Fraction(21, 4), Fraction(5), Fraction(61, 12), Fraction(17, 3)]
    with pytest.raises(unround.NotSolved) as stopped:
        unround.dequantize(reviews, rankings, lam=1.0, epsilon=0.25, tolerance=1e-30)
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


def test_certifying_loads_no_solver():
    program = (
        "import sys, numpy as np\n"
        "from unround.certificate import certify\n"
        "from unround.problem.model import Chains, Posets, Problem\n"
        "none, start = np.zeros(0, dtype=np.int64), np.zeros(1, dtype=np.int64)\n"
        "chains = Chains(start, none, none.copy(), np.zeros(0))\n"
        "posets = Posets(start, none, start.copy(), none.copy(), none.copy(), np.zeros(0))\n"
        "z = np.array([5.0, 6.0])\n"
        "problem = Problem(z, z - 0.5, z + 0.5, np.zeros(2, dtype=np.int64), 1, chains, posets)\n"
        "certify(problem, 1.0, np.array([5.25, 5.75]))\n"
        "print([name for name in sys.modules if name.startswith('unround.solver')])\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout == "[]\n"


@pytest.mark.parametrize("lam", [1e-3, 1.0, math.inf])
def test_nothing_to_prove_about_no_reviews(lam):
    certificate = certify(_without_comparisons([], paper=[]), lam, np.zeros(0))
    assert (certificate.max_error, certificate.max_violation, certificate.objective) == (0, 0, 0)


@pytest.mark.parametrize("lam", [1e-3, 1.0, 1e6, math.inf])
def test_one_review_is_proven_wrong_by_as_much_as_it_is_away_from_its_score(lam):
    problem = _without_comparisons([5.0], paper=[0])
    certificate = certify(problem, lam, problem.given)
    assert certificate.max_error <= 1e-11
    assert (certificate.max_violation, certificate.objective) == (0.0, 0.0)
    away = certify(problem, lam, np.array([5.25]))
    assert away.max_error == pytest.approx(0.25, rel=1e-9)


def test_scores_that_are_not_numbers_prove_nothing():
    problem = _without_comparisons([5.0, 6.0], paper=[0, 0])
    assert certify(problem, 1.0, np.array([5.0, np.nan])).max_error == math.inf


def _without_comparisons(given_scores, paper):
    """One cell a review and no rankings."""
    given_scores, paper = np.array(given_scores), np.array(paper, dtype=np.int64)
    start, none = np.zeros(1, dtype=np.int64), np.zeros(0, dtype=np.int64)
    return Problem(
        given=given_scores,
        lower=given_scores - 0.5,
        upper=given_scores + 0.5,
        paper=paper,
        papers=int(paper.max(initial=-1)) + 1,
        chains=Chains(start, none, none.copy(), np.zeros(0)),
        posets=Posets(
            start.copy(), none.copy(), start.copy(), none.copy(), none.copy(), np.zeros(0)
        ),
    )
