"""Statistics of papers and places with ties: each against the plainest way to compute it."""

import numpy as np
import pytest

from unround.metrics.papers import paper_means, paper_statistics, tied_places


@pytest.mark.parametrize("seed", range(5))
def test_statistics_are_those_of_numpy(seed):
    random = np.random.default_rng(seed)
    papers = 30
    paper = random.integers(0, papers, 120)
    values = random.normal(5, 2, paper.size).round(1)
    found = paper_statistics(values, paper, papers)
    for number in range(papers):
        own = values[paper == number]
        if not own.size:
            assert all(np.isnan(column[number]) for column in found.values())
            continue
        plain = (own.min(), own.max(), own.mean(), np.median(own), np.ptp(own))
        columns = [found[name][number] for name in ("min", "max", "mean", "median", "spread")]
        np.testing.assert_allclose(columns, plain, rtol=1e-15)


def test_the_mean_of_equal_values_is_that_value():
    values = np.full(3, 0.1)
    assert paper_means(values, np.zeros(3, dtype=np.int64), 1)[0] != 0.1
    assert paper_statistics(values, np.zeros(3, dtype=np.int64), 1)["mean"][0] == 0.1


def test_no_papers_have_no_statistics():
    nothing = np.zeros(0, dtype=np.int64)
    assert all(column.size == 0 for column in paper_statistics(np.zeros(0), nothing, 0).values())
    assert tied_places(np.zeros(0)).first.size == 0


@pytest.mark.parametrize("seed", range(5))
def test_places_count_who_is_better(seed):
    values = np.random.default_rng(seed).integers(0, 6, 20) / 3.0
    places = tied_places(values)
    better = (values[None, :] > values[:, None]).sum(axis=1)
    as_good = (values[None, :] >= values[:, None]).sum(axis=1)
    assert places.first.tolist() == (better + 1).tolist()
    assert places.last.tolist() == as_good.tolist()
    assert places.middle.tolist() == ((better + 1 + as_good) / 2).tolist()
    for line in range(values.size + 1):
        assert places.share_above(line).sum() == pytest.approx(line)
