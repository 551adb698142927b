"""Solves along a grid of λ, each from what was found before."""

from types import SimpleNamespace

import numpy as np
import pytest

from unround.metrics.kendall import KendallError
from unround.selection.grid import count_pairs, solutions


class Recording:
    """A solver whose centres at λ are 1/(1+λ) and its square, and which keeps where it starts."""

    def __init__(self):
        self.starts = []

    def solve(self, lam, tolerance, start=None):
        self.starts.append(None if start is None else start.tolist())
        weight = 1.0 / (1.0 + lam)
        scores = np.array([lam, 0.0, 1.0])
        return SimpleNamespace(centres=np.array([weight, weight**2]), scores=scores)


LAMS = np.array([7.0, 3.0, 1.0, 1.0, 1 / 3])  # 1/(1+λ): 1/8, 1/4, 1/2 twice, 3/4


@pytest.mark.parametrize(
    ("ahead", "starts"),
    [
        (False, [None, [1 / 8, 1 / 64], [1 / 4, 1 / 16], *[[1 / 2, 1 / 4]] * 2]),
        # Linear in 1/(1+λ): right for the first centre, short of the second by its bend.
        (True, [None, [1 / 8, 1 / 64], [1 / 2, 5 / 32], *[[1 / 2, 1 / 4]] * 2]),
    ],
    ids=["from the last", "ahead of the last two"],
)
def test_each_lambda_starts_from_what_was_found_before(ahead, starts):
    solver = Recording()
    found = list(solutions(solver, LAMS, 1e-9, ahead=ahead))
    assert [solution.scores[0] for solution in found] == LAMS.tolist()
    assert solver.starts == starts


def test_pairs_are_counted_for_every_lambda():
    measure = KendallError(np.array([0.0, 1.0, 2.0]))
    counts = list(count_pairs(Recording(), measure, np.array([7.0, 0.5]), 1e-9, ahead=False))
    assert counts == [measure.count(np.array([lam, 0.0, 1.0])) for lam in (7.0, 0.5)]
    assert counts[0] != counts[1]
