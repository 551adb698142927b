"""Decisions, notes and tags of papers with their history; saved views; a line kept with each run."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Make the tables, and the columns of runs."""
    for table in ("decisions", "notes"):
        op.create_table(table, _conference(key=True), _paper(), _text("value"), *_signed())
    tag: sa.Column[object] = sa.Column("value", sa.Text, primary_key=True)
    op.create_table("tags", _conference(key=True), _paper(), tag, *_signed())
    op.create_table(
        "paper_changes",
        sa.Column("id", sa.Integer, primary_key=True),
        _conference(),
        sa.Column("batch", sa.String(32), nullable=False, index=True),
        *_signed(),
        _text("paper"),
        sa.Column("field", sa.String(16), nullable=False),
        sa.Column("before", sa.Text),
        sa.Column("after", sa.Text),
    )
    op.create_index("paper_changes_by_paper", "paper_changes", ["conference", "paper"])
    op.create_table(
        "saved_views",
        sa.Column("id", sa.String(32), primary_key=True),
        _conference(index=True),
        _text("name"),
        _text("query"),
        *_signed(),
    )
    op.add_column("runs", sa.Column("line", sa.JSON))
    op.add_column(
        "runs", sa.Column("archived", sa.Boolean, nullable=False, server_default=sa.false())
    )


def _conference(*, key: bool = False, index: bool = False) -> sa.Column[object]:
    parent = sa.ForeignKey("conferences.id", ondelete="CASCADE")
    return sa.Column(
        "conference", sa.String(32), parent, primary_key=key, index=index, nullable=False
    )


def _paper() -> sa.Column[object]:
    return sa.Column("paper", sa.Text, primary_key=True)


def _text(name: str) -> sa.Column[object]:
    return sa.Column(name, sa.Text, nullable=False)


def _signed() -> tuple[sa.Column[object], sa.Column[object]]:
    return _text("who"), sa.Column("at", sa.DateTime(timezone=True), nullable=False)
