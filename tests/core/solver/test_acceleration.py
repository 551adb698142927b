"""Where the accelerators sweep next. No result depends on it, only the number of sweeps."""

import numpy as np
import pytest

from unround.solver.acceleration import DEPTH, Accelerator, Anderson, HostHistory, Momentum

MATRIX = np.array(
    [
        [0.5, 0.25, 0.0, 0.125],
        [0.0, 0.75, 0.125, 0.0],
        [0.125, 0.0, 0.5, 0.25],
        [0.0, 0.25, 0.0, 0.5],
    ]
)
START = np.array([3.0, -1.0, 2.0, 5.0])


def swept(centres, times, accelerator):
    """Sweep with the linear map whose fixed point is 0; return the last centres."""
    for _ in range(times):
        means = MATRIX @ centres
        centres = accelerator.propose(centres, means, float(np.abs(means - centres).max())).copy()
    return centres


def test_anderson_solves_a_linear_map_of_four_papers_in_five_sweeps():
    assert np.abs(swept(START, 4, Anderson(HostHistory(4)))).max() > 1e-3
    assert np.abs(swept(START, 5, Anderson(HostHistory(4)))).max() < 1e-6
    assert np.abs(np.linalg.matrix_power(MATRIX, 5) @ START).max() > 0.3


def test_anderson_goes_on_when_its_memory_is_full():
    assert DEPTH >= 4
    assert np.abs(swept(START, 3 * DEPTH, Anderson(HostHistory(4)))).max() < 1e-9


def test_anderson_starts_anew_after_a_residual_that_doubles():
    method = Anderson(HostHistory(1))
    method.propose(np.array([0.0]), np.array([1.0]), 1.0)
    second = np.array([3.0])
    assert method.propose(np.array([1.0]), second, 2.0).tolist() != [3.0]
    # More than twice as far: back to where the last sweep led, and from there without the past.
    assert method.propose(np.array([5.0]), np.array([10.0]), 5.0).tolist() == [3.0]
    assert method.propose(np.array([3.0]), np.array([4.0]), 1.0).tolist() == [4.0]


def test_momentum_goes_a_third_further_at_a_root_of_a_half():
    method = Momentum(0.5)
    assert method.propose(np.zeros(1), np.array([2.0]), 1.0).tolist() == [2.0]
    assert method.propose(np.zeros(1), np.array([5.0]), 1.0).tolist() == [6.0]


@pytest.mark.parametrize(
    ("lam", "patience"),
    [(1 / 3, 3 * DEPTH), (1e-4, 100)],
    ids=["three memories", "one over the root"],
)
def test_without_gain_momentum_takes_over_from_the_best(lam, patience):
    accelerator = Accelerator(lam, lambda: HostHistory(1))
    best = np.array([7.0])
    assert accelerator.propose(np.zeros(1), best, 1.0).tolist() == [7.0]
    for sweep in range(patience):
        centres = np.array([float(sweep % 3)])
        assert accelerator.propose(centres, centres + 1.5, 1.5).tolist() != [7.0]
    assert accelerator.propose(np.zeros(1), np.ones(1), 1.5).tolist() == [7.0]
    # Momentum has no past yet, and is left again for Anderson at a quarter of the least residual.
    assert accelerator.propose(np.zeros(1), np.array([2.0]), 1.5).tolist() == [2.0]
    beyond = accelerator.propose(np.zeros(1), np.array([3.0]), 1.5).tolist()
    root = np.sqrt(lam / (1 + lam))
    assert beyond == pytest.approx([3.0 + (1 - root) / (1 + root)])
    assert accelerator.propose(np.zeros(1), np.array([4.0]), 0.25).tolist() == [4.0]
