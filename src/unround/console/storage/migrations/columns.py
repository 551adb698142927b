"""Columns that several migrations add."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op


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


def add_owner_of_links(table: str, name: str) -> None:
    """Add a foreign key to links. SQLite builds the table anew, and drops sessions with the old one."""
    rebuilt = op.get_bind().dialect.name == "sqlite"
    if rebuilt:
        op.execute("CREATE TEMPORARY TABLE kept_sessions AS SELECT * FROM sessions")
    with op.batch_alter_table("links") as links:
        links.add_column(sa.Column(name, sa.String(32)))
        links.create_foreign_key(f"links_of_{name}", table, [name], ["id"], ondelete="CASCADE")
        links.create_index(f"ix_links_{name}", [name])
    if rebuilt:
        op.execute("INSERT INTO sessions SELECT * FROM kept_sessions")
        op.execute("DROP TABLE kept_sessions")
