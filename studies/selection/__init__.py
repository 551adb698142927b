"""Ways to choose λ against an oracle that knows the truth: `unround reproduce studies/selection`."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from unround.arrays import FloatArray
from unround.lab import Case, Estimate, method
from unround.selection.simulation import fit, simulated
from unround.selection.validation import PAPER_GRID, Coarsening, Curve, exponential_grid, validate

from . import figures, losses

__all__ = ["figures", "losses"]

FINE_GRID = exponential_grid(157, 16)
# Standard deviation of the smoothing weights, in steps of the paper's grid.
SMOOTHING = 2.0
# The number of draws in the first version of simulate-and-select.
PLAIN_DRAWS = 8


@method("simulate-plain", "Simulate and select, plain")
def simulate_plain(case: Case) -> Estimate:
    """Choose λ by simulation with centres taken as known and opinions as continuous."""
    model = fit(case.reviews)
    plain = replace(model, centre_sd=np.zeros_like(model.centre_sd), levels_per_cell=None)
    return _at(case, simulated(case.reviews, case.settings, model=plain, draws=PLAIN_DRAWS).best)


@method("both-alignments", "Validation, both alignments")
def both_alignments(case: Case) -> Estimate:
    """Choose λ by the mean of the validation curves for ⌈z/2⌉ and ⌊z/2⌋."""
    return _at(case, _both(case).best)


@method("smoothed", "Validation, smoothed")
def smoothed(case: Case) -> Estimate:
    """Choose λ by the validation curve, smoothed over neighbouring λ."""
    return _at(case, smooth(case.validation).best)


@method("both-smoothed", "Validation, both and smoothed")
def both_smoothed(case: Case) -> Estimate:
    """Choose λ by the mean of both alignments, smoothed."""
    return _at(case, smooth(_both(case)).best)


@method("fine-grid", "Validation, finer grid")
def fine_grid(case: Case) -> Estimate:
    """Choose λ by validation on a grid four times as fine."""
    return _at(case, validate(case.reviews, epsilon=case.epsilon, grid=FINE_GRID).best)


def smooth(curve: Curve) -> Curve:
    """Average a curve over neighbouring λ with normal weights."""
    step = np.arange(curve.lam.size)
    weight = np.exp(-0.5 * ((step[:, None] - step) / SMOOTHING) ** 2)
    return Curve(curve.lam.copy(), weight @ curve.error / weight.sum(axis=1))


def _at(case: Case, lam: float) -> Estimate:
    return Estimate(case.solve(lam), lam)


def _both(case: Case) -> Curve:
    other = validate(case.reviews, epsilon=case.epsilon, coarsening=_rounded_down(case))
    return Curve(PAPER_GRID.copy(), (case.validation.error + other.error) / 2.0)


def _rounded_down(case: Case) -> Coarsening:
    def floors(values: FloatArray) -> FloatArray:
        down: FloatArray = np.floor(case.reviews.scale.numbers() / 2.0)
        return down

    return floors
