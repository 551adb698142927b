"""Area chairs of a conference and their papers, always replaced as a whole.

A change is planned first and carried out when it is confirmed. Whoever is removed keeps their row and
links, which open nothing until they return: by undoing the change, or by another table that names them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import delete, insert, select
from sqlalchemy.orm import Session

from unround.console.access.links import open_links
from unround.console.access.permissions import assigned_papers, lock_conference
from unround.console.errors import Absent, Refusal
from unround.console.schemas.access import AssignmentResult
from unround.console.storage.orm import (
    AreaChairRow,
    AssignmentRow,
    ConferenceRow,
    new_id,
    now,
)
from unround.console.storage.run_files import finished_runs, papers_of_run, run_table
from unround.disclosure.area_chairs import AreaChair, area_chairs_of, gathered, namesakes
from unround.formats.cells import shown, unshown_note
from unround.runs.tables import PAPERS

LONGEST = 200
EXAMPLES = 5  # unknown papers that are named
# What becomes of names, papers and e-mails that pages cannot show.
TEXTS = (
    ("area chair whose name", "It is shown without."),
    ("paper whose id", "They are left out. Correct the id in the file."),
    ("area chair whose e-mail", "The e-mail is left out."),
)


def named_in_run(session: Session, run: str) -> list[AreaChair]:
    """Return the area chairs that a run's papers name."""
    return area_chairs_of(run_table(session, run, PAPERS))


def before_last_change(conference: ConferenceRow) -> list[AreaChair]:
    """Return the area chairs that the last change replaced, or raise 404 where there was none."""
    if conference.former is None:
        raise Absent
    people = conference.former["people"]
    return [AreaChair(name, frozenset(papers), email) for name, email, papers in people]


@dataclass(frozen=True)
class Plan:
    """Who is to take the place of a conference's area chairs, and what that would change."""

    conference: str
    people: Sequence[AreaChair]
    result: AssignmentResult


def plan_replacement(
    session: Session, conference: ConferenceRow, people: Sequence[AreaChair]
) -> Plan:
    """Return what would change if these people replaced the area chairs of a conference."""
    people, notes, issues = _shown(people)
    result = AssignmentResult(edition=conference.edition, notes=notes, issues=issues)
    if not issues:
        result = result.model_copy(update=_counts(session, conference.id, people))
    return Plan(conference.id, people, result)


def replace(session: Session, plan: Plan, edition: int, who: str) -> AssignmentResult:
    """Carry out the plan that a response of this edition described.

    Raises 409 when the conference has changed since the change was planned.
    """
    conference = lock_conference(session, plan.conference)
    if not edition == plan.result.edition == conference.edition:
        raise Refusal(
            409, "The conference has changed meanwhile. Look again at what would change now."
        )
    rows = _rows(session, conference.id)
    papers = assigned_papers(session, conference.id)
    present = [
        [row.name, row.email, sorted(papers.get(row.id, ()))]
        for row in rows.values()
        if not row.removed
    ]
    if present:
        conference.former = {"at": now().isoformat(), "who": who, "people": present}
    for row in _leaving(rows, plan.people):
        row.removed = now()
    everyone = select(AreaChairRow.id).where(AreaChairRow.conference == conference.id)
    session.execute(delete(AssignmentRow).where(AssignmentRow.area_chair.in_(everyone)))
    for person in plan.people:
        if person.name not in rows:
            rows[person.name] = AreaChairRow(
                id=new_id(), conference=conference.id, name=person.name
            )
            session.add(rows[person.name])
        rows[person.name].email = person.email or rows[person.name].email
        rows[person.name].removed = None
    conference.edition += 1
    session.flush()
    owned = [
        {"area_chair": rows[person.name].id, "paper": paper}
        for person in plan.people
        for paper in sorted(person.papers)
    ]
    if owned:
        session.execute(insert(AssignmentRow), owned)
    return plan.result.model_copy(update={"done": True, "edition": conference.edition})


def _rows(session: Session, conference: str) -> dict[str, AreaChairRow]:
    """Return the area chairs of a conference by name, removed ones included."""
    rows = session.scalars(select(AreaChairRow).where(AreaChairRow.conference == conference))
    return {row.name: row for row in rows}


def _leaving(rows: Mapping[str, AreaChairRow], people: Sequence[AreaChair]) -> list[AreaChairRow]:
    staying = {person.name for person in people}
    return [row for name, row in rows.items() if not row.removed and name not in staying]


def _counts(session: Session, conference: str, people: Sequence[AreaChair]) -> dict[str, Any]:
    """Count what would change."""
    rows, links = _rows(session, conference), open_links(session, conference)
    leaving = _leaving(rows, people)
    named = [rows[person.name] for person in people if person.name in rows]
    returning = [row for row in named if row.removed]
    papers = frozenset[str]().union(*(person.papers for person in people))
    known, newest = _papers_of(session, conference)
    unknown = sorted(papers - known) if known else []
    with_email = {row.name for row in named if row.email}
    return {
        "area_chairs": len(people),
        "papers": len(papers),
        "added": len(people) - len(named),
        "returning": len(returning),
        "returning_links": sum(len(links.get(row.id, ())) for row in returning),
        "removed": len(leaving),
        "removed_links": sum(len(links.get(row.id, ())) for row in leaving),
        "unknown_papers": len(unknown),
        "unknown_examples": unknown[:EXAMPLES],
        "unassigned_papers": len(newest - papers),
        "emails": sum(bool(one.email) and one.name not in with_email for one in people),
    }


def _papers_of(session: Session, conference: str) -> tuple[set[str], set[str]]:
    """Return the papers of all finished runs of a conference, and those of the newest."""
    papers = [set(papers_of_run(session, run)) for run in finished_runs(session, conference)]
    return set[str]().union(*papers), papers[0] if papers else set()


def _shown(people: Sequence[AreaChair]) -> tuple[list[AreaChair], list[str], list[str]]:
    """Return people with texts that pages can show, notes on what was changed or left out, and issues."""
    rows = [(one.name, paper, one.email or "") for one in people for paper in one.papers]
    notes: list[str] = []
    for column, (whose, outcome) in enumerate(TEXTS):
        texts = {row[column] for row in rows}
        changed = sorted(text for text in texts if shown(text, LONGEST) != text)
        notes += unshown_note(changed, whose, LONGEST, outcome)
    rows = [
        (shown(name, LONGEST), paper, email if shown(email, LONGEST) == email else "")
        for name, paper, email in rows
        if shown(paper, LONGEST) == paper and shown(name, LONGEST)
    ]
    issues = list(namesakes([f"paper {paper}" for _, paper, _ in rows], rows))
    return gathered(rows), notes, issues if rows else ["No area chair is named there."]
