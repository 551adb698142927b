"""Additive reviewer effects on given scores: mean + paper + reviewer + noise, variances by REML.

The model of Platt and Burges, of Ge, Welling and Ghahramani, and of Lawrence's calibration of NIPS 2014.
"""

from __future__ import annotations

from unround.lab.registry import method
from unround.lab.trials.case import Case, Estimate
from unround.uncertainty.calibration import calibrate


@method("additive", "Additive reviewer effects")
def additive(case: Case) -> Estimate:
    """Take reviewers' strictness out of the given scores; papers are judged by their effects."""
    conference = case.conference
    found = calibrate(conference.reviews, scale=conference.scale)
    return Estimate(case.given, papers=found.papers.sort("paper")["calibrated"].to_numpy())
