"""Decode a JSON text of any length one value at a time."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any, TextIO

BLOCK = 262_144
LONGEST_VALUE = 50_000_000
# A number that stops this close to the end of what was read may go on: 1. and 1e+ need a digit.
UNFINISHED_NUMBER = 2
_SPACE = re.compile(r"[ \t\r\n]*")
_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")


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
    return mended(json.loads(text), text)


def mended(value: Any, text: str, start: int = 0, end: int | None = None) -> Any:
    """Return the value with halves of characters, which JSON can spell but no text may hold, replaced."""
    found = _SURROGATE.search(text, start, len(text) if end is None else end)
    return value if found is None else _without_halves(value)


def _without_halves(value: Any) -> Any:
    if isinstance(value, str):
        return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    if isinstance(value, list):
        return [_without_halves(item) for item in value]
    if isinstance(value, dict):
        return {_without_halves(key): _without_halves(item) for key, item in value.items()}
    return value


class _Reader:
    """Decodes one value at a time from a text that arrives in blocks."""

    def __init__(self, file: TextIO) -> None:
        self._file = file
        self._text, self._at, self._ended = "", 0, False
        self._decoder = json.JSONDecoder()

    def members(self) -> Iterator[tuple[str, Any]]:
        """Yield the members of an object whose brace has been read."""
        if self.peek() == "}":
            self.next_mark()
            return
        while True:
            key = self._value()
            if not isinstance(key, str) or self.next_mark() != ":":
                raise ValueError("an object's key is broken")
            if self.peek() == "[":
                self.next_mark()
                yield from ((key, item) for item in self.items())
            else:
                yield key, self._value()
            if self._separator("}"):
                return

    def items(self) -> Iterator[Any]:
        """Yield the items of an array whose bracket has been read."""
        if self.peek() == "]":
            self.next_mark()
            return
        while True:
            yield self._value()
            if self._separator("]"):
                return

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

    def _separator(self, closing: str) -> bool:
        mark = self.next_mark()
        if mark not in (",", closing):
            raise ValueError("it ends in the middle" if not mark else f"unexpected {mark!r}")
        return mark == closing

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
                value = mended(value, self._text, self._at, end)
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
