"""A finished run's results: as one viewer may see them, and as files."""

from __future__ import annotations

import gzip
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query, Request, Response

from unround.console.access.audit import note_opening
from unround.console.access.permissions import Look, looking
from unround.console.api.chair_route import ChairRoute
from unround.console.api.dependencies import Asking, Here, PathId, answers
from unround.console.context import Console
from unround.console.errors import Absent, Refusal
from unround.console.schemas import Export, Id
from unround.console.views import downloads as exports
from unround.console.views.view import encoded_view, run_file
from unround.report.model import View
from unround.report.page import MOST_REVIEWS, PageNotBuilt, page
from unround.runs.export import hotcrp_text, items_text, openreview_items
from unround.runs.folder import OPTIONAL, RECORD
from unround.runs.tables import PAPERS, SCORES

router = APIRouter(tags=["results"], prefix="/runs/{run}")
chairs = APIRouter(tags=["results"], prefix="/runs/{run}", route_class=ChairRoute)

Preview = Annotated[Id | None, Query(alias="as", description="Chairs: as this area chair sees it.")]
XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
FILES = (SCORES, PAPERS, *OPTIONAL, RECORD)
OWN_FILE = {"papers": PAPERS, "reviews": SCORES}


def _gives(*kinds: str) -> dict[int | str, dict[str, Any]]:
    binary = {"schema": {"type": "string", "format": "binary"}}
    contents = {kind: {} if kind == "application/json" else binary for kind in kinds}
    return {**answers(409), 200: {"content": contents}}


@router.get(
    "/view", response_model=View, responses={**answers(409), 304: {"description": "As before"}}
)
def get_view(
    request: Request, here: Here, who: Asking, run: PathId, preview: Preview = None
) -> Response:
    """The run as the viewer may see it."""
    with here.database.reading() as session:
        look = looking(session, who, run, preview)
    answer = encoded_view(here, look)
    note_opening(here, who, look)
    headers = {
        "ETag": answer.etag,
        "Cache-Control": "private, no-cache",
        "Vary": "Cookie, Accept-Encoding",
    }
    if answer.etag in request.headers.get("if-none-match", ""):
        return Response(status_code=304, headers=headers)
    if "gzip" in request.headers.get("accept-encoding", ""):
        headers["Content-Encoding"] = "gzip"
        return Response(answer.packed, media_type="application/json", headers=headers)
    return Response(gzip.decompress(answer.packed), media_type="application/json", headers=headers)


@router.get("/report.html", response_class=Response, responses=_gives("text/html"))
def get_report(here: Here, who: Asking, run: PathId, preview: Preview = None) -> Response:
    """The same as one file that opens without a network."""
    with here.database.reading() as session:
        look = looking(session, who, run, preview)
    shown = encoded_view(here, look).view()
    if len(shown["reviews"]["paper"]) > MOST_REVIEWS:
        raise Refusal(422, f"A page of more than {MOST_REVIEWS:,} reviews opens in no browser.")
    try:
        made = page(shown, bundle=here.settings.front_end / "report")
    except PageNotBuilt as problem:
        raise Refusal(503, str(problem)) from None
    note_opening(here, who, look, "downloaded the report")
    return _attachment(made, "report.html", "text/html")


@router.post("/export", response_class=Response, responses=_gives("text/csv", XLSX))
def export_table(here: Here, who: Asking, run: PathId, wanted: Export) -> Response:
    """What is shown, as a CSV file or a workbook."""
    with here.database.reading() as session:
        look = looking(session, who, run)
        whole = wanted.format == "csv" and wanted.papers is None and wanted.columns is None
        if whole and look.area_chair is None:
            made = run_file(session, run, OWN_FILE[wanted.table])
        else:
            made = _exported(here, look, wanted)
    note_opening(here, who, look, f"exported {wanted.table}")
    kind = "text/csv" if wanted.format == "csv" else XLSX
    return _attachment(made, f"{wanted.table}.{wanted.format}", kind)


def _exported(here: Console, look: Look, wanted: Export) -> bytes:
    finished = exports.finished_run(here, look.run.id)
    if look.area_chair is None:
        table = exports.chair_table(finished, wanted)
    else:
        table = exports.area_chair_table(finished, encoded_view(here, look).view(), wanted)
    if wanted.format == "csv":
        return exports.as_csv(table)
    return exports.as_xlsx(table, wanted.table.capitalize(), here)


@chairs.get(
    "/files/{name}", response_class=Response, responses=_gives("text/csv", "application/json")
)
def get_run_file(here: Here, who: Asking, run: PathId, name: str) -> Response:
    """A file of the run, byte for byte as `unround run` writes it."""
    if name not in FILES:
        raise Absent
    with here.database.reading() as session:
        look = looking(session, who, run)
        content = run_file(session, run, name)
    note_opening(here, who, look, f"downloaded {name}")
    return _attachment(content, name, "application/json" if name == RECORD else "text/csv")


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
    with here.database.reading() as session:
        look = looking(session, who, run)
    finished = exports.finished_run(here, run)
    if target == "hotcrp":
        text = hotcrp_text(finished.scores, finished.papers, tag, per_review=per_review)
        kind, name = "text/csv", "hotcrp.csv"
    else:
        text = items_text(openreview_items(finished.scores, finished.papers, target, invitation))
        kind, name = "application/json", f"{target}.json"
    note_opening(here, who, look, f"exported for {target}")
    return _attachment(text.encode(), name, kind)


def _attachment(content: bytes, name: str, kind: str) -> Response:
    """A file to be saved, never opened in the console's own origin."""
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(content, media_type=kind, headers=headers)
