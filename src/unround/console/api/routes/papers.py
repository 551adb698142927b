"""Decisions, tags and notes on papers, saved views of their table, and what area chairs recommend."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Annotated

from fastapi import APIRouter, Query, Response
from sqlalchemy import delete, func, select
from sqlalchemy.orm import Session

from unround.console.access.log import note
from unround.console.access.permissions import (
    Viewer,
    get_of_conference,
    lock_conference,
    open_conference,
    require_done,
)
from unround.console.api.routing import (
    AreaChairRoute,
    ChairRoute,
    ConsoleDep,
    PathId,
    ViewerDep,
    error_responses,
)
from unround.console.context import Console
from unround.console.errors import Absent, Refusal
from unround.console.schemas.papers import (
    ChangeBatch,
    ChangeResult,
    Marks,
    NewView,
    PaperChange,
    PaperId,
    Recommendation,
    SavedRecommendation,
    SavedView,
    SetDecision,
    SetNote,
    SetTags,
    Undo,
)
from unround.console.storage import papers as store
from unround.console.storage.orm import (
    AreaChairRow,
    AssignmentRow,
    RunRow,
    SavedViewRow,
    new_id,
    now,
)
from unround.console.storage.papers import Change
from unround.console.storage.run_files import run_table
from unround.runs.tables import PAPERS
from unround.wording import DECISIONS

router = APIRouter(
    tags=["papers"], prefix="/conferences/{conference}/papers", route_class=ChairRoute
)
NO_DECISION = "no decision"


@router.get("", responses=error_responses())
def get_marks(console: ConsoleDep, viewer: ViewerDep, conference: PathId) -> Marks:
    """Return the decisions, tags and notes of a conference."""
    with console.database.reading() as session:
        open_conference(session, viewer, conference)
        return store.all_marks(session, conference)


@router.post("/decisions", responses=error_responses(409))
def set_decision(
    console: ConsoleDep, viewer: ViewerDep, conference: PathId, request: SetDecision
) -> ChangeResult:
    """Decide on some papers at once."""
    with _changing(console, conference, request.papers) as session:
        _refuse_stale(session, conference, request)
        before = store.values_by_paper(session, conference, "decision")
        changes = _decisions(dict.fromkeys(request.papers, request.decision), before)
        detail = f"{request.decision or NO_DECISION}: {_paper_list(changes)}"
        return _apply(session, viewer, conference, changes, "decided", detail)


@router.post("/decisions/from-run/{run}", responses=error_responses(409))
def take_decisions(
    console: ConsoleDep, viewer: ViewerDep, conference: PathId, run: PathId
) -> ChangeResult:
    """Take the decisions that a run's files hold, for papers without one."""
    with _changing(console, conference) as session:
        require_done(get_of_conference(session, RunRow, run, conference))
        before = store.values_by_paper(session, conference, "decision")
        imported = {
            paper: _known_label(label)
            for paper, label in _imported_decisions(session, run)
            if label and label.strip() and paper not in before
        }
        changes = _decisions(imported, before)
        counts = Counter(change.after for change in changes).most_common()
        detail = ", ".join(f"{label}: {count:,}" for label, count in counts)
        return _apply(session, viewer, conference, changes, "took imported decisions", detail)


@router.post("/tags", responses=error_responses())
def set_tags(
    console: ConsoleDep, viewer: ViewerDep, conference: PathId, request: SetTags
) -> ChangeResult:
    """Add tags to some papers and remove others from them."""
    with _changing(console, conference, request.papers) as session:
        there = store.values_by_paper(session, conference, "tag")
        changes = [
            change
            for paper in dict.fromkeys(request.papers)
            for change in _tag_changes(paper, there.get(paper, ()), request)
        ]
        words = [*(f"+{tag}" for tag in request.add), *(f"-{tag}" for tag in request.remove)]
        detail = f"{' '.join(words)}: {_paper_list(changes)}"
        return _apply(session, viewer, conference, changes, "tagged", detail)


