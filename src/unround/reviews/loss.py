"""ReviewSet + issues -> whether most statements fall away: then the files hardly belong together."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from unround.issues import Issue, Kind
from unround.reviews.direction import compared_pairs
from unround.reviews.review_set import ReviewSet
from unround.settings import Policy, Settings

# Fewer lost statements than this may be a few people's mistakes.
LEAST_LOST = 10


def check_loss(
    reviews: ReviewSet,
    set_aside: Sequence[Issue],
    conflicts: Sequence[Issue],
    settings: Settings,
) -> list[Issue]:
    """Return an issue if more than half of the statements fall away; it stops a run unless told to go on."""
    if not (set_aside or conflicts):
        return []
    stated = reviews.statements
    used = int(np.count_nonzero(~np.isnan(stated.rank))) + stated.better.size + stated.alike.size
    unusable = sum(len(issue.rows) for issue in set_aside)
    if _most(unusable, used + unusable):
        return [_issue(unusable, used + unusable, "statements name no review", settings)]
    compared, dropped = _comparisons(reviews, conflicts, settings.conflicts)
    if _most(dropped, compared):
        return [_issue(dropped, compared, "comparisons cannot hold", settings)]
    return []


def _most(lost: int, total: int) -> bool:
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
    if policy is not Policy.RANKINGS:
        dropped |= reviews.level[better] < reviews.level[worse]
    return int(better.size), int(np.count_nonzero(dropped))


def _issue(lost: int, total: int, why: str, settings: Settings) -> Issue:
    return Issue(
        Kind.MOST_LOST,
        f"{lost:,} of {total:,} {why} and fall away: do the files belong together?",
        table="rankings",
        action="gone on, as told" if settings.allow_loss else "",
    )
