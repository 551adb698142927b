"""Results were stored twice, as files and as rows: the files stay, and the rows go."""

from __future__ import annotations

from alembic import op

revision = "0009"
down_revision = "0008"

ROWS = ("bindings", "pairs", "ranks", "reviews", "papers")


def upgrade() -> None:
    """Drop the tables of rows, and the column that says which of their ids are numbers."""
    for table in ROWS:
        op.drop_table(table)
    op.drop_column("runs", "kinds")
