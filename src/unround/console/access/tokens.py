"""Ids and secrets. A secret has 256 bits and is kept only as its hash."""

from __future__ import annotations

import hashlib
import secrets


def new_secret() -> str:
    """256 random bits, in letters that an address may hold."""
    return secrets.token_urlsafe(32)


def hashed(secret: str) -> str:
    """What is kept of a secret. It is random, so that one round of SHA-256 is enough."""
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()
