"""How far single reviewers could move the papers of a run, for its chairs: measured in the background."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from unround.console.access.permissions import RunAccess
from unround.console.context import Console
from unround.console.influence_schemas import (
    InfluenceAudit,
    InfluentialReview,
    InfluentialReviewer,
    MovedBy,
)
from unround.console.storage.orm import RunRow
from unround.runs.sureness import Accept

if TYPE_CHECKING:
    import polars as pl

    from unround.audit.influence.audit import Influence

# Rankings that are tried, all reviewers together, so that an audit takes some seconds at most.
MOST_TRIED = 60_000
# Changes up to which every one is solved, so that places are exact: about a second.
MOST_SOLVED = 5_000
LEAST_REVIEWERS, MOST_REVIEWERS = 20, 400
SHOWN = 5
PATIENCE = 1.0  # seconds that a request waits for an audit; small runs are done by then


def influence_audit(console: Console, access: RunAccess) -> InfluenceAudit | None:
    """Return how far single reviewers could move papers; None while it is measured."""
    key = (access.run.id, *_line_key(access.run))
    return console.influences.get(key, lambda: _measured(console, access.run), patience=PATIENCE)


def _line_key(run: RunRow) -> tuple[float, bool]:
    line = run.line or {}
    return line.get("amount", 0.0), line.get("percent", False)


def _measured(console: Console, run: RunRow) -> InfluenceAudit:
    # Loaded when it is asked for: a server that only shows results does without the solver.
    from unround.audit.influence.audit import LINE, audit_influence

    snapshot = console.opened_run(run.id).snapshot
    amount, percent = _line_key(run)
    room = amount if percent else min(amount, snapshot.papers.height)
    found = audit_influence(
        snapshot,
        sample=reviewers_tried(snapshot.reviews),
        accept=Accept(room, percent) if amount else LINE,
        most_solved=MOST_SOLVED,
        progress=lambda *_: None,
    )
    return _described(found)


def reviewers_tried(reviews: pl.DataFrame) -> int:
    """Return how many reviewers have about as many rankings of their papers as are tried."""
    from unround.audit.influence.moves import MOST_PAPERS, rank_lists

    loads = reviews.group_by("reviewer").len()["len"].clip(upper_bound=MOST_PAPERS)
    lists = float(np.mean([2 * len(rank_lists(load)) for load in loads.to_list()]))
    return max(LEAST_REVIEWERS, min(int(MOST_TRIED / lists), MOST_REVIEWERS))


def _described(found: Influence) -> InfluenceAudit:
    reviewers = found.by_reviewer()

    def moved(name: str) -> MovedBy:
        values = reviewers[name].drop_nans().to_numpy()
        if not values.size:
            return MovedBy(median=0.0, largest=0.0)
        return MovedBy(median=float(np.median(values)), largest=float(values.max()))

    names = ("together", "score", "ranking", "plain", "places", "plain_places")
    return InfluenceAudit(
        reviewers=found.reviewers,
        tried=found.tried,
        papers=found.papers,
        above=found.above,
        turning=found.turning(),
        plain_turning=found.turning("plain_turns"),
        **{name: moved(name) for name in names},
        worst=[_reviewer(row) for row in reviewers.head(SHOWN).iter_rows(named=True)],
        reviews=[_review(row) for row in found.most_hangs_on(SHOWN).iter_rows(named=True)],
    )


def _reviewer(row: dict[str, Any]) -> InfluentialReviewer:
    return InfluentialReviewer(
        reviewer=str(row["reviewer"]),
        papers=row["papers"],
        mean=row["together"],
        plain_mean=row["plain"],
        places=row["places"],
        places_limit=row["places_limit"],
        plain_places=row["plain_places"],
        turns=row["turns"],
        exact=row["exact"],
    )


def _review(row: dict[str, Any]) -> InfluentialReview:
    way = "up" if row["hangs"] == row["score_up"] else "down"
    return InfluentialReview(
        reviewer=str(row["reviewer"]),
        paper=str(row["paper"]),
        score=row["score"],
        mean=row["mean"],
        move=row["hangs"] if way == "up" else -row["hangs"],
        place=row["place"],
        place_to=row[f"score_place_{way}"],
    )
