"""A random id of the database, which its data folder holds too: neither is used with another one."""

from __future__ import annotations

from alembic import op

from unround.console.storage.migrations.columns import id_column
from unround.console.storage.orm import new_id

revision = "0012"
down_revision = "0011"


def upgrade() -> None:
    """Make the table and its only row."""
    op.bulk_insert(op.create_table("identity", id_column()), [{"id": new_id()}])
