"""What a run says about its own data: agreement, wrong comparisons, rankings, strictness, and what to do."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from unround.result import Internals
from unround.selection.simulation import SimulatedCurve, Simulation
from unround.solver.engine import open_engine
from unround.uncertainty.calibration import CLEAR, strictness_p_value, strictness_verdict
from unround.uncertainty.consensus import (
    Consensus,
    WrongComparisons,
    check_consensus,
    find_wrong_comparisons,
)
from unround.uncertainty.mixed_model import Design
from unround.uncertainty.ranking_effect import RankingEffect, estimate_effect

NO_RANKINGS = (
    "Without rankings, papers stay in the order of their means, whatever λ is, except where scores reach the "
    "ends of their rounding ranges."
)


@dataclass(frozen=True)
class Diagnostics:
    """What the data of a run say about themselves, and what to do about it.

    >>> import unround
    >>> conference = unround.simulate.thurstone(papers=60, seed=3)
    >>> found = unround.dequantize(conference.reviews, conference.rankings).diagnostics
    >>> found.comparisons.contradicting, found.strictness > 0.01
    (0, True)
    """

    consensus: Consensus
    comparisons: WrongComparisons
    rankings: RankingEffect | None  # None without rankings
    strictness: float | None  # p-value of "reviewers do not differ"; None where there is no test
    parts: int = 1  # groups of reviewers that share no paper
    largest: int = 0  # papers of the largest group

    @classmethod
    def of_record(cls, record: Mapping[str, Any]) -> Diagnostics | None:
        """Return the diagnostics in run.json; None where the run has none."""
        if "diagnostics" not in record:
            return None
        note = record["diagnostics"]
        effect = note["rankings"]
        return cls(
            Consensus(**note["consensus"]),
            WrongComparisons(**note["comparisons"]),
            None if effect is None else RankingEffect(**effect),
            note["strictness"],
            note.get("parts", 1),  # which runs of version 1.0.0 lack
            note.get("largest", 0),
        )

    def record(self) -> dict[str, Any]:
        """Return plain values for run.json."""
        return asdict(self)

    @property
    def recommends_calibration(self) -> bool:
        """Whether the data show that reviewers differ in strictness."""
        return self.strictness is not None and self.strictness < CLEAR

    @property
    def groups(self) -> str:
        """How far places and chances compare; empty where reviewers connect all papers."""
        if self.parts == 1:
            return ""
        if self.largest == 1:
            return "No reviewer has two papers: nothing shows whether one is stricter than another."
        return (
            f"Reviewers fall into {self.parts:,} groups that share no paper; the largest has "
            f"{self.largest:,} papers. Compare places and chances within a group only: nothing shows "
            "whether one group is stricter."
        )

    def in_short(self) -> Iterator[tuple[str, str]]:
        """Yield a name and half a line for each diagnostic."""
        if self.groups:
            yield "groups", self.groups
        if self.rankings is None:
            yield (
                "rankings",
                "none: papers stay in order of their means unless rounding ranges bind",
            )
        else:
            if self.consensus.pairs:
                yield "agreement", self.consensus.in_short()
            yield "comparisons", self.comparisons.in_short()
            yield "rankings", self.rankings.in_short()
        yield "strictness", strictness_verdict(self.strictness)

    def in_words(self) -> list[str]:
        """Return a few sentences on each diagnostic."""
        groups = [self.groups] if self.groups else []
        if self.rankings is None:
            texts = [NO_RANKINGS]
        else:
            parts = (self.consensus, self.comparisons, self.rankings)
            texts = [part.in_words() for part in parts]
        return [*groups, *texts, f"Strictness: {strictness_verdict(self.strictness)}."]


def diagnose(internals: Internals) -> Diagnostics:
    """Examine the data of a run on its engine, with the conferences that its λ was chosen by, if any."""
    reviews, settings, lam = internals.reviews, internals.settings, internals.lam
    comparisons, effect = find_wrong_comparisons(reviews), None
    with open_engine(internals.engine) as engine:
        consensus = check_consensus(reviews, settings, lam, engine)
        if internals.problem.comparisons.above.size:
            simulation = _simulation_of(internals)
            consensus, effect = estimate_effect(
                simulation, settings, lam, consensus, comparisons, engine
            )
    strictness = strictness_p_value(reviews, internals.values)
    size = np.bincount(Design(reviews.paper, reviews.reviewer, internals.values).parts[0])
    return Diagnostics(consensus, comparisons, effect, strictness, size.size, int(size.max()))


def _simulation_of(internals: Internals) -> Simulation:
    curve = internals.curve
    if isinstance(curve, SimulatedCurve) and curve.simulation is not None:
        return curve.simulation
    return Simulation.of(internals.reviews, internals.settings)
