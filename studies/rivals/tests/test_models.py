"""Statistical models against enumeration, closed forms and published fits."""

from itertools import permutations

import numpy as np
import pytest
from scipy.optimize import approx_fprime, brentq, minimize
from scipy.special import expit, logsumexp

from studies.rivals import btl_binomial, choix_models, mallows_binomial
from studies.rivals.tests.made_up import evidence, small_conference

# Toy data 3 of Gallo et al. (2023): scores from 0 (best) to 4, of three proposals by 16 judges.
TOY = [((0, 1, 3), (0, 1, 2))] * 7 + [((1, 0, 3), (0, 1, 2))] * 7 + [((3, 0, 3), (1, 0, 2))] * 2


def toy():
    return evidence(
        [
            (judge, paper, 4 - lost[paper], order.index(paper))
            for judge, (lost, order) in enumerate(TOY)
            for paper in range(3)
        ],
        levels=5,
    )


class TestMallowsBinomial:
    def test_toy_data_give_the_published_fit(self):
        found = mallows_binomial.fit(toy())
        assert found.order.tolist() == [0, 1, 2]
        assert found.chance.round(2).tolist() == [0.16, 0.16, 0.75]
        assert round(found.theta, 2) == 2.77

    @pytest.mark.parametrize("groups", [(1, 1, 1, 1), (1, 1, 2), (2, 1, 2), (3, 2)])
    def test_normalizer_is_the_sum_over_all_rankings(self, groups):
        labels = [place for place, size in enumerate(groups) for _ in range(size)]
        rankings = set(permutations(labels))
        theta = 0.7
        reversed_pairs = [
            sum(r[i] > r[j] for i in range(len(r)) for j in range(i + 1, len(r))) for r in rankings
        ]
        enumerated = np.log(np.exp(-theta * np.array(reversed_pairs)).sum())
        assert mallows_binomial.log_psi(theta, groups) == pytest.approx(enumerated)

    @pytest.mark.parametrize("seed", range(3))
    def test_search_finds_the_best_of_all_orders(self, seed):
        costs = mallows_binomial.Costs(small_conference(seed))

        def total(order):
            return costs.scale(costs.reversed_pairs(order))[1] + costs.binomial(order)

        best = min(total(order) for order in permutations(range(5)))
        assert total(mallows_binomial.search(costs)) == pytest.approx(best)
        local = mallows_binomial.swap_neighbours(costs, mallows_binomial.greedy(costs))
        assert best - 1e-9 <= total(local) <= best + 1.0

    def test_bounds_never_exceed_what_can_be_reached(self):
        costs = mallows_binomial.Costs(small_conference(7))
        for order in permutations(range(5)):
            total = costs.scale(costs.reversed_pairs(order))[1] + costs.binomial(order)
            for length in range(6):
                assert costs.bound(order[:length]) <= total + 1e-6


class TestBtlBinomial:
    @pytest.mark.parametrize("shifts", [False, True])
    def test_gradient_is_that_of_the_density(self, shifts):
        posterior = btl_binomial.Posterior(small_conference(1), shifts=shifts)
        at = np.random.default_rng(0).normal(0, 0.5, posterior.size)
        at[-1] = 3.0
        numeric = approx_fprime(at, lambda x: posterior.cost(x)[0], 1e-7)
        assert posterior.cost(at)[1] == pytest.approx(numeric, abs=2e-4)

    def test_rankings_have_probabilities_that_add_up_to_one(self):
        quality, theta = np.array([-1.0, 0.2, 0.7]), 4.0
        total = 0.0
        for order in permutations(range(3)):
            given = evidence([(0, paper, 0, place) for place, paper in enumerate(order)], levels=1)
            total += np.exp(
                -btl_binomial.Posterior(given, shifts=False)._rankings(quality, theta)[0]
            )
        assert total == pytest.approx(1.0)

    def test_without_rankings_each_paper_solves_its_own_equation(self):
        given = evidence([(0, 0, 7, None), (1, 0, 9, None), (0, 1, 2, None), (1, 1, 5, None)])
        for paper, lost in ((0, 3 + 1), (1, 8 + 5)):
            by_hand = brentq(lambda mu, lost=lost: 20 * expit(mu) - lost + mu / 1.5**2, -9, 9)
            assert btl_binomial.fit(given).quality[paper] == pytest.approx(by_hand, abs=1e-4)

    def test_harsh_reviewers_are_told_apart(self):
        given = evidence([(r, p, 3 + 2 * p + 3 * r, None) for r in (0, 1) for p in (0, 1)])
        found = btl_binomial.fit(given, shifts=True)
        assert found.shifts[0] > found.shifts[1]


class TestChoix:
    def test_two_papers_have_a_known_difference(self):
        given = evidence(
            [(r, p, 0, (p + (r == 3)) % 2) for r in range(4) for p in range(2)]
        )  # 3 of 4 put paper 0 first
        prior = choix_models.PRIOR
        # By symmetry the worths are d/2 and −d/2.
        d = brentq(lambda d: prior * d - (3 * expit(-d) - expit(d)), 0, 5)
        for model in (choix_models.bradley_terry, choix_models.plackett_luce):
            assert np.subtract(*model(given)) == pytest.approx(d, abs=1e-3)

    def test_worths_are_the_most_probable_ones(self):
        given = small_conference(2, tied=0.0)

        def cost(worth):
            chosen = sum(
                logsumexp(worth[[paper, *below]]) - worth[paper]
                for paper, below in choix_models.choices(given)
            )
            return chosen + choix_models.PRIOR * worth @ worth

        found = minimize(cost, np.zeros(5), tol=1e-10).x
        assert choix_models.plackett_luce(given) == pytest.approx(found, abs=1e-3)

    def test_ties_state_no_choice_among_themselves(self):
        given = evidence([(0, 0, 0, 1), (0, 1, 0, 1), (0, 2, 0, 2)])
        assert choix_models.choices(given) == [(0, (2,)), (1, (2,))]
