"""Requests of checks and runs lose `same_within`, which the method no longer has."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"


def upgrade() -> None:
    """Remove the setting from every request."""
    connection = op.get_bind()
    for name in ("checks", "runs"):
        table = sa.table(name, sa.column("id", sa.String), sa.column("request", sa.JSON))
        for row, request in connection.execute(sa.select(table.c.id, table.c.request)).all():
            request.get("method", {}).pop("same_within", None)
            connection.execute(table.update().where(table.c.id == row).values(request=request))
