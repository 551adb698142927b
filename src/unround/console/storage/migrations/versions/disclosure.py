"""What kind of numbers the area chairs of a conference get: the order, for existing ones too."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """Add the column."""
    column = sa.Column("disclosure", sa.String(16), nullable=False, server_default="order")
    op.add_column("conferences", column)
