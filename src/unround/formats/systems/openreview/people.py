"""Read OpenReview's groups, and look up who is behind each anonymous signature."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from unround.formats.cells import listed
from unround.formats.files.json_stream import json_stream
from unround.formats.files.source import Source
from unround.formats.model import Context, FileContent, ImportRefused, Options
from unround.formats.newest import Copies
from unround.formats.systems.openreview.records import (
    Record,
    RecordKind,
    as_text,
    kind_of,
    records_of,
    texts,
)
from unround.formats.systems.openreview.venue import Venue

UNLINKED = (
    "reviewers are anonymous ids that differ from paper to paper, so that one person's papers "
    "cannot be linked and rankings across papers have no effect; give the groups as a file too: "
    "client.get_all_groups(prefix='VENUE/Submission') with a chair's account, saved as JSON"
)


def read_groups(source: Source, options: Options, context: Context) -> FileContent:
    """Read a file of groups, or of group ids and their person."""
    if kind_of(source) is RecordKind.MEMBERS:
        return members_part(source.name, _listed(source))
    return groups_part(source.name, records_of(source))


def groups_part(name: str, records: Iterable[Record]) -> FileContent:
    """Return the person of each anonymous group: it has one member, committees have many."""
    groups = Copies[tuple[str, str]]()
    venue: dict[str, Any] = {}
    for file, group in records:
        if Venue(group).is_stated:
            venue = venue or dict(group)
        key, members = as_text(group.get("id")), texts(group.get("members"))
        if key and members:
            person = members[0] if len(members) == 1 else f"{len(members)} members"
            groups.add(key, group, file, key, (key, person), person)
    newest = groups.newest(name, "group")
    people = {key: who for key, who in newest if not who.endswith(" members")}
    part = members_part(name, people, venue)
    return replace(part, notes=groups.note("group", "members"))


def members_part(
    name: str, members: Mapping[str, str], venue: Mapping[str, Any] | None = None
) -> FileContent:
    """Return the members as file content; without any, the file is still known to have been given."""
    return FileContent(
        recognised=f"OpenReview groups, {len(members)} anonymous ids and who they are",
        context=Context(members=members or {name: ""}, venue=venue or {}),
        file=name,
    )


def _listed(source: Source) -> dict[str, str]:
    """Read an object of group id: person (or list of one person)."""
    people: dict[str, list[str]] = {}
    for key, value in json_stream(source):
        people.setdefault(key.strip(), []).extend(texts(value))
    short = next((key for key in people if "/" not in key), None)
    if short is not None:
        raise ImportRefused(
            f"{source.name} names groups by their last part only, such as {short!r}; the same part "
            "can be two people on two papers: save it with full group ids, "
            "{group.id: group.members[0] for group in groups if '/Reviewer_' in group.id}"
        )
    return {key: persons[0] for key, persons in people.items() if len(persons) == 1}


class People:
    """Looks signatures up among the members of groups, and collects the missing ones."""

    def __init__(self, members: Mapping[str, str]) -> None:
        self._members = members
        self._missing: dict[str, None] = {}
        self._anonymous = False

    def person(self, signature: str) -> str:
        """Return the profile behind a signature; the signature itself if no groups were given."""
        if signature.startswith("~") or ("@" in signature and "/" not in signature):
            return signature
        if not self._members:
            self._anonymous = True
            return signature
        member = self._members.get(signature)
        if not member:
            self._missing[signature] = None
        return member or signature

    def check(self, name: str) -> None:
        """Refuse anonymous signatures of which no given group says who they are."""
        if not self._missing:
            return
        raise ImportRefused(
            f"{name}: signatures of which no given group says who they are: {listed(list(self._missing))}; "
            "save the groups of every submission with a chair's account, which alone sees their members: "
            "client.get_all_groups(prefix='VENUE/Submission')"
        )

    def notes(self) -> tuple[str, ...]:
        """Say that reviewers could not be linked, if so."""
        return (UNLINKED,) if self._anonymous else ()
