"""Decisions, tags and notes on papers, saved views of their table, and what area chairs recommend."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Annotated

from fastapi import Query
from sqlalchemy import delete, func, select
from sqlalchemy.orm import Session

from unround.console.access.permissions import require_done
from unround.console.api.guards import (
    OwnAreaChair,
    OwnConference,
    RunOfConference,
    ShownConference,
    ViewOfConference,
)
from unround.console.api.routing import Reading, Writing, error_responses, new_router
from unround.console.context import Visit
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
def get_marks(visit: Reading, conference: OwnConference) -> Marks:
    """Return the decisions, tags and notes of a conference."""
    return store.all_marks(visit.session, conference.id)


@router.post("/decisions", responses=error_responses(409))
def set_decision(visit: Reading, conference: OwnConference, request: SetDecision) -> ChangeResult:
    """Decide on some papers at once."""
    with _changing(visit, conference.id, request.papers) as change:
        _refuse_stale(change.session, conference.id, request)
        before = store.values_by_paper(change.session, conference.id, "decision")
        changes = _decisions(dict.fromkeys(request.papers, request.decision), before)
        detail = f"{request.decision or NO_DECISION}: {_paper_list(changes)}"
        return _apply(change, conference.id, changes, "decided", detail)


@router.post("/decisions/from-run/{run}", responses=error_responses(409))
def take_decisions(visit: Reading, run: RunOfConference) -> ChangeResult:
    """Take the decisions that a run's files hold, for papers without one."""
    require_done(run)
    papers = run_table(visit.session, run.id, PAPERS)
    found = papers.select("paper", "decision").rows() if "decision" in papers.columns else []
    with visit.change(run.conference) as change:
        before = store.values_by_paper(change.session, run.conference, "decision")
        imported = {
            paper: _known_label(label)
            for paper, label in found
            if label and label.strip() and paper not in before
        }
        changes = _decisions(imported, before)
        counts = Counter(one.after for one in changes).most_common()
        detail = ", ".join(f"{label}: {count:,}" for label, count in counts)
        return _apply(change, run.conference, changes, "took imported decisions", detail)


@router.post("/tags")
def set_tags(visit: Reading, conference: OwnConference, request: SetTags) -> ChangeResult:
    """Add tags to some papers and remove others from them."""
    with _changing(visit, conference.id, request.papers) as change:
        there = store.values_by_paper(change.session, conference.id, "tag")
        changes = [
            one
            for paper in dict.fromkeys(request.papers)
            for one in _tag_changes(paper, there.get(paper, ()), request)
        ]
        words = [*(f"+{tag}" for tag in request.add), *(f"-{tag}" for tag in request.remove)]
        detail = f"{' '.join(words)}: {_paper_list(changes)}"
        return _apply(change, conference.id, changes, "tagged", detail)


@router.put("/note", responses=error_responses(409))
def set_note(visit: Reading, conference: OwnConference, request: SetNote) -> ChangeResult:
    """Write a paper's note; an empty one takes it away."""
    with _changing(visit, conference.id, [request.paper]) as change:
        notes = store.values_by_paper(change.session, conference.id, "note")
        (before,) = notes.get(request.paper, [""])
        store.refuse_stale_note(before, request.before, request.note)
        if request.note == before:
            return ChangeResult(batch=None, papers=0)
        written = Change(request.paper, "note", before or None, request.note or None)
        store.write_note(change.session, conference.id, visit.viewer.label, written)
        return ChangeResult(batch=None, papers=1)


@router.get("/changes")
def list_changes(visit: Reading, conference: OwnConference) -> list[ChangeBatch]:
    """List the last changes of decisions, tags and notes, newest first: each can be undone."""
    return store.newest_batches(visit.session, conference.id)


