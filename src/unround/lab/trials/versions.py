"""Which program computed a number: released versions, and a digest of the code itself."""

from __future__ import annotations

import hashlib
import platform
from functools import cache
from importlib.metadata import version
from pathlib import Path

import unround

VERSIONED = ("numpy", "numba", "scipy", "polars")
# What reads and shows but never computes.
_ELSEWHERE = ("cli", "console", "formats", "report", "runs", "static")


@cache
def versions() -> str:
    """For people and tables: "unround 0.1.0, python 3.11.9, numpy 2.4.6, .."."""
    others = ", ".join(f"{name} {version(name)}" for name in VERSIONED)
    return f"unround {unround.__version__}, python {platform.python_version()}, {others}"


@cache
def code_digest() -> str:
    """Changes whenever a module that computes does, so that no stale trial passes for fresh."""
    root = Path(unround.__file__).parent
    digest = hashlib.sha256()
    for path in sorted(root.rglob("*.py")):
        place = path.relative_to(root)
        if place.parts[0] not in _ELSEWHERE:
            digest.update(place.as_posix().encode())
            digest.update(path.read_bytes())
    return digest.hexdigest()
