"""Read the records of OpenReview's JSON files: their kind, one by one, and the values of their fields."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from enum import Enum, auto
from typing import Any

from unround.formats.cells import score_of
from unround.formats.files.json_stream import (
    first_values,
    json_stream,
    numbered_values,
    whole_object,
)
from unround.formats.files.source import Source, once_per_source
from unround.formats.model import ImportRefused

RATING_FIELDS = (
    *("rating", "recommendation", "overall_recommendation", "overall_assessment", "final_rating"),
    *("preliminary_rating", "overall_rating", "final_recommendation", "preliminary_recommendation"),
    *("overall_score", "overall_evaluation", "score"),
)
_NOTE_KEYS = {"forum", "replyto", "details"}
_CONTENT_KEYS = {"title", "abstract", "review", *RATING_FIELDS}
Record = tuple[str, dict[str, Any]]  # the file's name, the object
Outline = dict[str, set[str]]  # the keys of an object, and those of the objects below them
NOT_APPLICABLE = "not applicable"
_GROUP = re.compile("/|^Reviewer_|^AnonReviewer")
_NUMBERED = re.compile(r"(.*/[A-Za-z][A-Za-z_]*?([0-9]+))/(?:-/)?[^/]+")


class RecordKind(Enum):
    """The kind of a file's records."""

    NOTES = auto()
    GROUPS = auto()  # also as an object of group id: person
    TAGS = auto()
    EDITS = auto()  # single changes of notes
    INVITATIONS = auto()  # also the content of a review form alone


@once_per_source
def kind_of(source: Source) -> RecordKind | None:
    """Return the kind of a JSON file's records; None for anything else."""
    if source.is_folder or not source.looks_like_json:
        return None
    try:
        own, records = _looked_at(source)
    except ImportRefused:  # whoever reads it says what is wrong
        return None
    kinds = (*map(_kind_of_record, (own, *records)), *map(_kind_of_form, records))
    people = RecordKind.GROUPS if _are_people(own, records) else None
    return next(filter(None, (*kinds, people)), None)


def _looked_at(source: Source) -> tuple[Outline, list[Outline]]:
    """Return the keys of the file itself and those of the first records in it."""
    own: Outline = {}
    records: list[Outline] = []
    for name, value in first_values(source):
        own[name] = set(as_object(value))
        if isinstance(value, dict):
            records.append({key: set(as_object(inner)) for key, inner in value.items()})
    return own, records


def _kind_of_record(record: Outline) -> RecordKind | None:
    keys = record.keys()
    if {"id", "members"} <= keys:
        return RecordKind.GROUPS
    if keys & {"edit", "reply"} and keys & {"id", "invitees"}:
        return RecordKind.INVITATIONS
    if "content" in keys:
        in_notes = keys & _NOTE_KEYS or record["content"] & _CONTENT_KEYS
        return RecordKind.NOTES if in_notes else None
    if record.get("note", set()) & {"content", "forum", "replyto"}:
        return RecordKind.EDITS
    signed = keys & {"signature", "signatures"}
    return RecordKind.TAGS if signed and "forum" in keys and keys & {"tag", "label"} else None


def _kind_of_form(field: Outline) -> RecordKind | None:
    """Return the kind of a form that has this field."""
    stated = "param" in field.get("value", ()) or field.keys() & {"value-radio", "value-dropdown"}
    return RecordKind.INVITATIONS if stated else None


def _are_people(own: Outline, records: Sequence[Outline]) -> bool:
    """Return whether a file is an object of group id: person."""
    return bool(own) and not records and all(map(_GROUP.search, own))


def records_of(source: Source) -> Iterator[Record]:
    """Yield every object of an array, of JSON Lines, under any key of an object, or the object itself.

    A person by the id of a group is yielded as that group, the content of a form as an invitation.
    """
    own, records = _looked_at(source)
    if _kind_of_record(own):
        yield source.name, whole_object(source)
    elif _are_people(own, records):
        yield from ((source.name, group) for group in _groups(source))
    elif not any(map(_kind_of_record, records)) and any(map(_kind_of_form, records)):
        yield source.name, {"reply": {"content": whole_object(source)}}
    else:
        values = (value for _, _, value in numbered_values(source))
        yield from ((source.name, value) for value in values if isinstance(value, dict))


def _groups(source: Source) -> Iterator[dict[str, Any]]:
    """Yield the groups of an object of group id: person (or list of one person)."""
    people: dict[str, list[str]] = {}
    for key, value in json_stream(source):
        people.setdefault(key.strip(), []).extend(texts(value))
    short = next((key for key in people if "/" not in key), None)
    if short is not None:
        raise ImportRefused(
            f"{source.name} names groups by their last part only, such as {short!r}; the same part "
            "can be two people on two papers: save it with full group ids, "
            "{group.id: group.members[0] for group in groups if '/Reviewer_' in group.id}"
        )
    yield from ({"id": key, "members": persons} for key, persons in people.items())


def as_text(value: object) -> str:
    """Return a string or number as stripped text; an empty text for anything else."""
    if isinstance(value, str):
        text = value.strip()
        # JSON may hold half a surrogate pair, which no table can.
        return text if text.isascii() else text.encode("utf-8", "replace").decode("utf-8")
    if isinstance(value, bool) or not isinstance(value, int | float):
        return ""
    whole = isinstance(value, float) and value.is_integer() and abs(value) < 2**53
    return str(int(value)) if whole else repr(value)


def texts(value: object) -> list[str]:
    """Return a list of strings, or a single string, as a list."""
    values = value if isinstance(value, list) else [value]
    return [text for text in map(as_text, values) if text]


def as_object(value: object) -> dict[str, Any]:
    """Return a JSON object; an empty one for any other value."""
    return value if isinstance(value, dict) else {}


def unwrapped(value: object) -> object:
    """Return the value of a field as API v1 or v2 writes it."""
    if isinstance(value, dict):
        value = value.get("value")
    return value[0] if isinstance(value, list) and len(value) == 1 else value


def field_text(content: dict[str, Any], *names: str) -> str | None:
    """Return the first of some fields that has a value."""
    for name in names:
        text = as_text(unwrapped(content.get(name)))
        if text:
            return text
    return None


def level_text(value: object) -> str | None:
    """Return a rating's number as text, never truncated; a word as it is; None if it is empty."""
    plain = unwrapped(value)
    text = str(plain) if isinstance(plain, bool | list | dict) else as_text(plain)
    if text.lower() == NOT_APPLICABLE:
        return None
    return score_of(text.replace("\N{MINUS SIGN}", "-") if text[1:2].isdigit() else text)


def is_number(level: str) -> bool:
    """Return whether a level from `level_text` is a number rather than a word."""
    return level.isascii() and level.lstrip("+-").replace(".", "", 1).isdecimal()


def submission_group(identifier: str) -> tuple[str, str] | None:
    """Return a submission's group and number from an id below it.

    >>> submission_group("TC/2024/Conference/Submission12/-/Official_Review")
    ('TC/2024/Conference/Submission12', '12')
    >>> submission_group("TC/2019/Conference/-/Paper7/Official_Review")
    ('TC/2019/Conference/-/Paper7', '7')
    >>> submission_group("~Ann_Lee1") is None
    True
    """
    match = _NUMBERED.fullmatch(identifier)
    return (match.group(1), match.group(2)) if match else None