@router.post("/undo")
def undo_change(visit: Writing, conference: OwnConference, request: Undo) -> ChangeResult:
    """Take a change of decisions or tags back, but for papers that were changed since."""
    batch, papers, kept = store.undo(
        visit.session, conference.id, visit.viewer.label, request.batch
    )
    if not papers and not kept:
        raise Absent
    visit.note(conference.id, "undid a change", f"{papers:,} papers")
    return ChangeResult(batch=batch, papers=papers, kept=kept)


@router.get("/history")
def get_history(
    visit: Reading, conference: OwnConference, paper: Annotated[PaperId, Query()]
) -> list[PaperChange]:
    """Return who changed what about a paper, newest first."""
    changes = store.history(visit.session, conference.id, paper)
    return [PaperChange.model_validate(row) for row in changes]


@contextmanager
def _changing(visit: Visit, conference: str, papers: Sequence[str]) -> Iterator[Visit]:
    """Open a transaction that alone may change marks of the conference, about papers that exist.

    Which papers exist is read before it: reading the tables of runs must hold up no other change.
    """
    unknown = store.unknown_papers(visit.session, conference, papers)
    if unknown:
        raise Refusal(422, f"No run of this conference has the paper {unknown[0][:100]!r}.")
    with visit.change(conference) as change:
        yield change


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
    visit: Visit, conference: str, changes: Sequence[Change], action: str, detail: str
) -> ChangeResult:
    batch = store.apply(visit.session, conference, visit.viewer.label, changes)
    if batch is not None:
        visit.note(conference, action, detail)
    return ChangeResult(batch=batch, papers=len({change.paper for change in changes}))


views_router = new_router("views", "/conferences/{conference}/views")
MOST_VIEWS = 100


@views_router.get("")
def list_views(visit: Reading, conference: OwnConference) -> list[SavedView]:
    """List the saved views of a conference by name."""
    query = select(SavedViewRow).where(SavedViewRow.conference == conference.id)
    rows = visit.session.scalars(query.order_by(SavedViewRow.name))
    return [SavedView.model_validate(row) for row in rows]


@views_router.post("", status_code=201, responses=error_responses(409))
def save_view(visit: Writing, conference: OwnConference, request: NewView) -> SavedView:
    """Save a view, in place of one of the same name."""
    name, views = request.name.strip(), SavedViewRow.conference == conference.id
    visit.session.execute(delete(SavedViewRow).where(views, SavedViewRow.name == name))
    saved = visit.session.scalar(select(func.count()).select_from(SavedViewRow).where(views))
    if (saved or 0) >= MOST_VIEWS:
        raise Refusal(409, f"There are {MOST_VIEWS} views already. Delete one first.")
    row = SavedViewRow(
        id=new_id(),
        conference=conference.id,
        name=name,
        query=request.query.removeprefix("?"),
        who=visit.viewer.label,
        at=now(),
    )
    visit.session.add(row)
    visit.note(conference.id, "saved a view", name)
    return SavedView.model_validate(row)


@views_router.delete("/{view}", status_code=204)
def delete_view(visit: Writing, view: ViewOfConference) -> None:
    """Delete a saved view."""
    visit.session.delete(view)
    visit.note(view.conference, "deleted a view", view.name)


recommendations_router = new_router("papers", "/conferences/{conference}/recommendations")


@recommendations_router.get("")
def list_recommendations(visit: Reading, conference: ShownConference) -> list[SavedRecommendation]:
    """List what area chairs recommend; for an area chair their own."""
    return store.recommendations(visit.session, conference.id, visit.viewer.area_chair)


@recommendations_router.put("", status_code=204, responses=error_responses(409))
def recommend(visit: Writing, area_chair: OwnAreaChair, request: Recommendation) -> None:
    """Recommend on a paper and write a note to the chairs. For the area chair of the paper."""
    if visit.session.get(AssignmentRow, (area_chair.id, request.paper)) is None:
        raise Absent
    detail = f"{request.paper}: {store.recommend(visit.session, area_chair.id, request)}"
    if visit.console.openings.is_new((visit.viewer.link, "recommended", detail)):
        visit.note(area_chair.conference, "recommended", detail)
