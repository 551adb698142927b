"""Whether consensus holds: hidden rankings against the scores-only order, and the interval of a share."""

import math
from itertools import combinations

import numpy as np
import polars as pl
import pytest

import unround
from unround.lab.catalogue.conferences import unruly
from unround.reviews.reader import read
from unround.settings import Policy, Settings, Unranked
from unround.uncertainty.consensus import check_consensus, share_interval, tied_pairs


def known(conference, rankings):
    return read(conference.reviews, rankings, None, conference.scale)[1]


def brute_force(reviews, rankings, scores, unranked="apart"):
    """All pairs of one reviewer and one score that were ranked, as (reviewer, agreement)."""
    place = {
        (who, paper): round(score * 1e4)
        for who, paper, score in scores.select("reviewer", "paper", "dequantized").iter_rows()
    }
    rank = {(who, paper): at for who, paper, at in rankings.iter_rows()}
    rankers = {who for who, _ in rank}
    found = []
    for one, other in combinations(reviews.select("reviewer", "paper", "score").rows(), 2):
        if one[0] != other[0] or one[2] != other[2] or one[0] not in rankers:
            continue
        ranks = [
            rank.get(each[:2], math.inf if unranked == "below" else None) for each in (one, other)
        ]
        if None in ranks or ranks[0] == ranks[1]:
            continue
        upper, lower = (one, other) if ranks[0] < ranks[1] else (other, one)
        gap = place[upper[:2]] - place[lower[:2]]
        found.append((one[0], 0.5 + 0.5 * np.sign(gap)))
    return found


@pytest.mark.parametrize("unranked", ["apart", "below"])
@pytest.mark.parametrize("lam", [3.0, 40.0])
def test_all_pairs_one_by_one(unranked, lam):
    conference = unruly(
        4, papers=30, papers_per_reviewer=6, swapped=0.2, unranked=0.3, scale=[1, 2, 3, 4]
    ).conference
    settings = Settings(conflicts=Policy.SCORES, unranked=Unranked(unranked))
    found = check_consensus(known(conference, conference.rankings), settings, lam)
    silent = unround.dequantize(conference.reviews, lam=lam, scale=conference.scale)
    wanted = brute_force(conference.reviews, conference.rankings, silent.scores, unranked)
    assert found.pairs == len(wanted) > 40
    assert found.agree == sum(agrees for _, agrees in wanted)
    assert found.undecided == sum(agrees == 0.5 for _, agrees in wanted)
    assert found.reviewers == len({who for who, _ in wanted})
    assert found.low < found.share < found.high


def test_stated_pairs_count_where_the_score_is_one():
    reviews = pl.DataFrame(
        {"reviewer": [1, 1, 1, 2, 3, 3], "paper": [1, 2, 3, 1, 2, 1], "score": [4, 4, 3, 5, 2, 2]}
    )
    pairs = pl.DataFrame({"reviewer": [1, 1, 3], "better": [1, 2, 2], "worse": [2, 3, 1]})
    reviews = read(reviews, pairs, None, None)[1]
    above, below = tied_pairs(reviews, Settings())
    stated = [(*reviews.label(i), reviews.label(j)[1]) for i, j in zip(above, below, strict=True)]
    assert stated == [(1, 1, 2), (3, 2, 1)]


def test_a_run_that_follows_rankings_alone_is_asked_too():
    conference = unround.simulate.thurstone(40, seed=3)
    reviews = known(conference, conference.rankings)
    assert check_consensus(reviews, Settings(), math.inf) == check_consensus(
        reviews, Settings(), 1.0
    )


def test_without_ranked_ties_nothing_is_reported():
    conference = unround.simulate.thurstone(12, seed=3)
    found = check_consensus(known(conference, None), Settings(), 5.0)
    assert (found.pairs, found.low, found.high) == (0, 0.0, 1.0)
    assert "cannot be tested" in found.in_words()


def test_words_claim_no_more_than_the_interval_does_and_advise_nothing():
    agreeing = unround.simulate.thurstone(400, noise=0.3, seed=1)
    found = check_consensus(known(agreeing, agreeing.rankings), Settings(), 20.0)
    assert found.low > 0.5
    assert found.in_words().endswith("order ties better than chance.")
    assert found.in_short().endswith("ranked ties as others score")
    against = agreeing.rankings.with_columns(rank=100 - pl.col("rank"))
    found = check_consensus(known(agreeing, against), Settings(), 20.0)
    assert found.high < 0.5
    assert found.in_words().endswith("order ties worse than chance.")
    random = np.random.default_rng(0)
    by_chance = agreeing.rankings.with_columns(
        rank=pl.Series(random.random(agreeing.rankings.height))
    )
    found = check_consensus(known(agreeing, by_chance), Settings(), 20.0)
    assert found.low < 0.5 < found.high
    shares = f"{found.share:.1%} (95% interval {found.low:.1%} to {found.high:.1%})"
    assert shares in found.in_words()
    assert "The interval contains 50%" in found.in_words()
    assert "take" not in found.in_words()


@pytest.mark.parametrize(("share", "clustered"), [(0.5, 0.0), (0.67, 0.5), (0.95, 0.2)])
def test_intervals_hold_the_share_as_often_as_they_say(share, clustered):
    random = np.random.default_rng(7)
    held, draws = 0, 2_000
    for _ in range(draws):
        trials = random.integers(1, 12, 30).astype(float)
        same = random.random(30) < clustered  # of such a cluster all trials end alike
        hits = random.binomial(trials.astype(int), share).astype(float)
        hits[same] = trials[same] * (random.random(same.sum()) < share)
        low, high = share_interval(hits, trials)
        held += low <= share <= high
    assert held / draws > 0.935


def test_ends_of_the_interval():
    assert share_interval(np.array([3.0]), np.array([4.0])) == (0.0, 1.0)
    low, high = share_interval(np.full(8, 5.0), np.full(8, 5.0))  # eight reviewers, all right
    assert low < 0.7
    assert high == 1.0
