"""The paper's propositions, each as precisely as it holds."""

import math
from collections import Counter
from dataclasses import replace

import numpy as np
import polars as pl
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize_scalar

import unround
from tests.core import oracle
from tests.core.strategies import SCALES, conferences
from tests.core.tables import ranks_of, reviews_of
from unround.certificate.bound import largest_violation
from unround.solver.local import Solver

reproducible = settings(max_examples=80)
ACCURACY = 2e-9  # two proven bounds of 1e-9


def one_reviewer(scores, ranks, scale=None, **options):
    """One reviewer's papers: result at λ = ∞, and both baselines."""
    reviews, rankings = reviews_of(dict(enumerate(scores))), ranks_of(dict(enumerate(ranks)))
    options["scale"] = scale or list(range(1, 11))
    result = unround.dequantize(reviews, rankings, lam=math.inf, **options)
    bre = unround.baselines.bre_adjusted(reviews, rankings, **options)
    groups = unround.baselines.partial_ranking_adjusted(reviews, rankings, **options)
    return result, bre, groups


def scores_only(given_scores, lam, **options):
    """The dequantized scores of one paper, of reviewers who give no other."""
    reviews = pl.DataFrame(
        {"reviewer": range(len(given_scores)), "paper": 1, "score": given_scores}
    )
    result = unround.dequantize(reviews, lam=lam, scale=range(11), **options)
    return result.scores["dequantized"].to_numpy()


def closed_form(given_scores, lam):
    """Proposition 2: ((1 + μλ) z + Σ of the others) / (μ (1 + λ)), clipped to the cell."""
    z = np.array(given_scores, dtype=float)
    wish = ((1 + z.size * lam) * z + (z.sum() - z)) / (z.size * (1 + lam))
    return np.clip(wish, z - 0.5, z + 0.5)


def close(found, expected):
    return np.abs(np.asarray(found) - np.asarray(expected)).max() <= ACCURACY


# Proposition 1 and Algorithm 4 ------------------------------------------------------------------


def largest_epsilon(instance):
    """The largest ε for which every reviewer's rank list fits into their cells."""
    scale, fitting = unround.Scale(instance.scale), 2.0
    ranked = instance.ranks.join(instance.reviews, on=["reviewer", "paper"])
    for own in ranked.partition_by("reviewer"):
        level = {rank: place for place, rank in enumerate(sorted(own["rank"].unique()))}
        for rank, score in own["rank", "score"].iter_rows():
            for other, below in own["rank", "score"].iter_rows():
                if rank < other:
                    room = scale.cell(score)[1] - scale.cell(below)[0]
                    fitting = min(fitting, room / (level[other] - level[rank]) / scale.spacing)
    return fitting


def is_the_limit_if_and_only_if_it_keeps_all_constraints(baseline, drawn):
    """A baseline equals the answer at λ = ∞ where it keeps cells and order, and nowhere else."""
    seen = Counter()

    @reproducible
    @given(drawn, st.sampled_from([0.2, 0.9, 0.95, 0.999]))
    def on_example(instance, share):
        assume(instance.ranks.height > 0)
        instance = replace(instance, epsilon=share * largest_epsilon(instance))
        options = {"epsilon": instance.epsilon, "scale": instance.scale}
        adjusted = baseline(instance.reviews, instance.ranks, **options)
        result = unround.dequantize(instance.reviews, instance.ranks, lam=math.inf, **options)
        in_problem_order = adjusted[result.internals.reviews.row]
        broken = largest_violation(result.internals.problem, in_problem_order)
        assume(broken <= 1e-12 or broken >= 1e-6)
        assert close(result.internals.values, in_problem_order) == (broken <= 1e-12)
        seen["keeps" if broken <= 1e-12 else "breaks"] += 1

    on_example()
    assert min(seen["keeps"], seen["breaks"]) >= 5


def test_proposition_1_bre_is_the_answer_at_infinite_lambda_if_it_keeps_all_constraints():
    """With total rankings, λ = ∞ gives the BRE-adjusted scores if these keep cells and order.

    BRE solves the program without the cells and without the comparisons across scores. If it
    happens to keep those, it solves the program; if not, it cannot be the answer.
    """
    is_the_limit_if_and_only_if_it_keeps_all_constraints(
        unround.baselines.bre_adjusted, conferences("total")
    )


