"""The tables of unround 1.0."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from unround.console.storage.migrations.columns import id_column, json, moment, owner, text
from unround.console.storage.orm import new_id

revision = "0100"
down_revision = None


def upgrade() -> None:
    """Make every table, and the random id of this database."""
    op.bulk_insert(op.create_table("identity", id_column()), [{"id": new_id()}])
    op.create_table(
        "conferences",
        id_column(),
        text("name"),
        moment("created"),
        sa.Column("show_stars", sa.Boolean, nullable=False),
        sa.Column("show_names", sa.Boolean, nullable=False),
        sa.Column("show_line", sa.Boolean, nullable=False),
        sa.Column("show_decisions", sa.Boolean, nullable=False),
        sa.Column("disclosure", sa.String(16), nullable=False),
        sa.Column("edition", sa.Integer, nullable=False),
        sa.Column("key", sa.String(64), nullable=False),
        json("line", nullable=True),
        json("former", nullable=True),
        moment("deleted", nullable=True),
        text("deleted_by", nullable=True),
    )
    op.create_table(
        "area_chairs",
        id_column(),
        owner("conferences", "conference", index=True),
        text("name"),
        text("email", nullable=True),
        moment("removed", nullable=True),
    )
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
        "decisions",
        owner("conferences", "conference", key=True),
        text("paper", key=True),
        text("value"),
        text("who"),
        moment("at"),
    )
    op.create_table(
        "files",
        id_column(),
        owner("conferences", "conference", index=True),
        text("name"),
        sa.Column("size", sa.BigInteger, nullable=False),
        sa.Column("sha256", sa.String(64), nullable=False),
        moment("uploaded"),
        sa.Column("for_ballots", sa.Boolean, nullable=False),
    )
    op.create_table(
        "log",
        sa.Column("id", sa.Integer, primary_key=True),
        moment("at"),
        owner("conferences", "conference", index=True, nullable=True),
        text("who"),
        sa.Column("action", sa.String(40), nullable=False),
        text("detail"),
    )
    op.create_table(
        "notes",
        owner("conferences", "conference", key=True),
        text("paper", key=True),
        text("value"),
        text("who"),
        moment("at"),
    )
    op.create_table(
        "paper_changes",
        sa.Column("id", sa.Integer, primary_key=True),
        owner("conferences", "conference"),
        sa.Column("batch", sa.String(32), index=True, nullable=False),
        moment("at"),
        text("who"),
        text("paper"),
        sa.Column("field", sa.String(16), nullable=False),
        text("before", nullable=True),
        text("after", nullable=True),
    )
    op.create_index("paper_changes_by_paper", "paper_changes", ["conference", "paper"])
    op.create_table(
        "runs",
        id_column(),
        owner("conferences", "conference", index=True),
        sa.Column("status", sa.String(16), nullable=False),
        text("reason", nullable=True),
        moment("created"),
        moment("finished", nullable=True),
        json("request"),
        text("name"),
        sa.Column("shared", sa.Boolean, nullable=False),
        json("inputs"),
        json("issues", nullable=True),
        text("lam", nullable=True),
        sa.Column("archived", sa.Boolean, nullable=False),
    )
    op.create_table(
        "jobs",
        id_column(),
        owner("conferences", "conference", index=True),
        sa.Column("status", sa.String(16), nullable=False),
        text("reason", nullable=True),
        moment("created"),
        moment("finished", nullable=True),
        json("request"),
        sa.Column("kind", sa.String(16), nullable=False),
        owner("runs", "run", index=True, nullable=True),
        json("found", nullable=True),
    )
    op.create_table(
        "job_files",
        owner("jobs", "job", key=True),
        sa.Column("name", sa.String(100), primary_key=True),
        sa.Column("content", sa.LargeBinary, nullable=False),
    )
    op.create_table(
        "saved_views",
        id_column(),
        owner("conferences", "conference", index=True),
        text("name"),
        text("query"),
        text("who"),
        moment("at"),
    )
    op.create_table(
        "tags",
        text("value", key=True),
        owner("conferences", "conference", key=True),
        text("paper", key=True),
        text("who"),
        moment("at"),
    )
    op.create_table(
        "assignments",
        owner("area_chairs", "area_chair", key=True),
        text("paper", key=True),
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
        "recommendations",
        owner("area_chairs", "area_chair", key=True),
        text("paper", key=True),
        text("value", nullable=True),
        text("note", nullable=True),
        moment("at"),
    )
    op.create_table(
        "run_files",
        owner("runs", "run", key=True),
        sa.Column("name", sa.String(100), primary_key=True),
        sa.Column("content", sa.LargeBinary, nullable=False),
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
    op.create_table(
        "links",
        id_column(),
        owner("conferences", "conference", index=True, nullable=True),
        owner("area_chairs", "area_chair", index=True, nullable=True),
        owner("ballots", "ballot", index=True, nullable=True),
        sa.Column("printed", sa.Boolean, nullable=False),
        sa.Column("secret", sa.String(64), unique=True, nullable=False),
        text("label"),
        moment("created"),
        moment("expires", nullable=True),
        moment("revoked", nullable=True),
        moment("opened", nullable=True),
    )
    op.create_table(
        "sessions",
        id_column(),
        owner("links", "link", index=True),
        sa.Column("secret", sa.String(64), unique=True, nullable=False),
        moment("created"),
        moment("expires"),
    )
