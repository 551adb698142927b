"""Area chairs and their papers, replaced as a whole."""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl
from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from unround.console.schemas import AssignmentResult
from unround.console.storage import results as rows
from unround.console.storage.ids import new_id
from unround.console.storage.orm import AreaChair, Assignment, Conference
from unround.report import area_chairs

LONGEST = 200


def replace(
    session: Session, conference: Conference, people: Sequence[area_chairs.AreaChair]
) -> AssignmentResult:
    """These area chairs with these papers and no others. Who stays keeps their links."""
    problems = _problems(people)
    if problems:
        return AssignmentResult(area_chairs=0, papers=0, problems=problems)
    before = select(AreaChair).where(AreaChair.conference == conference.id)
    known = {row.name: row for row in session.scalars(before)}
    staying = {person.name for person in people}
    gone = [row.id for name, row in known.items() if name not in staying]
    for ids in (gone[start : start + 500] for start in range(0, len(gone), 500)):
        session.execute(delete(AreaChair).where(AreaChair.id.in_(ids)))
    session.execute(
        delete(Assignment).where(
            Assignment.area_chair.in_(
                select(AreaChair.id).where(AreaChair.conference == conference.id)
            )
        )
    )
    owned: list[tuple[str, str]] = []
    for person in people:
        row = known.get(person.name)
        if row is None:
            row = AreaChair(id=new_id(), conference=conference.id, name=person.name)
            session.add(row)
        row.email = person.email
        owned += [(row.id, paper) for paper in sorted(person.papers)]
    conference.edition += 1
    session.flush()
    rows.insert(
        session,
        Assignment,
        pl.DataFrame(owned, schema={"area_chair": pl.String, "paper": pl.String}, orient="row"),
    )
    papers = frozenset[str]().union(*(person.papers for person in people))
    return AssignmentResult(area_chairs=len(people), papers=len(papers), problems=[])


def _problems(people: Sequence[area_chairs.AreaChair]) -> list[str]:
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
