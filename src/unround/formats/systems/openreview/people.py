"""Read OpenReview's groups, and look up who is behind each anonymous signature."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from unround.formats.cells import listed
from unround.formats.files.source import Source
from unround.formats.model import Context, FileContent, ImportRefused, Options
from unround.formats.newest import Copies
from unround.formats.systems.openreview.records import Record, as_text, records_of, texts
from unround.formats.systems.openreview.venue import Venue

UNLINKED = (
    "reviewers are anonymous ids that differ from paper to paper, so that one person's papers "
    "cannot be linked and rankings across papers have no effect; give the groups as a file too: "
    "client.get_all_groups(prefix='VENUE/Submission') with a chair's account, saved as JSON"
)


def read_groups(source: Source, options: Options, context: Context) -> FileContent:
    """Read a file of groups, or of group ids and their person."""
    return groups_part(source.name, records_of(source))


def groups_part(name: str, records: Iterable[Record]) -> FileContent:
    """Return the person of each anonymous group: it has one member, committees have many.

    Without any such group, it is still known that groups were given.
    """
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
    return FileContent(
        recognised=f"OpenReview groups, {len(people)} anonymous ids and who they are",
        context=Context(members=people or {name: ""}, venue=venue),
        notes=groups.note("group", "members"),
    )


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
