"""Results of a finished run as the viewer may see them, as files, and its audits."""

from __future__ import annotations

import codecs
import gzip
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated, Any, Literal

import polars as pl
from fastapi import Query, Request, Response
from sqlalchemy import select
from starlette.concurrency import run_in_threadpool

from unround.console.access.permissions import RunAccess
from unround.console.api.guards import ChairResults, Results
from unround.console.api.routing import (
    Closed,
    Reading,
    attachment,
    error_responses,
    file_responses,
    new_router,
)
from unround.console.cache import EncodedView
from unround.console.context import Console, Visit
from unround.console.errors import Absent, Refusal
from unround.console.jobs.queue import answer
from unround.console.schemas.papers import Marks, SavedRecommendation
from unround.console.schemas.results import InfluenceAnswer, PrivacyAnswer
from unround.console.schemas.runs import AcceptanceLine
from unround.console.storage.orm import AssignmentRow
from unround.console.storage.papers import all_marks, recommendations
from unround.console.storage.run_files import FILES, run_checksums, run_file
from unround.console.views import encoded_view
from unround.disclosure.model import View
from unround.formats.model import ExportedFile, ExportOptions
from unround.output.tables import shielded, write_xlsx
from unround.report.pages import MOST_REVIEWS, PageNotBuilt, page
from unround.runs import exports
from unround.runs.exports import Side, line_table, wide_papers, wide_reviews
from unround.runs.folder import CHECKSUMS, RECORD, Run
from unround.settings import Accept

router = new_router("results", "/runs/{run}")
XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
WholeTable = Literal["papers.csv", "reviews.csv", "run.xlsx"]


@router.get(
    "/view",
    response_model=View,
    responses={**error_responses(409), 304: {"description": "As before"}},
)
async def get_view(visit: Closed, request: Request, access: Results) -> Response:
    """Return the run as the viewer may see it."""
    body = await encoded_view(visit.console, access)
    await run_in_threadpool(visit.note_opening, access)
    headers = {
        "ETag": body.etag,
        "Cache-Control": "private, no-cache",
        "Vary": "Cookie, Accept-Encoding",
    }
    if body.etag in request.headers.get("if-none-match", ""):
        return Response(status_code=304, headers=headers)
    if "gzip" in request.headers.get("accept-encoding", ""):
        headers["Content-Encoding"] = "gzip"
        return Response(body.packed, media_type="application/json", headers=headers)
    content = await run_in_threadpool(gzip.decompress, body.packed)
    return Response(content, media_type="application/json", headers=headers)


@router.get("/sides", responses=error_responses(409))
def get_sides(visit: Reading, access: Results) -> dict[str, Side]:
    """Return the sides of the chairs' line of an area chair's papers, if the chairs show them."""
    line = access.conference.line
    if line is None or access.area_chair is None or not access.conference.show_line:
        return {}
    own = select(AssignmentRow.paper).where(AssignmentRow.area_chair == access.area_chair.id)
    papers = set(visit.session.scalars(own))
    table = _line_table(visit.console.opened_run(access.run.id).run, line)
    sides = zip(table["paper"].cast(pl.String), table["side"], strict=True)
    return {paper: side for paper, side in sides if paper in papers}


@router.get("/report.html", response_class=Response, responses=file_responses("text/html"))
async def get_report(visit: Closed, access: Results) -> Response:
    """Return the same as one file that opens without a network."""
    body = await encoded_view(visit.console, access)
    return await run_in_threadpool(_report, visit, access, body)


def _report(visit: Visit, access: RunAccess, body: EncodedView) -> Response:
    view = body.view()
    if len(view["reviews"]["paper"]) > MOST_REVIEWS:
        raise Refusal(422, f"A page of more than {MOST_REVIEWS:,} reviews opens in no browser.")
    try:
        content = page(view, bundle=visit.console.settings.front_end / "report")
    except PageNotBuilt as error:
        raise Refusal(503, str(error)) from None
    visit.note_opening(access, "downloaded the report")
    whose = f"report-of-{access.area_chair.name}" if access.area_chair else "report"
    return attachment(content, _file_name(access, whose, "html"), "text/html")


