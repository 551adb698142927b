"""Ids and secrets. A secret has 256 bits and is kept only as its hash."""

from __future__ import annotations

import secrets
from datetime import UTC, datetime


def new_id() -> str:
    """An id that cannot be guessed from others."""
    return secrets.token_hex(16)


def now() -> datetime:
    """Return the current time in UTC."""
    return datetime.now(UTC)
