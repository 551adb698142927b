"""Ballots: collections of rankings, one ballot per reviewer, all versions, and links that open one."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"

# SQLite adds a foreign key by building the table anew. Dropping the old one drops the sessions, and the
# triggers that count changes of who may see what.
KEEP_SESSIONS = "CREATE TEMPORARY TABLE kept_sessions AS SELECT * FROM sessions"
RESTORE_SESSIONS = ("INSERT INTO sessions SELECT * FROM kept_sessions", "DROP TABLE kept_sessions")
TRIGGERS = {
    "updates": "UPDATE OF conference, area_chair, ballot, printed, secret, label, expires, revoked",
    "deletions": "DELETE",
}
COUNT = "UPDATE access_version SET changes = changes + 1"


def upgrade() -> None:
    """Make the tables, and the column of links."""
    op.create_table(
        "collections",
        _id(),
        _owner("conferences", "conference", index=True),
        _moment("created"),
        _text("title"),
        _text("instructions"),
        sa.Column("rules", sa.JSON, nullable=False),
        sa.Column("show_scores", sa.Boolean, nullable=False),
        sa.Column("levels", sa.JSON, nullable=False),
        _text("source"),
        sa.Column("state", sa.String(16), nullable=False),
        _moment("deadline", nullable=True),
    )
    op.create_table(
        "ballots",
        _id(),
        _owner("collections", "collection", index=True),
        _text("reviewer"),
        _text("name", nullable=True),
        _text("email", nullable=True),
        sa.Column("papers", sa.JSON, nullable=False),
        _moment("opened", nullable=True),
        sa.Column("version", sa.Integer, nullable=False),
        _moment("saved", nullable=True),
        _moment("submitted", nullable=True),
        sa.Column("submitted_version", sa.Integer),
        sa.Column("tally", sa.JSON),
    )
    op.create_table(
        "ballot_versions",
        _owner("ballots", "ballot", primary_key=True),
        sa.Column("version", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("save_id", sa.String(36), nullable=False),
        _moment("saved"),
        sa.Column("submitted", sa.Boolean, nullable=False),
        sa.Column("content", sa.JSON, nullable=False),
        sa.UniqueConstraint("ballot", "save_id", name="ballot_versions_by_save_id"),
    )
    _extend_links()


def _extend_links() -> None:
    rebuilt = op.get_bind().dialect.name == "sqlite"
    if rebuilt:
        op.execute(KEEP_SESSIONS)
    with op.batch_alter_table("links") as links:
        links.add_column(sa.Column("ballot", sa.String(32)))
        links.create_foreign_key(
            "links_of_ballot", "ballots", ["ballot"], ["id"], ondelete="CASCADE"
        )
        links.create_index("ix_links_ballot", ["ballot"])
    if not rebuilt:
        return
    for statement in RESTORE_SESSIONS:
        op.execute(statement)
    for name, event in TRIGGERS.items():
        trigger = f"CREATE TRIGGER count_{name}_of_links AFTER {event} ON links"
        op.execute(f"{trigger} BEGIN {COUNT}; END")


def _id() -> sa.Column[object]:
    return sa.Column("id", sa.String(32), primary_key=True)


def _text(name: str, *, nullable: bool = False) -> sa.Column[object]:
    return sa.Column(name, sa.Text, nullable=nullable)


def _moment(name: str, *, nullable: bool = False) -> sa.Column[object]:
    return sa.Column(name, sa.DateTime(timezone=True), nullable=nullable)


def _owner(
    table: str, name: str, *, primary_key: bool = False, index: bool = False
) -> sa.Column[object]:
    parent = sa.ForeignKey(f"{table}.id", ondelete="CASCADE")
    return sa.Column(
        name, sa.String(32), parent, primary_key=primary_key, index=index, nullable=False
    )
