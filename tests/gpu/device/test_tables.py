"""What the tables say about reviews and papers is the same on the GPU."""

import numpy as np
import pytest

from tests.gpu.device.conferences import problem
from unround.gpu.launch import to_host, xp
from unround.gpu.metrics import index_groups, paper_statistics, percentiles
from unround.metrics import papers as of_cpu
from unround.metrics import percentiles as percentiles_of_cpu


@pytest.mark.parametrize("apart", [0.01, 1e6])
def test_percentiles_are_those_of_the_cpu(apart):
    scores = np.round(np.random.default_rng(1).normal(5, apart, 90), 3)
    scores[:9] = 5.00004
    there = to_host(percentiles(xp.asarray(scores)))
    assert there.tobytes() == percentiles_of_cpu(scores).tobytes()


@pytest.mark.parametrize("kind", ["total", "long"])
def test_statistics_of_papers_are_those_of_the_cpu(kind):
    program = problem(kind)
    values = np.random.default_rng(3).normal(5, 2, len(program)).round(1)
    here = of_cpu.paper_statistics(values, program.paper, program.papers)
    there = paper_statistics(xp.asarray(program.paper), program.papers, xp.asarray(values))
    for name, expected in here.items():
        assert to_host(there[name]).tobytes() == expected.tobytes(), name
    assert to_host(there["reviews"]).tolist() == program.paper_count.tolist()


@pytest.mark.parametrize("paper", [0, 1, 2])
def test_a_paper_without_reviews_has_no_numbers(paper):
    one = paper_statistics(xp.asarray(np.array([paper])), 3, xp.asarray(np.array([4.0])))
    reviews = one.pop("reviews")
    for column in one.values():
        assert np.isnan(to_host(column)).tolist() == [other != paper for other in range(3)]
    assert to_host(reviews).tolist() == [int(other == paper) for other in range(3)]


def test_places_of_a_group_are_ascending():
    group = np.random.default_rng(2).integers(0, 37, 150).astype(np.int32)
    start, places = index_groups(xp.asarray(group), 40)
    assert to_host(places).tolist() == np.argsort(group, kind="stable").tolist()
    assert np.diff(to_host(start)).tolist() == np.bincount(group, minlength=40).tolist()
