"""Read the reviews of abstracts from Indico's JSON; its tables hold no single reviews."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from unround.formats.files.json_stream import json_stream
from unround.formats.files.source import Source
from unround.formats.model import Context, FileContent, Gives, ImportRefused, Options, Reader
from unround.formats.systems.review_collector import Review, ReviewCollector

TITLE = "Indico abstracts (abstracts.json)"
MARKS = ('"abstracts"', '"friendly_id"', '"reviewed_for_tracks"')
OUT = {
    "withdrawn": "withdrawn",
    "merged": "merged",
    "duplicate": "duplicate",
    "invited": "unfinished",
}
DECIDED = ("accepted", "rejected")
IF_HIDDEN = "Export again as a manager of the event"


def recognises(source: Source) -> bool:
    """Return whether the file is the export of abstracts as JSON."""
    return source.looks_like_json and all(mark in source.head_text for mark in MARKS)


def read(source: Source, options: Options, context: Context) -> FileContent:
    """Read every review; ratings of deleted questions, and of questions that do not score, are none."""
    questions = _questions(source, options)
    collector = ReviewCollector(source.name, TITLE, IF_HIDDEN)
    for key, abstract in json_stream(source):
        if key != "abstracts":
            continue
        if not isinstance(abstract, Mapping) or "friendly_id" not in abstract:
            raise ImportRefused(
                f"{source.name}: an abstract has no friendly_id; export the file again"
            )
        paper, state = str(abstract["friendly_id"]), str(abstract.get("state"))
        track = _object(abstract.get("accepted_track"))
        if state in OUT:
            collector.withdrawn[paper] = OUT[state]
        for review in _objects(abstract.get("reviews")):
            user = _object(review.get("user"))
            collector.add(
                Review(
                    place=f"{source.name}, review {review.get('id')} of abstract {paper}",
                    paper=paper,
                    values=_ratings(review, questions),
                    review=str(review.get("id", "")),
                    name=str(user.get("full_name") or ""),
                    email=str(user.get("email") or ""),
                    carried={
                        "title": str(abstract.get("title") or ""),
                        "track": str(track.get("title") or ""),
                        "decision": state if state in DECIDED else "",
                    },
                )
            )
    return collector.part_of_one(options)


def _object(value: object) -> Mapping[str, Any]:
    """Return an object; an empty one for any other value."""
    return value if isinstance(value, Mapping) else {}


def _objects(values: object) -> list[Mapping[str, Any]]:
    """Return the objects in a list; what else stands there is no review, user or rating."""
    return [one for one in values if isinstance(one, Mapping)] if isinstance(values, list) else []


def _questions(source: Source, options: Options) -> dict[str, str]:
    """Return the titles of the questions that score, and of the one that the user calls the confidence."""
    found = (entry for key, entry in json_stream(source) if key == "questions")
    confidence = options.columns.get("confidence")
    return {
        str(entry.get("id")): str(entry.get("title"))
        for entry in found
        if isinstance(entry, Mapping)
        and (not entry.get("no_score") or entry.get("title") in (confidence, *options.score_fields))
    }


def _ratings(
    review: Mapping[str, Any], questions: Mapping[str, str]
) -> Iterator[tuple[str, object]]:
    for rating in _objects(review.get("ratings")):
        question = questions.get(str(rating.get("question", "")))
        if question is not None:
            yield question, rating.get("value")


READERS: tuple[Reader, ...] = (Reader("indico-abstracts", TITLE, Gives.REVIEWS, recognises, read),)
