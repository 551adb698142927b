"""Result + column -> what the run did to each group, its validation error, and who fares worse."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from functools import cached_property, partial
from typing import Any

import numpy as np

from unround.arrays import FloatArray, IntArray
from unround.audit.groups.membership import Membership, Unit, membership
from unround.audit.groups.permutation import against_others, compare_groups, number_of_deals
from unround.audit.groups.validation import (
    SEED,
    GroupError,
    RestoredScores,
    group_error,
    restore,
)
from unround.audit.inputs import PathLike, result_of
from unround.disclosure.snapshot import Snapshot
from unround.metrics import tie_grid, tie_share
from unround.metrics.kendall import KendallError
from unround.metrics.papers import TiedPlaces, paper_means, tied_places
from unround.progress import StageProgress, open_progress
from unround.result import Result
from unround.reviews.review_set import ReviewSet
from unround.runs.tables import run_tables
from unround.settings import Accept, checked_path

SIGNIFICANT = 0.05

# What is tested, and the sentence about a group that fares worse.
OF_PAPERS = ("error", "places", "acceptance")
OF_OTHERS = ("error", "scores")
WORSE = {
    "error": "its scores are restored with more errors than those of the other groups",
    "places": "its papers lose more places than those of the other groups",
    "acceptance": "its papers lose more of the room above the line than those of the other groups",
    "scores": "its scores are lowered more than those of the other groups",
}


@dataclass(frozen=True)
class GroupWarning:
    """A statistic in which a group fares significantly worse, with its adjusted p-value."""

    statistic: str
    sentence: str
    p_value: float


@dataclass(frozen=True)
class GroupResult:
    """How one group fares. What is about papers is None where papers are in several groups."""

    group: str
    papers: int
    reviewers: int
    reviews: int
    ranked: float  # share of its reviews that their reviewer ranked or compared
    ties_before: float  # share of its pairs of reviews
    ties_after: float
    moved: float  # mean size of a move
    lifted: float  # mean move
    places_changed: float | None  # share of its papers with another place
    places_moved: float | None  # mean size of a change of place
    places_up: float | None  # mean change; below 0, they went down
    accepted_before: float | None  # share of its papers above the line; tied ones share the room
    accepted_after: float | None
    validation: GroupError
    warnings: tuple[GroupWarning, ...]


@dataclass(frozen=True)
class GroupsAudit:
    """How all groups fare."""

    by: str
    unit: Unit
    lam: float
    accept: int
    papers: int
    reviews: int
    deals: int  # of the permutation test
    groups: tuple[GroupResult, ...]

    def record(self) -> dict[str, Any]:
        """Return the audit as plain values."""
        plain = asdict(self)
        return {**plain, "lam": "inf" if np.isinf(self.lam) else self.lam}

    def sentences(self) -> Iterator[str]:
        """Yield which groups fare worse."""
        test = f"permutation test, {self.deals:,} permutations, 5% for all groups together"
        if not any(one.warnings for one in self.groups):
            yield f"No group fares significantly worse than the others ({test})."
        for one in self.groups:
            for warning in one.warnings:
                yield f"! {one.group}: {warning.sentence} (p = {warning.p_value:.3f}; {test})."


def audit_groups(
    run: Result | PathLike,
    by: str,
    *,
    table: PathLike | None = None,
    accept: Accept | int | float | str = "25%",
    progress: StageProgress | bool | None = None,
) -> GroupsAudit:
    """Measure how each group of papers, reviewers or reviews fares in a run.

    Parameters
    ----------
    run, accept, progress
        As for `audit_influence`.
    by : str
        The column that names the group.
    table : path, optional
        Where the column is, beside paper or reviewer. None: in the run's own tables.
    """
    line = Accept.of(accept)
    stated = None if table is None else checked_path("table", table)
    with open_progress(progress) as report:
        report("reading", 0, 1)
        result = result_of(run)
        snapshot = Snapshot.of(result)
        groups = membership(run_tables(result), snapshot.prepared.reviews, by, stated)
        report("reading", 1, 1)
        return _audited(snapshot, groups, line, report)


def _audited(
    snapshot: Snapshot,
    groups: Membership,
    line: Accept,
    progress: StageProgress,
) -> GroupsAudit:
    reviews, settings, lam = snapshot.prepared.reviews, snapshot.prepared.settings, snapshot.lam
    scores = snapshot.reviews["dequantized"].to_numpy()[reviews.row]
    changed = ScoreChanges(reviews.given, scores, reviews.paper, line.papers(len(reviews.papers)))
    progress("validating", 0, 1)
    restored = restore(reviews, settings, lam)
    progress("validating", 1, 1)
    deals = number_of_deals(len(reviews))
    p_values = compare_groups(
        _Statistics(groups, changed, restored),
        groups.of_unit,
        deals,
        np.random.default_rng(SEED),
        partial(progress, "testing groups"),
    )
    stated = stated_reviews(reviews)
    errors = _errors(groups, restored, progress)
    return GroupsAudit(
        by=groups.by,
        unit=groups.unit,
        lam=lam,
        accept=changed.accept,
        papers=len(reviews.papers),
        reviews=len(reviews),
        deals=deals,
        groups=_found(groups, changed, reviews.reviewer, stated, errors, p_values),
    )


class _Statistics:
    """What is compared between groups, for any assignment of units to groups; larger is worse."""

    def __init__(self, groups: Membership, changed: ScoreChanges, restored: RestoredScores) -> None:
        self._groups, self._changed, self._restored = groups, changed, restored
        self.names = OF_PAPERS if groups.unit == "paper" else OF_OTHERS

    def __call__(self, of_unit: IntArray) -> FloatArray:
        """Return one row per statistic and one column per group."""
        errors = against_others(*self._errors(of_unit[self._groups.member]))
        if self._groups.unit == "paper":
            before, after = self._changed.before, self._changed.after
            lost = self._means(of_unit, after.middle - before.middle)
            line = self._changed.accept
            room = self._means(of_unit, before.share_above(line) - after.share_above(line))
            return np.stack([errors, lost, room])
        lowered = self._changed.given - self._changed.scores
        return np.stack([errors, self._means(of_unit[self._groups.member], lowered)])

    def _errors(self, group: IntArray) -> tuple[FloatArray, IntArray]:
        """Return the error within each group, and its number of reviews."""
        size = np.bincount(group, minlength=len(self._groups.labels))
        parts = np.split(np.argsort(group, kind="stable"), np.cumsum(size)[:-1])
        return np.array([self._error(part) for part in parts]), size

    def _error(self, part: IntArray) -> float:
        measure = KendallError(self._restored.truth[part])
        return measure(self._restored.scores[part]) if measure.untied else np.nan

    def _means(self, group: IntArray, values: FloatArray) -> FloatArray:
        count = len(self._groups.labels)
        size = np.maximum(np.bincount(group, minlength=count), 1)
        means: FloatArray = np.bincount(group, weights=values, minlength=count) / size
        return means


def _errors(
    groups: Membership, restored: RestoredScores, progress: StageProgress
) -> list[GroupError]:
    random, count = np.random.default_rng(SEED), len(groups.labels)
    found = []
    for number in range(count):
        own = np.flatnonzero(groups.group == number)
        found.append(group_error(restored, own, groups.member[own], random))
        progress("resampling groups", number + 1, count)
    return found


def _found(
    groups: Membership,
    changed: ScoreChanges,
    reviewer: IntArray,
    stated: FloatArray,
    errors: list[GroupError],
    p_values: FloatArray,
) -> tuple[GroupResult, ...]:
    move = changed.scores - changed.given
    names = OF_PAPERS if groups.unit == "paper" else OF_OTHERS
    found = []
    for number, label in enumerate(groups.labels):
        own = groups.group == number
        found.append(
            GroupResult(
                group=label,
                papers=np.unique(changed.paper[own]).size,
                reviewers=np.unique(reviewer[own]).size,
                reviews=int(own.sum()),
                ranked=float(stated[own].mean()),
                ties_before=tie_share(changed.given[own]),
                ties_after=tie_share(changed.scores[own]),
                moved=float(np.abs(move[own]).mean()),
                lifted=float(move[own].mean()),
                **_of_papers(groups, changed, number),
                validation=errors[number],
                warnings=tuple(
                    GroupWarning(name, WORSE[name], float(p))
                    for name, p in zip(names, p_values[:, number], strict=True)
                    if p <= SIGNIFICANT
                ),
            )
        )
    return tuple(found)


def _of_papers(groups: Membership, changed: ScoreChanges, number: int) -> dict[str, float | None]:
    names = ("places_changed", "places_moved", "places_up", "accepted_before", "accepted_after")
    if groups.unit != "paper":
        return dict.fromkeys(names)
    own = groups.of_unit == number
    up = changed.before.middle[own] - changed.after.middle[own]
    line = changed.accept
    lines = (changed.before.share_above(line)[own], changed.after.share_above(line)[own])
    parts = (up != 0.0, np.abs(up), up, *lines)
    return {name: float(part.mean()) for name, part in zip(names, parts, strict=True)}


@dataclass(frozen=True)
class ScoreChanges:
    """Given and new scores by review, and what follows for papers."""

    given: FloatArray
    scores: FloatArray
    paper: IntArray
    accept: int  # papers above the line

    @cached_property
    def before(self) -> TiedPlaces:
        """Places by given scores."""
        return self._places(self.given)

    @cached_property
    def after(self) -> TiedPlaces:
        """Places by new scores."""
        return self._places(self.scores)

    def _places(self, values: FloatArray) -> TiedPlaces:
        """Rank papers by mean, best first; means equal to four decimals are tied."""
        return tied_places(tie_grid(paper_means(values, self.paper, int(self.paper.max()) + 1)))


def stated_reviews(reviews: ReviewSet) -> FloatArray:
    """Return 1 for every review that its reviewer ranked or compared, else 0."""
    said = (~np.isnan(reviews.statements.rank)).astype(np.float64)
    said[reviews.statements.better] = 1.0
    said[reviews.statements.worse] = 1.0
    return said
