"""Identify the code that computed a number: versions of packages, and a digest of our modules."""

from __future__ import annotations

import hashlib
import platform
from functools import cache
from importlib.metadata import version
from pathlib import Path

import unround

# Modules that read, write and show but never compute: a change there leaves finished trials valid.
NOT_COMPUTING = (
    *("__main__.py", "wording", "progress.py"),
    *("cli", "console", "disclosure", "formats", "output", "report", "static"),
    *("lab/compare.py", "lab/figures", "lab/pages", "lab/plan.py", "lab/reproduce.py"),
    *("lab/results.py", "lab/trials/runner.py"),
)


@cache
def versions() -> str:
    """Return versions in one line: "unround 1.0.0, python 3.11.9, numpy 2.4.6, .."."""
    from unround.runs.record import VERSIONED  # not at the top: trials need no runs

    others = ", ".join(f"{name} {version(name)}" for name in VERSIONED)
    return f"unround {unround.__version__}, python {platform.python_version()}, {others}"


@cache
def code_digest() -> str:
    """Return a digest of every module that computes, so that no stale trial is reused."""
    digest = hashlib.sha256()
    for place, path in computing_files().items():
        digest.update(place.encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()


def computing_files() -> dict[str, Path]:
    """Return the modules on which a trial's numbers may depend, by path within unround."""
    root = Path(unround.__file__).parent
    places = {path.relative_to(root).as_posix(): path for path in sorted(root.rglob("*.py"))}
    return {
        place: path
        for place, path in places.items()
        if not f"{place}/".startswith(tuple(f"{name}/" for name in NOT_COMPUTING))
    }
