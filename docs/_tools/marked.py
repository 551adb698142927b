"""Fill the parts of a page between marks."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence


def filled(page: str, parts: Mapping[str, str], by: str) -> str:
    """Return a page with each part between the mark of its name and the mark of its end.

    by  what the opening mark says after the name: who writes the part
    """
    for name, text in parts.items():
        first, last = f"<!-- {name}: written by {by} -->", f"<!-- end of {name} -->"
        above, mark, rest = page.partition(first)
        if not mark:
            raise ValueError(f"the page has no mark: {first}")
        page = f"{above}{first}\n\n{text}\n\n{last}{rest.partition(last)[2]}"
    return page


def table(header: Sequence[str], rows: Iterable[Sequence[str]], *, words: int | None = None) -> str:
    """Return a table in Markdown, whose columns hold figures but for the first few of words."""
    words = len(header) if words is None else words
    lines = [header, ["---"] * words + ["---:"] * (len(header) - words), *rows]
    return "\n".join(
        f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in row)} |" for row in lines
    )
