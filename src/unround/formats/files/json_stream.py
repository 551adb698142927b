"""Read JSON files of any length: one value at a time, or record by record.

The standard library's decoder takes one value after the other from the text read so far. ijson 3.6 is as
fast on an array, but decodes a list under a key whole (1.1 GB for 200,000 notes of OpenReview, here 60 MB)
or event by event (four times as long), takes 3.9 GB for 40 kB of opening brackets, and refuses integers
above 64 bits.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator
from itertools import groupby, islice
from typing import Any, TextIO

from unround.formats.files.source import FIRST_ROWS, Source, once_per_source
from unround.formats.model import ImportRefused

BLOCK = 262_144
LONGEST_VALUE = 50_000_000
# A JSON Lines record is short; a longer first line is some other JSON.
LONGEST_FIRST_RECORD = 5_000_000
MOST_FIRST_VALUES = 1_000
# A number that stops this close to the end of what was read may go on: 1. and 1e+ need a digit.
UNFINISHED_NUMBER = 2
_SPACE = re.compile(r"[ \t\r\n]*")
_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")


def json_stream(source: Source) -> Iterator[tuple[str, Any]]:
    """Yield a JSON file piece by piece: ("", item) of an array, or (key, value) of an object.

    A value that is an array comes item by item, each under its key, so that a file of any length
    passes through in little memory. One page of a longer answer, which counts all records, is refused.
    """
    records, count = 0, 0
    with source.text() as file:
        try:
            for key, value in json_pieces(file):
                records += isinstance(value, dict)
                count = value if key == "count" and isinstance(value, int) else count
                yield key, value
        except (UnicodeError, ImportRefused):
            raise
        except (ValueError, RecursionError) as error:
            raise _invalid(source.name, error) from error
    if records < count:
        raise ImportRefused(
            f"{source.name} is one page of a longer answer: {records:,} of {count:,} records; fetch all "
            "pages into one file, or give the address of the site, such as pretalx+https://host/event"
        )


def json_lines(source: Source) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield the objects of a JSON Lines file with their line numbers."""
    for number, line in source.numbered_lines():
        if line.strip():
            where = f"{source.name}, line {number}"
            yield number, record_of(where, _decoded(where, line))


@once_per_source
def is_json_lines(source: Source) -> bool:
    """Return whether a file has a record on each line, or is one record alone on its line."""
    try:
        with source.text() as file:
            lines = filter(str.strip, iter(lambda: file.readline(LONGEST_FIRST_RECORD), ""))
            record = json.loads(next(lines, ""))
            is_alone = next(lines, None) is None
    except (ImportRefused, ValueError, RecursionError):
        return False
    return isinstance(record, dict) and not (is_alone and _holds_records(record.values()))


def _holds_records(values: Collection[Any]) -> bool:
    lists = (value for value in values if isinstance(value, list) and value)
    return any(isinstance(one[0], dict) for one in lists) or all(
        isinstance(value, dict) for value in values
    )


def numbered_values(source: Source) -> Iterator[tuple[str, int, Any]]:
    """Yield what a file holds by the name of its list ("" for the only one), with its line or number."""
    if is_json_lines(source):
        yield from (("", number, record) for number, record in json_lines(source))
        return
    for name, pieces in groupby(json_stream(source), key=lambda piece: piece[0]):
        yield from ((name, number, value) for number, (_, value) in enumerate(pieces, start=1))


def first_values(source: Source) -> Iterator[tuple[str, Any]]:
    """Yield the first records, and what stands before them, by the names of their lists."""
    records = 0
    for name, _, value in islice(numbered_values(source), MOST_FIRST_VALUES):
        yield name, value
        records += isinstance(value, dict)
        if records == FIRST_ROWS:
            break


def whole_object(source: Source) -> dict[str, Any]:
    """Return the object that a file is."""
    with source.text() as file:
        return record_of(source.name, _decoded(source.name, file.read(LONGEST_VALUE)))


def record_of(where: str, value: Any) -> dict[str, Any]:
    """Return a value that must be a record."""
    if isinstance(value, dict):
        return value
    raise ImportRefused(
        f'{where} is not a JSON object; every record must be one, such as {{"paper": 1, ..}}'
    )


