"""Which of OpenReview's records a JSON file holds, told from the keys at its beginning.

The first record may be longer than the part that is looked at (a submission with all its replies),
so the text is not decoded: its keys are listed by where they stand, strings being skipped.
"""

from __future__ import annotations

import re
from enum import Enum, auto
from functools import lru_cache

from unround.formats.openreview.scorefields import RATING_FIELDS
from unround.formats.sources import Source

DEEPEST = 4
_TOKEN = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*(?:"|\Z)|[{}\[\]:]', re.DOTALL)
ITEM = "[]"
_NOTE_KEYS = {"forum", "replyto", "details"}
_CONTENT_KEYS = {"title", "abstract", "review", *RATING_FIELDS}
Path = tuple[str, ...]


class Kind(Enum):
    """What a file's records are."""

    NOTES = auto()
    GROUPS = auto()
    MEMBERS = auto()  # an object of group id: person
    TAGS = auto()
    INVITATIONS = auto()
    FORM = auto()  # the content of a review form alone


def kind_of(source: Source) -> Kind | None:
    """The kind of a JSON file's records; None for anything else."""
    if source.is_folder or not source.looks_like_json:
        return None
    return _kind(source.head_text)


@lru_cache(maxsize=4)
def _kind(text: str) -> Kind | None:
    keys = outline(text)
    for path in sorted(filter(_is_record, keys), key=len):
        kind = _record_kind(keys[path], keys.get((*path, "content"), set()))
        if kind is not None:
            return kind
    if any(path[1:] == ("value", "param") for path in keys) or any(
        len(path) == 1 and names & {"value-radio", "value-dropdown"} for path, names in keys.items()
    ):
        return Kind.FORM
    return Kind.MEMBERS if set(keys) == {()} and all(map(_is_group, keys[()])) else None


def _is_record(path: Path) -> bool:
    """Whether records can stand there: the file itself, its items, its values, or their items."""
    return len(path) < 2 or (len(path) == 2 and path[0] != ITEM and path[1] == ITEM)


def _record_kind(keys: set[str], content: set[str]) -> Kind | None:
    if {"id", "members"} <= keys:
        return Kind.GROUPS
    if keys & {"edit", "reply"} and keys & {"id", "invitees"}:
        return Kind.INVITATIONS
    if "content" in keys:
        # A long text may hide all that follows the content.
        return Kind.NOTES if keys & _NOTE_KEYS or content & _CONTENT_KEYS else None
    signed = keys & {"signature", "signatures"}
    return Kind.TAGS if signed and "forum" in keys and keys & {"tag", "label"} else None


def _is_group(key: str) -> bool:
    return "/" in key or key.startswith(("Reviewer_", "AnonReviewer"))


def outline(text: str) -> dict[Path, set[str]]:
    """The keys of every object, by the keys that lead to it; "[]" stands for an array's item.

    >>> found = outline('{"notes": [{"id": "a", "content": {"title": "no key"}}, {"id": ')
    >>> found[("notes", "[]")] == {"id", "content"}, found[("notes", "[]", "content")]
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
