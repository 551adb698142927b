"""Audits of a run, for its chairs."""

from __future__ import annotations

from fastapi import APIRouter

from unround.console.access.permissions import authorise
from unround.console.api.dependencies import ChairRoute, ConsoleDep, PathId, ViewerDep
from unround.console.api.responses import error_responses
from unround.console.schemas.audits import InfluenceAnswer, PrivacyAnswer
from unround.console.views.audits import influence_audit, privacy_audit

router = APIRouter(tags=["results"], prefix="/runs/{run}", route_class=ChairRoute)


@router.get("/privacy", responses=error_responses(409))
def get_privacy_audit(console: ConsoleDep, viewer: ViewerDep, run: PathId) -> PrivacyAnswer:
    """Return what area chairs could find out at each disclosure level, measured on a sample.

    The first request starts the measurement. Until it ends, requests are answered without an audit.
    """
    with console.database.reading() as session:
        access = authorise(session, viewer, run)
    return PrivacyAnswer(audit=privacy_audit(console, access))


@router.get("/influence", responses=error_responses(409))
def get_influence_audit(console: ConsoleDep, viewer: ViewerDep, run: PathId) -> InfluenceAnswer:
    """Return how far single reviewers could move papers, all of them or a sample.

    The first request starts the measurement. Until it ends, requests are answered without an audit.
    """
    with console.database.reading() as session:
        access = authorise(session, viewer, run)
    return InfluenceAnswer(audit=influence_audit(console, access))
