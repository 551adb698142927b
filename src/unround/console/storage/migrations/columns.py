"""Columns of many tables, for migrations."""

from __future__ import annotations

import sqlalchemy as sa


def id_column() -> sa.Column[object]:
    """Return the primary key: 32 random hex digits."""
    return sa.Column("id", sa.String(32), primary_key=True)


def text(name: str, *, key: bool = False, nullable: bool = False) -> sa.Column[object]:
    """Return a text."""
    return sa.Column(name, sa.Text, primary_key=key, nullable=nullable)


def moment(name: str, *, nullable: bool = False) -> sa.Column[object]:
    """Return a time with its zone."""
    return sa.Column(name, sa.DateTime(timezone=True), nullable=nullable)


def json(name: str, *, nullable: bool = False) -> sa.Column[object]:
    """Return a JSON document."""
    return sa.Column(name, sa.JSON, nullable=nullable)


def owner(
    table: str, name: str, *, key: bool = False, index: bool = False, nullable: bool = False
) -> sa.Column[object]:
    """Return a foreign key to the row that owns this one and is deleted with it."""
    parent = sa.ForeignKey(f"{table}.id", ondelete="CASCADE")
    return sa.Column(name, sa.String(32), parent, primary_key=key, index=index, nullable=nullable)
