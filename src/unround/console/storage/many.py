"""Many values in one statement. PostgreSQL takes long to read one with a thousand parameters.

There, each column of values is one parameter: an array. SQLite has no arrays and no such trouble.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, cast

from sqlalchemy import ColumnElement, Table, any_, func, insert, literal, select
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.orm import InstrumentedAttribute, Session

from unround.console.storage.base import Base


def insert_many(session: Session, table: type[Base], rows: Sequence[Mapping[str, Any]]) -> None:
    """Insert rows that have the same columns."""
    if not rows:
        return
    if _is_sqlite(session):
        session.execute(insert(table), [dict(row) for row in rows])
        return
    target = cast(Table, table.__table__)
    values = (
        func.unnest(literal([row[name] for row in rows], ARRAY(target.columns[name].type)))
        for name in rows[0]
    )
    session.execute(insert(target).from_select(list(rows[0]), select(*values)))


def among(
    session: Session, column: InstrumentedAttribute[str], values: Sequence[str]
) -> ColumnElement[bool]:
    """Return the condition that a column has one of these values."""
    if _is_sqlite(session):
        return column.in_(values)
    return column == any_(literal(list(values), ARRAY(column.type)))


def _is_sqlite(session: Session) -> bool:
    return session.get_bind().dialect.name == "sqlite"