@router.get("/tables/{name}", response_class=Response, responses=file_responses("text/csv", XLSX))
def get_whole_table(visit: Reading, access: ChairResults, name: WholeTable) -> Response:
    """Return all that is known of papers or reviews, decisions included, for a spreadsheet."""
    marks = all_marks(visit.session, access.conference.id)
    recommended = recommendations(visit.session, access.conference.id)
    finished = visit.console.opened_run(access.run.id).run
    papers = _with_marks(wide_papers(finished), marks, recommended)
    if access.conference.line is not None:
        papers = _with_chances(papers, _line_table(finished, access.conference.line))
    if name == "run.xlsx":
        tables = {"Papers": papers, "Reviews": wide_reviews(finished)}
        content = _as_xlsx(tables, visit.console)
    else:
        content = _as_csv(papers if name == "papers.csv" else wide_reviews(finished))
    visit.note_opening(access, f"downloaded {name}")
    media_type = XLSX if name == "run.xlsx" else "text/csv"
    return attachment(content, _file_name(access, *name.split(".")), media_type)


@router.get(
    "/files/{name}",
    response_class=Response,
    responses=file_responses("text/csv", "application/json"),
)
def get_run_file(visit: Reading, access: ChairResults, name: str) -> Response:
    """Return a file of the run, byte for byte as `unround run` writes it."""
    if name == CHECKSUMS:
        return attachment(run_checksums(visit.session, access.run.id), name, "text/plain")
    if name not in FILES:
        raise Absent
    content = run_file(visit.session, access.run.id, name)
    visit.note_opening(access, f"downloaded {name}")
    return attachment(content, name, "application/json" if name == RECORD else "text/csv")


@router.get(
    "/export/{target}",
    response_class=Response,
    responses=file_responses("text/csv", "application/json", "text/plain"),
)
def export_for_system(
    visit: Reading,
    access: ChairResults,
    target: exports.SystemTarget,
    tag: Annotated[str, Query(max_length=100)] = "dq",
    per_review: bool = False,
    invitation: Annotated[str | None, Query(max_length=500)] = None,
    include: Annotated[list[exports.ExportPart] | None, Query()] = None,
) -> Response:
    """Return what `unround export` writes for a conference system, with the chairs' decisions."""
    options = ExportOptions(tag, per_review, invitation, tuple(include or ("scores",)))
    file = system_file(visit.console, access, target, options)
    visit.note_opening(access, f"exported for {target}")
    media_type = {"csv": "text/csv", "json": "application/json", "txt": "text/plain"}[file.suffix]
    return attachment(file.text.encode(), _file_name(access, target, file.suffix), media_type)


def system_file(
    console: Console, access: RunAccess, target: str, options: ExportOptions
) -> ExportedFile:
    """Return a run's file for a conference system, with the chairs' decisions."""
    with console.database.reading() as session:
        marks = all_marks(session, access.conference.id)
    finished = console.opened_run(access.run.id).run
    papers = _with_marks(finished.papers, marks, ())
    return exports.export_for_system(target, finished.scores, papers, options)


@router.get("/privacy", responses=error_responses(409))
def get_privacy_audit(visit: Reading, access: ChairResults) -> PrivacyAnswer:
    """Return what area chairs could find out at each disclosure level, measured on a sample.

    The first request starts the measurement. Until it ends, requests are answered without an audit.
    """
    request = {"edition": access.conference.edition}
    return PrivacyAnswer.model_validate({"audit": _audit(visit, access, "privacy", request)})


@router.get("/influence", responses=error_responses(409))
def get_influence_audit(visit: Reading, access: ChairResults) -> InfluenceAnswer:
    """Return how far single reviewers could move papers, all of them or a sample.

    The first request starts the measurement. Until it ends, requests are answered without an audit.
    """
    request = {"line": access.conference.line}
    return InfluenceAnswer.model_validate({"audit": _audit(visit, access, "influence", request)})