@router.put("/note", responses=error_responses(409))
def set_note(
    console: ConsoleDep, viewer: ViewerDep, conference: PathId, request: SetNote
) -> ChangeResult:
    """Write a paper's note; an empty one takes it away."""
    with _changing(console, conference, [request.paper]) as session:
        (before,) = store.values_by_paper(session, conference, "note").get(request.paper, [""])
        store.refuse_stale_note(before, request.before, request.note)
        if request.note == before:
            return ChangeResult(batch=None, papers=0)
        change = Change(request.paper, "note", before or None, request.note or None)
        store.write_note(session, conference, viewer.label, change)
        return ChangeResult(batch=None, papers=1)


@router.get("/changes", responses=error_responses())
def list_changes(console: ConsoleDep, viewer: ViewerDep, conference: PathId) -> list[ChangeBatch]:
    """List the last changes of decisions, tags and notes, newest first: each can be undone."""
    with console.database.reading() as session:
        open_conference(session, viewer, conference)
        return store.newest_batches(session, conference)


@router.post("/undo", responses=error_responses())
def undo_change(
    console: ConsoleDep, viewer: ViewerDep, conference: PathId, request: Undo
) -> ChangeResult:
    """Take a change of decisions or tags back, but for papers that were changed since."""
    with _changing(console, conference) as session:
        batch, papers, kept = store.undo(session, conference, viewer.label, request.batch)
        if not papers and not kept:
            raise Absent
        note(session, conference, viewer.label, "undid a change", f"{papers:,} papers")
        return ChangeResult(batch=batch, papers=papers, kept=kept)


@router.get("/history", responses=error_responses())
def get_history(
    console: ConsoleDep,
    viewer: ViewerDep,
    conference: PathId,
    paper: Annotated[PaperId, Query()],
) -> list[PaperChange]:
    """Return who changed what about a paper, newest first."""
    with console.database.reading() as session:
        open_conference(session, viewer, conference)
        changes = store.history(session, conference, paper)
        return [PaperChange.model_validate(row) for row in changes]


@contextmanager
def _changing(console: Console, conference: str, papers: Sequence[str] = ()) -> Iterator[Session]:
    """Open a transaction that alone may change marks of the conference, about papers that exist."""
    with console.database.writing() as session:
        lock_conference(session, conference)
        unknown = store.unknown_papers(session, conference, papers)
        if unknown:
            raise Refusal(422, f"No run of this conference has the paper {unknown[0][:100]!r}.")
        yield session


def _refuse_stale(session: Session, conference: str, request: SetDecision) -> None:
    if request.seen is None:
        return
    changed = store.changed_since(session, conference, "decision", request.papers, request.seen)
    if changed:
        some = ", ".join(sorted(changed)[:5])
        raise Refusal(
            409,
            f"Somebody else has decided on {len(changed):,} of these papers meanwhile ({some}). "
            "The table now shows their decisions: look again, and decide again if need be.",
        )


def _decisions(wanted: Mapping[str, str | None], before: dict[str, list[str]]) -> list[Change]:
    """Return the changes that bring papers from one decision to another."""
    return [
        Change(paper, "decision", old, label)
        for paper, label in wanted.items()
        if (old := next(iter(before.get(paper, ())), None)) != label
    ]


def _imported_decisions(session: Session, run: str) -> list[tuple[str, str | None]]:
    """Return the decision of each paper that the files of a run name."""
    papers = run_table(session, run, PAPERS)
    return papers.select("paper", "decision").rows() if "decision" in papers.columns else []


def _known_label(imported: str) -> str:
    """Write an imported decision as the console does where it is the same word."""
    text = imported.strip()[:60].strip()
    return next((label for label in DECISIONS if label.casefold() == text.casefold()), text)


def _tag_changes(paper: str, there: Sequence[str], request: SetTags) -> Iterator[Change]:
    for tag in dict.fromkeys(request.add):
        if tag not in there:
            yield Change(paper, "tag", None, tag)
    for tag in dict.fromkeys(request.remove):
        if tag in there and tag not in request.add:
            yield Change(paper, "tag", tag, None)


def _paper_list(changes: Sequence[Change]) -> str:
    papers = list(dict.fromkeys(change.paper for change in changes))
    shown = ", ".join(papers[:10])
    return shown if len(papers) <= 10 else f"{shown} and {len(papers) - 10:,} more"


