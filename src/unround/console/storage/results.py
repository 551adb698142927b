"""The results of a run as rows: written once, read back whole or for one area chair."""

from __future__ import annotations

import io
from collections.abc import Mapping
from typing import Any

import polars as pl
from sqlalchemy import Select, select
from sqlalchemy.exc import DBAPIError
from sqlalchemy.orm import Session

from unround.console.storage.orm import (
    RESULTS,
    AssignmentRow,
    Base,
    BindingRow,
    PairRow,
    PaperRow,
    RankRow,
    ReviewRow,
)
from unround.report.snapshot import Snapshot

# Columns that hold ids, and whether of reviewers or of papers.
IDS = {"reviewer": "reviewer", "paper": "paper", "better": "paper", "worse": "paper"}
FRAMES = dict(zip(RESULTS, ("papers", "reviews", "ranks", "pairs", "bindings"), strict=True))
NULL = "\\N"


def kinds_of(snapshot: Snapshot) -> dict[str, str]:
    """Return the types of ids and scores, which rows hold as text."""
    kinds = snapshot.reviews.schema
    return {name: str(kinds[name]) for name in ("reviewer", "paper", "score")}


def save(session: Session, run: str, snapshot: Snapshot) -> None:
    """Write every row of a snapshot."""
    for table, name in FRAMES.items():
        insert(session, table, _as_rows(getattr(snapshot, name), table, run))


def load(
    session: Session,
    run: str,
    kinds: Mapping[str, str],
    record: Mapping[str, Any],
    area_chair: str | None = None,
) -> Snapshot:
    """Read a snapshot back, or for an area chair the rows that their view needs."""
    theirs = select(AssignmentRow.paper).where(AssignmentRow.area_chair == area_chair)
    reviewers = select(ReviewRow.reviewer).where(ReviewRow.run == run, ReviewRow.paper.in_(theirs))

    def frame(table: type[Base], inside: Any = None) -> pl.DataFrame:
        # Sorted in _typed: with ORDER BY the database would read the whole run in that order.
        names, columns = ["place", *_columns(table)], table.__table__.columns
        query = select(*(columns[name] for name in names)).where(columns["run"] == run)
        if area_chair is not None:
            query = query.where(inside)
        return _typed(_fetched(session, query, table, names), kinds)

    return Snapshot(
        papers=frame(PaperRow, PaperRow.paper.in_(theirs)),
        reviews=frame(ReviewRow, ReviewRow.paper.in_(theirs)),
        ranks=frame(RankRow, RankRow.reviewer.in_(reviewers)),
        pairs=frame(PairRow, PairRow.reviewer.in_(reviewers)),
        bindings=frame(BindingRow, BindingRow.reviewer.in_(reviewers)),
        record=record,
    )


def _columns(table: type[Base]) -> list[str]:
    return [
        name
        for name in table.__table__.columns.keys()  # noqa: SIM118
        if name not in ("run", "place")
    ]


def _kind(table: type[Base], name: str) -> type[pl.DataType]:
    kind = table.__table__.columns[name].type.python_type
    return {str: pl.String, int: pl.Int64, float: pl.Float64}[kind]


def _as_rows(frame: pl.DataFrame, table: type[Base], run: str) -> pl.DataFrame:
    """Return a table's columns, ids and scores as text. No database stores a zero byte in text."""
    present = set(frame.columns)
    return frame.select(
        pl.lit(run).alias("run"),
        pl.int_range(pl.len(), dtype=pl.Int64).alias("place"),
        *(
            (pl.col(name) if name in present else pl.lit(None)).cast(_kind(table, name)).alias(name)
            for name in _columns(table)
        ),
    ).with_columns(pl.col(pl.String).str.replace_all("\0", "\ufffd", literal=True))


def insert(session: Session, table: type[Base], rows: pl.DataFrame) -> None:
    """Insert many rows at once, by each database's fastest way."""
    if not rows.height:
        return
    names = ", ".join(rows.columns)
    connection = session.connection()
    if connection.dialect.name == "sqlite":
        marks = ", ".join("?" * rows.width)
        connection.exec_driver_sql(
            f"INSERT INTO {table.__tablename__} ({names}) VALUES ({marks})",  # noqa: S608
            rows.rows(),
        )
        return
    text = io.BytesIO()
    rows.write_csv(text, include_header=False, quote_style="non_numeric", null_value=NULL)
    text.seek(0)
    driver: Any = connection.connection.driver_connection
    command = f"COPY {table.__tablename__} ({names}) FROM STDIN WITH (FORMAT csv, NULL '{NULL}')"
    errors: Any = connection.dialect.dbapi
    try:
        driver.cursor().execute(command, stream=text)
    except errors.Error as error:  # as SQLAlchemy raises it for its own statements
        raise DBAPIError(command, None, error) from error


def _fetched(
    session: Session, query: Select[Any], table: type[Base], names: list[str]
) -> pl.DataFrame:
    schema = {name: _kind(table, name) for name in names}
    rows = [tuple(row) for row in session.connection().execute(query).all()]
    return pl.DataFrame(rows, schema=schema, orient="row")


def _typed(frame: pl.DataFrame, kinds: Mapping[str, str]) -> pl.DataFrame:
    """Sort rows by place, and cast ids and scores to the types that they had."""
    of = {**IDS, "score": "score"}
    columns = [
        pl.col(name).cast(getattr(pl, kinds[of[name]])) if name in of else pl.col(name)
        for name in frame.columns
        if name != "place"
    ]
    return frame.lazy().sort("place").select(columns).collect()
