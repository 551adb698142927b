"""Audits of a run for its chairs, on a sample, in the background: what area chairs could find out, and
how far single reviewers could move papers. The solver is loaded with the first audit.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from unround.console.access.permissions import RunAccess, assigned_papers, present_area_chairs
from unround.console.context import Console
from unround.console.errors import Refusal
from unround.console.schemas.results import (
    AuditedLevel,
    InfluenceSummary,
    InfluentialReviewer,
    PrivacySummary,
)
from unround.console.schemas.runs import AcceptanceLine
from unround.console.storage.orm import RunRow
from unround.disclosure.area_chairs import AreaChair, with_papers_among
from unround.settings import Accept

if TYPE_CHECKING:
    import polars as pl

    from unround.audit.influence.audit import Influence

PATIENCE = 1.0  # seconds that a request waits for an audit; small runs are done by then
# The sample grows smaller as pages and runs grow larger, so that an audit takes some seconds at most.
MOST_AREA_CHAIRS, LEAST_AREA_CHAIRS = 40, 4
MOST_ATTACKED = 3_000  # reviews on all attacked pages together
MOST_REVIEWS_CHANGED = 1_600  # of all reviewers tried, so that an audit takes some seconds at most
LEAST_REVIEWERS, MOST_REVIEWERS = 20, 400
SHOWN = 5


def privacy_audit(console: Console, access: RunAccess) -> PrivacySummary | None:
    """Return what area chairs could find out at each disclosure level; None while it is measured."""
    key = ("privacy", access.run.id, access.conference.edition)
    return console.audits.get(key, lambda: _measure_privacy(console, access), patience=PATIENCE)


def influence_audit(console: Console, access: RunAccess) -> InfluenceSummary | None:
    """Return how far single reviewers could move papers; None while it is measured."""
    line = access.conference.line
    drawn = None if line is None else AcceptanceLine.model_validate(line)
    key = ("influence", access.run.id, drawn and drawn.model_dump_json())
    return console.audits.get(
        key, lambda: _measure_influence(console, access.run, drawn), patience=PATIENCE
    )


def _measure_privacy(console: Console, access: RunAccess) -> PrivacySummary:
    from unround.audit import audit_privacy

    snapshot = console.opened_run(access.run.id).snapshot
    chairs, _ = with_papers_among(snapshot.papers, _area_chairs(console, access.conference.id))
    if not chairs:
        raise Refusal(409, "No area chair has a paper in this run: import area chairs first.")
    found = audit_privacy(
        snapshot,
        chairs,
        stars=access.conference.show_stars,
        sample=area_chairs_to_sample(chairs, snapshot.reviews.height / snapshot.papers.height),
    )
    return PrivacySummary(
        area_chairs=found.area_chairs,
        audited=found.audited,
        levels=[
            AuditedLevel(
                disclosure=level.disclosure,
                beside=level.neighbours,
                certain=level.certain,
                means=level.means,
            )
            for level in found.levels
        ],
    )


def area_chairs_to_sample(chairs: Sequence[AreaChair], reviews_per_paper: float) -> int:
    """Return how many area chairs have about as many reviews on their pages as are attacked."""
    papers = sum(len(chair.papers) for chair in chairs) / len(chairs)
    wanted = int(MOST_ATTACKED / (papers * reviews_per_paper))
    return _between(LEAST_AREA_CHAIRS, wanted, MOST_AREA_CHAIRS)


def _between(least: int, wanted: int, most: int) -> int:
    return max(least, min(wanted, most))


def _area_chairs(console: Console, conference: str) -> list[AreaChair]:
    with console.database.reading() as session:
        papers = assigned_papers(session, conference)
        people = present_area_chairs(session, conference)
    return [AreaChair(one.name, papers[one.id]) for one in people if one.id in papers]


def _measure_influence(
    console: Console, run: RunRow, line: AcceptanceLine | None
) -> InfluenceSummary:
    from unround.audit import audit_influence

    snapshot = console.opened_run(run.id).snapshot
    room = 0.0 if line is None else line.amount
    if line is not None and not line.percent:
        room = min(room, snapshot.papers.height)
    found = audit_influence(
        snapshot,
        sample=reviewers_to_sample(snapshot.reviews),
        accept=Accept(room, line.percent) if line and line.amount else "25%",
        per_track=line is not None and line.per_track,
    )
    return _influence(found)


def reviewers_to_sample(reviews: pl.DataFrame) -> int:
    """Return how many reviewers have about as many reviews as are changed."""
    load = reviews.height / reviews["reviewer"].n_unique()
    return _between(LEAST_REVIEWERS, int(MOST_REVIEWS_CHANGED / load), MOST_REVIEWERS)


def _influence(found: Influence) -> InfluenceSummary:
    return InfluenceSummary(
        reviewers=found.reviewers,
        tried=found.tried,
        above=found.above,
        turning=found.turning(),
        plain_turning=found.turning("plain_turns"),
        worst=[_reviewer(row) for row in found.by_reviewer().head(SHOWN).iter_rows(named=True)],
    )


def _reviewer(row: dict[str, Any]) -> InfluentialReviewer:
    names = {
        "reviewer": str(row["reviewer"]),
        "mean_limit": row["limit"],
        "mean": row["move"],
        "plain_mean": row["plain"],
    }
    return InfluentialReviewer.model_validate({**row, **names})
