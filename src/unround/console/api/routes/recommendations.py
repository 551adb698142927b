"""Recommendations of area chairs on their papers, with notes to the chairs."""

from __future__ import annotations

from fastapi import APIRouter, Response
from sqlalchemy import select

from unround.console.access.log import note
from unround.console.access.permissions import open_conference
from unround.console.api.routing import (
    AreaChairRoute,
    ConsoleDep,
    PathId,
    ViewerDep,
    error_responses,
)
from unround.console.errors import Absent
from unround.console.schemas.papers import Recommendation, SavedRecommendation
from unround.console.storage import papers as store
from unround.console.storage.orm import AssignmentRow

PATH = "/conferences/{conference}/recommendations"
router = APIRouter(tags=["papers"], prefix=PATH)
area_chairs = APIRouter(tags=["papers"], prefix=PATH, route_class=AreaChairRoute)


@router.get("", responses=error_responses())
def list_recommendations(
    console: ConsoleDep, viewer: ViewerDep, conference: PathId
) -> list[SavedRecommendation]:
    """List what area chairs recommend; for an area chair their own."""
    with console.database.reading() as session:
        open_conference(session, viewer, conference)
        return store.recommendations(session, conference, viewer.area_chair)


@area_chairs.put("", status_code=204, responses=error_responses())
def recommend(
    console: ConsoleDep, viewer: ViewerDep, conference: PathId, request: Recommendation
) -> Response:
    """Recommend on a paper and write a note to the chairs. For the area chair of the paper."""
    with console.database.writing() as session:
        own = select(AssignmentRow.paper).where(
            AssignmentRow.area_chair == viewer.area_chair, AssignmentRow.paper == request.paper
        )
        if viewer.area_chair is None or session.scalar(own) is None:
            raise Absent
        store.recommend(session, viewer.area_chair, request)
        detail = f"{request.paper}: {request.value or 'no recommendation'}"
        if console.openings.is_new((viewer.link, "recommended", detail)):
            note(session, conference, viewer.label, "recommended", detail)
    return Response(status_code=204)