def _invalid(where: str, error: BaseException) -> ImportRefused:
    reason = str(error).split("\n", 1)[0][:200]
    return ImportRefused(
        f"{where} is not valid JSON: {reason}; the file may be cut off: export it again"
    )


def _decoded(where: str, text: str) -> Any:
    try:
        return decoded(text)
    except (ValueError, RecursionError) as error:
        raise _invalid(where, error) from error


def json_pieces(file: TextIO) -> Iterator[tuple[str, Any]]:
    """Yield ("", item) of a top-level array, or (key, value) of an object; arrays under a key by item.

    Raises ValueError or RecursionError where the text is no JSON.
    """
    reader = _Reader(file)
    opening = reader.next_mark()
    if opening == "[":
        yield from (("", item) for item in reader.items())
    elif opening == "{":
        yield from reader.members()
    else:
        raise ValueError("it starts with neither [ nor {")
    if reader.peek():
        raise ValueError("something follows after its end")


def decoded(text: str) -> Any:
    """Return the value of a whole JSON text."""
    return without_lone_surrogates(json.loads(text), text)


def without_lone_surrogates(value: Any, text: str, start: int = 0, end: int | None = None) -> Any:
    """Return the value with lone surrogates, which JSON can spell but UTF-8 cannot, replaced."""
    if _SURROGATE.search(text, start, len(text) if end is None else end) is None:
        return value
    encoded = json.dumps(value, ensure_ascii=False).encode("utf-16", "surrogatepass")
    return json.loads(encoded.decode("utf-16", "replace"))


class _Reader:
    """Decodes one value at a time from a text that arrives in blocks."""

    def __init__(self, file: TextIO) -> None:
        self._file = file
        self._text, self._at, self._ended = "", 0, False
        self._decoder = json.JSONDecoder()

    def members(self) -> Iterator[tuple[str, Any]]:
        """Yield the members of an object whose brace has been read."""
        for _ in self._entries("}"):
            key = self._value()
            if not isinstance(key, str) or self.next_mark() != ":":
                raise ValueError("an object's key is broken")
            if self.peek() == "[":
                self.next_mark()
                yield from ((key, item) for item in self.items())
            else:
                yield key, self._value()

    def items(self) -> Iterator[Any]:
        """Yield the items of an array whose bracket has been read."""
        return (self._value() for _ in self._entries("]"))

    def _entries(self, closing: str) -> Iterator[None]:
        """Stop at each entry of an array or object, and step over what separates them."""
        mark = self.next_mark() if self.peek() == closing else ","
        while mark != closing:
            yield
            mark = self.next_mark()
            if mark not in (",", closing):
                raise ValueError("it ends in the middle" if not mark else f"unexpected {mark!r}")

    def peek(self) -> str:
        """Return the next character that is no space; empty at the end."""
        while True:
            self._at = _SPACE.match(self._text, self._at).end()  # type: ignore[union-attr]
            if self._at < len(self._text):
                return self._text[self._at]
            if not self._read_more():
                return ""

    def next_mark(self) -> str:
        """Step over the next character that is no space, and return it."""
        mark = self.peek()
        self._at += len(mark)
        return mark

    def _value(self) -> Any:
        self.peek()
        while True:
            try:
                value, end = self._decoder.raw_decode(self._text, self._at)
            except json.JSONDecodeError:
                if not self._read_more():
                    raise
                continue
            if end + UNFINISHED_NUMBER < len(self._text) or not self._read_more():
                value = without_lone_surrogates(value, self._text, self._at, end)
                self._at = end
                return value

    def _read_more(self) -> bool:
        """Append a block as long as what is still undecoded, so that long values cost little."""
        rest = self._text[self._at :]
        if len(rest) > LONGEST_VALUE:
            raise ValueError(f"one value is longer than {LONGEST_VALUE // 1_000_000} MB, or broken")
        block = "" if self._ended else self._file.read(max(BLOCK, len(rest)))
        self._ended = not block
        if block:
            self._text, self._at = rest + block, 0
        return bool(block)