@pytest.mark.parametrize(("lower", "upper"), [(10, 9), (10, 10), (11, 9), (11, 10), (10, 11)])
def test_proposition_1_fails_exactly_where_the_border_between_adjacent_cells_binds(lower, upper):
    """With m and n papers in adjacent cells, BRE needs (m + n) ε ≤ 2: else the two rows collide."""
    scores, ranks = [6] * upper + [5] * lower, list(range(1, upper + lower + 1))
    result, bre, _ = one_reviewer(scores, ranks, epsilon=0.1)
    collide = (upper + lower) * 0.1 > 2.0 + 1e-9
    assert close(result.internals.values, bre) == (not collide)
    if collide:
        assert result.internals.values[upper - 1] - result.internals.values[upper] == pytest.approx(
            0.1, abs=1e-12
        )
        assert bre[upper - 1] - bre[upper] == pytest.approx(1.1 - 0.05 * (upper + lower), abs=1e-12)


def test_proposition_1_fails_where_an_uneven_cell_binds():
    """On the scale 1, 3, 5, 6, 8, 10 the cell of 6 reaches from 5.5 to 7: down less far than up.

    Fourteen papers at ε = 0.1 need 0.65 on either side, and are moved up by 0.15 as a whole.
    """
    result, bre, _ = one_reviewer([6] * 14, list(range(1, 15)), scale=SCALES[2], epsilon=0.1)
    assert bre.min() == pytest.approx(5.35, abs=1e-12)
    assert result.internals.values.min() == pytest.approx(5.5, abs=1e-12)
    np.testing.assert_allclose(result.internals.values, bre + 0.15, rtol=0, atol=1e-12)


def test_algorithm_4_is_the_answer_at_infinite_lambda_if_it_keeps_all_constraints():
    """With tied and unranked papers, λ = ∞ gives Algorithm 4 exactly if that keeps cells and order.

    It always solves what a reviewer says within one score: after a shift of ε a group, targets fall
    while the order wants them to rise, so that all papers of the score share one mean. Sizes of the
    groups do not matter, nor do groups that reach across scores.
    """
    is_the_limit_if_and_only_if_it_keeps_all_constraints(
        unround.baselines.partial_ranking_adjusted,
        st.one_of(conferences("ties"), conferences("partial"), conferences("total")),
    )


def test_algorithm_4_fails_where_the_border_between_adjacent_cells_binds():
    """Unequal groups lean to one side: eleven levels below and five above already collide.

    Below, many papers share the bottom group; above, many share the top group.
    """
    lower = [(5, 20 - level) for level in range(10)] + [(5, 21)] * 20
    upper = [(6, 1)] * 20 + [(6, 2 + level) for level in range(9)]
    scores, ranks = (list(column) for column in zip(*upper, *lower, strict=True))
    result, _, groups = one_reviewer(scores, ranks, epsilon=0.1)
    assert largest_violation(result.internals.problem, groups) > 0.1
    assert not close(result.internals.values, groups)
    assert result.certificate.max_violation <= 1e-12


def test_algorithm_3_is_not_the_limit_once_papers_tie():
    """Two papers tied below one: BRE spreads them by 3/2 ε, where ε is closer to the scores."""
    result, bre, groups = one_reviewer([5, 5, 5], [2, 2, 1])
    np.testing.assert_allclose(bre, [4.975, 4.975, 5.05], rtol=0, atol=1e-12)
    np.testing.assert_allclose(result.internals.values, groups, rtol=0, atol=1e-12)
    assert np.sum((result.internals.values - 5.0) ** 2) < np.sum((bre - 5.0) ** 2)


# Proposition 2 ----------------------------------------------------------------------------------

integer_scores = st.lists(st.integers(1, 10), min_size=1, max_size=7)
strengths = st.floats(-2.0, 4.0).map(lambda power: 10.0**power)


def test_proposition_2_holds_exactly_if_its_mean_moves_no_free_score():
    """The closed form is right if and only if pulling to its own mean gives it back.

    Where nothing is clipped it is always right.
    """
    seen = Counter()

    @reproducible
    @given(integer_scores, strengths)
    def on_example(given_scores, lam):
        closed, z = closed_form(given_scores, lam), np.array(given_scores)
        again = np.clip((lam * z + closed.mean()) / (1.0 + lam), z - 0.5, z + 0.5)
        off, clipped = np.abs(again - closed).max(), np.abs(closed - z).max() == 0.5
        assume(off <= 1e-12 or off >= 1e-6)
        assert clipped or off <= 1e-12
        assert close(scores_only(given_scores, lam), closed) == (off <= 1e-12)
        seen["clipped" if clipped else "free", "right" if off <= 1e-12 else "wrong"] += 1

    on_example()
    assert min(seen["free", "right"], seen["clipped", "right"], seen["clipped", "wrong"]) >= 3


