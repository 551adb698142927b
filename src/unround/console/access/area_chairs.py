"""Area chairs of a conference and their papers, always replaced as a whole.

A change is planned first and carried out when it is confirmed. Whoever is removed keeps their row and
links, which open nothing until they return: by undoing the change, or by another table that names them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import delete, insert, select
from sqlalchemy.orm import Session

from unround.console.access.links import open_links
from unround.console.access.permissions import assigned_papers
from unround.console.errors import Absent, Refusal
from unround.console.schemas.access import AssignmentResult
from unround.console.storage.orm import (
    AreaChairRow,
    AssignmentRow,
    ConferenceRow,
    FormerAreaChairsRow,
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


def before_last_change(session: Session, conference: str) -> list[AreaChair]:
    """Return the area chairs that the last change replaced, or raise 404 where there was none."""
    former = session.get(FormerAreaChairsRow, conference)
    if former is None:
        raise Absent
    return [AreaChair(name, frozenset(papers), email) for name, email, papers in former.people]


def replace(
    session: Session,
    conference: ConferenceRow,
    people: Sequence[AreaChair],
    *,
    edition: int | None,
    who: str,
) -> AssignmentResult:
    """Replace the area chairs of a conference if `edition` confirms it; otherwise return what would change.

    Raises 409 when the conference has changed since the change was planned.
    """
    people, notes, issues = _shown(people)
    if issues:
        return AssignmentResult(edition=conference.edition, notes=notes, issues=issues)
    plan = _Plan.of(session, conference.id, people)
    result = plan.preview(session, conference).model_copy(update={"notes": notes})
    if edition is None:
        return result
    if edition != conference.edition:
        raise Refusal(
            409, "The conference has changed meanwhile. Look again at what would change now."
        )
    plan.carry_out(session, conference, who)
    return result.model_copy(update={"done": True, "edition": conference.edition})


@dataclass(frozen=True)
class _Plan:
    """The rows of a conference's area chairs, removed ones included, and who is to take their place."""

    people: Sequence[AreaChair]
    rows: dict[str, AreaChairRow]  # by name

    @classmethod
    def of(cls, session: Session, conference: str, people: Sequence[AreaChair]) -> _Plan:
        rows = session.scalars(select(AreaChairRow).where(AreaChairRow.conference == conference))
        return cls(people, {row.name: row for row in rows})

    @property
    def leaving(self) -> list[AreaChairRow]:
        staying = {person.name for person in self.people}
        return [row for name, row in self.rows.items() if not row.removed and name not in staying]

    @property
    def returning(self) -> list[AreaChairRow]:
        rows = (self.rows.get(person.name) for person in self.people)
        return [row for row in rows if row is not None and row.removed]

    def _email(self, name: str) -> str | None:
        row = self.rows.get(name)
        return row.email if row else None

    def preview(self, session: Session, conference: ConferenceRow) -> AssignmentResult:
        """Count what would change."""
        papers = frozenset[str]().union(*(person.papers for person in self.people))
        known, newest = _papers_of(session, conference.id)
        unknown = sorted(papers - known) if known else []
        links = open_links(session, conference.id)
        return AssignmentResult(
            edition=conference.edition,
            area_chairs=len(self.people),
            papers=len(papers),
            added=sum(person.name not in self.rows for person in self.people),
            returning=len(self.returning),
            returning_links=sum(len(links.get(row.id, ())) for row in self.returning),
            removed=len(self.leaving),
            removed_links=sum(len(links.get(row.id, ())) for row in self.leaving),
            unknown_papers=len(unknown),
            unknown_examples=unknown[:EXAMPLES],
            unassigned_papers=len(newest - papers),
            emails=sum(
                bool(person.email) and not self._email(person.name) for person in self.people
            ),
        )

    def carry_out(self, session: Session, conference: ConferenceRow, who: str) -> None:
        """Remember who is there now, and put the others in their place."""
        _remember(session, conference.id, list(self.rows.values()), who)
        for row in self.leaving:
            row.removed = now()
        everyone = select(AreaChairRow.id).where(AreaChairRow.conference == conference.id)
        session.execute(delete(AssignmentRow).where(AssignmentRow.area_chair.in_(everyone)))
        for person in self.people:
            if person.name not in self.rows:
                row = AreaChairRow(id=new_id(), conference=conference.id, name=person.name)
                session.add(row)
                self.rows[person.name] = row
            self.rows[person.name].email = person.email or self.rows[person.name].email
            self.rows[person.name].removed = None
        conference.edition += 1
        session.flush()
        owned = [
            {"area_chair": self.rows[person.name].id, "paper": paper}
            for person in self.people
            for paper in sorted(person.papers)
        ]
        if owned:
            session.execute(insert(AssignmentRow), owned)


def _remember(session: Session, conference: str, rows: Sequence[AreaChairRow], who: str) -> None:
    """Keep the present area chairs and their papers, so that the change can be undone."""
    present = [row for row in rows if not row.removed]
    if not present:
        return
    papers = assigned_papers(session, conference)
    former = session.get(FormerAreaChairsRow, conference)
    if former is None:
        former = FormerAreaChairsRow(conference=conference)
        session.add(former)
    former.at, former.who = now(), who
    former.people = [[row.name, row.email, sorted(papers.get(row.id, ()))] for row in present]


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
