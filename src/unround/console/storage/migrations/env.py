"""Runs migrations on the connection that `Database.migrate` hands over."""

from __future__ import annotations

from unround.console.storage.orm import Base

CONNECTION = "connection"


def run() -> None:
    """Bring the database to the wanted version in one transaction."""
    from alembic import context

    context.configure(
        connection=context.config.attributes[CONNECTION], target_metadata=Base.metadata
    )
    with context.begin_transaction():
        context.run_migrations()


if __name__ == "env_py":  # the name that Alembic loads this file by
    run()
