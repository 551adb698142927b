"""A Snapshot as rows of the database, written once and read back whole or for one area chair."""

from __future__ import annotations

import io
from collections.abc import Mapping
from typing import Any

import polars as pl
from sqlalchemy import Select, select
from sqlalchemy.orm import Session

from unround.console.storage.orm import (
    RESULTS,
    Assignment,
    Base,
    Binding,
    Pair,
    Paper,
    Rank,
    Review,
)
from unround.report.snapshot import Snapshot

# Columns that hold ids, by what they are ids of.
IDS = {"reviewer": "reviewer", "paper": "paper", "better": "paper", "worse": "paper"}
FRAMES = dict(zip(RESULTS, ("papers", "reviews", "ranks", "pairs", "bindings"), strict=True))
NULL = "\\N"


def kinds_of(snapshot: Snapshot) -> dict[str, str]:
    """Which ids and scores are numbers: rows hold them as text."""
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
    """The snapshot, or for an area chair as much of it as their view needs."""
    theirs = select(Assignment.paper).where(Assignment.area_chair == area_chair)
    reviewers = select(Review.reviewer).where(Review.run == run, Review.paper.in_(theirs))

    def frame(table: type[Base], inside: Any = None) -> pl.DataFrame:
        # Put in order here: a database that is asked to would read the whole run in that order.
        names, columns = ["place", *_columns(table)], table.__table__.columns
        wanted = select(*(columns[name] for name in names)).where(columns["run"] == run)
        if area_chair is not None:
            wanted = wanted.where(inside)
        return _typed(_fetched(session, wanted, table, names), kinds)

    return Snapshot(
        papers=frame(Paper, Paper.paper.in_(theirs)),
        reviews=frame(Review, Review.paper.in_(theirs)),
        ranks=frame(Rank, Rank.reviewer.in_(reviewers)),
        pairs=frame(Pair, Pair.reviewer.in_(reviewers)),
        bindings=frame(Binding, Binding.reviewer.in_(reviewers)),
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
    """All of a table's columns, ids and scores as text; no database takes a zero byte in a text."""
    known = set(frame.columns)
    return frame.select(
        pl.lit(run).alias("run"),
        pl.int_range(pl.len(), dtype=pl.Int64).alias("place"),
        *(
            (pl.col(name) if name in known else pl.lit(None)).cast(_kind(table, name)).alias(name)
            for name in _columns(table)
        ),
    ).with_columns(pl.col(pl.String).str.replace_all("\0", "\ufffd", literal=True))


def insert(session: Session, table: type[Base], rows: pl.DataFrame) -> None:
    """Many rows at once, the quickest way that each database has."""
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
    driver.cursor().execute(command, stream=text)


def _fetched(
    session: Session, wanted: Select[Any], table: type[Base], names: list[str]
) -> pl.DataFrame:
    schema = {name: _kind(table, name) for name in names}
    rows = [tuple(row) for row in session.connection().execute(wanted).all()]
    return pl.DataFrame(rows, schema=schema, orient="row")


def _typed(frame: pl.DataFrame, kinds: Mapping[str, str]) -> pl.DataFrame:
    """Rows in their order, with ids and scores of the kind that they had."""
    of = {**IDS, "score": "score"}
    columns = [
        pl.col(name).cast(getattr(pl, kinds[of[name]])) if name in of else pl.col(name)
        for name in frame.columns
        if name != "place"
    ]
    return frame.lazy().sort("place").select(columns).collect()
