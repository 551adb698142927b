"""Read OpenReview's notes, groups, tags and invitations from JSON, CSV or its API; post results."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from unround.formats.files.source import Source
from unround.formats.model import Gives, Reader
from unround.formats.systems.openreview.api import connect, edges, export, fetch, notes, post
from unround.formats.systems.openreview.people import read_groups
from unround.formats.systems.openreview.rankings import read_tags
from unround.formats.systems.openreview.records import RecordKind, kind_of
from unround.formats.systems.openreview.reviews import (
    is_console_table,
    is_notes_folder,
    is_review_table,
    read_folder,
    read_review_table,
    read_reviews,
    refuse_console_table,
    refuse_edits,
)
from unround.formats.systems.openreview.score_field import read_form

__all__ = ["READERS", "connect", "edges", "export", "fetch", "notes", "post"]


def _holding(*kinds: RecordKind) -> Callable[[Source], bool]:
    return lambda source: kind_of(source) in kinds


def _reader(name: str, title: str, *rest: Any, **flags: Any) -> Reader:
    return Reader(f"openreview-{name}", f"OpenReview {title}", *rest, **flags)


is_groups = _holding(RecordKind.GROUPS, RecordKind.MEMBERS)
is_form = _holding(RecordKind.INVITATIONS, RecordKind.FORM)
is_notes, is_edits, is_tags = map(_holding, (RecordKind.NOTES, RecordKind.EDITS, RecordKind.TAGS))
READERS: tuple[Reader, ...] = (
    _reader("groups", "groups (JSON)", Gives.GROUPS, is_groups, read_groups),
    _reader("form", "review invitation (JSON)", Gives.MEMBERS, is_form, read_form),
    _reader("notes", "review notes (JSON)", Gives.REVIEWS, is_notes, read_reviews),
    _reader("folder", "review notes (folder of JSON)", Gives.REVIEWS, is_notes_folder, read_folder),
    _reader(
        *("edits", "note edits (JSON, single changes: refused)", Gives.REVIEWS),
        *(is_edits, refuse_edits),
        refuses=True,
    ),
    _reader(
        *("console", "console table (CSV, without reviews: refused)", Gives.REVIEWS),
        *(is_console_table, refuse_console_table),
        refuses=True,
    ),
    _reader("reviews", "reviews (CSV)", Gives.REVIEWS, is_review_table, read_review_table),
    _reader("tags", "Paper_Ranking tags (JSON)", Gives.STATEMENTS, is_tags, read_tags),
)
