"""Files -> JSON objects one at a time, with the name of the file that each stands in."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from unround.formats.sources import Source, json_lines, json_stream

BLOCK = 262_144
Record = tuple[str, dict[str, Any]]  # the file's name, the object

# Keys of a file that is one record: their objects belong to it, their arrays are lists of strings.
_OWN_OBJECTS = frozenset(("content", "details", "edit", "reply"))
_OWN_LISTS = frozenset(("invitations", "signatures", "members"))
_OWN_VALUES = frozenset(
    ("id", "forum", "replyto", "number", "invitation", "signature", "ddate", "tag", "label", "note")
)


def records_of(source: Source) -> Iterator[Record]:
    """Every object of an array, of JSON Lines, under any key of an object, or the object itself."""
    return ((source.name, value) for _, value in keyed_objects(source))


def keyed_objects(source: Source) -> Iterator[tuple[str, dict[str, Any]]]:
    """The same with the key that each object stands under."""
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
    """Whether one object ends and another begins at the first line's end, as in no JSON text."""
    if not source.head_text.lstrip().startswith("{"):
        return False
    try:
        return _line_ends_an_object(source)
    except UnicodeDecodeError:
        return False


def _line_ends_an_object(source: Source) -> bool:
    last, in_first_line = "", True
    with source.text() as file:
        while block := file.read(BLOCK):
            if in_first_line:
                line, newline, block = block.partition("\n")
                last = line.rstrip()[-1:] or last
                if not newline:
                    continue
                in_first_line = False
                if last != "}":
                    return False
            follows = block.lstrip()[:1]
            if follows:
                return follows == "{"
    return False
