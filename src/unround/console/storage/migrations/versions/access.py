"""Chairs per conference, area chairs who are removed softly, and one printed link per server."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"

# SQLite adds a foreign key by building the table anew, and dropping the old one drops the sessions.
KEEP_SESSIONS = "CREATE TEMPORARY TABLE kept_sessions AS SELECT * FROM sessions"
RESTORE_SESSIONS = ("INSERT INTO sessions SELECT * FROM kept_sessions", "DROP TABLE kept_sessions")
# Links of chairs opened every conference before: they stay links of the server's owner.
FILL_CONFERENCE = """
UPDATE links SET conference =
    (SELECT conference FROM area_chairs WHERE area_chairs.id = links.area_chair)
"""
MARK_PRINTED = """
UPDATE links SET printed = true
WHERE area_chair IS NULL AND label LIKE 'printed at the start of %'
"""


def upgrade() -> None:
    """Add the columns, fill them from what is known, and add the table for undoing an import."""
    op.add_column("area_chairs", sa.Column("removed", sa.DateTime(timezone=True)))
    _extend_links()
    op.execute(FILL_CONFERENCE)
    op.execute(MARK_PRINTED)
    op.create_table(
        "former_area_chairs",
        sa.Column(
            "conference",
            sa.String(32),
            sa.ForeignKey("conferences.id", ondelete="CASCADE"),
            primary_key=True,
        ),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("who", sa.Text, nullable=False),
        sa.Column("people", sa.JSON, nullable=False),
    )


def _extend_links() -> None:
    rebuilt = op.get_bind().dialect.name == "sqlite"
    if rebuilt:
        op.execute(KEEP_SESSIONS)
    with op.batch_alter_table("links") as links:
        links.add_column(sa.Column("conference", sa.String(32)))
        links.add_column(
            sa.Column("printed", sa.Boolean, nullable=False, server_default=sa.false())
        )
        links.create_foreign_key(
            "links_of_conference", "conferences", ["conference"], ["id"], ondelete="CASCADE"
        )
        links.create_index("ix_links_conference", ["conference"])
    for statement in RESTORE_SESSIONS if rebuilt else ():
        op.execute(statement)
