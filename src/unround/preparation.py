"""Tables -> ReviewSet -> Problem: input read and checked, ready to solve, or every issue of it.

Nothing here solves, and nothing loads the solver: `unround check` starts without it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Unpack

import numpy as np

from unround.arrays import FloatArray, IntArray
from unround.errors import InputRefused
from unround.issues import Issue, Kind
from unround.problem.build import build_problem
from unround.problem.conflicts import POLICIES
from unround.problem.model import Problem
from unround.reviews.frames import Frame
from unround.reviews.reader import read
from unround.reviews.review_set import ReviewSet
from unround.reviews.tables import Tables
from unround.scale import Origin, Scale
from unround.settings import Policy, Settings, StatementOptions, known_options
from unround.wording import option

if TYPE_CHECKING:
    from narwhals.stable.v2.typing import IntoDataFrame


# Issues about room in the cells: they say nothing while the scale, and so the cells, are in doubt.
ABOUT_ROOM = (Kind.NO_ROOM,)
# Reviewers contradict themselves in a few of their comparisons. If nearly all go against the scores, the
# table is upside down: 1 is the best score, or the largest rank is the best paper.
NEARLY_ALL = 0.9
LEAST_COMPARISONS = 10
# In long rankings, comparisons between papers up to this many places apart are enough.
FARTHEST = 30
# Fewer lost statements than this may be a few people's mistakes.
LEAST_LOST = 10


@dataclass(frozen=True)
class PreparedInput:
    """Input that has been read and checked, ready to solve."""

    tables: Tables
    settings: Settings  # with the scale that the tables state, if any
    frame: Frame
    reviews: ReviewSet
    problem: Problem
    issues: tuple[Issue, ...]


def prepare(tables: Tables, settings: Settings) -> PreparedInput:
    """Read and check everything. Raise InputRefused with every issue if the policy cannot settle one."""
    prepared = examine(tables, settings)
    if any(not issue.action for issue in prepared.issues):
        raise InputRefused(prepared.issues)
    return prepared


def examine(tables: Tables, settings: Settings) -> PreparedInput:
    """Read everything, and list the issues that stop a run too. Raise InputRefused for unreadable tables."""
    if settings.scale is None:
        settings = replace(settings, scale=tables.scale)
    if settings.ignore_rankings:
        tables = tables.without_rankings(
            f"rankings left out, because of {option('ignore_rankings')}"
        )
    try:
        frame, reviews, read_issues = read(
            tables.reviews, tables.rankings, tables.same, settings.scale
        )
    except InputRefused as refused:
        raise InputRefused(tables.located(refused.issues)) from None
    problem, conflicts = build_problem(reviews, settings)
    if any(issue.kind is Kind.CONTRADICTION for issue in conflicts):
        conflicts = [*check_direction(reviews), *conflicts]
    if any(issue.kind is Kind.DOUBTFUL_SCALE for issue in read_issues.fatal):
        conflicts = [issue for issue in conflicts if issue.kind not in ABOUT_ROOM]
    fatal = [*read_issues.fatal]
    if tables.place is not None:  # readers of files ask, except where a system has such ranks
        fatal = [issue for issue in fatal if issue.kind is not Kind.DOUBTFUL_RANK]
    if tables.scale_doubt and settings.scale is None:  # one question; its answer settles the others
        fatal = [issue for issue in fatal if issue.kind is not Kind.DOUBTFUL_SCALE]
        fatal.insert(0, Issue(Kind.DOUBTFUL_SCALE, tables.scale_doubt))
    issues = [*fatal, *read_issues.set_aside, *conflicts]
    if _settled(issues, settings):
        issues = [*check_loss(reviews, read_issues.set_aside, conflicts, settings), *issues]
    located = tables.located(issues)
    if not _settled(located, settings):
        located = [replace(issue, action="") for issue in located]
    return PreparedInput(tables, settings, frame, reviews, problem, tuple(located))


def _settled(issues: Sequence[Issue], settings: Settings) -> bool:
    """Return whether a run may continue: the policy settled every issue."""
    if not issues:
        return True
    return settings.conflicts is not Policy.REFUSE and all(issue.action for issue in issues)


def check(
    reviews: IntoDataFrame | Tables,
    rankings: IntoDataFrame | Sequence[IntoDataFrame] | None = None,
    *,
    same: IntoDataFrame | None = None,
    **options: Unpack[StatementOptions],
) -> tuple[Issue, ...]:
    """Return every issue that `dequantize` would find, without solving; empty when there is none.

    Parameters
    ----------
    reviews, rankings, same
        As for `dequantize`.
    **options
        epsilon, scale, conflicts, unranked, allow_loss and ignore_rankings, as for `dequantize`.

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
    settings = Settings.checked(**known_options(options, StatementOptions))
    return check_tables(tables, settings)[0]