def test_proposition_2_fails_once_a_score_is_clipped():
    """z = (5, 5, 5, 8), λ = 1: the closed form reaches 4.0586, the optimum 4."""
    z = np.array([5, 5, 5, 8])
    closed, best = closed_form(z, 1.0), scores_only(z, 1.0)
    np.testing.assert_allclose(closed, [5.375, 5.375, 5.375, 7.5], rtol=0, atol=1e-12)
    np.testing.assert_allclose(best, [5.5, 5.5, 5.5, 7.5], rtol=0, atol=1e-9)
    objective = [np.sum((y - y.mean()) ** 2) + np.sum((y - z) ** 2) for y in (closed, best)]
    assert objective == pytest.approx([4.05859375, 4.0], abs=1e-8)


@pytest.mark.parametrize(
    ("given_scores", "lam", "right"),
    [([1, 5, 9], 1.0, True), ([1] * 11 + [3] + [10] * 2, 0.05, False)],
    ids=["clipped by as much on both sides", "clipping them all frees the 3"],
)
def test_proposition_2_may_hold_or_fail_where_scores_are_clipped(given_scores, lam, right):
    closed, z = closed_form(given_scores, lam), np.array(given_scores)
    assert np.abs(closed - z).max() == 0.5
    assert close(scores_only(given_scores, lam), closed) == right


# Proposition 3 ----------------------------------------------------------------------------------


def least_misfit(given_scores):
    """min over qualities x of Σ dist(x, cell)²: −2σ² times the largest log-likelihood."""
    z = np.array(given_scores, dtype=float)

    def misfit(x):
        return np.sum(np.maximum(np.abs(x - z) - 0.5, 0.0) ** 2)

    ends = (z.min() - 0.5, z.max() + 0.5)
    return minimize_scalar(misfit, bounds=ends, options={"xatol": 1e-10}).fun


@reproducible
@given(integer_scores)
def test_proposition_3_least_spread_is_the_largest_likelihood(given_scores):
    """Scores only, λ → 0: the spread falls to the misfit of the most likely opinions.

    The answer at λ beats any most likely opinions, whose distance from z is at most n/4: its spread
    exceeds the least by no more than λ n/4.
    """
    least = least_misfit(given_scores)
    for lam in (1e-2, 1e-3, 1e-4):
        y = scores_only(given_scores, lam, tolerance=1e-8)
        spread = np.sum((y - y.mean()) ** 2)
        assert least - 1e-6 <= spread <= least + lam * len(given_scores) / 4.0 + 1e-6


# Limits -----------------------------------------------------------------------------------------


@reproducible
@given(conferences())
def test_infinite_lambda_is_the_limit_of_growing_lambda(instance):
    """No score is further from that of λ = ∞ than its target is from z: max |ȳ − z| / (1 + λ)."""
    problem, solver = instance.problem, Solver(instance.problem)
    limit = solver.solve(math.inf, 1e-9).scores
    for lam in (1.0, 1e2, 1e4, 1e6):
        scores = solver.solve(lam, 1e-9).scores
        means = scores - oracle.spread_matrix(problem) @ scores
        furthest = np.abs(means - problem.given).max()
        assert np.abs(scores - limit).max() <= furthest / (1.0 + lam) + ACCURACY


@reproducible
@given(conferences("scores only"), st.sampled_from(["all tied", "one each", "no rows"]))
def test_rankings_that_say_nothing_change_nothing(instance, kind):
    """All papers tied, one paper a reviewer, or an empty table: the answer of scores alone."""
    rankings = instance.reviews.select("reviewer", "paper", rank=pl.lit(1))
    rows = {"all tied": rankings, "one each": rankings.unique("reviewer"), "no rows": rankings[:0]}
    alone = unround.dequantize(instance.reviews, lam=instance.lam, **instance.options)
    ranked = unround.dequantize(instance.reviews, rows[kind], lam=instance.lam, **instance.options)
    assert ranked.internals.values.tolist() == alone.internals.values.tolist()


@reproducible
@given(conferences("scores only"))
def test_scores_only_centres_are_what_sweeping_from_anywhere_finds(instance):
    """Papers that nothing ranks start at their exact centres; sweeps from 0 arrive there, too."""
    lam = min(max(instance.lam, 0.01), 1e6)
    solver = Solver(instance.problem)
    exact = solver.solve(lam, 1e-9)
    swept = solver.solve(lam, 1e-9, np.zeros(instance.problem.papers))
    assert exact.sweeps <= 2
    assert close(exact.scores, swept.scores)
