"""What the tables say about reviews and papers is the same on the card, and so are numbers for ids."""

import numpy as np
import pytest

import unround
from tests.gpu.card.conferences import problem
from unround.card.ids import number_ids
from unround.card.launch import cuda
from unround.metrics import percentiles
from unround.metrics.papers import paper_statistics
from unround.selection.summaries import percentiles_on_card, statistics_on_card


def test_percentiles_are_those_of_the_cpu():
    scores = np.round(np.random.default_rng(1).normal(5, 0.01, 90), 3)
    scores[:9] = 5.00004
    there = percentiles_on_card(cuda.to_device(scores)).copy_to_host()
    assert there.tobytes() == percentiles(scores).tobytes()


def test_scores_too_far_apart_are_refused():
    with pytest.raises(unround.UsageError, match="too far apart"):
        percentiles_on_card(cuda.to_device(np.array([0.0, 1e6])))


@pytest.mark.parametrize("kind", ["total", "long"])
def test_statistics_of_papers_are_those_of_the_cpu(kind):
    program = problem(kind)
    values = np.random.default_rng(3).normal(5, 2, len(program)).round(1)
    here = paper_statistics(values, program.paper, program.papers)
    there = statistics_on_card(
        cuda.to_device(program.paper), program.papers, cuda.to_device(values)
    )
    names = {"min": "least", "max": "most"}
    for name, expected in here.items():
        found = getattr(there, names.get(name, name)).copy_to_host()
        assert found.tobytes() == expected.tobytes(), name
    assert there.reviews.copy_to_host().tolist() == program.paper_count.tolist()


def test_a_paper_without_reviews_has_no_numbers():
    one = statistics_on_card(cuda.to_device(np.array([1])), 2, cuda.to_device(np.array([4.0])))
    assert np.isnan(one.mean.copy_to_host()).tolist() == [True, False]
    assert one.reviews.copy_to_host().tolist() == [0, 1]


def test_ids_are_numbered_as_they_first_appear():
    ids = np.random.default_rng(4).integers(-(2**40), 2**40, 20)[
        np.random.default_rng(5).integers(0, 20, 70)
    ]
    _, first, inverse = np.unique(ids, return_index=True, return_inverse=True)
    expected = np.argsort(np.argsort(first))[inverse]
    codes, count = number_ids(cuda.to_device(ids))
    assert count == first.size
    assert codes.copy_to_host().tolist() == expected.tolist()
