"""Synthetic conferences: loads, scales, seeds, and the published order of drawing."""

import math

import numpy as np
import polars as pl
import pytest

from unround import Scale, UsageError, dequantize, simulate

SHAPES = [
    {"papers": 60},
    {"papers": 10, "papers_per_reviewer": 3},
    {"papers": 7, "reviews_per_paper": 1, "papers_per_reviewer": 1},
    {"papers": 5, "papers_per_reviewer": 100},
    {"papers": 11, "papers_per_reviewer": [2, 5]},
    {"papers": 4, "reviews_per_paper": [1, 5, 2, 3], "papers_per_reviewer": 2},
    {"papers": 1},
]


def loads(reviews, column):
    return dict(reviews.group_by(column).len().iter_rows())


# Shape


@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_papers_get_their_reviews_and_reviewers_rank_at_most_their_load_by_the_truth(shape):
    drawn = simulate.thurstone(**shape, seed=1)
    reviews = drawn.reviews
    assert reviews.select("reviewer", "paper").n_unique() == reviews.height
    wanted = np.broadcast_to(shape.get("reviews_per_paper", 4), shape["papers"])
    assert loads(reviews, "paper") == dict(enumerate(wanted.tolist()))
    most = np.max(shape.get("papers_per_reviewer", 4))
    assert max(loads(reviews, "reviewer").values()) <= most
    assert sorted(loads(reviews, "reviewer")) == list(range(reviews["reviewer"].n_unique()))
    assert drawn.rankings.drop("rank").equals(reviews.drop("score"))
    for _, own in drawn.rankings.with_columns(truth=drawn.truth).group_by("reviewer"):
        by_rank = own.sort("rank")
        assert by_rank["rank"].to_list() == list(range(1, own.height + 1))
        assert by_rank["truth"].to_list() == sorted(own["truth"], reverse=True)


def test_reviewers_take_loads_in_turn_and_the_last_takes_what_is_left():
    drawn = simulate.thurstone(papers=9, papers_per_reviewer=[2, 3], reviews_per_paper=1, seed=0)
    assert loads(drawn.reviews, "reviewer") == {0: 2, 1: 3, 2: 2, 3: 2}


# Scores and ranks


@pytest.mark.parametrize(
    "scale",
    [
        None,
        [1, 2, 3, 4, 5],
        [1, 3, 5, 6, 8, 10],
        [1, 1.5, 2, 2.5],
        [-2, -1, 0, 1, 2],
        ["C", "B", "A"],
        [7],
    ],
    ids=str,
)
def test_scores_are_the_truth_rounded_onto_the_scale(scale):
    drawn = simulate.thurstone(papers=30, scale=scale, seed=6)
    assert drawn.scale == Scale(range(11) if scale is None else scale)
    given = drawn.scale.nearest(drawn.truth)
    assert drawn.reviews["score"].to_list() == [
        drawn.scale.levels[place] for place in np.searchsorted(drawn.scale.values, given)
    ]
    assert drawn.truth.min() >= drawn.scale.values[0]
    assert drawn.truth.max() <= drawn.scale.values[-1]
    result = dequantize(drawn.reviews, drawn.rankings, lam=1.0, scale=drawn.scale)
    assert result.issues == ()


def test_equal_opinions_share_a_rank():
    drawn = simulate.thurstone(
        papers=2, noise=0.0, quality=(5.0, 5.0), papers_per_reviewer=2, reviews_per_paper=1, seed=0
    )
    assert drawn.rankings["rank"].to_list() == [1, 1]


def test_quality_and_noise_are_what_was_asked():
    drawn = simulate.thurstone(papers=4000, noise=0.1, quality=(4.0, 6.0), seed=5)
    papers = drawn.reviews.with_columns(truth=drawn.truth).group_by("paper")
    found = papers.agg(centre=pl.mean("truth"), spread=pl.var("truth"))
    assert found["centre"].min() == pytest.approx(4.0, abs=0.3)
    assert found["centre"].max() == pytest.approx(6.0, abs=0.3)
    assert math.sqrt(found["spread"].mean()) == pytest.approx(0.1, rel=0.05)


def test_truth_is_read_only():
    drawn = simulate.thurstone(papers=4, seed=0)
    with pytest.raises(ValueError, match="read-only"):
        drawn.truth[0] = 1.0


# Seeds


def test_seeds_reproduce_and_a_generator_goes_on_from_where_it_stands():
    random = np.random.default_rng(3)
    first, second = simulate.thurstone(seed=random), simulate.thurstone(seed=random)
    again = simulate.thurstone(seed=3)
    assert first.reviews.equals(again.reviews)
    assert first.rankings.equals(again.rankings)
    assert first.truth.tolist() == again.truth.tolist() != second.truth.tolist()


# The published order of drawing


