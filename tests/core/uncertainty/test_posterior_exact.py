"""The sampler draws from the distribution that it states: checked by numerical integration."""

from __future__ import annotations

from itertools import product

import numpy as np
import polars as pl
import pytest
from scipy.special import beta

from unround.preparation import prepare
from unround.reviews.tables import Tables
from unround.settings import Settings
from unround.uncertainty.gibbs import PRIOR_RANDOM, PRIOR_SOUND
from unround.uncertainty.sampling import draw, gibbs_data

pytestmark = pytest.mark.slow

SCALE = [1, 2, 3, 4, 5]
POINTS = 40
DRAWS = 6_000  # per chain
ENOUGH = 4_000  # effective ones, of all chains


def conference(scores, ranks):
    """Reviews {(reviewer, paper): score} and ranks {(reviewer, paper): rank}."""
    reviews, rankings = (
        pl.DataFrame(
            [(*key, value) for key, value in given.items()],
            ["reviewer", "paper", column],
            orient="row",
        )
        for given, column in ((scores, "score"), (ranks, "rank"))
    )
    tables = Tables(reviews, rankings if ranks else None)
    return prepare(tables, Settings.checked(scale=SCALE))


def integrated(prepared, deviations):
    """Mean and deviation of every opinion and paper effect, and every reviewer's chance to be random.

    By quadrature on the cells, for each way in which some reviewers are random and the others are not.
    """
    graph = gibbs_data(prepared.reviews, prepared.problem)
    reviews, papers, reviewers = (
        graph.paper.size,
        graph.paper_start.size - 1,
        graph.reviewer_start.size - 1,
    )
    x, mass = nodes(graph)
    grands, grand_weight = np.polynomial.legendre.leggauss(60)
    grands = graph.least + (graph.most - graph.least) * (1.0 + grands) / 2.0
    total, first, second = 0.0, np.zeros(reviews + papers), np.zeros(reviews + papers)
    chance = np.zeros(reviewers)
    for random in product([False, True], repeat=reviewers):
        sound = ~np.array(random)[graph.reviewer]
        seen, towards, spread, precision = normal_part(graph, sound, deviations)
        prior = beta(PRIOR_RANDOM + sum(random), PRIOR_SOUND + reviewers - sum(random))
        scale = np.sqrt(np.linalg.det(precision / (2.0 * np.pi)))
        scale *= prior * (graph.most - graph.least) ** -float(np.count_nonzero(~sound))
        for grand, its_weight in zip(grands, grand_weight, strict=True):
            away = x[:, seen] - grand
            exponent = np.einsum("ij,jk,ik->i", away, precision, away)
            density = scale * its_weight * mass * np.exp(-0.5 * exponent)
            both = np.concatenate([x, grand + away @ towards.T], axis=1)
            total += density.sum()
            first += density @ both
            second += density @ both**2
            second[reviews:] += density.sum() * np.diag(spread)
            chance += density.sum() * np.array(random)
    mean = first / total
    return mean, np.sqrt(second / total - mean**2), chance / total


def nodes(graph):
    """Opinions in their cells and orders, and the weight of each."""
    reviews = graph.paper.size
    node, weight = np.polynomial.legendre.leggauss(POINTS)
    grid = np.stack(np.meshgrid(*[np.arange(POINTS)] * reviews, indexing="ij"), -1).reshape(
        -1, reviews
    )
    x = np.empty(grid.shape)
    mass = np.ones(len(grid))
    # Each opinion runs from its floor, given by the cell and by those ranked below it, to its ceiling.
    for i in np.lexsort((np.arange(reviews), np.diff(graph.down_start))):
        low = np.full(len(grid), graph.lower[i])
        for k in range(graph.down_start[i], graph.down_start[i + 1]):
            low = np.maximum(low, x[:, graph.down[k]])
        half = (graph.upper[i] - low) / 2.0
        x[:, i] = low + half * (1.0 + node[grid[:, i]])
        mass *= half * weight[grid[:, i]]
    return x, mass


def normal_part(graph, sound, deviations):
    """The sound reviews, how they move the paper effects, and what spread these keep."""
    between, strictness, noise = deviations
    seen = np.flatnonzero(sound)
    paper = np.eye(graph.paper_start.size - 1)[graph.paper[seen]]
    reviewer = np.eye(graph.reviewer_start.size - 1)[graph.reviewer[seen]]
    covariance = (
        between**2 * paper @ paper.T
        + strictness**2 * reviewer @ reviewer.T
        + noise**2 * np.eye(seen.size)
    )
    precision = np.linalg.inv(covariance)
    towards = between**2 * paper.T @ precision  # E[m | x, grand] = grand + towards (x − grand)
    spread = between**2 * np.eye(paper.shape[1]) - towards @ paper * between**2
    return seen, towards, spread, precision


CASES = {
    "one paper, two reviewers": ({("a", 1): 3, ("b", 1): 4}, {}),
    "two papers, one order": ({("a", 1): 3, ("a", 2): 3, ("b", 1): 4}, {("a", 1): 2, ("a", 2): 1}),
    "order across levels": ({("a", 1): 4, ("a", 2): 3, ("b", 2): 5}, {("a", 1): 1, ("a", 2): 2}),
    "nobody shares a paper": ({("a", 1): 1, ("b", 2): 5}, {}),
    "one against two": ({("a", 1): 1, ("b", 1): 5, ("c", 1): 5}, {}),
}


@pytest.mark.parametrize(
    "deviations", [(1.0, 0.5, 0.5), (0.5, 0.2, 0.15), (2.0, 1.0, 1.5)], ids=str
)
@pytest.mark.parametrize("case", CASES)
def test_draws_have_the_moments_of_the_model(case, deviations, monkeypatch):
    monkeypatch.setattr("unround.uncertainty.sampling.ENOUGH_DRAWS", ENOUGH)
    prepared = conference(*CASES[case])
    mean, sd, chance = integrated(prepared, deviations)
    sampled = draw(prepared.reviews, prepared.problem, effects=True, given=deviations, draws=DRAWS)
    papers = sampled.papers.reshape(-1, sampled.papers.shape[2])
    means = np.concatenate([sampled.opinion_mean, papers.mean(axis=0, dtype=np.float64)])
    sds = np.concatenate([sampled.opinion_sd, papers.std(axis=0, dtype=np.float64)])
    effective = min(sampled.paper_effective.min(), papers.shape[0])
    assert effective >= ENOUGH
    # Five standard errors of a mean and of a standard deviation of so many independent draws.
    np.testing.assert_allclose(means, mean, atol=5.0 * float(sd.max()) / np.sqrt(effective))
    np.testing.assert_allclose(sds, sd, rtol=5.0 / np.sqrt(2.0 * effective) + 1e-3)
    np.testing.assert_allclose(sampled.reviewer_random, chance, atol=2.5 / np.sqrt(effective))
