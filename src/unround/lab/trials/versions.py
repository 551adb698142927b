"""Identify the code that computed a number: versions of packages, and a digest of our modules."""

from __future__ import annotations

import hashlib
import platform
from functools import cache
from importlib.metadata import version
from pathlib import Path

import unround


@cache
def versions() -> str:
    """Return versions in one line: "unround 1.0.0, python 3.11.9, numpy 2.4.6, .."."""
    from unround.runs.record import VERSIONED  # not at the top: trials need no runs

    others = ", ".join(f"{name} {version(name)}" for name in VERSIONED)
    return f"unround {unround.__version__}, python {platform.python_version()}, {others}"


@cache
def code_digest() -> str:
    """Return a digest of every module of unround, so that no stale trial is reused."""
    digest, root = hashlib.sha256(), Path(unround.__file__).parent
    for path in sorted(root.rglob("*.py")):
        digest.update(path.relative_to(root).as_posix().encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()
