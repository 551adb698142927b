"""run.json: the settings, λ, certificate, issues, versions and input hashes of a run."""

from __future__ import annotations

import hashlib
import json
import math
import platform
from collections.abc import Mapping
from importlib.metadata import version
from pathlib import Path
from typing import Any

from unround import __version__
from unround.formats.importer import Imported
from unround.issues import Issue
from unround.result import Result

VERSIONED = ("numpy", "numba", "scipy", "polars", "narwhals")


def run_record(result: Result, imported: Imported) -> dict[str, Any]:
    """Everything needed to repeat and to judge the run. No clock, no path: same input, same record."""
    certificate, settings = result.certificate, result.settings
    return {
        "settings": {
            "lam": _number(result.lam) if result.curve is None else result.curve.chosen_by,
            "epsilon": settings.epsilon,
            "scale": list(result.reviews.scale.levels),
            "conflicts": str(settings.conflicts),
            "unranked": str(settings.unranked),
            "same_within": settings.same_within,
        },
        "lam": _number(result.lam),
        "selection": None
        if result.curve is None
        else {"lam": result.curve.lam.tolist(), "error": result.curve.error.tolist()},
        "certificate": {
            "max_error": certificate.max_error,
            "max_violation": certificate.max_violation,
            "objective": certificate.objective,
            "sweeps": certificate.sweeps,
        },
        "ties": dict(zip(("before", "after"), result.ties, strict=True)),
        "counts": {
            "reviews": len(result.reviews),
            "papers": len(result.reviews.papers),
            "reviewers": len(result.reviews.reviewers),
            "comparisons": int(result.problem.comparisons.above.size),
        },
        "issues": [issue_record(issue, imported) for issue in result.issues],
        "inputs": [
            {"file": path.name, "sha256": digest}
            for root in imported.files
            for path, digest in hashes(root)
        ],
        "recognised": list(imported.recognised),
        "notes": list(imported.notes),
        "versions": {
            "unround": __version__,
            "python": platform.python_version(),
            **{name: version(name) for name in VERSIONED},
        },
    }


def issue_record(issue: Issue, imported: Imported | None) -> dict[str, Any]:
    """An issue with the places it stands at, as plain values."""
    places = [imported.place(issue.table, row) for row in issue.rows] if imported else []
    return {
        "kind": str(issue.kind),
        "message": issue.message,
        "where": places,
        "reviewer": issue.reviewer,
        "papers": list(issue.papers),
        "scores": list(issue.scores),
        "action": issue.action,
    }


def hashes(root: Path) -> list[tuple[Path, str]]:
    """SHA-256 of a file, or of every file of a folder in the order of their names."""
    files = sorted(path for path in root.rglob("*") if path.is_file()) if root.is_dir() else [root]
    found = []
    for path in files:
        with path.open("rb") as file:
            found.append((path, hashlib.file_digest(file, "sha256").hexdigest()))
    return found


def record_text(record: Mapping[str, Any]) -> str:
    """What stands in run.json."""
    return json.dumps(record, indent=2, ensure_ascii=False) + "\n"


def _number(value: float) -> float | str:
    return "inf" if math.isinf(value) else value