def _apply(
    session: Session,
    viewer: Viewer,
    conference: str,
    changes: Sequence[Change],
    action: str,
    detail: str,
) -> ChangeResult:
    batch = store.apply(session, conference, viewer.label, changes)
    if batch is not None:
        note(session, conference, viewer.label, action, detail)
    return ChangeResult(batch=batch, papers=len({change.paper for change in changes}))


views_router = APIRouter(
    tags=["views"], prefix="/conferences/{conference}/views", route_class=ChairRoute
)
MOST_VIEWS = 100


@views_router.get("", responses=error_responses())
def list_views(console: ConsoleDep, viewer: ViewerDep, conference: PathId) -> list[SavedView]:
    """List the saved views of a conference by name."""
    with console.database.reading() as session:
        open_conference(session, viewer, conference)
        query = select(SavedViewRow).where(SavedViewRow.conference == conference)
        rows = session.scalars(query.order_by(SavedViewRow.name))
        return [SavedView.model_validate(row) for row in rows]


@views_router.post("", status_code=201, responses=error_responses(409))
def save_view(
    console: ConsoleDep, viewer: ViewerDep, conference: PathId, request: NewView
) -> SavedView:
    """Save a view, in place of one of the same name."""
    name = request.name.strip()
    with console.database.writing() as session:
        lock_conference(session, conference)
        views = SavedViewRow.conference == conference
        session.execute(delete(SavedViewRow).where(views, SavedViewRow.name == name))
        saved = session.scalar(select(func.count()).select_from(SavedViewRow).where(views))
        if (saved or 0) >= MOST_VIEWS:
            raise Refusal(409, f"There are {MOST_VIEWS} views already. Delete one first.")
        row = SavedViewRow(
            id=new_id(),
            conference=conference,
            name=name,
            query=request.query.removeprefix("?"),
            who=viewer.label,
            at=now(),
        )
        session.add(row)
        note(session, conference, viewer.label, "saved a view", name)
        return SavedView.model_validate(row)


@views_router.delete("/{view}", status_code=204, responses=error_responses())
def delete_view(
    console: ConsoleDep, viewer: ViewerDep, conference: PathId, view: PathId
) -> Response:
    """Delete a saved view."""
    with console.database.writing() as session:
        lock_conference(session, conference)
        row = get_of_conference(session, SavedViewRow, view, conference)
        session.delete(row)
        note(session, conference, viewer.label, "deleted a view", row.name)
    return Response(status_code=204)


RECOMMENDATIONS = "/conferences/{conference}/recommendations"
recommendations_router = APIRouter(tags=["papers"], prefix=RECOMMENDATIONS)
area_chairs = APIRouter(tags=["papers"], prefix=RECOMMENDATIONS, route_class=AreaChairRoute)


@recommendations_router.get("", responses=error_responses())
def list_recommendations(
    console: ConsoleDep, viewer: ViewerDep, conference: PathId
) -> list[SavedRecommendation]:
    """List what area chairs recommend; for an area chair their own."""
    with console.database.reading() as session:
        open_conference(session, viewer, conference)
        return store.recommendations(session, conference, viewer.area_chair)


@area_chairs.put("", status_code=204, responses=error_responses(409))
def recommend(
    console: ConsoleDep, viewer: ViewerDep, conference: PathId, request: Recommendation
) -> Response:
    """Recommend on a paper and write a note to the chairs. For the area chair of the paper."""
    with console.database.writing() as session:
        one_at_a_time = {"key_share": True}  # two windows of an area chair
        if viewer.area_chair is None:
            raise Absent
        session.get(AreaChairRow, viewer.area_chair, with_for_update=one_at_a_time)
        if session.get(AssignmentRow, (viewer.area_chair, request.paper)) is None:
            raise Absent
        said = store.recommend(session, viewer.area_chair, request)
        detail = f"{request.paper}: {said}"
        if console.openings.is_new((viewer.link, "recommended", detail)):
            note(session, conference, viewer.label, "recommended", detail)
    return Response(status_code=204)
