"""Audits of a finished run, on a sample: what area chairs could find out, and what one reviewer can do."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import polars as pl

from unround.audit import audit_influence, audit_privacy
from unround.console.jobs.job import JobResult
from unround.console.schemas.results import InfluenceSummary, PrivacySummary
from unround.console.schemas.runs import AcceptanceLine
from unround.console.storage.run_files import open_folder
from unround.disclosure.area_chairs import AreaChair, with_papers_among
from unround.progress import StageProgress
from unround.settings import Accept

# The sample grows smaller as pages and runs grow larger, so that an audit takes some seconds at most.
MOST_AREA_CHAIRS, LEAST_AREA_CHAIRS = 40, 4
MOST_ATTACKED = 3_000  # reviews on all attacked pages together
MOST_REVIEWS_CHANGED = 1_600  # of all reviewers tried, so that an audit takes some seconds at most
LEAST_REVIEWERS, MOST_REVIEWERS = 20, 400
SHOWN = 5
QUARTER = AcceptanceLine(amount=25, percent=True)
NO_PAPERS = "No area chair has a paper in this run: import area chairs first."


def measure_privacy(
    _request: dict[str, Any], given: dict[str, Any], progress: StageProgress
) -> JobResult:
    """Measure what area chairs could find out at each disclosure level."""
    snapshot, scopes = open_folder(given["run"]).snapshot, given["scopes"].values()
    people = [AreaChair(scope["area_chair"], frozenset(scope["papers"])) for scope in scopes]
    chairs, _ = with_papers_among(snapshot.papers, people)
    if not chairs:
        return JobResult("refused", {"reason": NO_PAPERS})
    found = audit_privacy(
        snapshot,
        chairs,
        stars=all(scope["stars"] for scope in scopes),
        sample=area_chairs_to_sample(chairs, snapshot.reviews.height / snapshot.papers.height),
        progress=progress,
    )
    summary = PrivacySummary.model_validate(found, from_attributes=True)
    return JobResult("done", {"found": summary.model_dump()})


def measure_influence(
    request: dict[str, Any], given: dict[str, Any], progress: StageProgress
) -> JobResult:
    """Measure how far single reviewers could move papers, at the chairs' line or else at a quarter."""
    snapshot = open_folder(given["run"]).snapshot
    line = AcceptanceLine.model_validate(request["line"] or QUARTER)
    line = line if line.amount else QUARTER
    room = line.amount if line.percent else min(line.amount, snapshot.papers.height)
    found = audit_influence(
        snapshot,
        sample=reviewers_to_sample(snapshot.reviews),
        accept=Accept(room, line.percent),
        per_track=line.per_track,
        progress=progress,
    )
    worst = found.by_reviewer().head(SHOWN).with_columns(pl.col("reviewer").cast(pl.String))
    summary = InfluenceSummary.model_validate({**found.record(), "worst": worst.to_dicts()})
    return JobResult("done", {"found": summary.model_dump()})


def area_chairs_to_sample(chairs: Sequence[AreaChair], reviews_per_paper: float) -> int:
    """Return how many area chairs have about as many reviews on their pages as are attacked."""
    papers = sum(len(chair.papers) for chair in chairs) / len(chairs)
    wanted = int(MOST_ATTACKED / (papers * reviews_per_paper))
    return _between(LEAST_AREA_CHAIRS, wanted, MOST_AREA_CHAIRS)


def reviewers_to_sample(reviews: pl.DataFrame) -> int:
    """Return how many reviewers have about as many reviews as are changed."""
    load = reviews.height / reviews["reviewer"].n_unique()
    return _between(LEAST_REVIEWERS, int(MOST_REVIEWS_CHANGED / load), MOST_REVIEWERS)


def _between(least: int, wanted: int, most: int) -> int:
    return max(least, min(wanted, most))
