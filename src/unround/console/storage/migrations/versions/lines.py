"""The line belongs to the conference: each takes the one of its newest run that has one."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"


def upgrade() -> None:
    """Move the lines."""
    owner = sa.ForeignKey("conferences.id", ondelete="CASCADE")
    op.create_table(
        "lines",
        sa.Column("conference", sa.String(32), owner, primary_key=True),
        sa.Column("value", sa.JSON, nullable=False),
    )
    # A line that was taken away is a JSON null, or no value at all.
    op.execute(
        "INSERT INTO lines (conference, value) SELECT conference, line FROM runs AS newest "
        "WHERE CAST(line AS TEXT) LIKE '{%' AND NOT EXISTS (SELECT 1 FROM runs AS later "
        "WHERE later.conference = newest.conference AND CAST(later.line AS TEXT) LIKE '{%' "
        "AND (later.created, later.id) > (newest.created, newest.id))"
    )
    op.drop_column("runs", "line")
