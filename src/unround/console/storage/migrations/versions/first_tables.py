"""The first tables."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

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
        _id(),
        _text("name"),
        _moment("created"),
        sa.Column("show_stars", sa.Boolean, nullable=False),
        sa.Column("show_names", sa.Boolean, nullable=False),
        sa.Column("edition", sa.Integer, nullable=False),
        sa.Column("key", sa.String(64), nullable=False),
    )
    op.create_table(
        "files",
        _id(),
        _of("conferences", "conference", index=True),
        _text("name"),
        sa.Column("size", sa.BigInteger, nullable=False),
        sa.Column("sha256", sa.String(64), nullable=False),
        _moment("uploaded"),
    )
    op.create_table(
        "log",
        sa.Column("id", sa.Integer, primary_key=True),
        _moment("at"),
        _of("conferences", "conference", index=True, nullable=True),
        _text("who"),
        sa.Column("action", sa.String(40), nullable=False),
        _text("detail"),
    )


def _jobs() -> None:
    op.create_table(
        "checks",
        *_job(),
        sa.Column("found", sa.JSON),
        sa.Column("issues_csv", sa.LargeBinary),
    )
    op.create_table(
        "runs",
        *_job(),
        _text("name"),
        sa.Column("shared", sa.Boolean, nullable=False),
        sa.Column("inputs", sa.JSON, nullable=False),
        sa.Column("issues", sa.JSON),
        _text("lam", nullable=True),
        sa.Column("kinds", sa.JSON),
    )


def _results() -> None:
    op.create_table(
        "run_files",
        _of("runs", "run", primary_key=True),
        sa.Column("name", sa.String(100), primary_key=True),
        sa.Column("content", sa.LargeBinary, nullable=False),
    )
    facts = [_text(name, nullable=True) for name in ("title", "track", "area_chair", "decision")]
    _result("papers", _text("paper"), *facts, index=("paper",))
    _result(
        "reviews",
        _text("reviewer"),
        _text("reviewer_name", nullable=True),
        _text("paper"),
        _text("score", nullable=True),
        *_numbers("value", "dequantized", "percentile", "lower", "upper"),
        *_numbers("consensus", "ranking", "cell"),
        index=("paper", "reviewer"),
    )
    rank: sa.Column[object] = sa.Column("rank", sa.Integer, nullable=False)
    _result("ranks", _text("reviewer"), _text("paper"), rank, index=("reviewer",))
    pair = "reviewer", "better", "worse"
    _result("pairs", *map(_text, pair), index=("reviewer",))
    _result("bindings", *map(_text, pair), *_numbers("lifts", "lowers"), index=("reviewer",))


def _access() -> None:
    op.create_table(
        "area_chairs",
        _id(),
        _of("conferences", "conference", index=True),
        _text("name"),
        _text("email", nullable=True),
    )
    op.create_table(
        "assignments",
        _of("area_chairs", "area_chair", primary_key=True),
        sa.Column("paper", sa.Text, primary_key=True),
    )
    op.create_table(
        "links",
        _id(),
        _of("area_chairs", "area_chair", index=True, nullable=True),
        sa.Column("secret", sa.String(64), nullable=False, unique=True),
        _text("label"),
        _moment("created"),
        *(_moment(name, nullable=True) for name in ("expires", "revoked", "opened")),
    )
    op.create_table(
        "sessions",
        _id(),
        _of("links", "link", index=True),
        sa.Column("secret", sa.String(64), nullable=False, unique=True),
        _moment("created"),
        _moment("expires"),
    )


def _job() -> list[sa.Column[object]]:
    return [
        _id(),
        _of("conferences", "conference", index=True),
        sa.Column("status", sa.String(16), nullable=False),
        _text("reason", nullable=True),
        sa.Column("attempt", sa.String(32)),
        _moment("created"),
        _moment("finished", nullable=True),
        sa.Column("request", sa.JSON, nullable=False),
    ]


def _result(name: str, *columns: sa.Column[object], index: tuple[str, ...]) -> None:
    place: sa.Column[object] = sa.Column("place", sa.Integer, primary_key=True, autoincrement=False)
    op.create_table(name, _of("runs", "run", primary_key=True), place, *columns)
    for column in index:
        op.create_index(f"{name}_by_{column}", name, ["run", column])


def _id() -> sa.Column[object]:
    return sa.Column("id", sa.String(32), primary_key=True)


def _text(name: str, *, nullable: bool = False) -> sa.Column[object]:
    return sa.Column(name, sa.Text, nullable=nullable)


def _moment(name: str, *, nullable: bool = False) -> sa.Column[object]:
    return sa.Column(name, sa.DateTime(timezone=True), nullable=nullable)


def _numbers(*names: str) -> list[sa.Column[object]]:
    return [sa.Column(name, sa.Float(53), nullable=False) for name in names]


def _of(
    table: str,
    name: str,
    *,
    primary_key: bool = False,
    index: bool = False,
    nullable: bool = False,
) -> sa.Column[object]:
    """What a row belongs to, and goes with."""
    parent = sa.ForeignKey(f"{table}.id", ondelete="CASCADE")
    return sa.Column(
        name, sa.String(32), parent, primary_key=primary_key, index=index, nullable=nullable
    )
