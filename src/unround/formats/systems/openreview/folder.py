"""Read a folder of saved notes, groups, tags and invitations as one file."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import chain, islice

from unround.formats.cells import counted
from unround.formats.files.source import Source
from unround.formats.importer import knowing
from unround.formats.model import FileContent, ImportRefused, Options
from unround.formats.systems.openreview.people import groups_part, read_groups
from unround.formats.systems.openreview.rankings import tags_part
from unround.formats.systems.openreview.records import Record, RecordKind, kind_of, records_of
from unround.formats.systems.openreview.reviews import reviews_part
from unround.formats.systems.openreview.score_field import form_part_if_any, read_form

FILES_LOOKED_AT = 25
MOST_FILES = 100_000


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


def read_folder(source: Source, options: Options) -> FileContent:
    """Read groups and forms first, then every file of notes together, then tags."""
    by_kind: dict[RecordKind | None, list[Source]] = {}
    for file in _files(source):
        by_kind.setdefault(kind_of(file), []).append(file)
    groups = _of(by_kind, RecordKind.GROUPS)
    helping = [read_groups(file, options) for file in _of(by_kind, RecordKind.MEMBERS)]
    if groups:
        name = groups[0].name if len(groups) == 1 else source.name
        helping.append(groups_part(name, _records(groups)))
    forms = _of(by_kind, RecordKind.INVITATIONS)
    if forms:
        helping.append(form_part_if_any(source.name, _records(forms), options))
    helping += [read_form(file, options) for file in _of(by_kind, RecordKind.FORM)]
    for part in helping:
        options = knowing(options, part)
    reviews = reviews_part(source.name, _records(_of(by_kind, RecordKind.NOTES)), options)
    tags = _of(by_kind, RecordKind.TAGS)
    ranked = tags_part(source.name, _records(tags), knowing(options, reviews)) if tags else None
    unused = [*by_kind.get(None, []), *_of(by_kind, RecordKind.EDITS)]
    return _together(reviews, ranked, helping, unused)


def _of(by_kind: Mapping[RecordKind | None, list[Source]], *kinds: RecordKind) -> list[Source]:
    return [file for kind in kinds for file in by_kind.get(kind, [])]


def _records(files: Iterable[Source]) -> Iterator[Record]:
    return chain.from_iterable(map(records_of, files))


def _together(
    reviews: FileContent,
    ranked: FileContent | None,
    helping: list[FileContent],
    unknown: list[Source],
) -> FileContent:
    parts = [*helping, reviews, *([ranked] if ranked else [])]
    names = ", ".join(file.name for file in unknown[:5])
    passed_by = (
        [f"{counted(len(unknown), 'file')} not understood and passed by: {names}"]
        if unknown
        else []
    )
    return replace(
        reviews,
        recognised="; ".join(part.recognised for part in parts),
        ranks=ranked.ranks if ranked else None,
        scale=next((part.scale for part in parts if part.scale is not None), None),
        members={key: person for part in parts for key, person in part.members.items()},
        notes=(*dict.fromkeys(note for part in parts for note in part.notes), *passed_by),
    )


def _files(source: Source) -> Iterator[Source]:
    """Yield the files of the folder itself, by name, without hidden ones."""
    with os.scandir(source.path) as entries:
        names = sorted(entry.name for entry in islice(entries, MOST_FILES + 1))
    if len(names) > MOST_FILES:
        raise ImportRefused(f"{source.name} holds more than {MOST_FILES} files")
    paths = (source.path / name for name in names if not name.startswith("."))
    return (Source(path) for path in paths if path.is_file())
