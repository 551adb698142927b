"""A count of changes of who may see what.

Triggers kept it, which `drop_access_version` drops with the table: they are not made any more.
"""

from __future__ import annotations

from alembic import op
from sqlalchemy import BigInteger, Column

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    """Add the count."""
    op.create_table("access_version", Column("changes", BigInteger, nullable=False))
    op.execute("INSERT INTO access_version VALUES (0)")
