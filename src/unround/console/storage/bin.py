"""The bin: deleted conferences, which can be restored for thirty days and are then deleted for good."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import timedelta
from pathlib import Path

from sqlalchemy import delete, func, select
from sqlalchemy.orm import Session

from unround.console.storage.database import Database
from unround.console.storage.orm import (
    AreaChairRow,
    BallotRow,
    CollectionRow,
    ConferenceRow,
    DecisionRow,
    FileRow,
    LinkRow,
    NoteRow,
    RecommendationRow,
    RunRow,
    now,
)
from unround.console.storage.uploads import begin_removal, remove

KEPT = timedelta(days=30)
# What a conference holds, in the words of pages. Ballots and recommendations belong to rows of a conference.
CONTENTS: dict[str, type[FileRow | RunRow | DecisionRow | NoteRow | LinkRow]] = {
    "files": FileRow,
    "runs": RunRow,
    "decisions": DecisionRow,
    "notes": NoteRow,
    "links": LinkRow,
}


def contents(session: Session, conference: str) -> dict[str, int]:
    """Count what would be deleted with a conference."""
    counts = {
        name: select(func.count()).select_from(table).where(table.conference == conference)
        for name, table in CONTENTS.items()
    }
    counts["ballots"] = (
        select(func.count())
        .select_from(BallotRow)
        .join(CollectionRow, CollectionRow.id == BallotRow.collection)
        .where(CollectionRow.conference == conference)
    )
    counts["recommendations"] = (
        select(func.count())
        .select_from(RecommendationRow)
        .join(AreaChairRow, AreaChairRow.id == RecommendationRow.area_chair)
        .where(AreaChairRow.conference == conference)
    )
    return {name: session.scalar(query) or 0 for name, query in counts.items()}


def delete_for_good(session: Session, uploads: Path, conferences: Iterable[str]) -> Sequence[str]:
    """Delete those of the conferences that are in the bin, and return the uploads to remove then.

    A conference that is restored meanwhile stays.
    """
    in_bin = ConferenceRow.id.in_(conferences), ConferenceRow.deleted.is_not(None)
    those = select(ConferenceRow.id).where(*in_bin).order_by(ConferenceRow.id).with_for_update()
    gone = session.scalars(those).all()
    files = session.scalars(select(FileRow.id).where(FileRow.conference.in_(gone))).all()
    begin_removal(uploads, files)
    session.execute(delete(ConferenceRow).where(ConferenceRow.id.in_(gone)))
    return files


def empty_bin(database: Database, uploads: Path) -> None:
    """Delete for good what has been in the bin for long enough."""
    old = select(ConferenceRow.id).where(ConferenceRow.deleted <= now() - KEPT)
    with database.reading() as session:
        gone = session.scalars(old).all()
    if gone:
        with database.writing() as session:
            files = delete_for_good(session, uploads, gone)
        remove(uploads, files)
