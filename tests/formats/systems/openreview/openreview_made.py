"""Notes made for tests, and where the files stand."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import polars as pl

from unround import Tables
from unround.formats.importer import import_files
from unround.formats.model import Options

FIXTURES = Path(__file__).parents[2] / "fixtures" / "openreview"
VENUE = "example.org/TC/2026/Conference"
ANN, ZOE = "~Ann_Lee1", "~Zoë_O’Neil2"


def saved(folder: Path, content: object, name: str = "notes.json") -> Path:
    path = folder / name
    path.write_text(json.dumps(content), encoding="utf-8")
    return path


def review(
    identifier: str, content: dict[str, Any], paper: int = 1, reviewer: str = "aaaa", **more: Any
) -> dict[str, Any]:
    return {
        "id": identifier,
        "forum": f"forum{paper}",
        "replyto": f"forum{paper}",
        "invitations": [f"{VENUE}/Submission{paper}/-/Official_Review"],
        "signatures": [f"{VENUE}/Submission{paper}/Reviewer_{reviewer}"],
        "content": {name: {"value": value} for name, value in content.items()},
        **more,
    }


def submission(paper: int, *replies: dict[str, Any], **fields: str) -> dict[str, Any]:
    """A submission with its replies; `fields` say what became of it."""
    content = {"title": f"Paper {paper}", **fields}
    return {
        "id": f"forum{paper}",
        "forum": f"forum{paper}",
        "number": paper,
        "invitations": [f"{VENUE}/-/Submission"],
        "content": {name: {"value": value} for name, value in content.items()},
        "details": {"replies": replies},
    }


def imported(folder: Path, *notes: dict[str, Any], **options: Any) -> Tables:
    """What one file with these notes holds."""
    return import_files([saved(folder, notes)], options=Options(**options))


def tag(text: str, **more: Any) -> dict[str, Any]:
    return {
        "id": "t1",
        "invitation": f"{VENUE}/Reviewers/-/Paper_Ranking",
        "forum": "WqRst4uvX1",
        "signature": f"{VENUE}/Submission1/Reviewer_Mxcd",
        "label": text,
        **more,
    }


def scores(imported: Tables) -> list[Any]:
    return imported.reviews["score"].to_list()


SCORES = pl.DataFrame(
    {
        "reviewer": ["~Ann_Lee1", "~Bo_Ek1", "~Ann_Lee1"],
        "paper": [1, 1, 12],
        "score": [6, 8, 6],
        "dequantized": [6.123456789, 7.75, 5.9],
        "percentile": [50.0, 83.3, 16.7],
    }
)
PAPERS = pl.DataFrame(
    {
        "paper": [1, 12],
        "reviews": [2, 1],
        "dequantized_min": [6.123456789, 5.9],
        "dequantized_max": [7.75, 5.9],
        "dequantized_mean": [6.9367283945, 5.9],
        "dequantized_median": [6.9367283945, 5.9],
        "dequantized_spread": [1.626543211, 0.0],
        "forum": ["forumA", "forumB"],
    }
)
EDGE_INVITATION = f"{VENUE}/Reviewers/-/Dequantized_Score"
NOTE_INVITATION = VENUE + "/Submission{number}/-/Dequantized_Scores"
