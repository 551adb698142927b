"""Which server owns the database, and when it last gave a sign of life."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    """Make the table."""
    op.create_table(
        "servers",
        sa.Column("folder", sa.String(32), primary_key=True),
        sa.Column("seen", sa.DateTime(timezone=True), nullable=False),
    )
