"""Decisions, tags and notes on papers, saved views of their table, and what area chairs recommend."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Annotated

from fastapi import Query, Response
from sqlalchemy import delete, func, select
from sqlalchemy.orm import Session

from unround.console.access.log import note
from unround.console.access.permissions import Viewer, lock_conference, require_done
from unround.console.api.guards import (
    OwnAreaChair,
    OwnConference,
    RunOfConference,
    ShownConference,
    ViewOfConference,
)
from unround.console.api.routing import (
    ConsoleDep,
    SessionDep,
    ViewerDep,
    WriteDep,
    error_responses,
    new_router,
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
from unround.console.storage.orm import AssignmentRow, SavedViewRow, new_id, now
from unround.console.storage.papers import Change
from unround.console.storage.run_files import run_table
from unround.runs.tables import PAPERS
from unround.wording import DECISIONS

router = new_router("papers", "/conferences/{conference}/papers")
NO_DECISION = "no decision"


@router.get("")
def get_marks(session: SessionDep, conference: OwnConference) -> Marks:
    """Return the decisions, tags and notes of a conference."""
    return store.all_marks(session, conference.id)


@router.post("/decisions", responses=error_responses(409))
def set_decision(
    console: ConsoleDep, viewer: ViewerDep, conference: OwnConference, request: SetDecision
) -> ChangeResult:
    """Decide on some papers at once."""
    with _changing(console, conference.id, request.papers) as session:
        _refuse_stale(session, conference.id, request)
        before = store.values_by_paper(session, conference.id, "decision")
        changes = _decisions(dict.fromkeys(request.papers, request.decision), before)
        detail = f"{request.decision or NO_DECISION}: {_paper_list(changes)}"
        return _apply(session, viewer, conference.id, changes, "decided", detail)


@router.post("/decisions/from-run/{run}", responses=error_responses(409))
def take_decisions(
    console: ConsoleDep, session: SessionDep, viewer: ViewerDep, run: RunOfConference
) -> ChangeResult:
    """Take the decisions that a run's files hold, for papers without one."""
    require_done(run)
    papers = run_table(session, run.id, PAPERS)
    found = papers.select("paper", "decision").rows() if "decision" in papers.columns else []
    with _changing(console, run.conference) as writing:
        before = store.values_by_paper(writing, run.conference, "decision")
        imported = {
            paper: _known_label(label)
            for paper, label in found
            if label and label.strip() and paper not in before
        }
        changes = _decisions(imported, before)
        counts = Counter(change.after for change in changes).most_common()
        detail = ", ".join(f"{label}: {count:,}" for label, count in counts)
        return _apply(writing, viewer, run.conference, changes, "took imported decisions", detail)


@router.post("/tags")
def set_tags(
    console: ConsoleDep, viewer: ViewerDep, conference: OwnConference, request: SetTags
) -> ChangeResult:
    """Add tags to some papers and remove others from them."""
    with _changing(console, conference.id, request.papers) as session:
        there = store.values_by_paper(session, conference.id, "tag")
        changes = [
            change
            for paper in dict.fromkeys(request.papers)
            for change in _tag_changes(paper, there.get(paper, ()), request)
        ]
        words = [*(f"+{tag}" for tag in request.add), *(f"-{tag}" for tag in request.remove)]
        detail = f"{' '.join(words)}: {_paper_list(changes)}"
        return _apply(session, viewer, conference.id, changes, "tagged", detail)


@router.put("/note", responses=error_responses(409))
def set_note(
    console: ConsoleDep, viewer: ViewerDep, conference: OwnConference, request: SetNote
) -> ChangeResult:
    """Write a paper's note; an empty one takes it away."""
    with _changing(console, conference.id, [request.paper]) as session:
        (before,) = store.values_by_paper(session, conference.id, "note").get(request.paper, [""])
        store.refuse_stale_note(before, request.before, request.note)
        if request.note == before:
            return ChangeResult(batch=None, papers=0)
        change = Change(request.paper, "note", before or None, request.note or None)
        store.write_note(session, conference.id, viewer.label, change)
        return ChangeResult(batch=None, papers=1)


