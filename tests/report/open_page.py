"""What a browser finds in a page, as far as Python's own parser can tell."""

from __future__ import annotations

import base64
import gzip
import hashlib
import json
from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import Any


@dataclass
class Opened(HTMLParser):
    """The elements of a page, and the text of those that hold code or data."""

    elements: list[tuple[str, dict[str, str | None]]] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)  # of script, style and title, in order
    inside: bool = False  # one of these

    def __post_init__(self) -> None:
        super().__init__()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        self.inside = tag in ("script", "style", "title")
        if self.inside:
            self.texts.append("")

    def handle_endtag(self, tag: str) -> None:
        self.inside = False

    def handle_data(self, data: str) -> None:
        if self.inside:
            self.texts[-1] += data

    @property
    def tags(self) -> list[str]:
        return [tag for tag, _ in self.elements]

    @property
    def view(self) -> Any:
        return json.loads(self.texts[-3])

    @property
    def scripts(self) -> tuple[str, str]:
        """The script that unpacks, and the one that it unpacks."""
        packed, unpack = self.texts[-2:]
        return unpack, gzip.decompress(base64.b64decode(packed)).decode()


def opened(page: bytes) -> Opened:
    """Read a page."""
    found = Opened()
    found.feed(page.decode())
    found.close()
    return found


def digest(text: str) -> str:
    """How a policy names inline code."""
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
