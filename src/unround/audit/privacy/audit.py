"""unround audit privacy: a run and its area chairs -> what each disclosure level gives away."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import polars as pl

from unround.arrays import FloatArray
from unround.audit.privacy.attack import (
    PRECISION,
    DeducedReview,
    ImpliedScore,
    deduce_hidden_reviews,
    implied_scores,
)
from unround.audit.privacy.guess import GuessRates, Neighbour, guess_rates, neighbours
from unround.audit.privacy.perturbation import Resolver, ViewChanges, count_view_changes
from unround.disclosure.area_chairs import AreaChair
from unround.disclosure.model import View
from unround.disclosure.scope import DISCLOSURES, Disclosure, Scope
from unround.disclosure.scores import PaperOrder, within_scope
from unround.disclosure.snapshot import Snapshot
from unround.disclosure.view import view
from unround.progress import StageProgress

SEED = 9


@dataclass(frozen=True)
class ChairLeaks:
    """What one area chair could find out at one level of disclosure."""

    area_chair: str
    neighbours: int  # hidden papers next to one of theirs in a ranking
    scores: int  # hidden scores computed from digits, all of them right
    means: int  # means of hidden papers
    implied: int  # hidden scores that the order implies

    @property
    def certain(self) -> int:
        """Hidden scores known with certainty."""
        return max(self.scores, self.implied)


@dataclass(frozen=True)
class DisclosureLeaks:
    """What all area chairs together could find out at one level of disclosure."""

    disclosure: Disclosure
    chairs: tuple[ChairLeaks, ...]
    guess: GuessRates | None  # None where there is too little to measure

    @property
    def certain(self) -> int:
        """Hidden scores known with certainty, added up over area chairs."""
        return sum(chair.certain for chair in self.chairs)

    @property
    def share(self) -> float:
        """The share of hidden neighbours whose score is known for sure, in per cent."""
        all_of_them = sum(chair.neighbours for chair in self.chairs)
        return 100.0 * self.certain / all_of_them if all_of_them else 0.0

    def worst(self, count: int) -> list[ChairLeaks]:
        """Return the area chairs who could find out most."""
        ranked = sorted(self.chairs, key=lambda chair: (-chair.certain, chair.area_chair))
        return [chair for chair in ranked if chair.certain][:count]


@dataclass(frozen=True)
class PrivacyFindings:
    """What the privacy audit of a run found."""

    chairs: tuple[AreaChair, ...]  # all of them, in the order of `view_changes`
    audited: int  # how many of their views were attacked
    levels: tuple[DisclosureLeaks, ...]
    view_changes: ViewChanges


def audit_privacy(
    snapshot: Snapshot,
    chairs: Sequence[AreaChair],
    *,
    stars: bool = True,
    sample: int | None = None,
    facts: int | None = None,
    progress: StageProgress,
) -> PrivacyFindings:
    """Attack the views of area chairs at every level, and change facts that are hidden from them.

    sample  how many area chairs' views are attacked, drawn at random; None: all
    facts   how many facts are changed, drawn at random; None: all
    """
    picked = _picked(chairs, sample)
    truth = _Truth(snapshot)
    levels = []
    for number, disclosure in enumerate(DISCLOSURES):
        found, groups = [], []
        for done, chair in enumerate(picked, start=1):
            progress("attacking views", number * len(picked) + done, 3 * len(picked))
            shown = truth.view(chair, disclosure, stars=stars)
            found.append(truth.leaks(chair, shown))
            if disclosure != "scoped":  # which has no stars, and so no hidden neighbours
                groups.append(truth.judged(shown, neighbours(shown, truth.base(chair))))
        levels.append(DisclosureLeaks(disclosure, tuple(found), guess_rates(groups)))
    left = count_view_changes(
        Resolver(snapshot), chairs, sample=facts, seed=SEED, progress=progress
    )
    return PrivacyFindings(tuple(chairs), len(picked), tuple(levels), left)


def _picked(chairs: Sequence[AreaChair], sample: int | None) -> list[AreaChair]:
    if sample is None or sample >= len(chairs):
        return list(chairs)
    numbers = np.random.default_rng(SEED).choice(len(chairs), sample, replace=False)
    return [chairs[number] for number in sorted(numbers.tolist())]


class _Truth:
    """What the run holds of every review, to judge what an attack claims."""

    def __init__(self, snapshot: Snapshot) -> None:
        reviews = snapshot.reviews.with_columns(reviewer_name=pl.lit(None, pl.String))
        self._snapshot = replace(snapshot, reviews=reviews)
        # Given and dequantized score by reviewer and paper, ids as text.
        self._reviews: dict[str, dict[str, tuple[float, float]]] = {}
        scores = reviews.select(*_texts("reviewer", "paper"), "value", "dequantized")
        for reviewer, paper, given, score in scores.iter_rows():
            self._reviews.setdefault(reviewer, {})[paper] = (given, score)
        means = reviews.group_by("paper").agg(pl.col("dequantized").mean())
        self._means = dict(means.select(*_texts("paper"), "dequantized").iter_rows())
        # Papers of each rank by reviewer.
        self._ranked: dict[str, dict[int, list[str]]] = {}
        ranks = snapshot.ranks.select(*_texts("reviewer", "paper"), "rank")
        for reviewer, paper, rank in ranks.iter_rows():
            self._ranked.setdefault(reviewer, {}).setdefault(rank, []).append(paper)

    def view(self, chair: AreaChair, disclosure: Disclosure, *, stars: bool) -> View:
        """Return an area chair's view with ids in place of pseudonyms, to judge claims by."""
        scope = Scope(chair.name, chair.papers, stars=stars, names=True, disclosure=disclosure)
        return view(self._snapshot, scope)

    def leaks(self, chair: AreaChair, shown: View) -> ChairLeaks:
        """Attack a view, and count what is right."""
        scores, means = set(), set()
        for claim in deduce_hidden_reviews(shown):
            for paper in self._right(chair, shown, claim):
                scores.add((claim.reviewer, paper))
                if abs(self._means[paper] - claim.mean) < PRECISION:
                    means.add(paper)
        sure = sum(self._holds(shown, one) for one in implied_scores(shown))
        return ChairLeaks(chair.name, self._beside(chair, shown), len(scores), len(means), sure)

    def _right(self, chair: AreaChair, shown: View, claim: DeducedReview) -> list[str]:
        """Return the hidden papers that a claim is right about: at most one but for equal scores."""
        theirs = self._reviews[shown["reviewers"][claim.reviewer]]
        return [
            paper
            for paper, (given, score) in theirs.items()
            if paper not in chair.papers
            and given == claim.level
            and abs(score - claim.score) < PRECISION
        ]

    def _holds(self, shown: View, one: ImpliedScore) -> bool:
        reviewer = shown["reviewers"][one.reviewer]
        beside = self._next_to(reviewer, str(shown["papers"]["paper"][one.paper]), one.above)
        return any(self._reviews[reviewer][paper][0] == one.level for paper in beside)

    def _next_to(self, reviewer: str, paper: str, above: bool) -> list[str]:
        """Return the papers of the rank just above or below a paper's."""
        ranks = self._ranked.get(reviewer, {})
        own = next((rank for rank, papers in ranks.items() if paper in papers), None)
        return [] if own is None else ranks.get(own - 1 if above else own + 1, [])

    def _beside(self, chair: AreaChair, shown: View) -> int:
        """Count the hidden papers next to one in view in its reviewer's ranking."""
        found, columns = set(), shown["reviews"]
        for who, number in zip(columns["reviewer"], columns["paper"], strict=True):
            reviewer, paper = shown["reviewers"][who], str(shown["papers"]["paper"][number])
            beside = (*self._next_to(reviewer, paper, True), *self._next_to(reviewer, paper, False))
            found |= {(reviewer, one) for one in beside if one not in chair.papers}
        return len(found)

    def base(self, chair: AreaChair) -> FloatArray:
        """Return the mean of each paper that follows from an area chair's own papers."""
        inside = within_scope(self._snapshot, Scope(chair.name, chair.papers, names=True))
        return PaperOrder.of(self._snapshot, inside).base

    def judged(self, shown: View, found: list[Neighbour]) -> list[tuple[Neighbour, bool]]:
        """Return each neighbour with whether its score is that of the review in view."""
        items = []
        for one in found:
            theirs = self._reviews[shown["reviewers"][one.reviewer]]
            paper = str(shown["papers"]["paper"][one.paper])
            beside = self._next_to(shown["reviewers"][one.reviewer], paper, one.above)
            items += [(one, theirs[hidden][0] == theirs[paper][0]) for hidden in beside]
        return items


def _texts(*names: str) -> tuple[pl.Expr, ...]:
    return tuple(pl.col(name).cast(pl.String) for name in names)
