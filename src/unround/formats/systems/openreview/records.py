"""Read the records of OpenReview's JSON files: their kind, one by one, and the values of their fields.

The keys at the beginning of a file show its kind. The first record (a submission with all its replies)
may be longer than the part that is looked at, so the text is not decoded: its keys are listed by their
paths, and strings are skipped.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import Enum, auto
from itertools import islice
from typing import Any

from unround.formats.cells import score_of
from unround.formats.files.json_stream import json_lines, json_stream
from unround.formats.files.source import Source, once_per_source
from unround.formats.model import ImportRefused

DEEPEST = 4
RATING_FIELDS = (
    *("rating", "recommendation", "overall_recommendation", "overall_assessment", "final_rating"),
    *("preliminary_rating", "overall_rating", "final_recommendation", "preliminary_recommendation"),
    *("overall_score", "overall_evaluation", "score"),
)
_TOKEN = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*(?:"|\Z)|[{}\[\]:]', re.DOTALL)
ITEM = "[]"
_NOTE_KEYS = {"forum", "replyto", "details"}
_CONTENT_KEYS = {"title", "abstract", "review", *RATING_FIELDS}
Path = tuple[str, ...]
Record = tuple[str, dict[str, Any]]  # the file's name, the object
# Keys of a file that is one record: their objects belong to it, their arrays are lists of strings.
_OWN_OBJECTS = frozenset(("content", "details", "edit", "reply"))
_OWN_LISTS = frozenset(("invitations", "signatures", "members"))
_OWN_VALUES = frozenset(
    (
        *("id", "forum", "replyto", "number", "invitation", "signature", "tag", "label", "note"),
        *("ddate", "mdate", "tmdate", "version", "referent"),
    )
)
EMPTY_JSON = ("[]", "{}")
NOT_APPLICABLE = "not applicable"
_GROUP = re.compile("/|^Reviewer_|^AnonReviewer")
_NUMBERED = re.compile(r"(.*/[A-Za-z][A-Za-z_]*?([0-9]+))/(?:-/)?[^/]+")


class RecordKind(Enum):
    """The kind of a file's records."""

    NOTES = auto()
    GROUPS = auto()
    MEMBERS = auto()  # an object of group id: person
    TAGS = auto()
    EDITS = auto()  # single changes of notes
    INVITATIONS = auto()
    FORM = auto()  # the content of a review form alone


@once_per_source
def kind_of(source: Source) -> RecordKind | None:
    """Return the kind of a JSON file's records; None for anything else."""
    if source.is_folder or not source.looks_like_json:
        return None
    keys = outline(source.head_text)
    for path in sorted(filter(_is_record, keys), key=len):
        inner = (keys.get((*path, name), set()) for name in ("content", "note"))
        kind = _kind_of_record(keys[path], *inner)
        if kind is not None:
            return kind
    if any(path[1:] == ("value", "param") for path in keys) or any(
        len(path) == 1 and names & {"value-radio", "value-dropdown"} for path, names in keys.items()
    ):
        return RecordKind.FORM
    of_groups = set(keys) == {()} and all(map(_GROUP.search, keys[()]))
    return RecordKind.MEMBERS if of_groups else None


def _is_record(path: Path) -> bool:
    """Return whether records can be at this path: the file itself, its items, its values, or theirs."""
    return len(path) < 2 or (len(path) == 2 and path[0] != ITEM and path[1] == ITEM)


def _kind_of_record(keys: set[str], content: set[str], note: set[str]) -> RecordKind | None:
    if {"id", "members"} <= keys:
        return RecordKind.GROUPS
    if keys & {"edit", "reply"} and keys & {"id", "invitees"}:
        return RecordKind.INVITATIONS
    if note & {"content", "forum", "replyto"} and "content" not in keys:
        return RecordKind.EDITS
    if "content" in keys:
        # A long text may hide all that follows the content.
        return RecordKind.NOTES if keys & _NOTE_KEYS or content & _CONTENT_KEYS else None
    signed = keys & {"signature", "signatures"}
    return RecordKind.TAGS if signed and "forum" in keys and keys & {"tag", "label"} else None


def outline(text: str) -> dict[Path, set[str]]:
    """Return the keys of every object by the path to it; "[]" stands for an array's item.

    >>> keys = outline('{"notes": [{"id": "a", "content": {"title": "no key"}}, {"id": ')
    >>> keys[("notes", "[]")] == {"id", "content"}, keys[("notes", "[]", "content")]
    (True, {'title'})
    """
    keys: dict[Path, set[str]] = {}
    opened: list[str] = []
    path: list[str] = []
    string = key = ""
    for token in _TOKEN.finditer(text):
        mark = token.group()
        if mark in "{[":
            if opened:
                path.append(key if opened[-1] == "{" else ITEM)
            opened.append(mark)
        elif mark in "}]":
            if len(opened) < 2:
                break
            opened.pop()
            path.pop()
        elif mark == ":":
            key = string
            if len(path) < DEEPEST:
                keys.setdefault(tuple(path), set()).add(key)
        else:
            string = mark[1:-1]
    return keys


def records_of(source: Source) -> Iterator[Record]:
    """Yield every object of an array, of JSON Lines, under any key of an object, or the object itself."""
    return ((source.name, value) for _, value in keyed_objects(source))


def keyed_objects(source: Source) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the same objects with the key of each."""
    if is_json_lines(source):
        yield from (("", record) for _, record in json_lines(source))
        return
    own: dict[str, Any] = {}
    for key, value in json_stream(source):
        if isinstance(value, dict) and key not in _OWN_OBJECTS:
            yield key, value
        elif key in _OWN_LISTS and not isinstance(value, dict):
            own.setdefault(key, []).append(value)
        elif key in _OWN_OBJECTS | _OWN_VALUES:
            own[key] = value
    if own:
        yield "", own


def is_json_lines(source: Source) -> bool:
    """Return whether the first line holds a whole object and another one begins on the next."""
    lines = (line.strip() for _, line in source.numbered_lines())
    try:
        first, second = islice(filter(None, lines), 2)
    except (ImportRefused, ValueError):  # a line too long for a record, or one line only
        return False
    return first.startswith("{") and first.endswith("}") and second.startswith("{")


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
