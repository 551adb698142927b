"""Marks: the chairs' decisions, tags and notes. They belong to the conference, not to a run.

A change is written to the table of its field and, with who and when, to the history; changes made at
once share a batch, by which they are undone.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import datetime, timedelta
from typing import Any, get_args

from sqlalchemy import delete, func, insert, select
from sqlalchemy.orm import Session

from unround.console.errors import Refusal
from unround.console.schemas.papers import (
    ChangeBatch,
    MarkField,
    Marks,
    PaperMarks,
    Recommendation,
    SavedRecommendation,
)
from unround.console.storage.orm import (
    AreaChairRow,
    DecisionRow,
    NoteRow,
    PaperChangeRow,
    RecommendationRow,
    TagRow,
    new_id,
    now,
)
from unround.console.storage.run_files import finished_runs, papers_of_run

TABLES: dict[MarkField, type[DecisionRow | TagRow | NoteRow]] = {
    "decision": DecisionRow,
    "tag": TagRow,
    "note": NoteRow,
}
PAPERS_AT_ONCE = 500  # in one condition: databases limit the parameters of a statement
ONE_SITTING = timedelta(minutes=10)  # a note that is typed on becomes one line of the history
NEWEST = 200
NEWEST_BATCHES = 20
EXAMPLES = 5  # papers of a batch that are named


@dataclass(frozen=True)
class Change:
    """What a paper's mark was and shall be. A tag that is added has no `before`."""

    paper: str
    field: MarkField
    before: str | None
    after: str | None

    def undone(self) -> Change:
        """Return the change that takes this one back."""
        return replace(self, before=self.after, after=self.before)


def all_marks(session: Session, conference: str) -> Marks:
    """Return every mark of a conference, papers by id."""
    decisions, tags, notes = (values_by_paper(session, conference, field) for field in TABLES)
    return Marks(
        version=_version(session, conference),
        papers=[
            PaperMarks(
                paper=paper,
                decision=decisions.get(paper, [None])[0],
                tags=sorted(tags.get(paper, ())),
                note=notes.get(paper, [None])[0],
            )
            for paper in sorted(decisions.keys() | notes.keys() | tags.keys())
        ],
    )


def values_by_paper(session: Session, conference: str, field: MarkField) -> dict[str, list[str]]:
    """Return the values of a field by paper: one, or several tags."""
    table, values = TABLES[field], defaultdict[str, list[str]](list)
    query = select(table.paper, table.value).where(table.conference == conference)
    for paper, value in session.execute(query):
        values[paper].append(value)
    return dict(values)


def _version(session: Session, conference: str) -> int:
    query = select(func.max(PaperChangeRow.id)).where(PaperChangeRow.conference == conference)
    return session.scalar(query) or 0


def unknown_papers(session: Session, conference: str, papers: Iterable[str]) -> list[str]:
    """Return the papers that are in no run of the conference."""
    unknown = dict.fromkeys(papers)
    for run in finished_runs(session, conference):
        if not unknown:
            break
        for paper in papers_of_run(session, run):
            unknown.pop(paper, None)
    return list(unknown)


def changed_since(
    session: Session, conference: str, field: MarkField, papers: Iterable[str], version: int
) -> set[str]:
    """Return those of the papers whose field was changed after a version."""
    query = select(PaperChangeRow.paper).where(
        PaperChangeRow.conference == conference,
        PaperChangeRow.id > version,
        PaperChangeRow.field == field,
    )
    return set(papers) & set(session.scalars(query))


def apply(session: Session, conference: str, who: str, changes: Sequence[Change]) -> str | None:
    """Write changes and their history. Return their batch; None where there is nothing to change."""
    if not changes:
        return None
    batch, at = new_id(), now()
    for field in get_args(MarkField):
        _rewrite(session, conference, who, at, [c for c in changes if c.field == field])
    signed = {"conference": conference, "batch": batch, "at": at, "who": who}
    session.execute(insert(PaperChangeRow), [{**signed, **asdict(change)} for change in changes])
    return batch


def _rewrite(
    session: Session, conference: str, who: str, at: datetime, changes: Sequence[Change]
) -> None:
    """Write changes of one field to its table."""
    if not changes:
        return
    table = TABLES[changes[0].field]
    outdated = defaultdict[str | None, list[str]](list)
    for change in changes:
        if change.before is not None:
            outdated[change.before].append(change.paper)
    for value, papers in outdated.items():
        those = delete(table).where(table.conference == conference, table.value == value)
        for first in range(0, len(papers), PAPERS_AT_ONCE):
            some = papers[first : first + PAPERS_AT_ONCE]
            session.execute(those.where(table.paper.in_(some)))
    signed = {"conference": conference, "who": who, "at": at}
    rows: list[dict[str, Any]] = [
        {**signed, "paper": change.paper, "value": change.after}
        for change in changes
        if change.after is not None
    ]
    if rows:
        session.execute(insert(table), rows)