def _audit(
    visit: Visit, access: RunAccess, kind: str, request: dict[str, Any]
) -> dict[str, Any] | None:
    return answer(visit.console.database, visit.console.supervisor, kind, access.run, request)


MOST_ROWS = 1_000_000  # a worksheet has a few more


def _line_table(run: Run, line: Mapping[str, Any]) -> pl.DataFrame:
    """Return the chances and sides of papers at the chairs' line."""
    drawn = AcceptanceLine.model_validate(line)
    return line_table(run, Accept(drawn.amount, drawn.percent), per_track=drawn.per_track)


def _with_chances(papers: pl.DataFrame, sides: pl.DataFrame) -> pl.DataFrame:
    """Add p_accept for the chairs' line, where the run knows chances."""
    if sides["p_accept"].is_null().all():
        return papers
    known = sides.select("paper", "p_accept")
    return papers.drop("p_accept", strict=False).join(
        known, on="paper", how="left", maintain_order="left"
    )


def _with_marks(
    papers: pl.DataFrame, marks: Marks, recommended: Sequence[SavedRecommendation]
) -> pl.DataFrame:
    """Add the chairs' decisions, tags and notes, and what area chairs recommend.

    Decisions of the import get a name of their own.
    """
    decided = [(one.paper, one.decision, " ".join(one.tags), one.note) for one in marks.papers]
    advice = [(one.paper, one.area_chair, one.value, one.note) for one in recommended]
    columns = ("recommendation", "area_chair_note")
    added = (
        _by_paper(decided, ("decision", "tags", "note")),
        _by_paper(advice, ("name", *columns))
        .group_by("_id", maintain_order=True)
        .agg(_by_name(column) for column in columns),
    )
    known = papers.rename({"decision": "imported_decision"}, strict=False).with_columns(
        pl.col("paper").cast(pl.String).alias("_id")
    )
    for table in added:
        known = known.join(table, on="_id", how="left", maintain_order="left")
    return known.drop("_id")


def _by_paper(rows: Sequence[tuple[str | None, ...]], columns: Sequence[str]) -> pl.DataFrame:
    return pl.DataFrame(rows, schema=dict.fromkeys(("_id", *columns), pl.String), orient="row")


def _by_name(column: str) -> pl.Expr:
    """What the area chairs of a paper say: "Accept", or of several "Ann: Accept; Bo: Reject"."""
    said = pl.col(column).filter(pl.col(column).fill_null("") != "")
    whose = pl.col("name").filter(pl.col(column).fill_null("") != "")
    several = pl.format("{}: {}", whose, said).str.join("; ")
    return pl.when(pl.len() > 1).then(several).otherwise(said.first()).alias(column)


def _as_csv(table: pl.DataFrame) -> bytes:
    """Return the bytes of a CSV file that Excel takes for UTF-8."""
    return codecs.BOM_UTF8 + shielded(table).write_csv().encode()


def _as_xlsx(tables: Mapping[str, pl.DataFrame], console: Console) -> bytes:
    """Return the bytes of a workbook with one sheet per table."""
    most = max(table.height for table in tables.values())
    if most > MOST_ROWS:
        raise Refusal(422, f"A worksheet cannot hold {most:,} rows: choose CSV.")
    with TemporaryDirectory(dir=console.settings.work) as folder:
        path = Path(folder) / "table.xlsx"
        write_xlsx(tables, path)
        return path.read_bytes()


def _file_name(access: RunAccess, what: str, suffix: str) -> str:
    """Return a file's name with conference, run and date: "Demo-2026_First-run_2026-03-01_papers.csv"."""
    run = access.run
    day = f"{run.finished:%Y-%m-%d}" if run.finished else ""
    parts = (access.conference.name, run.name, day, what)
    words = (re.sub(r"[\W_]+", "-", part).strip("-") for part in parts)
    return f"{'_'.join(filter(None, words))}.{suffix}"
