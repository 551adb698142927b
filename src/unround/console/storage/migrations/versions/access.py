"""Chairs per conference, area chairs who are removed softly, and one printed link per server."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from unround.console.storage.migrations.columns import add_owner_of_links, json, moment, owner, text

revision = "0005"
down_revision = "0004"

# Links of chairs opened every conference before: they stay links of the server's owner.
FILL_CONFERENCE = """
UPDATE links SET conference =
    (SELECT conference FROM area_chairs WHERE area_chairs.id = links.area_chair)
"""
MARK_PRINTED = """
UPDATE links SET printed = true
WHERE area_chair IS NULL AND label LIKE 'printed at the start of %'
"""


def upgrade() -> None:
    """Add the columns, fill them from what is known, and add the table for undoing an import."""
    op.add_column("area_chairs", moment("removed", nullable=True))
    add_owner_of_links("conferences", "conference")
    printed: sa.Column[object] = sa.Column(
        "printed", sa.Boolean, nullable=False, server_default=sa.false()
    )
    op.add_column("links", printed)
    op.execute(FILL_CONFERENCE)
    op.execute(MARK_PRINTED)
    op.create_table(
        "former_area_chairs",
        owner("conferences", "conference", key=True),
        moment("at"),
        text("who"),
        json("people"),
    )