def newest_batches(session: Session, conference: str) -> list[ChangeBatch]:
    """Return the last changes of decisions, tags and notes, newest first."""
    last = (
        select(PaperChangeRow.batch)
        .where(PaperChangeRow.conference == conference)
        .group_by(PaperChangeRow.batch)
        .order_by(func.max(PaperChangeRow.at).desc(), func.max(PaperChangeRow.id).desc())
        .limit(NEWEST_BATCHES)
    )
    batches: dict[str, list[PaperChangeRow]] = {batch: [] for batch in session.scalars(last)}
    for row in session.scalars(select(PaperChangeRow).where(PaperChangeRow.batch.in_(batches))):
        batches[row.batch].append(row)
    there = {field: values_by_paper(session, conference, field) for field in TABLES}
    return [_batch(rows, there) for rows in batches.values()]


def _batch(
    rows: Sequence[PaperChangeRow], there: Mapping[MarkField, dict[str, list[str]]]
) -> ChangeBatch:
    first, changes = rows[0], [_change(row) for row in rows]
    papers = list(dict.fromkeys(change.paper for change in changes))
    return ChangeBatch(
        batch=first.batch,
        at=first.at,
        who=first.who,
        field=changes[0].field,
        before=sorted({change.before or "" for change in changes}),
        after=sorted({change.after or "" for change in changes}),
        papers=papers[:EXAMPLES],
        count=len(papers),
        undoable=len({c.paper for c in changes if _is_unchanged(there[c.field], c)}),
    )


def _change(row: PaperChangeRow) -> Change:
    return Change(row.paper, row.field, row.before, row.after)  # type: ignore[arg-type]


def undo(session: Session, conference: str, who: str, batch: str) -> tuple[str | None, int, int]:
    """Take a batch back, but for what was changed since.

    Returns the batch of the new changes, the number of papers taken back, and that of papers kept.
    """
    query = select(PaperChangeRow).where(
        PaperChangeRow.conference == conference, PaperChangeRow.batch == batch
    )
    made = [_change(row) for row in session.scalars(query)]
    there = {
        field: values_by_paper(session, conference, field) for field in {c.field for c in made}
    }
    back = [change.undone() for change in made if _is_unchanged(there[change.field], change)]
    papers, all_papers = {change.paper for change in back}, {change.paper for change in made}
    return apply(session, conference, who, back), len(papers), len(all_papers - papers)


def _is_unchanged(values: dict[str, list[str]], change: Change) -> bool:
    """Whether a paper still is as a change left it."""
    now_there = values.get(change.paper, [])
    if change.after is not None:
        return change.after in now_there
    return change.before not in now_there if change.field == "tag" else not now_there


def write_note(session: Session, conference: str, who: str, change: Change) -> None:
    """Write a note. What the same person types within ten minutes is one line of the history."""
    changes = history(session, conference, change.paper)
    last = next((one for one in changes if one.field == "note"), None)
    if last is None or last.who != who or last.at < now() - ONE_SITTING:
        apply(session, conference, who, [change])
        return
    _rewrite(session, conference, who, now(), [change])
    last.after, last.at = change.after, now()


def recommendations(
    session: Session, conference: str, area_chair: str | None = None
) -> list[SavedRecommendation]:
    """Return what area chairs recommend, or one of them, by paper and name."""
    query = (
        select(RecommendationRow, AreaChairRow.name)
        .join(AreaChairRow, AreaChairRow.id == RecommendationRow.area_chair)
        .where(AreaChairRow.conference == conference, AreaChairRow.removed.is_(None))
        .order_by(RecommendationRow.paper, AreaChairRow.name)
    )
    if area_chair is not None:
        query = query.where(AreaChairRow.id == area_chair)
    return [
        SavedRecommendation(paper=row.paper, value=row.value, note=row.note or "", area_chair=name)
        for row, name in session.execute(query)
        if row.value or row.note
    ]


def recommend(session: Session, area_chair: str, wanted: Recommendation) -> str:
    """Write what an area chair recommends on a paper, and return the recommendation in words.

    For a session that has locked the area chair.
    """
    row = session.get(RecommendationRow, (area_chair, wanted.paper))
    if row is None:
        row = RecommendationRow(area_chair=area_chair, paper=wanted.paper)
        session.add(row)
    if "value" in wanted.model_fields_set:
        row.value = wanted.value
    if "note" in wanted.model_fields_set:
        refuse_stale_note(row.note or "", wanted.before, wanted.note.strip())
        row.note = wanted.note.strip() or None
    row.at = now()
    return row.value or "no recommendation"


def refuse_stale_note(current: str, before: str | None, wanted: str) -> None:
    """Raise 409 with the note that is there where it is not the one that the writer started from."""
    if before is not None and current.strip() not in (before.strip(), wanted.strip()):
        raise Refusal(
            409,
            f"This note was changed meanwhile. It now says “{current}”. Yours is not saved: copy it, "
            "reload the page, and write one note of both.",
        )


def history(session: Session, conference: str, paper: str) -> Iterator[PaperChangeRow]:
    """Yield the newest changes of a paper, newest first."""
    changes = select(PaperChangeRow).where(
        PaperChangeRow.conference == conference, PaperChangeRow.paper == paper
    )
    yield from session.scalars(changes.order_by(PaperChangeRow.id.desc()).limit(NEWEST))
