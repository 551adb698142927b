"""Secrets of links and sessions: 256 random bits, stored only as a hash."""

from __future__ import annotations

import hashlib
import secrets


def new_secret() -> str:
    """Return 256 random bits as text that is safe in a URL."""
    return secrets.token_urlsafe(32)


def hashed(secret: str) -> str:
    """Hash a secret. One round of SHA-256 suffices, because the secret is random."""
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()
