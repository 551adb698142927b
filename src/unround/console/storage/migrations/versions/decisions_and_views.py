"""Decisions, notes and tags of papers with their history; saved views; a line kept with each run."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from unround.console.storage.migrations.columns import id_column, json, moment, owner, text

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Make the tables, and the columns of runs."""
    for table in ("decisions", "notes", "tags"):
        op.create_table(
            table,
            owner("conferences", "conference", key=True),
            text("paper", key=True),
            text("value", key=table == "tags"),
            *_signed(),
        )
    op.create_table(
        "paper_changes",
        sa.Column("id", sa.Integer, primary_key=True),
        owner("conferences", "conference"),
        sa.Column("batch", sa.String(32), nullable=False, index=True),
        *_signed(),
        text("paper"),
        sa.Column("field", sa.String(16), nullable=False),
        text("before", nullable=True),
        text("after", nullable=True),
    )
    op.create_index("paper_changes_by_paper", "paper_changes", ["conference", "paper"])
    op.create_table(
        "saved_views",
        id_column(),
        owner("conferences", "conference", index=True),
        text("name"),
        text("query"),
        *_signed(),
    )
    op.add_column("runs", json("line", nullable=True))
    op.add_column(
        "runs", sa.Column("archived", sa.Boolean, nullable=False, server_default=sa.false())
    )


def _signed() -> tuple[sa.Column[object], sa.Column[object]]:
    return text("who"), moment("at")
