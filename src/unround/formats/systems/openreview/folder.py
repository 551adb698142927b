"""Read all that a venue gives, from a folder of files or from its API: groups, form, notes and tags."""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import chain, islice

from unround.formats.cells import counted
from unround.formats.files.source import Source
from unround.formats.files.tables import table_heads
from unround.formats.model import Context, FileContent, ImportRefused, Options, content_of_tables
from unround.formats.systems.openreview.rankings import tags_part
from unround.formats.systems.openreview.records import Record, RecordKind, kind_of, records_of
from unround.formats.systems.openreview.reviews import reviews_part
from unround.formats.systems.openreview.score_field import form_part_if_any
from unround.formats.systems.openreview.venue import groups_part

EMPTY_JSON = ("[]", "{}")
FILES_LOOKED_AT = 25
MOST_FILES = 100_000


def venue_parts(
    name: str,
    records: Mapping[RecordKind, Iterable[Record]],
    options: Options,
    context: Context,
) -> Iterator[FileContent]:
    """Yield what each kind of records gives; later ones follow what earlier ones said."""
    if RecordKind.GROUPS in records:
        groups = groups_part(name, records[RecordKind.GROUPS])
        context = context.after(groups)
        yield groups
    if RecordKind.INVITATIONS in records:
        yield form_part_if_any(name, records[RecordKind.INVITATIONS], options, context)
    reviews = reviews_part(name, records[RecordKind.NOTES], options, context)
    context = context.after(reviews)
    yield reviews
    if RecordKind.TAGS in records:
        yield tags_part(name, records[RecordKind.TAGS], options, context)


def is_notes_folder(source: Source) -> bool:
    """Return whether any of the first files holds notes."""
    if not source.is_folder:
        return False
    try:
        return any(
            kind_of(file) is RecordKind.NOTES for file in islice(_files(source), FILES_LOOKED_AT)
        )
    except (ImportRefused, OSError):
        return False


def read_folder(source: Source, options: Options, context: Context) -> FileContent:
    """Read all files of a kind together, so that the newest copy of each record counts."""
    files: defaultdict[RecordKind | None, list[Source]] = defaultdict(list)
    for file in _files(source):
        files[kind_of(file)].append(file)
    unused = [*files.pop(None, []), *files.pop(RecordKind.EDITS, [])]
    empty = [file.name for file in unused if file.head_text.strip() in EMPTY_JSON]
    other = [file for file in unused if file.name not in empty]
    for file in other:
        if error := table_heads(file).error:  # what is broken is refused, not passed over
            raise error
    records = {
        kind: chain.from_iterable(map(records_of, of_kind))
        for kind, of_kind in files.items()
        if kind
    }
    parts = list(venue_parts(source.name, records, options, context))
    notes = [f"{name} is an empty list: there are no ranks in it" for name in empty]
    if other:
        names = ", ".join(file.name for file in other[:5])
        what = counted(len(other), "file")
        notes.append(f"{what} not understood and passed over: {names}")
    return replace(
        content_of_tables(parts, notes),
        scale=next((part.scale for part in parts if part.scale is not None), None),
        withdrawn=next((part.withdrawn for part in parts if part.withdrawn is not None), None),
        context=parts[0].context,
    )


def _files(source: Source) -> Iterator[Source]:
    """Yield the files of the folder itself, by name, without hidden ones."""
    with os.scandir(source.path) as entries:
        names = sorted(entry.name for entry in islice(entries, MOST_FILES + 1))
    if len(names) > MOST_FILES:
        raise ImportRefused(f"{source.name} holds more than {MOST_FILES} files")
    paths = (source.path / name for name in names if not name.startswith("."))
    return (Source(path) for path in paths if path.is_file())
