"""Draws of a standard deviation, against quadrature of its density."""

from __future__ import annotations

import numpy as np
import pytest

from unround.uncertainty.random_draws import deviation_given_sums
from unround.uncertainty.sampling import random_state


def test_a_spread_is_drawn_with_the_effects_integrated_out():
    random, noise, most = np.random.default_rng(4), 0.5, 8.0
    loads = np.repeat([1, 2, 5], [6, 4, 3])
    effects = random.normal(scale=0.6, size=13)
    sums = loads * effects + np.sqrt(loads) * noise * random.normal(size=13)
    counts, squares = np.bincount(loads).astype(float), np.bincount(loads, weights=sums**2)
    grid = np.linspace(1e-4, most, 200_000)
    variance = loads[:, None] * noise**2 + loads[:, None] ** 2 * grid**2
    density = np.exp(-0.5 * (np.log(variance) + sums[:, None] ** 2 / variance).sum(axis=0))
    mean = (density * grid).sum() / density.sum()
    sd = np.sqrt((density * grid**2).sum() / density.sum() - mean**2)
    state, drawn = random_state(1, 0), [1.0]
    for _ in range(20_000):
        drawn.append(deviation_given_sums(state, counts, squares, noise, drawn[-1], most))
    assert np.mean(drawn) == pytest.approx(mean, abs=0.05 * sd)
    assert np.std(drawn) == pytest.approx(sd, rel=0.05)
