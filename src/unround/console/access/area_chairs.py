"""Area chairs of a conference and their papers, always replaced as a whole."""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl
from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from unround.console.schemas import AssignmentResult
from unround.console.storage import results
from unround.console.storage.ids import new_id
from unround.console.storage.orm import AreaChairRow, AssignmentRow, ConferenceRow, PaperRow
from unround.report.area_chairs import AreaChair, area_chairs_of

LONGEST = 200
BATCH = 500  # ids per statement: databases limit the number of parameters


def take_from_run(session: Session, conference: ConferenceRow, run: str) -> AssignmentResult:
    """Replace the area chairs of a conference by those that a run's papers name."""
    papers = session.execute(select(PaperRow.paper, PaperRow.area_chair).where(PaperRow.run == run))
    table = pl.DataFrame(
        [tuple(paper) for paper in papers],
        schema={"paper": pl.String, "area_chair": pl.String},
        orient="row",
    )
    return replace(session, conference, area_chairs_of(table))


def replace(
    session: Session, conference: ConferenceRow, people: Sequence[AreaChair]
) -> AssignmentResult:
    """Replace the area chairs of a conference. Those who stay keep their links."""
    issues = _issues(people)
    if issues:
        return AssignmentResult(area_chairs=0, papers=0, issues=issues)
    rows = _updated(session, conference, people)
    conference.edition += 1
    session.flush()
    owned = [(rows[one.name].id, paper) for one in people for paper in sorted(one.papers)]
    schema = {"area_chair": pl.String, "paper": pl.String}
    results.insert(session, AssignmentRow, pl.DataFrame(owned, schema=schema, orient="row"))
    papers = frozenset[str]().union(*(person.papers for person in people))
    return AssignmentResult(area_chairs=len(people), papers=len(papers), issues=[])


def _updated(
    session: Session, conference: ConferenceRow, people: Sequence[AreaChair]
) -> dict[str, AreaChairRow]:
    """Delete who is gone and all assignments, add who is new; return the rows by name."""
    current = select(AreaChairRow).where(AreaChairRow.conference == conference.id)
    rows = {row.name: row for row in session.scalars(current)}
    staying = {person.name for person in people}
    gone = [row.id for name, row in rows.items() if name not in staying]
    for ids in (gone[start : start + BATCH] for start in range(0, len(gone), BATCH)):
        session.execute(delete(AreaChairRow).where(AreaChairRow.id.in_(ids)))
    remaining = select(AreaChairRow.id).where(AreaChairRow.conference == conference.id)
    session.execute(delete(AssignmentRow).where(AssignmentRow.area_chair.in_(remaining)))
    for person in people:
        if person.name not in rows:
            row = AreaChairRow(id=new_id(), conference=conference.id, name=person.name)
            session.add(row)
            rows[person.name] = row
        rows[person.name].email = person.email
    return rows


def _issues(people: Sequence[AreaChair]) -> list[str]:
    if not people:
        return ["No area chair is named there."]
    texts = [
        text for person in people for text in (person.name, person.email or "", *person.papers)
    ]
    return [
        f"{text[:40]!r} cannot be a name, an e-mail or a paper's id"
        for text in dict.fromkeys(texts)
        if len(text) > LONGEST or not text.isprintable()
    ]
