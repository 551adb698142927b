"""Name the program that computed a number: released versions, and a digest of the code itself."""

from __future__ import annotations

import hashlib
import platform
from functools import cache
from importlib.metadata import version
from pathlib import Path

import unround

# What reads, writes and shows but never computes: a change there leaves finished trials valid.
ELSEWHERE = (
    *("__main__.py", "wording", "progress.py"),
    *("cli", "console", "disclosure", "formats", "output", "report", "runs", "static"),
    *("lab/compare.py", "lab/figures", "lab/pages", "lab/plan.py", "lab/reproduce.py"),
    *("lab/results", "lab/trials/runner.py"),
    *(f"lab/catalogue/{name}.py" for name in ("aibs", "real", "sushi", "zurich")),
)


@cache
def versions() -> str:
    """Return versions as people read them: "unround 0.1.0, python 3.11.9, numpy 2.4.6, .."."""
    from unround.runs.record import VERSIONED  # only here: trials themselves need no runs

    others = ", ".join(f"{name} {version(name)}" for name in VERSIONED)
    return f"unround {unround.__version__}, python {platform.python_version()}, {others}"


@cache
def code_digest() -> str:
    """Return a digest that changes with every module that computes: no stale trial is reused."""
    digest = hashlib.sha256()
    for place, path in computing_files().items():
        digest.update(place.encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()


def computing_files() -> dict[str, Path]:
    """Return the modules whose code a trial's numbers may depend on, by their place in unround."""
    root = Path(unround.__file__).parent
    places = {path.relative_to(root).as_posix(): path for path in sorted(root.rglob("*.py"))}
    return {
        place: path
        for place, path in places.items()
        if not f"{place}/".startswith(tuple(f"{name}/" for name in ELSEWHERE))
    }
