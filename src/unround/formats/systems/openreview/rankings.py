"""Read Paper_Ranking tags: "2 of 5" is rank 2; "No Ranking" leaves the paper unranked."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import polars as pl

from unround.formats.cells import counted
from unround.formats.copies import Copies
from unround.formats.files.source import Source
from unround.formats.model import FileContent, ImportRefused, Options, SheetBuilder
from unround.formats.systems.openreview.people import People
from unround.formats.systems.openreview.records import Record, as_text, records_of, texts
from unround.wording import option

RANKING_NAME = "Paper_Ranking"
# These rank papers too, but not as the papers' reviewers.
_OTHER_RANKERS = ("Area_Chairs", "Senior_Area_Chairs", "Authors")
_RANK = re.compile(r"0*([1-9][0-9]{0,8})\s+of\s+([0-9]{1,9})", re.IGNORECASE)
_UNRANKED = ("", "no ranking")


def read_tags(source: Source, options: Options) -> FileContent:
    """Read a file of tags."""
    return tags_part(source.name, records_of(source), options)


def tags_part(name: str, tags: Iterable[Record], options: Options) -> FileContent:
    """Return the reviewers' ranks among some tags."""
    ranks = _Ranks(options.columns.get("rank", RANKING_NAME), People(options.members))
    for file, tag in tags:
        ranks.take(file, tag)
    ranks.settle(name, options.known_papers)
    ranks.check(name)
    return FileContent(
        recognised=f"{name}: OpenReview {ranks.name} tags, {len(ranks.rows.places)} ranks",
        ranks=ranks.rows.sheet(),
        notes=tuple(ranks.notes()),
    )


class _Tag(NamedTuple):
    """A tag: a rank, or the reason why it does not count (a noun and what is done)."""

    label: str
    left_out: tuple[str, str] | None = None
    signature: str = ""
    forum: str = ""
    rank: int = 0
    of: str = ""


def _tag(tag: Mapping[str, Any], place: str, committee: str) -> _Tag:
    label = as_text(tag.get("tag")) or as_text(tag.get("label"))
    if tag.get("ddate"):
        return _Tag("deleted", ("deleted tag", "left out"))
    if committee in _OTHER_RANKERS:
        return _Tag(label, ("rank", "by area chairs or authors left out"))
    if label.lower() in _UNRANKED:
        return _Tag("no ranking", ("paper", "left unranked ('No Ranking')"))
    rank = _RANK.fullmatch(label)
    if rank is None or int(rank.group(1)) > int(rank.group(2)):
        raise ImportRefused(f"{place}: {label[:40]!r} is no rank such as '2 of 5' or 'No Ranking'")
    forum = as_text(tag.get("forum")) or as_text(tag.get("note"))
    signed = texts(tag.get("signatures")) or texts(tag.get("signature"))
    if not forum or not signed:
        raise ImportRefused(
            f"{place} has no {'signature' if forum else 'forum'}; save the tags again, with all fields"
        )
    return _Tag(label, None, signed[0], forum, int(rank.group(1)), rank.group(2))


@dataclass
class _Ranks:
    """The ranks read so far, and counts of what was left out."""

    name: str
    people: People
    rows: SheetBuilder = field(
        default_factory=lambda: SheetBuilder("reviewer", "paper", "rank", rank=pl.Int64)
    )
    copies: Copies[_Tag] = field(default_factory=lambda: Copies(lambda tag: tag.label))
    count: int = 0
    totals: dict[str, set[str]] = field(default_factory=dict)  # reviewer -> the n of "k of n"
    left_out: Counter[tuple[str, str]] = field(default_factory=Counter)
    foreign: Counter[str] = field(default_factory=Counter)  # invitations that are no ranking

    def take(self, file: str, tag: Mapping[str, Any]) -> None:
        self.count += 1
        identifier, invitation = as_text(tag.get("id")), as_text(tag.get("invitation"))
        committee, _, kind = invitation.rpartition("/-/")
        if kind != self.name:
            self.foreign[invitation] += 1
            return
        place = f"{file}, tag {identifier or self.count}"
        read = _tag(tag, place, committee.rpartition("/")[2])
        self.copies.add(identifier, tag, file, place, read)

    def settle(self, name: str, papers: Mapping[str, str]) -> None:
        """Take the newest copy of each tag."""
        for copy in self.copies.newest():
            tag = copy.value
            if tag.left_out:
                self.left_out[tag.left_out] += 1
                continue
            reviewer = self.people.person(tag.signature)
            self.rows.add(copy.place, reviewer, papers.get(tag.forum, tag.forum), tag.rank)
            self.totals.setdefault(reviewer, set()).add(tag.of)
        self.copies.refuse_undecided(name, "tag")

    def check(self, name: str) -> None:
        self.people.check(name)
        if not self.left_out and not self.rows.places:
            names = ", ".join(filter(None, self.foreign)) or "no tags"
            raise ImportRefused(
                f"{name}: no tags of the invitation ../-/{self.name}; found: {names}. "
                f"Name the invitation with {option('columns', 'rank=NAME')}"
            )

    def notes(self) -> Iterable[str]:
        yield from (
            f"{counted(count, noun)} {what}" for (noun, what), count in self.left_out.items()
        )
        yield from self.copies.note("tag", "rank")
        if self.foreign:
            yield f"{counted(self.foreign.total(), 'tag')} of other invitations left out"
        changed = sum(len(totals) > 1 for totals in self.totals.values())
        if changed:
            yield (
                f"{counted(changed, 'reviewer')} gave ranks among changing numbers of papers "
                "('1 of 5', '2 of 6'): the ranks are taken as they are"
            )
        yield from self.people.notes()
