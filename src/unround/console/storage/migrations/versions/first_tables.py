"""The first tables."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from unround.console.storage.migrations.columns import id_column, json, moment, owner, text

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Make every table."""
    _conferences()
    _jobs()
    _results()
    _access()


def _conferences() -> None:
    op.create_table(
        "conferences",
        id_column(),
        text("name"),
        moment("created"),
        sa.Column("show_stars", sa.Boolean, nullable=False),
        sa.Column("show_names", sa.Boolean, nullable=False),
        sa.Column("edition", sa.Integer, nullable=False),
        sa.Column("key", sa.String(64), nullable=False),
    )
    op.create_table(
        "files",
        id_column(),
        owner("conferences", "conference", index=True),
        text("name"),
        sa.Column("size", sa.BigInteger, nullable=False),
        sa.Column("sha256", sa.String(64), nullable=False),
        moment("uploaded"),
    )
    op.create_table(
        "log",
        sa.Column("id", sa.Integer, primary_key=True),
        moment("at"),
        owner("conferences", "conference", index=True, nullable=True),
        text("who"),
        sa.Column("action", sa.String(40), nullable=False),
        text("detail"),
    )


def _jobs() -> None:
    op.create_table(
        "checks",
        *_job(),
        json("found", nullable=True),
        sa.Column("issues_csv", sa.LargeBinary),
    )
    op.create_table(
        "runs",
        *_job(),
        text("name"),
        sa.Column("shared", sa.Boolean, nullable=False),
        json("inputs"),
        json("issues", nullable=True),
        text("lam", nullable=True),
        json("kinds", nullable=True),
    )


def _results() -> None:
    op.create_table(
        "run_files",
        owner("runs", "run", key=True),
        sa.Column("name", sa.String(100), primary_key=True),
        sa.Column("content", sa.LargeBinary, nullable=False),
    )
    facts = [text(name, nullable=True) for name in ("title", "track", "area_chair", "decision")]
    _result("papers", text("paper"), *facts, index=("paper",))
    _result(
        "reviews",
        text("reviewer"),
        text("reviewer_name", nullable=True),
        text("paper"),
        text("score", nullable=True),
        *_numbers("value", "dequantized", "percentile", "lower", "upper"),
        *_numbers("consensus", "ranking", "cell"),
        index=("paper", "reviewer"),
    )
    rank: sa.Column[object] = sa.Column("rank", sa.Integer, nullable=False)
    _result("ranks", text("reviewer"), text("paper"), rank, index=("reviewer",))
    pair = "reviewer", "better", "worse"
    _result("pairs", *map(text, pair), index=("reviewer",))
    _result("bindings", *map(text, pair), *_numbers("lifts", "lowers"), index=("reviewer",))


def _access() -> None:
    op.create_table(
        "area_chairs",
        id_column(),
        owner("conferences", "conference", index=True),
        text("name"),
        text("email", nullable=True),
    )
    op.create_table(
        "assignments",
        owner("area_chairs", "area_chair", key=True),
        text("paper", key=True),
    )
    op.create_table(
        "links",
        id_column(),
        owner("area_chairs", "area_chair", index=True, nullable=True),
        sa.Column("secret", sa.String(64), nullable=False, unique=True),
        text("label"),
        moment("created"),
        *(moment(name, nullable=True) for name in ("expires", "revoked", "opened")),
    )
    op.create_table(
        "sessions",
        id_column(),
        owner("links", "link", index=True),
        sa.Column("secret", sa.String(64), nullable=False, unique=True),
        moment("created"),
        moment("expires"),
    )


def _job() -> list[sa.Column[object]]:
    return [
        id_column(),
        owner("conferences", "conference", index=True),
        sa.Column("status", sa.String(16), nullable=False),
        text("reason", nullable=True),
        sa.Column("attempt", sa.String(32)),
        moment("created"),
        moment("finished", nullable=True),
        json("request"),
    ]


def _result(name: str, *columns: sa.Column[object], index: tuple[str, ...]) -> None:
    place: sa.Column[object] = sa.Column("place", sa.Integer, primary_key=True, autoincrement=False)
    op.create_table(name, owner("runs", "run", key=True), place, *columns)
    for column in index:
        op.create_index(f"{name}_by_{column}", name, ["run", column])


def _numbers(*names: str) -> list[sa.Column[object]]:
    return [sa.Column(name, sa.Float(53), nullable=False) for name in names]
