"""Papers by forum: what is known of each, and the id each goes by.

Papers go by their submission number where every one has one of its own, else by their forum id.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from unround.formats.openreview.values import as_text, field_text


@dataclass
class Paper:
    """What is known of one paper. `group` is the submission's own, such as ../Submission12."""

    number: str = ""
    group: str = ""
    title: str | None = None
    track: str | None = None
    venue: str | None = None
    decision: str | None = None
    deleted: bool = False

    def learn(self, note: Mapping[str, Any], content: dict[str, Any]) -> None:
        """Take over what a submission's own note says."""
        self.number = as_text(note.get("number")) or self.number
        self.title = field_text(content, "title") or self.title
        self.track = field_text(content, "track", "primary_area") or self.track
        self.venue = field_text(content, "venue") or self.venue
        self.deleted = self.deleted or bool(note.get("ddate"))


@dataclass
class Papers:
    """Every paper met so far, by forum."""

    known: dict[str, Paper] = field(default_factory=dict)

    def at(self, forum: str) -> Paper:
        """The paper of a forum."""
        return self.known.setdefault(forum, Paper())

    def ids(self, forums: Iterable[str], already: Mapping[str, str]) -> dict[str, str]:
        """The id of each forum's paper. `already`: ids that files read before gave."""
        wanted = list(dict.fromkeys(forums))
        numbers = {forum: already.get(forum) or self.at(forum).number for forum in wanted}
        taken = set(already.values())
        fresh = [number for forum, number in numbers.items() if forum not in already]
        if all(fresh) and len(set(fresh)) == len(fresh) and not taken.intersection(fresh):
            return numbers
        return {forum: already.get(forum) or forum for forum in wanted}
