"""A reviewer's own ballot. For reviewers: whose ballot it is follows from the session alone."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Depends
from fastapi.responses import JSONResponse

from unround.console.api.dependencies import ConsoleDep, ViewerDep
from unround.console.api.responses import error_responses
from unround.console.ballots import saving
from unround.console.errors import Absent
from unround.console.schemas.ballots import Ballot, BallotConflict, BallotVersion, SaveBallot

router = APIRouter(tags=["ballot"], prefix="/ballot")


def _own_ballot(viewer: ViewerDep) -> str:
    """Return the id of the viewer's ballot, or raise 404 for everybody but reviewers."""
    if viewer.ballot is None:
        raise Absent
    return viewer.ballot


OwnBallot = Annotated[str, Depends(_own_ballot)]
CONFLICT: dict[int | str, dict[str, Any]] = {409: {"model": BallotConflict}}


@router.get("", responses=error_responses())
def get_ballot(console: ConsoleDep, ballot: OwnBallot) -> Ballot:
    """Return the reviewer's ballot as it was saved last."""
    return saving.open_ballot(console.database, ballot)


@router.put("", response_model=Ballot, responses=error_responses(413, 423, 507) | CONFLICT)
def save_ballot(
    console: ConsoleDep, ballot: OwnBallot, request: SaveBallot
) -> Ballot | JSONResponse:
    """Save the ballot as its next version. Once this is answered, it is on the disk."""
    try:
        return saving.save_ballot(console.database, ballot, request)
    except saving.Overtaken as overtaken:
        body = BallotConflict(detail=saving.OVERTAKEN, current=overtaken.current)
        return JSONResponse(body.model_dump(mode="json"), 409)


@router.get("/versions", responses=error_responses())
def get_ballot_versions(console: ConsoleDep, ballot: OwnBallot) -> list[BallotVersion]:
    """List every saved state of the ballot, newest first."""
    return saving.list_versions(console.database, ballot)
