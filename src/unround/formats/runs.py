"""A run as a folder: its tables and run.json, written whole, read back for exports and reports."""

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
from unround.formats.importing import Imported, id_kinds, with_id_kinds
from unround.formats.model import PAPER_COLUMNS, ImportProblem
from unround.formats.writing import read_own_csv, write_csv
from unround.issues import Issue
from unround.result import Result

# The tables of a run in the order that people meet them; those that would be empty are not written.
SCORES, PAPERS, EXPLANATION = "scores.csv", "papers.csv", "explanation.csv"
RANKINGS, PAIRS, SAME, BINDINGS = "rankings.csv", "pairs.csv", "same.csv", "bindings.csv"
STATEMENTS = {
    RANKINGS: ("reviewer", "paper", "rank"),
    PAIRS: ("reviewer", "better", "worse"),
    SAME: ("reviewer", "paper", "same_as"),
}
OPTIONAL = (EXPLANATION, *STATEMENTS, BINDINGS)
TEXT = (
    *("reviewer", "paper", "better", "worse", "same_as"),
    *("review", "reviewer_name", "reviewer_email", *PAPER_COLUMNS),
)
VERSIONED = ("numpy", "numba", "scipy", "polars", "narwhals")


@dataclass(frozen=True)
class Run:
    """A finished run, read from its folder."""

    folder: Path
    scores: pl.DataFrame
    papers: pl.DataFrame
    record: Mapping[str, Any]
    others: Mapping[
        str, pl.DataFrame
    ]  # by file name: what there is of explanation.csv and the rest


def paper_table(result: Result, imported: Imported) -> pl.DataFrame:
    """One row a paper: the statistics, then what is known of title, track, area chair and decision."""
    papers: pl.DataFrame = result.papers
    return papers.join(imported.papers, on="paper", how="left", maintain_order="left")


def score_table(result: Result) -> pl.DataFrame:
    """One row a review, without what belongs to the paper."""
    scores: pl.DataFrame = result.scores
    return scores.drop(*PAPER_COLUMNS, "venue", strict=False)


def explanation_table(result: Result) -> pl.DataFrame:
    """One row a review, as in scores.csv: the cell that was used, and what moved the score."""
    ordered, cells = result.reviews.in_caller_order, result.problem
    explained: pl.DataFrame = result.explanation
    return explained.select(
        "reviewer",
        "paper",
        pl.Series("lower", ordered(cells.lower)),
        pl.Series("upper", ordered(cells.upper)),
        "consensus",
        "ranking",
        "cell",
    )


def statement_tables(imported: Imported) -> dict[str, pl.DataFrame]:
    """What reviewers said, row by row as it was read, by the name of its file."""
    sheets = [*imported.rankings, *([imported.same] if imported.same is not None else [])]
    return {
        name: sheet.table.select(columns)
        for name, columns in STATEMENTS.items()
        for sheet in sheets
        if sheet.table.height and set(columns) <= set(sheet.table.columns)
    }


def run_tables(result: Result, imported: Imported) -> dict[str, pl.DataFrame]:
    """Every table of a run by the name of its file."""
    tables = {
        SCORES: score_table(result),
        PAPERS: paper_table(result, imported),
        EXPLANATION: explanation_table(result),
        **statement_tables(imported),
    }
    bindings: pl.DataFrame = result.bindings
    return tables | {BINDINGS: bindings} if bindings.height else tables


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


def write_run(folder: Path, tables: Mapping[str, pl.DataFrame], record: Mapping[str, Any]) -> None:
    """The tables of a run under their names, and run.json."""
    for name, table in tables.items():
        write_csv(table, folder / name)
    (folder / "run.json").write_text(record_text(record), "utf-8")


def record_text(record: Mapping[str, Any]) -> str:
    """What stands in run.json."""
    return json.dumps(record, indent=2, ensure_ascii=False) + "\n"


def read_run(folder: Path) -> Run:
    """A folder that `unround run` wrote."""
    for name in ("run.json", SCORES, PAPERS):
        if not (folder / name).is_file():
            raise ImportProblem(f"{folder} is not the result of `unround run`: {name} is missing")
    try:
        record = json.loads((folder / "run.json").read_text("utf-8"))
        names = [SCORES, PAPERS, *(name for name in OPTIONAL if (folder / name).is_file())]
        tables = {name: read_own_csv(folder / name, TEXT) for name in names}
    except (OSError, ValueError, pl.exceptions.PolarsError) as problem:
        raise ImportProblem(f"{folder} cannot be read: {problem}") from problem
    return _typed_run(folder, tables, record)


def _typed_run(folder: Path, tables: Mapping[str, pl.DataFrame], record: Mapping[str, Any]) -> Run:
    """Ids of the kind that they had in the run: reviews and statements decide, as in the import."""
    deciding = [tables[name] for name in (SCORES, *STATEMENTS) if name in tables]
    kinds = id_kinds(deciding)
    typed = {name: with_id_kinds(table, kinds) for name, table in tables.items()}
    return Run(folder, typed.pop(SCORES), typed.pop(PAPERS), record, typed)


def _number(value: float) -> float | str:
    return "inf" if math.isinf(value) else value
