"""Ballots: collections of rankings, one ballot per reviewer, all versions, and links that open one."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from unround.console.storage.migrations.columns import (
    add_owner_of_links,
    id_column,
    json,
    moment,
    owner,
    text,
)

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    """Make the tables, and the column of links."""
    op.create_table(
        "collections",
        id_column(),
        owner("conferences", "conference", index=True),
        moment("created"),
        text("title"),
        text("instructions"),
        json("rules"),
        sa.Column("show_scores", sa.Boolean, nullable=False),
        json("levels"),
        text("source"),
        sa.Column("state", sa.String(16), nullable=False),
        moment("deadline", nullable=True),
    )
    op.create_table(
        "ballots",
        id_column(),
        owner("collections", "collection", index=True),
        text("reviewer"),
        text("name", nullable=True),
        text("email", nullable=True),
        json("papers"),
        moment("opened", nullable=True),
        sa.Column("version", sa.Integer, nullable=False),
        moment("saved", nullable=True),
        moment("submitted", nullable=True),
        sa.Column("submitted_version", sa.Integer),
        json("tally", nullable=True),
    )
    op.create_table(
        "ballot_versions",
        owner("ballots", "ballot", key=True),
        sa.Column("version", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("save_id", sa.String(36), nullable=False),
        moment("saved"),
        sa.Column("submitted", sa.Boolean, nullable=False),
        json("content"),
        sa.UniqueConstraint("ballot", "save_id", name="ballot_versions_by_save_id"),
    )
    add_owner_of_links("ballots", "ballot")
