"""The methods that studies compare: the paper's, its baselines, and ours."""

from __future__ import annotations

from dataclasses import replace

from unround import baselines
from unround.lab.registry import method
from unround.lab.trials.case import Case, Estimate
from unround.settings import Policy
from unround.uncertainty.calibration import calibrate


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


@method("oracle", "Oracle λ")
def oracle(case: Case) -> Estimate:
    """Take the λ of the paper's grid that is best against the truth, which nobody can know."""
    return _at(case, case.original.best)


def _at(case: Case, lam: float) -> Estimate:
    return Estimate(case.solve(lam), lam)
