"""Ids of rows and files, and the current time."""

from __future__ import annotations

import secrets
from datetime import UTC, datetime


def new_id() -> str:
    """Return a random id that cannot be guessed from others."""
    return secrets.token_hex(16)


def now() -> datetime:
    """Return the current time in UTC."""
    return datetime.now(UTC)
