"""Write a synthetic conference as openreview-py saves it (API v2)."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import polars as pl

from unround.formats.synthetic import NamedConference
from unround.formats.systems.openreview.rankings import RANKING_NAME
from unround.formats.systems.openreview.score_field import REVIEW_NAME
from unround.scale import Level, Scale

VENUE = "example.org/2026/Conference"
Json = dict[str, Any]


def write_conference(conference: NamedConference, folder: Path) -> list[Path]:
    """Write submissions with their reviews, groups, ranking tags and the review form, one file each."""
    folder.mkdir(parents=True, exist_ok=True)
    reviews = conference.reviews.with_columns(
        place=pl.int_range(1, pl.len() + 1).over("paper"), row=pl.int_range(1, pl.len() + 1)
    )
    anonymous = reviews.select("reviewer", "paper", "place", "reviewer_name")
    ranks = conference.rankings.join(anonymous, on=["reviewer", "paper"], maintain_order="left")
    by_paper = _by_paper(reviews)
    contents: dict[str, Json | list[Json]] = {
        "notes.json": [_submission(of_paper) for of_paper in by_paper],
        "groups.json": [group for of_paper in by_paper for group in _groups(of_paper)],
        "tags.json": list(_tags(ranks)),
        "invitation.json": _invitation(conference.scale),
    }
    for name, content in contents.items():
        (folder / name).write_text(_as_json(content), encoding="utf-8")
    return [folder / name for name in contents]


def _as_json(content: Json | list[Json]) -> str:
    """Return JSON with one record per line."""
    records = content if isinstance(content, list) else [content]
    text = ",\n".join(map(json.dumps, records))
    return f"[\n{text}\n]\n" if isinstance(content, list) else text + "\n"


def _by_paper(reviews: pl.DataFrame) -> list[list[Json]]:
    papers: dict[int, list[Json]] = {}
    for review in reviews.iter_rows(named=True):
        papers.setdefault(review["paper"], []).append(review)
    return list(papers.values())


def _submission(reviews: list[Json]) -> Json:
    first = reviews[0]
    forum = _forum(first["paper"])
    return {
        "id": forum,
        "forum": forum,
        "number": first["paper"],
        "invitations": [f"{VENUE}/-/Submission"],
        "domain": VENUE,
        "signatures": [f"{_group(first['paper'])}/Authors"],
        "content": {
            "title": {"value": first["title"]},
            "primary_area": {"value": first["track"]},
            "venue": {"value": "Submitted to Conference 2026"},
        },
        "details": {"replies": [_review(review, forum) for review in reviews]},
    }


def _review(review: Json, forum: str) -> Json:
    group = _group(review["paper"])
    return {
        "id": f"review{review['row']:07d}",
        "forum": forum,
        "replyto": forum,
        "number": review["place"],
        "invitations": [f"{group}/-/{REVIEW_NAME}"],
        "domain": VENUE,
        "signatures": [_anonymous(review)],
        "content": {
            "title": {"value": "A synthetic review"},
            "rating": {"value": review["score"]},
            "confidence": {"value": review["confidence"]},
        },
    }


def _groups(reviews: list[Json]) -> Iterable[Json]:
    for review in reviews:
        yield {"id": _anonymous(review), "members": [_profile(review["reviewer_name"])]}
    group, chair = _group(reviews[0]["paper"]), _profile(reviews[0]["area_chair"])
    yield {"id": f"{group}/Area_Chair_0001", "members": [chair]}
    yield {"id": f"{group}/Reviewers", "members": [_anonymous(review) for review in reviews]}


def _tags(ranks: pl.DataFrame) -> Iterable[Json]:
    counted = ranks.with_columns(
        of=pl.max_horizontal(pl.len().over("reviewer"), pl.col("rank").max().over("reviewer"))
    )
    for number, rank in enumerate(counted.iter_rows(named=True), start=1):
        yield {
            "id": f"tag{number:07d}",
            "invitation": f"{VENUE}/Reviewers/-/{RANKING_NAME}",
            "forum": _forum(rank["paper"]),
            "signature": _anonymous(rank),
            "label": f"{int(rank['rank'])} of {int(rank['of'])}",
        }


def _invitation(scale: Scale) -> Json:
    kinds = {type(level) for level in scale.levels}
    kind = "string" if str in kinds else "float" if float in kinds else "integer"
    rating = {"value": {"param": {"type": kind, "input": "radio", "enum": _choices(scale.levels)}}}
    note = {"content": {"rating": rating}}
    return {
        "id": f"{VENUE}/-/{REVIEW_NAME}",
        "invitees": [VENUE],
        "signatures": [VENUE],
        "edit": {"invitation": {"edit": {"note": note}}},
    }


def _choices(levels: Iterable[Level]) -> list[Json]:
    """Return the choices of a form, best first."""
    return [
        {"value": level, "description": f"{level}: level {place}"}
        for place, level in reversed(list(enumerate(levels, start=1)))
    ]


def _forum(paper: int) -> str:
    return f"forum{paper:07d}"


def _group(paper: int) -> str:
    return f"{VENUE}/Submission{paper}"


def _anonymous(review: Json) -> str:
    return f"{_group(review['paper'])}/Reviewer_{review['place']:04d}"


def _profile(name: str) -> str:
    return f"~{name.replace(' ', '_')}1"
