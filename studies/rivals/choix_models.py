"""Bradley-Terry and Plackett-Luce by choix: rankings alone, with a normal prior on papers."""

from __future__ import annotations

from types import ModuleType

import numpy as np

from unround.arrays import FloatArray
from unround.errors import UsageError
from unround.lab.registry import method
from unround.lab.trials.case import Case, Estimate

from .evidence import Evidence, judging_papers

# choix's alpha, weighing the sum of squared worths: without it, papers that win every comparison have no
# finite worth. Of 0.01, 0.03, 0.1 and 0.3 this did best on trials that no study uses.
PRIOR = 0.03


@method("bradley-terry", "Bradley-Terry (choix)")
def _bradley_terry(case: Case) -> Estimate:
    return judging_papers(case, bradley_terry)


@method("plackett-luce", "Plackett-Luce (choix)")
def _plackett_luce(case: Case) -> Estimate:
    return judging_papers(case, plackett_luce)


def bradley_terry(evidence: Evidence) -> FloatArray:
    """Return the worths under which all stated pairs, taken as independent, are most probable."""
    pairs = zip(
        evidence.paper[evidence.better].tolist(),
        evidence.paper[evidence.worse].tolist(),
        strict=True,
    )
    found: FloatArray = _choix().opt_pairwise(evidence.papers, list(pairs), alpha=PRIOR)
    return found


def plackett_luce(evidence: Evidence) -> FloatArray:
    """Return the worths under which all rankings are most probable."""
    found: FloatArray = _choix().opt_top1(evidence.papers, choices(evidence), alpha=PRIOR)
    return found


def choices(evidence: Evidence) -> list[tuple[int, tuple[int, ...]]]:
    """Return rankings as choices: every paper is chosen before all that stand strictly below it."""
    made = []
    for ballot in evidence.ballots:
        for place, group in enumerate(ballot[:-1]):
            below = tuple(np.concatenate(ballot[place + 1 :]).tolist())
            made += [(int(paper), below) for paper in group]
    return made


def _choix() -> ModuleType:
    try:
        import choix
    except ModuleNotFoundError:
        raise UsageError(
            "Bradley-Terry and Plackett-Luce need choix; install it with: pip install choix"
        ) from None
    module: ModuleType = choix
    return module
