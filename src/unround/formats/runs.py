"""A run as a folder: scores.csv, papers.csv and run.json, written whole, read back for exports."""

from __future__ import annotations

import hashlib
import json
import math
import platform
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

import polars as pl

from unround import __version__
from unround.formats.importing import Imported
from unround.formats.model import PAPER_COLUMNS, ImportProblem
from unround.formats.writing import read_own_csv, write_csv
from unround.issues import Issue
from unround.result import Result

VERSIONED = ("numpy", "numba", "scipy", "polars", "narwhals")


@dataclass(frozen=True)
class Run:
    """A finished run, read from its folder."""

    folder: Path
    scores: pl.DataFrame
    papers: pl.DataFrame
    record: Mapping[str, Any]


def paper_table(result: Result, imported: Imported) -> pl.DataFrame:
    """One row a paper: the statistics, then what is known of title, track, area chair and decision."""
    papers: pl.DataFrame = result.papers
    return papers.join(imported.papers, on="paper", how="left", maintain_order="left")


def score_table(result: Result) -> pl.DataFrame:
    """One row a review, without what belongs to the paper."""
    scores: pl.DataFrame = result.scores
    return scores.drop(*PAPER_COLUMNS, "venue", strict=False)


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


def write_run(
    folder: Path, scores: pl.DataFrame, papers: pl.DataFrame, record: Mapping[str, Any]
) -> None:
    """The three files of a run."""
    write_csv(scores, folder / "scores.csv")
    write_csv(papers, folder / "papers.csv")
    (folder / "run.json").write_text(
        json.dumps(record, indent=2, ensure_ascii=False) + "\n", "utf-8"
    )


def read_run(folder: Path) -> Run:
    """A folder that `unround run` wrote."""
    try:
        record = json.loads((folder / "run.json").read_text("utf-8"))
        return Run(
            folder, read_own_csv(folder / "scores.csv"), read_own_csv(folder / "papers.csv"), record
        )
    except FileNotFoundError as problem:
        raise ImportProblem(
            f"{folder} is not the result of `unround run`: {Path(problem.filename).name} is missing"
        ) from problem
    except (OSError, ValueError, pl.exceptions.PolarsError) as problem:
        raise ImportProblem(f"{folder} cannot be read: {problem}") from problem


def _number(value: float) -> float | str:
    return "inf" if math.isinf(value) else value
