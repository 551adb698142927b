"""The methods that studies compare: the paper's, its baselines, and other ways to choose λ."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from unround import baselines
from unround.arrays import FloatArray
from unround.lab.registry import method
from unround.lab.trials.case import Case, Estimate
from unround.selection.simulation import fit, simulated
from unround.selection.validation import PAPER_GRID, Coarsening, Curve, exponential_grid, validate
from unround.settings import Policy
from unround.uncertainty.calibration import calibrate

FINE_GRID = exponential_grid(157, 16)
# Standard deviation of the smoothing weights, in steps of the paper's grid.
SMOOTHING = 2.0
# The number of draws in the first version of simulate-and-select.
PLAIN_DRAWS = 8


@method("quantized", "Quantized scores")
def quantized(case: Case) -> Estimate:
    """Return the given scores."""
    return Estimate(case.given)


@method("bre", "BRE-adjusted scores")
def bre(case: Case) -> Estimate:
    """Run the paper's Algorithm 4, which equals Algorithm 3 where nothing is tied."""
    conference = case.conference
    scores = baselines.partial_ranking_adjusted(
        conference.reviews, conference.rankings, epsilon=case.epsilon, scale=conference.scale
    )
    return Estimate(scores)


@method("proposed", "Proposed")
def proposed(case: Case) -> Estimate:
    """Solve the paper's program at the λ of quantization validation."""
    return _at(case, case.validation.best)


@method("rankings-rule", "Proposed, rankings rule")
def rankings_rule(case: Case) -> Estimate:
    """Solve as proposed, but open the cells where rankings contradict scores."""
    lam = case.validation.best
    return Estimate(case.solve(lam, Policy.RANKINGS), lam)


@method("auto+", "Proposed, λ by simulation (auto+)")
def auto_plus(case: Case) -> Estimate:
    """Solve the paper's program at the λ that `lam="auto+"` chooses by simulation."""
    return _at(case, case.simulation.best)


@method("calibrated", "Proposed, then calibrated")
def calibrated(case: Case) -> Estimate:
    """Solve as proposed, and take reviewers' strictness out of the papers' scores, not the reviews'."""
    papers = case.calibration.papers.sort("paper")["calibrated"].to_numpy()
    return Estimate(case.solve(case.validation.best), case.validation.best, papers)


@method("without-rankings", "Without rankings (auto+)")
def without_rankings(case: Case) -> Estimate:
    """Solve for the scores alone, at the λ that `lam="auto+"` chooses for them."""
    silent = replace(case.conference, rankings=case.conference.rankings.clear())
    alone = Case(replace(case.sample, conference=silent), epsilon=case.epsilon)
    return auto_plus(alone)


@method("advised", "As the run advises")
def advised(case: Case) -> Estimate:
    """Take the run by default, without rankings and calibrated where its diagnostics advise that."""
    run = case.advised
    scores, papers = run.scores["dequantized"].to_numpy(), None
    if run.diagnostics.recommends_calibration:
        papers = calibrate(run).papers.sort("paper")["calibrated"].to_numpy()
    return Estimate(scores, run.lam, papers)


@method("posterior", "Posterior mean")
def posterior_mean(case: Case) -> Estimate:
    """Take the posterior means of opinions and of paper effects."""
    papers = case.posterior.papers.sort("paper")["mean"].to_numpy()
    return Estimate(case.posterior.scores["mean"].to_numpy(), papers=papers)


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


@method("oracle", "Oracle λ")
def oracle(case: Case) -> Estimate:
    """Take the λ of the paper's grid that is best against the truth, which nobody can know."""
    return _at(case, case.original.best)


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
