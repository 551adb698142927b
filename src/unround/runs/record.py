"""run.json: the settings, λ, certificate, issues, versions and input hashes of a run."""

from __future__ import annotations

import json
import math
import platform
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from importlib import import_module
from typing import TYPE_CHECKING, Any

import polars as pl

from unround import __version__
from unround.issues import Issue, Kind
from unround.scale import Origin
from unround.settings import Settings
from unround.wording import advice

if TYPE_CHECKING:
    from unround.certificate import Certificate
    from unround.result import Result
    from unround.selection.validation import Curve

# How the text on a scale begins that was inferred from the scores.
INFERRED = tuple(str(origin) for origin in Origin if origin.is_inferred)
ISSUE_COLUMNS = ("kind", "where", "reviewer", "papers", "scores", "message", "suggestion", "action")
VERSIONED = ("numpy", "numba", "scipy", "polars", "narwhals")


def run_record(result: Result) -> dict[str, Any]:
    """Return everything needed to repeat and to judge the run: no clock and no path is in it."""
    settings, inside = result.settings, result.internals
    return {
        "settings": {
            "lam": number_or_word(settings.lam),
            "epsilon": settings.epsilon,
            "scale": list(result.scale.levels),
            "scale_origin": inside.reviews.scale_origin,
            "conflicts": str(settings.conflicts),
            "unranked": str(settings.unranked),
            "allow_loss": settings.allow_loss,
            "ignore_rankings": settings.ignore_rankings,
        },
        "lam": number_or_word(result.lam),
        "selection": curve_record(inside.curve),
        "certificate": asdict(result.certificate),
        "ties": dict(zip(("before", "after"), inside.ties, strict=True)),
        "counts": inside.counts,
        "issues": [issue_record(issue) for issue in result.issues],
        "inputs": [{"file": name, "sha256": digest} for name, digest in inside.tables.hashes],
        "recognised": list(inside.tables.recognised),
        "notes": list(inside.tables.notes),
        "versions": versions(),
    }


def curve_record(curve: Curve | None) -> dict[str, Any] | None:
    """Return the curve that λ was chosen from, as plain values; None where λ was given."""
    if curve is None:
        return None
    return {
        "lam": curve.lam.tolist(),
        "error": curve.error.tolist(),
        "decided": curve.decided,
        "reason": curve.reason,
    }


def versions() -> dict[str, str]:
    """Return the versions of unround and of what it computes with."""
    return {
        "unround": __version__,
        "python": platform.python_version(),
        **{name: import_module(name).__version__ for name in VERSIONED},
    }


def issue_record(issue: Issue) -> dict[str, Any]:
    """Return an issue with its places, as plain values."""
    return {
        "kind": str(issue.kind),
        "message": issue.message,
        "where": list(issue.where),
        "reviewer": issue.reviewer,
        "papers": list(issue.papers),
        "scores": list(issue.scores),
        "action": issue.action,
        "count": issue.count,
    }


def recorded_settings(record: Mapping[str, Any]) -> Settings:
    """Return the settings of a run; its scale only where that was not inferred from the scores."""
    settings = record["settings"]
    inferred = settings["scale_origin"].startswith(INFERRED)
    return Settings.checked(
        lam=math.inf if settings["lam"] == "inf" else settings["lam"],
        epsilon=settings["epsilon"],
        scale=None if inferred else settings["scale"],
        conflicts=settings["conflicts"],
        unranked=settings["unranked"],
        allow_loss=settings["allow_loss"],
        ignore_rankings=settings["ignore_rankings"],
    )


def accepted_settings(record: Mapping[str, Any]) -> Settings:
    """Return the settings of a run with its scale, as its own input is read again.

    The run was accepted, so a part of it is not refused for lost statements.
    """
    return recorded_settings(record).changed(scale=record["settings"]["scale"], allow_loss=True)


def recorded_certificate(record: Mapping[str, Any]) -> Certificate:
    """Return the proven bounds that run.json holds."""
    from unround.certificate import Certificate  # loads Numba

    return Certificate(**record["certificate"])


def recorded_issues(record: Mapping[str, Any]) -> tuple[Issue, ...]:
    """Return the issues that run.json lists."""
    return tuple(
        Issue(
            kind=Kind(issue["kind"]),
            message=issue["message"],
            reviewer=issue["reviewer"],
            papers=tuple(issue["papers"]),
            scores=tuple(issue["scores"]),
            action=issue["action"],
            where=tuple(issue["where"]),
            count=issue["count"],
        )
        for issue in record["issues"]
    )


def issue_table(records: Sequence[Mapping[str, Any]]) -> pl.DataFrame:
    """Return one row per issue (see `issue_record`), all text."""
    rows = [
        {name: _text(record.get(name)) for name in ISSUE_COLUMNS}
        | {"suggestion": advice(record["kind"])}
        for record in records
    ]
    return pl.DataFrame(rows, schema=dict.fromkeys(ISSUE_COLUMNS, pl.String))


def _text(value: object) -> str:
    if isinstance(value, list):
        return "; ".join(map(str, value))
    return "" if value is None else str(value)


def record_text(record: Mapping[str, Any]) -> str:
    """Return the text of run.json."""
    return json.dumps(record, indent=2, ensure_ascii=False) + "\n"


def number_or_word(value: float | str) -> float | str:
    """Return a number or a word; infinity, which JSON has no number for, as "inf"."""
    return "inf" if value == math.inf else value


def missing_reason(record: Mapping[str, Any]) -> str:
    """Return why a requested estimate is missing, or an empty string."""
    notes = (record.get(name, {}) for name in ("uncertainty", "calibration"))
    return " ".join(note["reason"] for note in notes if "reason" in note)
