"""Tables -> ReviewSet -> Problem: input read and checked, ready to solve, or every issue of it.

Nothing here solves, and nothing loads the solver: `unround check` starts without it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from unround.errors import InputRefused
from unround.issues import Issue, Kind
from unround.problem.build import build_problem
from unround.problem.model import Problem
from unround.reviews.direction import check_direction
from unround.reviews.frames import Frame
from unround.reviews.loss import check_loss
from unround.reviews.reader import read
from unround.reviews.review_set import ReviewSet
from unround.reviews.tables import Tables
from unround.scale import Scale
from unround.settings import EPSILON, Policy, PolicyName, Settings, Unranked, UnrankedName

if TYPE_CHECKING:
    from narwhals.stable.v2.typing import IntoDataFrame


# Issues that depend on the cells, and so on a scale beyond doubt.
ABOUT_ROOM = (Kind.NO_ROOM, Kind.TOO_FAR_APART)


@dataclass(frozen=True)
class Prepared:
    """Input that has been read and checked, ready to solve."""

    tables: Tables
    settings: Settings  # with the scale that the tables state, if any
    frame: Frame
    reviews: ReviewSet
    problem: Problem
    issues: tuple[Issue, ...]


def prepare(tables: Tables, settings: Settings) -> Prepared:
    """Read and check everything. Raises InputRefused with every issue the policy cannot settle."""
    if settings.scale is None:
        settings = replace(settings, scale=tables.scale)
    try:
        frame, known, found = read(tables.reviews, tables.rankings, tables.same, settings.scale)
    except InputRefused as refused:
        raise InputRefused(tables.located(refused.issues)) from None
    problem, conflicts = build_problem(known, settings)
    if any(issue.kind is Kind.CONTRADICTION for issue in conflicts):
        conflicts = [*check_direction(known), *conflicts]
    if any(issue.kind is Kind.DOUBTFUL_SCALE for issue in found.fatal):
        conflicts = [issue for issue in conflicts if issue.kind not in ABOUT_ROOM]
    issues = [*found.fatal, *found.set_aside, *conflicts]
    if _settled(issues, settings):
        issues = [*check_loss(known, found.set_aside, conflicts, settings), *issues]
    located = tables.located(issues)
    if not _settled(located, settings):
        raise InputRefused([replace(issue, action="") for issue in located])
    return Prepared(tables, settings, frame, known, problem, tuple(located))


def _settled(issues: Sequence[Issue], settings: Settings) -> bool:
    """Tell whether a run may go on: something was done about every issue."""
    if not issues:
        return True
    return settings.conflicts is not Policy.REFUSE and all(issue.action for issue in issues)


def check(
    reviews: IntoDataFrame | Tables,
    rankings: IntoDataFrame | Sequence[IntoDataFrame] | None = None,
    *,
    epsilon: float = EPSILON,
    scale: Scale | Sequence[Any] | str | None = None,
    conflicts: PolicyName | Policy = "refuse",
    same: IntoDataFrame | None = None,
    same_within: float | None = None,
    unranked: UnrankedName | Unranked = "apart",
    allow_loss: bool = False,
) -> tuple[Issue, ...]:
    """Return every issue that `dequantize` would find, without solving; empty when there is none.

    Parameters
    ----------
    reviews, rankings, epsilon, scale, conflicts, same, same_within, unranked, allow_loss
        As for `dequantize`.

    Returns
    -------
    tuple of Issue
        Issues with an `action` are settled by the policy; any other stops a run.

    Examples
    --------
    >>> import polars as pl, unround
    >>> reviews = pl.DataFrame({"reviewer": [1, 1], "paper": ["a", "b"], "score": [3, 5]})
    >>> rankings = pl.DataFrame({"reviewer": [1], "better": ["a"], "worse": ["b"]})
    >>> print(unround.check(reviews, rankings)[0].message)
    reviewer 1 ranks a (score 3) above b (score 5), against their own scores
    """
    tables = Tables.of(reviews, rankings, same)
    settings = Settings.checked(
        epsilon=epsilon,
        scale=scale,
        conflicts=conflicts,
        same_within=same_within,
        unranked=unranked,
        allow_loss=allow_loss,
    )
    return check_tables(tables, settings)


def check_tables(tables: Tables, settings: Settings) -> tuple[Issue, ...]:
    """Do what `check` does, with settings that were checked."""
    try:
        return prepare(tables, settings).issues
    except InputRefused as refused:
        return refused.issues
