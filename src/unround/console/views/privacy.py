"""The privacy audit of a run for its chairs: measured once, on a sample, in the background."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from sqlalchemy import select

from unround.console.access.permissions import RunAccess
from unround.console.context import Console
from unround.console.errors import Refusal
from unround.console.schemas import AuditedAreaChair, AuditedLevel, PrivacyAudit
from unround.console.storage.orm import AreaChairRow, AssignmentRow
from unround.report.area_chairs import AreaChair, with_papers_among

if TYPE_CHECKING:
    from unround.audit.privacy import LevelFound

# The sample grows smaller as pages and runs grow larger, so that an audit takes some seconds at most.
MOST_AREA_CHAIRS, LEAST_AREA_CHAIRS = 40, 4
MOST_FACTS, LEAST_FACTS = 40, 20
MOST_ATTACKED = 3_000  # reviews on all attacked pages together
MOST_SOLVED = 1_600_000  # reviews in all runs that are solved again, together
WORST = 3
PATIENCE = 1.0  # seconds that a request waits for an audit; small runs are done by then


def privacy_audit(console: Console, access: RunAccess) -> PrivacyAudit | None:
    """Return what area chairs could find out at each disclosure level; None while it is measured."""
    key = (access.run.id, access.conference.edition)
    return console.audits.get(key, lambda: _measured(console, access), patience=PATIENCE)


def _measured(console: Console, access: RunAccess) -> PrivacyAudit:
    # Loaded when it is asked for: a server that only shows results does without the solver.
    from unround.audit.privacy import audit_privacy

    snapshot = console.opened_run(access.run.id).snapshot
    chairs, _ = with_papers_among(snapshot.papers, _area_chairs(console, access))
    if not chairs:
        raise Refusal(409, "No area chair has a paper in this run: import area chairs first.")
    stars = access.conference.show_stars
    found = audit_privacy(
        snapshot,
        chairs,
        stars=stars,
        sample=area_chairs_tried(chairs, snapshot.reviews.height / snapshot.papers.height),
        facts=_between(LEAST_FACTS, MOST_SOLVED // snapshot.reviews.height, MOST_FACTS),
        progress=lambda *_: None,
    )
    hidden = int(found.traces.hidden.sum())
    traces = {"order": int(found.traces.order.sum()), "exact": int(found.traces.exact.sum())}
    return PrivacyAudit(
        area_chairs=len(chairs),
        audited=found.audited,
        facts=found.traces.facts,
        levels=[
            _level(level, 100.0 * traces.get(level.disclosure, 0) / max(hidden, 1))
            for level in found.levels
        ],
    )


def area_chairs_tried(chairs: Sequence[AreaChair], reviews_per_paper: float) -> int:
    """Return how many area chairs have about as many reviews on their pages as are attacked."""
    papers = sum(len(chair.papers) for chair in chairs) / len(chairs)
    wanted = int(MOST_ATTACKED / (papers * reviews_per_paper))
    return _between(LEAST_AREA_CHAIRS, wanted, MOST_AREA_CHAIRS)


def _between(least: int, wanted: int, most: int) -> int:
    return max(least, min(wanted, most))


def _level(level: LevelFound, traces: float) -> AuditedLevel:
    return AuditedLevel(
        disclosure=level.disclosure,
        beside=sum(chair.neighbours for chair in level.chairs),
        certain=level.certain,
        means=sum(chair.means for chair in level.chairs),
        guessed=100.0 * level.guess.accuracy if level.guess.neighbours else None,
        baseline=100.0 * level.guess.baseline if level.guess.neighbours else None,
        traces=traces,
        worst=[
            AuditedAreaChair(name=chair.area_chair, certain=chair.certain)
            for chair in level.worst(WORST)
        ],
    )


def _area_chairs(console: Console, access: RunAccess) -> list[AreaChair]:
    query = (
        select(AreaChairRow.name, AssignmentRow.paper)
        .join(AssignmentRow, AssignmentRow.area_chair == AreaChairRow.id)
        .where(AreaChairRow.conference == access.conference.id, AreaChairRow.removed.is_(None))
    )
    papers: dict[str, set[str]] = {}
    with console.database.reading() as session:
        for name, paper in session.execute(query):
            papers.setdefault(name, set()).add(paper)
    return [AreaChair(name, frozenset(papers[name])) for name in sorted(papers)]
