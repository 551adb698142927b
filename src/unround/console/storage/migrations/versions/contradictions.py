"""A table of contradictions per reviewer beside every check and run."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Add the column for the gzipped CSV file."""
    for table in ("checks", "runs"):
        op.add_column(table, sa.Column("contradictions_csv", sa.LargeBinary))
