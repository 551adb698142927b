"""Read OpenReview's notes, groups, tags and invitations from JSON, CSV or its API; post results."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from unround.formats.files.source import Source
from unround.formats.model import FileContent, Gives, Reader
from unround.formats.systems.openreview.api import connect, edges, export, fetch, notes, post
from unround.formats.systems.openreview.folder import is_notes_folder, read_folder
from unround.formats.systems.openreview.rankings import read_tags
from unround.formats.systems.openreview.records import RecordKind, kind_of
from unround.formats.systems.openreview.reviews import (
    ALL_NOTES,
    is_review_table,
    read_review_table,
    read_reviews,
)
from unround.formats.systems.openreview.score_field import read_form
from unround.formats.systems.openreview.venue import read_groups

__all__ = ["READERS", "connect", "edges", "export", "fetch", "notes", "post"]

EDITS = (
    "OpenReview's note edits: each is a single change of a note, and the notes themselves hold the result. "
    f"Save these: [{ALL_NOTES}]"
)
CONSOLE = (
    "the CSV of an OpenReview console: one row per paper with averages, no per-review scores. Export the "
    f"review notes as JSON instead: [{ALL_NOTES}]"
)
_AVERAGES = ("min ", "max ", "average ", "num ")


def _holding(kind: RecordKind) -> Callable[[Source], bool]:
    return lambda source: kind_of(source) is kind


def _is_console_table(source: Source) -> bool:
    """Return whether this is the export of a chair's console: one row per paper."""
    names = source.header
    return {"number", "forum"} <= set(names) and any(name.startswith(_AVERAGES) for name in names)


def _reader(name: str, title: str, *rest: Any) -> Reader:
    return Reader(f"openreview-{name}", f"OpenReview {title}", *rest)


def _unused(name: str, title: str, recognises: Callable[[Source], bool], reason: str) -> Reader:
    """Return the reader for files that are of no use, which says why."""
    return _reader(name, title, Gives.PAPERS, recognises, lambda *_: FileContent(reason))


is_groups, is_form = map(_holding, (RecordKind.GROUPS, RecordKind.INVITATIONS))
is_notes, is_edits, is_tags = map(_holding, (RecordKind.NOTES, RecordKind.EDITS, RecordKind.TAGS))
READERS: tuple[Reader, ...] = (
    _reader("groups", "groups (JSON)", Gives.GROUPS, is_groups, read_groups),
    _reader("form", "review invitation (JSON)", Gives.MEMBERS, is_form, read_form),
    _reader("notes", "review notes (JSON)", Gives.REVIEWS, is_notes, read_reviews),
    _reader("folder", "review notes (folder of JSON)", Gives.REVIEWS, is_notes_folder, read_folder),
    _unused("edits", "note edits (JSON, single changes: not used)", is_edits, EDITS),
    _unused(
        "console", "console table (CSV, without reviews: not used)", _is_console_table, CONSOLE
    ),
    _reader("reviews", "reviews (CSV)", Gives.REVIEWS, is_review_table, read_review_table),
    _reader("tags", "Paper_Ranking tags (JSON)", Gives.STATEMENTS, is_tags, read_tags),
)
