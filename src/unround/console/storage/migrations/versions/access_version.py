"""A count of changes of who may see what. Triggers keep it, so that it counts whoever made the change.

A later migration that builds one of these tables anew must make its triggers again.
"""

from __future__ import annotations

from alembic import op
from sqlalchemy import BigInteger, Column

revision = "0006"
down_revision = "0005"

# The columns that decide what a session opens, by table. Left out is what changes with every visit
# (links.opened), and what a worker writes in a long transaction, which would hold the count that long.
# Rows that are added take nothing from anybody.
COUNTED = {
    "links": "conference, area_chair, printed, secret, label, expires, revoked",
    "sessions": "link, secret, expires",
    "area_chairs": "conference, name, removed",
    "conferences": "name, show_stars, show_names, disclosure, edition, key",
    "runs": "conference, name, shared, archived",
}
COUNT = "UPDATE access_version SET changes = changes + 1"
FUNCTION = f"""
CREATE FUNCTION count_access_change() RETURNS trigger LANGUAGE plpgsql AS
$$ BEGIN {COUNT}; RETURN NULL; END $$
"""


def upgrade() -> None:
    """Add the count, and the triggers that keep it."""
    op.create_table("access_version", Column("changes", BigInteger, nullable=False))
    op.execute("INSERT INTO access_version VALUES (0)")
    is_sqlite = op.get_bind().dialect.name == "sqlite"
    if not is_sqlite:
        op.execute(FUNCTION)
    act = f"BEGIN {COUNT}; END" if is_sqlite else "EXECUTE FUNCTION count_access_change()"
    for table, columns in COUNTED.items():
        for name, event in (("updates", f"UPDATE OF {columns}"), ("deletions", "DELETE")):
            when = f"AFTER {event} ON {table} FOR EACH ROW"
            op.execute(f"CREATE TRIGGER count_{name}_of_{table} {when} {act}")
