"""What all tables share: the base class, times in UTC, ids and owners."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any, ClassVar

from sqlalchemy import JSON, DateTime, ForeignKey, String, Text
from sqlalchemy.engine import Dialect
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column
from sqlalchemy.types import TypeDecorator


class Utc(TypeDecorator[datetime]):
    """A time in UTC, whatever the database does with time zones."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Store UTC."""
        return None if value is None else value.astimezone(UTC)

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Return an aware time in UTC."""
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


class Base(DeclarativeBase):
    """The base class of all rows."""

    type_annotation_map: ClassVar[dict[Any, Any]] = {
        str: Text(),
        datetime: Utc(),
        dict[str, Any]: JSON(),
        list[Any]: JSON(),
    }


def id_column() -> Mapped[str]:
    """Return the primary key: 32 random hex digits."""
    return mapped_column(String(32), primary_key=True)


def owner_column(table: str, *, key: bool = False, index: bool = False) -> Mapped[Any]:
    """Return a foreign key to the row that owns this one and is deleted with it."""
    parent = ForeignKey(f"{table}.id", ondelete="CASCADE")
    return mapped_column(String(32), parent, primary_key=key, index=index)
