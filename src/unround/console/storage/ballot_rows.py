"""The tables of ballots: collections of rankings, one ballot per reviewer, and all saved versions.

Versions are only ever added: what a reviewer saved is never changed, and deleted only with the ballot.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import JSON, String, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from unround.console.storage.base import Base, id_column, owner_column


class CollectionRow(Base):
    """One call for rankings in a conference. `levels` are the scale's, worst first."""

    __tablename__ = "collections"
    id: Mapped[str] = id_column()
    conference: Mapped[str] = owner_column("conferences", index=True)
    created: Mapped[datetime]
    title: Mapped[str]
    instructions: Mapped[str]
    rules: Mapped[dict[str, Any]]  # ties, top_k, may_skip, mode
    show_scores: Mapped[bool]
    levels: Mapped[list[Any]]
    source: Mapped[str]  # in words
    state: Mapped[str] = mapped_column(String(16), default="open")
    deadline: Mapped[datetime | None]


class BallotRow(Base):
    """One reviewer's ballot. `version` is the newest; 0 while nothing is saved."""

    __tablename__ = "ballots"
    id: Mapped[str] = id_column()
    collection: Mapped[str] = owner_column("collections", index=True)
    reviewer: Mapped[str]
    name: Mapped[str | None]
    email: Mapped[str | None]
    papers: Mapped[list[Any]]  # paper, title, score, level
    opened: Mapped[datetime | None]  # the first time
    version: Mapped[int] = mapped_column(default=0)
    saved: Mapped[datetime | None]
    submitted: Mapped[datetime | None]  # the last time
    submitted_version: Mapped[int | None]
    tally: Mapped[dict[str, Any] | None] = mapped_column(JSON)  # counts of the newest version


class BallotVersionRow(Base):
    """One saved state of a ballot. `save_id` is the client's: the same one is saved once."""

    __tablename__ = "ballot_versions"
    ballot: Mapped[str] = owner_column("ballots", key=True)
    version: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    save_id: Mapped[str] = mapped_column(String(36))
    saved: Mapped[datetime]
    submitted: Mapped[bool]
    content: Mapped[dict[str, Any]] = mapped_column(JSON)
    __table_args__ = (UniqueConstraint("ballot", "save_id", name="ballot_versions_by_save_id"),)
