"""A finished run's results: as one viewer may see them, and as files."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query, Request, Response

from unround.console.asking import Asking, Here, PathId, answers
from unround.console.gate import ChairRoute
from unround.console.schema import Export, Id
from unround.report.model import View

router = APIRouter(tags=["results"], prefix="/runs/{run}")
chairs = APIRouter(tags=["results"], prefix="/runs/{run}", route_class=ChairRoute)

Preview = Annotated[Id | None, Query(alias="as", description="Chairs: as this area chair sees it.")]
XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"


def _gives(*kinds: str) -> dict[int | str, dict[str, Any]]:
    binary = {"schema": {"type": "string", "format": "binary"}}
    return {**answers(409), 200: {"content": dict.fromkeys(kinds, binary)}}


@router.get(
    "/view", response_model=View, responses={**answers(409), 304: {"description": "As before"}}
)
def get_view(
    request: Request, here: Here, who: Asking, run: PathId, preview: Preview = None
) -> Response:
    """The run as the viewer may see it."""
    raise NotImplementedError


@router.get("/report.html", response_class=Response, responses=_gives("text/html"))
def get_report(here: Here, who: Asking, run: PathId, preview: Preview = None) -> Response:
    """The same as one file that opens without a network."""
    raise NotImplementedError


@router.post("/export", response_class=Response, responses=_gives("text/csv", XLSX))
def export_table(here: Here, who: Asking, run: PathId, wanted: Export) -> Response:
    """What is shown, as a CSV file or a workbook."""
    raise NotImplementedError


@chairs.get("/files/{name}", response_class=Response, responses=_gives("application/octet-stream"))
def get_run_file(here: Here, who: Asking, run: PathId, name: str) -> Response:
    """A file of the run, byte for byte as `unround run` writes it."""
    raise NotImplementedError


@chairs.get(
    "/export/{target}", response_class=Response, responses=_gives("text/csv", "application/json")
)
def export_for_system(
    here: Here,
    who: Asking,
    run: PathId,
    target: Literal["hotcrp", "openreview", "openreview-notes"],
    tag: Annotated[str, Query(max_length=100)] = "dq",
    per_review: bool = False,
    invitation: Annotated[str | None, Query(max_length=500)] = None,
) -> Response:
    """What `unround export` writes for a conference system."""
    raise NotImplementedError
