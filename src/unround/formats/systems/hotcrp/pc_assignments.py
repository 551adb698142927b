"""Read which reviews are meta-reviews from HotCRP's PC assignments, and explain reviews saved as text."""

from __future__ import annotations

import re

from unround.formats.cells import counted, listed
from unround.formats.files.delimited import delimited_records
from unround.formats.files.source import Source
from unround.formats.model import FileContent, ImportRefused, Options, SheetBuilder

TITLE = "HotCRP PC assignments (CSV)"
COLUMNS = {"paper", "action", "email"}
META_ACTION = "metareview"


def recognises(source: Source) -> bool:
    """Return whether the header is that of get/pcassignments."""
    return set(source.header) >= COLUMNS


def read(source: Source, options: Options) -> FileContent:
    """Read meta-reviews, which other exports do not mark, and titles."""
    (_, header), *records = delimited_records(source, fill_short=True)
    if not set(header) >= COLUMNS:
        raise ImportRefused(
            f"{source.name} has no columns 'paper', 'action' and 'email'; found: {listed(header)}"
        )
    rows = [
        (line, dict(zip(header, map(str.strip, cells), strict=True))) for line, cells in records
    ]
    titles = SheetBuilder("paper", "title")
    for line, row in rows:
        if row.get("title"):  # on the first row of each paper
            titles.add(f"{source.name}, line {line}", row["paper"], row["title"])
    meta = [row for _, row in rows if row["action"].lower() == META_ACTION]
    return FileContent(
        recognised=f"{source.name}: {TITLE}, {counted(len(meta), 'meta-review')}",
        papers=titles.sheet() if titles.places else None,
        meta_reviews=frozenset((row["paper"], row["email"].lower()) for row in meta),
    )


TEXT_TITLE = "HotCRP reviews as text"
_TEXT_HEADING = re.compile(
    r"^(?:.* Paper #[0-9]+ Reviews and Comments|Review #[0-9]+[A-Z]+\b.*)\n={20,}$", re.MULTILINE
)


def recognises_text(source: Source) -> bool:
    """Return whether the file is get/rev: reviews to be read by people."""
    return not source.is_binary and _TEXT_HEADING.search(source.head_text) is not None


def refuse_text(source: Source, options: Options) -> FileContent:
    """Say which export to use instead."""
    raise ImportRefused(
        f"{source.name} is HotCRP's reviews as text, meant for reading: export Reviews (CSV), or the JSON "
        "for reviewqualitycollector.org"
    )
