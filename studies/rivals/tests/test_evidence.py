"""Evidence: the same reviews, pairs and ballots whatever the order of rows and ids."""

import numpy as np

from studies.rivals.evidence import evidence_of
from studies.rivals.tests.made_up import evidence
from unround.lab.catalogue.conferences import unruly
from unround.lab.trials.case import Case


def test_pairs_and_ballots_of_a_ranking_with_ties():
    found = evidence([(0, 3, 1, 2), (0, 1, 1, 1), (0, 0, 1, 2), (1, 2, 1, None), (1, 0, 1, 5)])
    pairs = set(zip(found.paper[found.better], found.paper[found.worse], strict=True))
    assert pairs == {(1, 3), (1, 0)}
    assert [[group.tolist() for group in ballot] for ballot in found.ballots] == [
        [[1], [0, 3]],
        [[0]],
    ]
    assert found.preferences[1].tolist() == [1, 0, 0, 1]


def test_evidence_follows_the_rows_of_the_conference():
    case = Case(unruly(3, papers=20, unranked=0.3, tied=0.2), conflicts="scores")
    found, given = evidence_of(case), case.conference
    assert found.paper.tolist() == given.reviews["paper"].to_list()
    assert found.given.tolist() == given.reviews["score"].to_list()
    ranks = {(r, p): rank for r, p, rank in given.rankings.iter_rows()}
    reviews = list(zip(given.reviews["reviewer"], given.reviews["paper"], strict=True))
    assert [review in ranks for review in reviews] == (~np.isnan(found.rank)).tolist()
    for better, worse in zip(found.better, found.worse, strict=True):
        assert reviews[better][0] == reviews[worse][0]
        assert ranks[reviews[better]] < ranks[reviews[worse]]
    stated = case.problem.comparisons
    assert found.better.size >= stated.above.size > 0


def test_means_are_by_paper():
    found = evidence([(0, 0, 4, 1), (1, 0, 6, 1), (1, 1, 1, 2)])
    assert found.means(found.given).tolist() == [5.0, 1.0]
