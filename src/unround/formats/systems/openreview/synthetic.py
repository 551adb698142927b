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
    reviews = _with_ids(conference.reviews)
    anonymous = reviews.select("reviewer", "paper", "forum", "anonymous")
    ranks = conference.rankings.join(anonymous, on=["reviewer", "paper"], maintain_order="left")
    by_paper = [one.to_dicts() for one in reviews.partition_by("paper", maintain_order=True)]
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


def _with_ids(reviews: pl.DataFrame) -> pl.DataFrame:
    """Add the ids that OpenReview gives to papers, reviews and people."""
    place = pl.int_range(1, pl.len() + 1).over("paper")
    group = pl.format("{}/Submission{}", pl.lit(VENUE), "paper")
    number = place.cast(pl.String).str.zfill(4)
    profile = pl.col("reviewer_name", "area_chair").str.replace_all(" ", "_")
    return reviews.with_columns(
        pl.format("~{}1", profile).name.keep(),
        id=pl.format("review{}", pl.int_range(1, pl.len() + 1).cast(pl.String).str.zfill(7)),
        forum=pl.format("forum{}", pl.col("paper").cast(pl.String).str.zfill(7)),
        place=place,
        group=group,
        anonymous=pl.format("{}/Reviewer_{}", group, number),
    )


def _submission(reviews: list[Json]) -> Json:
    first = reviews[0]
    return {
        "id": first["forum"],
        "forum": first["forum"],
        "number": first["paper"],
        "invitations": [f"{VENUE}/-/Submission"],
        "domain": VENUE,
        "signatures": [f"{first['group']}/Authors"],
        "content": {
            "title": {"value": first["title"]},
            "primary_area": {"value": first["track"]},
            "venue": {"value": "Submitted to Conference 2026"},
        },
        "details": {"replies": list(map(_review, reviews))},
    }


def _review(review: Json) -> Json:
    return {
        "id": review["id"],
        "forum": review["forum"],
        "replyto": review["forum"],
        "number": review["place"],
        "invitations": [f"{review['group']}/-/{REVIEW_NAME}"],
        "domain": VENUE,
        "signatures": [review["anonymous"]],
        "content": {
            "title": {"value": "A synthetic review"},
            "rating": {"value": review["score"]},
            "confidence": {"value": review["confidence"]},
        },
    }


def _groups(reviews: list[Json]) -> Iterable[Json]:
    for review in reviews:
        yield {"id": review["anonymous"], "members": [review["reviewer_name"]]}
    group, chair = reviews[0]["group"], reviews[0]["area_chair"]
    yield {"id": f"{group}/Area_Chair_0001", "members": [chair]}
    yield {"id": f"{group}/Reviewers", "members": [review["anonymous"] for review in reviews]}


def _tags(ranks: pl.DataFrame) -> Iterable[Json]:
    counted = ranks.with_columns(
        of=pl.max_horizontal(pl.len().over("reviewer"), pl.col("rank").max().over("reviewer"))
    )
    for number, rank in enumerate(counted.iter_rows(named=True), start=1):
        yield {
            "id": f"tag{number:07d}",
            "invitation": f"{VENUE}/Reviewers/-/{RANKING_NAME}",
            "forum": rank["forum"],
            "signature": rank["anonymous"],
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
