"""Recommendations of area chairs, the bin of deleted conferences, and lines of conferences.

A conference takes the line of its newest run that has one, and shows neither it nor imported
decisions to area chairs. A server owns its database by a lock alone.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from unround.console.storage.migrations.columns import json, moment, owner, text

revision = "0011"
down_revision = "0010"

# A line that was taken away is a JSON null, or no value at all.
MOVE_LINES = """
INSERT INTO lines (conference, value) SELECT conference, line FROM runs AS newest
WHERE CAST(line AS TEXT) LIKE '{%' AND NOT EXISTS (SELECT 1 FROM runs AS later
WHERE later.conference = newest.conference AND CAST(later.line AS TEXT) LIKE '{%'
AND (later.created, later.id) > (newest.created, newest.id))
"""


def upgrade() -> None:
    """Make three tables and three columns, move the lines, and drop the table of servers."""
    op.create_table(
        "recommendations",
        owner("area_chairs", "area_chair", key=True),
        text("paper", key=True),
        text("value", nullable=True),
        text("note", nullable=True),
        moment("at"),
    )
    op.create_table(
        "deleted_conferences",
        owner("conferences", "conference", key=True),
        moment("at"),
        text("who"),
    )
    op.create_table("lines", owner("conferences", "conference", key=True), json("value"))
    op.execute(MOVE_LINES)
    choices = [
        ("conferences", "show_line"),
        ("conferences", "show_decisions"),
        ("files", "for_ballots"),
    ]
    for table, name in choices:
        choice = sa.Column(name, sa.Boolean, nullable=False, server_default=sa.false())
        op.add_column(table, choice)
    op.drop_column("runs", "line")
    op.drop_table("servers")