@router.get("/changes")
def list_changes(session: SessionDep, conference: OwnConference) -> list[ChangeBatch]:
    """List the last changes of decisions, tags and notes, newest first: each can be undone."""
    return store.newest_batches(session, conference.id)


@router.post("/undo")
def undo_change(
    session: WriteDep, viewer: ViewerDep, conference: OwnConference, request: Undo
) -> ChangeResult:
    """Take a change of decisions or tags back, but for papers that were changed since."""
    batch, papers, kept = store.undo(session, conference.id, viewer.label, request.batch)
    if not papers and not kept:
        raise Absent
    note(session, conference.id, viewer.label, "undid a change", f"{papers:,} papers")
    return ChangeResult(batch=batch, papers=papers, kept=kept)


@router.get("/history")
def get_history(
    session: SessionDep, conference: OwnConference, paper: Annotated[PaperId, Query()]
) -> list[PaperChange]:
    """Return who changed what about a paper, newest first."""
    changes = store.history(session, conference.id, paper)
    return [PaperChange.model_validate(row) for row in changes]


@contextmanager
def _changing(console: Console, conference: str, papers: Sequence[str] = ()) -> Iterator[Session]:
    """Open a transaction that alone may change marks of the conference, about papers that exist.

    Which papers exist is read before it: reading the tables of runs must hold up no other change.
    """
    with console.database.reading() as session:
        unknown = store.unknown_papers(session, conference, papers)
    if unknown:
        raise Refusal(422, f"No run of this conference has the paper {unknown[0][:100]!r}.")
    with console.database.writing() as session:
        lock_conference(session, conference)
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


views_router = new_router("views", "/conferences/{conference}/views")
MOST_VIEWS = 100


@views_router.get("")
def list_views(session: SessionDep, conference: OwnConference) -> list[SavedView]:
    """List the saved views of a conference by name."""
    query = select(SavedViewRow).where(SavedViewRow.conference == conference.id)
    rows = session.scalars(query.order_by(SavedViewRow.name))
    return [SavedView.model_validate(row) for row in rows]


@views_router.post("", status_code=201, responses=error_responses(409))
def save_view(
    session: WriteDep, viewer: ViewerDep, conference: OwnConference, request: NewView
) -> SavedView:
    """Save a view, in place of one of the same name."""
    name, views = request.name.strip(), SavedViewRow.conference == conference.id
    session.execute(delete(SavedViewRow).where(views, SavedViewRow.name == name))
    saved = session.scalar(select(func.count()).select_from(SavedViewRow).where(views))
    if (saved or 0) >= MOST_VIEWS:
        raise Refusal(409, f"There are {MOST_VIEWS} views already. Delete one first.")
    row = SavedViewRow(
        id=new_id(),
        conference=conference.id,
        name=name,
        query=request.query.removeprefix("?"),
        who=viewer.label,
        at=now(),
    )
    session.add(row)
    note(session, conference.id, viewer.label, "saved a view", name)
    return SavedView.model_validate(row)


@views_router.delete("/{view}", status_code=204)
def delete_view(session: WriteDep, viewer: ViewerDep, view: ViewOfConference) -> Response:
    """Delete a saved view."""
    session.delete(view)
    note(session, view.conference, viewer.label, "deleted a view", view.name)
    return Response(status_code=204)


recommendations_router = new_router("papers", "/conferences/{conference}/recommendations")


@recommendations_router.get("")
def list_recommendations(
    session: SessionDep, viewer: ViewerDep, conference: ShownConference
) -> list[SavedRecommendation]:
    """List what area chairs recommend; for an area chair their own."""
    return store.recommendations(session, conference.id, viewer.area_chair)


@recommendations_router.put("", status_code=204, responses=error_responses(409))
def recommend(
    console: ConsoleDep,
    session: WriteDep,
    viewer: ViewerDep,
    area_chair: OwnAreaChair,
    request: Recommendation,
) -> Response:
    """Recommend on a paper and write a note to the chairs. For the area chair of the paper."""
    if session.get(AssignmentRow, (area_chair.id, request.paper)) is None:
        raise Absent
    detail = f"{request.paper}: {store.recommend(session, area_chair.id, request)}"
    if console.openings.is_new((viewer.link, "recommended", detail)):
        note(session, area_chair.conference, viewer.label, "recommended", detail)
    return Response(status_code=204)
