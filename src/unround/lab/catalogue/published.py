"""Text files of published data sets -> their lines."""

from __future__ import annotations

from pathlib import Path

from unround.formats.model import ImportRefused


def published_lines(path: Path) -> list[str]:
    """Return the lines of a text file; refuse one that is missing or no text."""
    if not path.is_file():
        raise ImportRefused(f"{path.parent} has no {path.name}")
    try:
        return path.read_text("utf-8-sig").splitlines()
    except UnicodeDecodeError:
        raise ImportRefused(
            f"{path.name} is no text in UTF-8: take it again from where it was published"
        ) from None