def check_tables(tables: Tables, settings: Settings) -> tuple[tuple[Issue, ...], ReviewSet | None]:
    """Return every issue, and the reviews; None in place of reviews that cannot be read."""
    try:
        found = examine(tables, settings)
    except InputRefused as refused:
        return refused.issues, None
    return found.issues, found.reviews


def check_direction(reviews: ReviewSet) -> list[Issue]:
    """Return an issue where nearly all comparisons of differently scored papers go against the scores.

    It stops a run under every policy unless the scale is stated.
    """
    better, worse = compared_pairs(reviews)
    rise = reviews.level[better] - reviews.level[worse]
    against, untied = int((rise < 0).sum()), int((rise != 0).sum())
    if untied < LEAST_COMPARISONS or against < NEARLY_ALL * untied:
        return []
    turned = Scale(reviews.scale.levels[::-1]).text
    message = (
        f"{against:,} of {untied:,} comparisons of papers with different scores go against the scores: "
        "is the scale or are the ranks upside down? If the lowest score is best, turn the scale: "
        f"{option('scale', turned)}; if the largest rank is best, turn the ranks, so that 1 is best"
    )
    stated = reviews.scale.origin is Origin.STATED
    return [
        Issue(
            Kind.UPSIDE_DOWN,
            message,
            table="rankings",
            action="continued, since the scale is stated" if stated else "",
        )
    ]


def compared_pairs(reviews: ReviewSet) -> tuple[IntArray, IntArray]:
    """Return the better and the worse review of each stated pair, and of ranked papers near each other."""
    stated = reviews.statements
    better, worse = ranked_pairs(stated.rank, reviews.reviewer, FARTHEST)
    return np.concatenate([better, stated.better]), np.concatenate([worse, stated.worse])


def ranked_pairs(
    rank: FloatArray, group: IntArray, farthest: int | None = None
) -> tuple[IntArray, IntArray]:
    """Return the better and the worse of all ranked pairs within groups, up to some places apart."""
    ranked = np.flatnonzero(~np.isnan(rank))
    order = ranked[np.lexsort((rank[ranked], group[ranked]))]
    group, rank = group[order], rank[order]
    here = np.arange(order.size)
    better, worse = [order[:0]], [order[:0]]
    for places in range(1, order.size if farthest is None else farthest + 1):
        here = here[: np.searchsorted(here, order.size - places)]
        here = here[group[here + places] == group[here]]
        if not here.size:
            break
        apart = here[rank[here] < rank[here + places]]
        better.append(order[apart])
        worse.append(order[apart + places])
    return np.concatenate(better), np.concatenate(worse)


def check_loss(
    reviews: ReviewSet,
    set_aside: Sequence[Issue],
    conflicts: Sequence[Issue],
    settings: Settings,
) -> list[Issue]:
    """Return an issue if more than half of the statements fall away; only allow_loss lets a run continue."""
    if not (set_aside or conflicts):
        return []
    stated = reviews.statements
    used = int(np.count_nonzero(~np.isnan(stated.rank))) + stated.better.size + stated.alike.size
    unusable = sum(len(issue.rows) for issue in set_aside)
    if _is_most(unusable, used + unusable):
        return [_most_lost(unusable, used + unusable, "statements name no review", settings)]
    compared, dropped = _comparisons(reviews, conflicts, settings.conflicts)
    if _is_most(dropped, compared):
        return [_most_lost(dropped, compared, "comparisons cannot hold", settings)]
    return []


def _is_most(lost: int, total: int) -> bool:
    return lost >= LEAST_LOST and 2 * lost > total


def _comparisons(reviews: ReviewSet, conflicts: Sequence[Issue], policy: Policy) -> tuple[int, int]:
    """Return how many comparisons were stated, and how many the policy sets aside."""
    better, worse = compared_pairs(reviews)
    # Reviews in one cycle share a number.
    cycle, index = np.zeros(len(reviews), dtype=np.int64), np.argsort(reviews.row)
    cycles = [issue for issue in conflicts if issue.kind is Kind.CYCLE]
    for number, issue in enumerate(cycles, start=1):
        cycle[index[list(issue.rows)]] = number
    dropped = (cycle[better] > 0) & (cycle[better] == cycle[worse])
    if POLICIES[policy].drops:
        dropped |= reviews.level[better] < reviews.level[worse]
    return int(better.size), int(np.count_nonzero(dropped))


def _most_lost(lost: int, total: int, why: str, settings: Settings) -> Issue:
    return Issue(
        Kind.MOST_LOST,
        f"{lost:,} of {total:,} {why} and are left out: do the files belong together?",
        table="rankings",
        action=f"continued because of {option('allow_loss')}" if settings.allow_loss else "",
    )
