"""Read XML from a file that is not trusted as events: nothing is fetched, expanded or gathered.

A document type is refused outright. Without one there are no entities to expand and no files or
addresses to read, so that the usual attacks have no place to start.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import IO, Protocol
from xml.parsers import expat

from unround.formats.model import ImportRefused

BLOCK = 262_144
LONGEST_TAG = 1_000_000
DEEPEST = 200


class Handler(Protocol):
    """What is told of a document. Names come without their prefix."""

    def start(self, name: str, attributes: Mapping[str, str]) -> None:
        """An element begins."""

    def text(self, text: str) -> None:
        """Some text, not always all of it at once."""

    def end(self, name: str) -> None:
        """An element ends."""


def xml_events(name: str, file: IO[bytes], handler: Handler) -> Iterator[None]:
    """Tell the handler of a document block by block; the caller takes up its findings at each step."""
    parser = _parser(name, handler)
    read = 0
    try:
        while block := file.read(BLOCK):
            parser.Parse(block, False)
            read += len(block)
            if read - parser.CurrentByteIndex > LONGEST_TAG:
                raise ImportRefused(f"{name}, line {parser.CurrentLineNumber} has an endless tag")
            yield
        parser.Parse(b"", True)
        yield
    except (expat.ExpatError, LookupError, ValueError) as error:
        raise ImportRefused(
            f"{name} is not readable XML ({error}); it may be cut off: export it again, or open "
            "it in a spreadsheet and save it as CSV (UTF-8)"
        ) from error


def _parser(name: str, handler: Handler) -> expat.XMLParserType:
    parser = expat.ParserCreate()
    parser.buffer_text = True  # without it, every & and line end would come as a call of its own
    handler_start, handler_end = handler.start, handler.end
    depth = 0

    def start(tag: str, attributes: dict[str, str]) -> None:
        nonlocal depth
        depth += 1
        if depth > DEEPEST:
            raise ImportRefused(f"{name} has elements nested more than {DEEPEST} deep: refused")
        # Most elements have no attributes, and there are millions of them.
        if attributes:
            attributes = {_local(key): value for key, value in attributes.items()}
        handler_start(_local(tag), attributes)

    def end(tag: str) -> None:
        nonlocal depth
        depth -= 1
        handler_end(_local(tag))

    def refuse(*_: object) -> None:
        raise ImportRefused(f"{name} declares a document type, which no export has: refused")

    parser.StartElementHandler = start
    parser.EndElementHandler = end
    parser.CharacterDataHandler = handler.text
    parser.StartDoctypeDeclHandler = refuse
    return parser


@lru_cache(maxsize=1024)
def _local(name: str) -> str:
    return name.rpartition(":")[2]
