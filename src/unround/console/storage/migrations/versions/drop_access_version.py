"""Drop the count of changes of who may see what, and its triggers: every request asks for the session."""

from __future__ import annotations

from alembic import op

revision = "0010"
down_revision = "0009"

TABLES = ("links", "sessions", "area_chairs", "conferences", "runs")


def upgrade() -> None:
    """Drop the triggers, their function and the table."""
    if op.get_bind().dialect.name == "sqlite":
        for table in TABLES:
            for event in ("updates", "deletions"):
                op.execute(f"DROP TRIGGER IF EXISTS count_{event}_of_{table}")
    else:
        # CASCADE: and the triggers that call it.
        op.execute("DROP FUNCTION IF EXISTS count_access_change() CASCADE")
    op.drop_table("access_version")
