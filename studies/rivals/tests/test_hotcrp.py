"""HotCRP's voting rules on elections whose results are published."""

import numpy as np
import pytest

from studies.rivals import hotcrp
from studies.rivals.tests.made_up import election, evidence, small_conference, winners

# Schulze's first example: 45 voters.
SCHULZE = {"ACBED": 5, "ADECB": 5, "BEDAC": 8, "CABED": 3, "CAEBD": 7, "CBADE": 2, "DCEBA": 7,
           "EBADC": 8}  # fmt: skip
# The capital of Tennessee: Memphis, Nashville, Chattanooga, Knoxville.
TENNESSEE = {"MNCK": 42, "NCKM": 26, "CKNM": 15, "KCNM": 17}
CITIES = "CKMN"


def test_schulze_orders_his_own_example_as_published():
    assert winners(hotcrp.schulze(election(SCHULZE))) == "EACBD"


def test_strongest_paths_are_the_published_ones():
    wins = election(SCHULZE).preferences
    path = hotcrp.strongest_paths(np.where(wins > wins.T, wins, 0.0))
    assert path.tolist() == [
        [0, 28, 28, 30, 24],
        [25, 0, 28, 33, 24],
        [25, 29, 0, 29, 24],
        [25, 28, 28, 0, 24],
        [25, 28, 28, 31, 0],
    ]


def test_defeats_are_weighed_by_the_voters_of_the_rarer_paper():
    wins = np.array([[0.0, 2.0, 0.0], [0.0, 0.0, 2.0], [0.0, 1.0, 0.0]])
    found = hotcrp.strengths(wins, np.array([2, 8, 4]))
    assert found.tolist() == [[0, 2, 0], [0, 0, 1], [0, 0, 0]]


def test_tennessee_by_ranked_pairs_schulze_and_runoff():
    given = election(TENNESSEE)
    assert winners(hotcrp.ranked_pairs(given), CITIES) == "NCKM"
    assert winners(hotcrp.schulze(given), CITIES) == "NCKM"
    # Chattanooga goes out first, then Nashville; Knoxville beats Memphis.
    assert winners(hotcrp.instant_runoff(given), CITIES) == "KMNC"


def test_ranked_pairs_leave_out_the_weakest_defeat_of_a_cycle():
    cycle = election({"ABC": 7, "BCA": 6, "CAB": 4})  # A>B 11, B>C 13, C>A 10
    assert winners(hotcrp.ranked_pairs(cycle)) == "ABC"


def test_equal_defeats_that_close_a_cycle_are_kept_and_beat_nobody():
    cycle = election({"ABC": 1, "BCA": 1, "CAB": 1})
    assert winners(hotcrp.ranked_pairs(cycle)) == "A/B/C"
    assert winners(hotcrp.schulze(cycle)) == "A/B/C"


def test_range_voting_cuts_off_to_99_steps():
    found = hotcrp.range_voting(
        evidence([(0, 0, 0, 1), (0, 1, 0, 2), (0, 2, 0, 3), (1, 0, 0, 4), (1, 1, 0, 8)])
    )
    shares = [(2.5 / 3 + 4.5 / 5) / 2, (1.5 / 3 + 0.5 / 5) / 2, 0.5 / 3]
    assert found.tolist() == [-np.floor(99 - 99 * share) for share in shares]


@pytest.mark.parametrize("seed", range(4))
def test_the_walk_is_where_its_matrix_leaves_it(seed):
    given = small_conference(seed, papers=7, reviewers=9)
    walk = hotcrp.transitions(given).toarray()
    assert walk.sum(axis=1) == pytest.approx(1.0)
    assert (walk >= 0).all()
    found = hotcrp.random_walk(given) / 7
    # Its stopping rule is HotCRP's, and leaves an error of about a thousandth.
    assert found == pytest.approx(np.linalg.matrix_power(walk, 4_096)[0], abs=3e-4)


def test_the_walk_of_two_papers_is_known():
    # Two of three prefer A: the walk goes to A with (2 + 1)/(3 + 2), and back with (1 + 1)/(3 + 2).
    given = election({"AB": 2, "BA": 1})
    walk = hotcrp.transitions(given).toarray()
    assert walk == pytest.approx(np.array([[1 - 2 / 5, 2 / 5], [3 / 5, 1 - 3 / 5]]))
    assert hotcrp.random_walk(given) / 2 == pytest.approx([0.6, 0.4], abs=1e-3)


def test_papers_that_nobody_compared_come_last():
    given = evidence([(0, 0, 0, 1), (0, 1, 0, 2), (1, 2, 0, None)])
    value = hotcrp._uncompared_last(given, np.array([-1.0, -2.0, 0.0]))
    assert winners(value) == "ABC"


def test_without_rankings_all_papers_are_equal():
    silent = evidence([(0, 0, 3, None), (0, 1, 5, None), (1, 2, 4, None)])
    for rule in (hotcrp.schulze, hotcrp.ranked_pairs, hotcrp.range_voting, hotcrp.random_walk):
        assert winners(rule(silent)) == "A/B/C"
    assert sorted(hotcrp.instant_runoff(silent)) == [0, 1, 2]
