"""The scores are those of the program: an independent interior-point solver agrees.

Every kind of conference is solved, and each test makes sure that its kind really occurred.
"""

import math
from collections import Counter

import numpy as np
import polars as pl
import pytest
from hypothesis import assume, given, settings

import unround
from tests.core import oracle
from tests.core.strategies import KINDS, conferences, contradictory
from tests.core.tables import ranks_of, reviews_of
from unround.certificate.multipliers import multipliers

pytestmark = pytest.mark.slow

EXAMPLES = 40
FAMILIES = {
    **{kind: conferences(kind) for kind in KINDS},
    **{f"{kind}, infinite": conferences(kind, lam=math.inf) for kind in ("total", "ties", "pairs")},
    "contradictory, scores rule": contradictory("scores"),
    "contradictory, rankings rule": contradictory("rankings"),
}
# What must be seen at least this often among a family's examples, so that no test is empty.
OCCURS = {
    "total": {"strict chain": 10, "small λ": 3, "large λ": 3},
    "ties": {"chain with ties": 10, "small λ": 3, "large λ": 3},
    "partial": {"chain with ties": 5, "strict chain": 5, "unranked": 10},
    "pairs": {"poset": 10, "small λ": 3, "large λ": 3},
    "mixed": {"poset": 5, "strict chain": 5, "chain with ties": 5, "unranked": 10},
    "scores only": {"unranked": 30, "small λ": 3, "large λ": 3},
    "total, infinite": {"strict chain": 10},
    "ties, infinite": {"chain with ties": 10},
    "pairs, infinite": {"poset": 10},
    "contradictory, scores rule": {"poset": 5, "narrower gap": 3},
    "contradictory, rankings rule": {"poset": 5, "wider cell": 5},
}


def features(instance):
    """Which of the solver's cases an instance exercises."""
    problem, scale = instance.problem, unround.Scale(instance.scale)
    chains, pairs = problem.chains, problem.comparisons
    found = set()
    for first, last in zip(chains.start[:-1], chains.start[1:], strict=True):
        heights = chains.height[first:last]
        found.add("strict chain" if np.unique(heights).size == heights.size else "chain with ties")
    widest = (scale.upper - scale.lower).max()
    occurs = {
        "poset": problem.posets.member.size > 0,
        "unranked": np.unique(pairs.member).size < len(problem),
        "wider cell": np.any(problem.upper - problem.lower > widest + 1e-6),
        "narrower gap": np.any(pairs.gap < 0.99 * instance.epsilon * scale.spacing),
        "small λ": instance.lam < 1.0,
        "large λ": 100.0 < instance.lam < math.inf,
    }
    return found | {name for name, here in occurs.items() if here}


@pytest.mark.parametrize("family", FAMILIES)
def test_scores_agree_with_clarabel_and_satisfy_the_optimality_conditions(family):
    """∇f/2 = Σ forces; forces push only outwards, and only on constraints met with equality.

    In units of the score: all forces over 1 + λ. The rows of constraints are the oracle's.
    """
    seen = Counter()

    @settings(max_examples=EXAMPLES)
    @given(FAMILIES[family])
    def on_example(instance):
        problem, lam = instance.problem, instance.lam
        result = unround.dequantize(
            instance.reviews, instance.rankings, lam=lam, **instance.options
        )
        y = result.internals.values
        assert result.certificate.max_error <= 1e-9
        assert oracle.violations(problem, y).max() <= 1e-9

        force = multipliers(problem, lam, y)
        unit = 1.0 if math.isinf(lam) else 1.0 + lam
        on_pair, on_cell = force.on_pair / unit, force.on_cell / unit
        duals = np.concatenate([on_pair, np.maximum(on_cell, 0.0), np.maximum(-on_cell, 0.0)])
        rows, least = oracle.constraints(problem)
        stationary = oracle.gradient(problem, lam, y) / 2.0 / unit - rows.T @ duals
        assert np.abs(stationary).max() <= 1e-8
        assert on_pair.min(initial=0.0) >= 0.0
        assert np.abs(duals * (rows @ y - least)).max() <= 1e-8

        answer = oracle.solve(problem, lam)
        assume(answer.usable)
        # Cells opened just as far as needed leave no interior, and Clarabel less accuracy.
        within = 1e-2 if instance.conflicts == "rankings" else 2e-4
        assert np.linalg.norm(answer.scores - y) <= within
        seen.update(features(instance))

    on_example()
    assert {name: seen[name] for name, least in OCCURS[family].items() if seen[name] < least} == {}


# (reviewer, paper, score), then (reviewer, paper, rank), λ, ε and a bound that numbers allow.
SLOW_CASES = {
    "plain sweeps need 6,000": (
        [("a", "p", 9), ("b", "p", 9), ("c", "p", 10), ("c", "q", 10), ("c", "r", 9)],
        [("c", "p", 1), ("c", "q", 2), ("c", "r", 2)],
        (1e-3, 0.001, 1e-9),
    ),
    "plain sweeps need 200,000": (
        [(r, p, 9) for r, p in ("ap", "aq", "ar", "bq", "br", "cp", "cr")],
        [("a", "q", 1), ("a", "r", 2), ("a", "p", 3), ("c", "r", 1), ("c", "p", 2)],
        (1e-4, 0.05, 1e-7),
    ),
}


@pytest.mark.parametrize("name", SLOW_CASES)
def test_small_lambda_is_solved_where_mixing_sweeps_leads_astray(name):
    reviews, ranks, (lam, epsilon, tolerance) = SLOW_CASES[name]
    result = unround.dequantize(
        pl.DataFrame(reviews, ["reviewer", "paper", "score"], orient="row"),
        pl.DataFrame(ranks, ["reviewer", "paper", "rank"], orient="row"),
        lam=lam,
        epsilon=epsilon,
        scale=[8, 9, 10],
        tolerance=tolerance,
    )
    answer = oracle.solve(result.internals.problem, lam)
    np.testing.assert_allclose(result.internals.values, answer.scores, rtol=0, atol=1e-3)


@pytest.mark.parametrize("load", [2, 3, 5, 11, 21])
@pytest.mark.parametrize("lam", [1e-3, 1.0, 1e3, math.inf])
def test_a_ranking_that_fills_its_cell_leaves_one_answer(load, lam):
    """With ε = 1/(k − 1), k ranked papers of one score fill the cell from end to end, evenly."""
    other = {paper: 3 + paper % 5 for paper in range(load)}
    reviews = pl.concat([reviews_of(dict.fromkeys(range(load), 5)), reviews_of(other, "bob")])
    rankings = ranks_of({paper: paper + 1 for paper in range(load)})
    epsilon = 1.0 / (load - 1)
    result = unround.dequantize(reviews, rankings, lam=lam, epsilon=epsilon)
    expected = np.linspace(5.5, 4.5, load)
    np.testing.assert_allclose(result.scores["dequantized"][:load], expected, rtol=0, atol=1e-12)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("lam", [0.01, 1.0, 30.0, math.inf])
def test_loads_up_to_thirty_agree_with_clarabel(seed, lam):
    conference = unround.simulate.thurstone(
        papers=60, papers_per_reviewer=(3, 30, 8), noise=0.7, seed=seed
    )
    result = unround.dequantize(
        conference.reviews, conference.rankings, lam=lam, epsilon=0.02, scale=conference.scale
    )
    answer = oracle.solve(result.internals.problem, lam)
    assert answer.status == "Solved"
    np.testing.assert_allclose(result.internals.values, answer.scores, rtol=0, atol=1e-5)