@pytest.mark.parametrize(("trial", "load", "noise"), [(0, 4, 0.5), (1, 2, 0.1), (7, 6, 1.0)])
def test_published_draw_follows_the_papers_program(trial, load, noise):
    papers, positions = 60, 4
    random = np.random.RandomState(trial)
    quality = random.uniform(1, 9, papers)
    rows, truth = [], []
    reviewer = 0
    for _ in range(positions):
        shuffled = random.permutation(papers)
        for group in shuffled.reshape(papers // load, load):
            opinion = np.clip(quality[group] + random.normal(0, noise, load), 0, 10)
            rows += [(reviewer, paper) for paper in group.tolist()]
            truth += opinion.tolist()
            reviewer += 1
    drawn = simulate.thurstone(
        papers,
        reviews_per_paper=positions,
        papers_per_reviewer=load,
        noise=noise,
        seed=trial,
        draw="published",
    )
    assert drawn.reviews.select("reviewer", "paper").rows() == rows
    assert drawn.truth.tolist() == truth
    assert drawn.reviews["score"].to_list() == np.rint(truth).tolist()


# Real scores made coarser


@pytest.mark.parametrize(("trial", "load"), [(0, 6), (1, 3), (2, 2)])
def test_coarsened_draw_follows_the_papers_program(trial, load):
    scores = np.random.default_rng(trial).integers(1, 11, size=(18, 3))
    random = np.random.RandomState(trial)
    rows, truth = [], []
    reviewer = 0
    for position in range(3):
        for group in random.permutation(18).reshape(-1, load):
            rows += [(reviewer, paper) for paper in group.tolist()]
            truth += scores[group, position].tolist()
            reviewer += 1
    drawn = simulate.coarsened(scores, papers_per_reviewer=load, seed=trial, draw="published")
    assert drawn.reviews.select("reviewer", "paper").rows() == rows
    assert drawn.truth.tolist() == truth
    assert drawn.reviews["score"].to_list() == [math.ceil(score / 2) for score in truth]


def test_coarsened_ranks_tie_equal_scores():
    drawn = simulate.coarsened([[7], [8], [8], [3]], papers_per_reviewer=4, seed=0)
    ranked = drawn.rankings.with_columns(truth=drawn.truth).sort("truth", descending=True)
    assert ranked["rank"].to_list() == [1, 1, 2, 3]


def test_coarsened_papers_may_have_fewer_reviews():
    table = [[7, math.nan, 3], [5, 5, 6], [math.nan, math.nan, 9]]
    drawn = simulate.coarsened(table, papers_per_reviewer=2, seed=0)
    assert loads(drawn.reviews, "paper") == {0: 2, 1: 3, 2: 1}
    by_paper = drawn.reviews.with_columns(truth=drawn.truth).sort("paper", "truth")
    assert by_paper["truth"].to_list() == [3, 7, 5, 5, 6, 9]


# Bad arguments


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"papers": 0}, "at least one paper"),
        ({"papers": -1}, "at least one paper"),
        ({"papers": "60"}, "papers must be a whole number, not '60'"),
        ({"papers": True}, "papers must be a whole number, not True"),
        ({"papers": 60.5}, "papers must be a whole number"),
        ({"reviews_per_paper": 0}, "reviews_per_paper must be a whole number"),
        ({"reviews_per_paper": [1, 2]}, "reviews_per_paper has 2 entries for 60 papers"),
        ({"papers_per_reviewer": 0}, "papers_per_reviewer must be a whole number"),
        ({"papers_per_reviewer": []}, "papers_per_reviewer must be a whole number"),
        ({"noise": -0.1}, r"noise must be a number of at least 0, not -0\.1"),
        ({"noise": math.nan}, "noise must be a number of at least 0, not nan"),
        ({"noise": "x"}, "noise must be a number of at least 0, not 'x'"),
        ({"quality": (9.0, 1.0)}, "quality goes from worst to best"),
        ({"quality": 5}, "quality must be a pair, worst and best, not 5"),
        ({"scale": [3, 2]}, "levels go from worst to best"),
        ({"seed": "a"}, "'a' is no seed: SeedSequence expects int"),
        ({"seed": -1}, "-1 is no seed: expected non-negative integer"),
        ({"seed": 2**32, "draw": "published"}, "is no seed: Seed must be between 0 and"),
        ({"draw": "random"}, "draw must be one of 'generator', 'published', not 'random'"),
        ({"draw": "published", "seed": None}, 'draw="published" needs an integer seed'),
        ({"draw": "published", "seed": np.random.default_rng(0)}, "needs an integer seed"),
        ({"scores": []}, "scores must be a table"),
        ({"scores": [7, 8]}, "scores must be a table"),
        ({"scores": "x"}, "scores must be a table"),
        ({"scores": [[7.5]]}, "scores must be integers"),
        ({"scores": [[math.inf]]}, "scores must be integers"),
        ({"scores": [[math.nan]]}, "scores must be integers, at least one"),
    ],
    ids=lambda value: str(value)[:40],
)
def test_bad_arguments(arguments, words):
    draw = simulate.coarsened if "scores" in arguments else simulate.thurstone
    with pytest.raises(UsageError, match=words):
        draw(**{"seed": 0, **arguments})


# Scores of even levels


def test_evenly_spaced_scores_are_coarsened_in_level_spacings():
    scores = [[0, 2, 4], [6, 8, 10], [10, float("nan"), float("nan")]]
    conference = simulate.coarsened(scores, papers_per_reviewer=2, seed=0)
    assert conference.scale == Scale([0, 1, 2, 3])
    pairs = zip(conference.truth.tolist(), conference.reviews["score"], strict=True)
    assert dict(pairs) == {0: 0, 2: 1, 4: 1, 6: 2, 8: 2, 10: 3}


@pytest.mark.parametrize("scores", [[[3, 7]], [[1, 3, 4]], [[5]]])
def test_other_integers_are_halved(scores):
    conference = simulate.coarsened(scores, seed=0)
    assert conference.reviews["score"].to_list() == np.ceil(conference.truth / 2).tolist()
