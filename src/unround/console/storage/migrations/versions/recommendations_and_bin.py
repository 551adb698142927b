"""Recommendations of area chairs with notes to the chairs, and the bin of deleted conferences."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"


def upgrade() -> None:
    """Make the two tables."""
    moment = sa.DateTime(timezone=True)
    op.create_table(
        "recommendations",
        _owner("area_chair", "area_chairs"),
        sa.Column("paper", sa.Text, primary_key=True),
        sa.Column("value", sa.Text),
        sa.Column("note", sa.Text),
        sa.Column("at", moment, nullable=False),
    )
    op.create_table(
        "deleted_conferences",
        _owner("conference", "conferences"),
        sa.Column("at", moment, nullable=False),
        sa.Column("who", sa.Text, nullable=False),
    )


def _owner(name: str, table: str) -> sa.Column[object]:
    parent = sa.ForeignKey(f"{table}.id", ondelete="CASCADE")
    return sa.Column(name, sa.String(32), parent, primary_key=True, nullable=False)
