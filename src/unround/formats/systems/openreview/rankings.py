"""Read Paper_Ranking tags: "2 of 5" is rank 2; "No Ranking" leaves the paper unranked."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

import polars as pl

from unround.formats.cells import counted, left_out_note
from unround.formats.files.source import Source
from unround.formats.model import Context, FileContent, ImportRefused, Options, SheetBuilder
from unround.formats.newest import Copies
from unround.formats.systems.openreview.records import Record, as_text, records_of, texts
from unround.formats.systems.openreview.venue import Venue, people_behind
from unround.wording import option

RANKING_NAME = "Paper_Ranking"
# These rank papers too, but not as the papers' reviewers.
_OTHER_RANKERS = ("Area_Chairs", "Senior_Area_Chairs", "Authors")
_RANK = re.compile(  # "2 of 5"; the first invitations had "1 - Best", "2", .., "5 - Worst"
    r"0*([1-9][0-9]{0,8})(?:\s+of\s+([0-9]{1,9})|\s*-\s*[a-z ]+)?", re.IGNORECASE
)
_UNRANKED = ("", "no ranking")
CHANGING = "gave ranks among changing numbers of papers ('1 of 5', '2 of 6'): the ranks are taken as they are"


def read_tags(source: Source, options: Options, context: Context) -> FileContent:
    """Read a file of tags."""
    return tags_part(source.name, records_of(source), options, context)


def tags_part(name: str, tags: Iterable[Record], options: Options, context: Context) -> FileContent:
    """Return the reviewers' ranks among some tags."""
    ranking = options.columns.get("rank", RANKING_NAME)
    venue = Venue(context.venue)
    copies = Copies[_Tag]()
    foreign: Counter[str] = Counter()  # invitations that are no ranking
    for number, (file, tag) in enumerate(tags, start=1):
        identifier, invitation = as_text(tag.get("id")), as_text(tag.get("invitation"))
        committee, _, kind = invitation.rpartition("/-/")
        if kind == ranking:
            place = f"{file}, tag {identifier or number}"
            by_others = committee.rpartition("/")[2] in _OTHER_RANKERS
            by_others = by_others or bool(venue.id and committee != venue.reviewers_id)
            read = _tag(tag, place, by_others)
            copies.add(identifier, tag, file, place, read, read.label)
        else:
            foreign[invitation] += 1
    rows = SheetBuilder("reviewer", "paper", "rank", rank=pl.Int64)
    totals: defaultdict[str, set[str]] = defaultdict(set)  # reviewer -> the n of "k of n"
    newest = list(copies.newest(name, "tag"))
    left_out = Counter(one.left_out for one in newest if one.left_out)
    ranked = [one for one in newest if not one.left_out]
    people, _ = people_behind(name, (one.signature for one in ranked), context.members)
    for one in ranked:
        reviewer, paper = people[one.signature], context.papers.get(one.forum, one.forum)
        rows.add(one.place, reviewer, paper, one.rank)
        totals[reviewer].add(one.of)
    if not left_out and not rows.places:
        names = ", ".join(filter(None, foreign)) or "no tags"
        raise ImportRefused(
            f"{name}: no tags of the invitation ../-/{ranking}; found: {names}. "
            f"Name the invitation with {option('columns', 'rank=NAME')}"
        )
    changed = sum(len(numbers) > 1 for numbers in totals.values())
    notes = (
        *(f"{counted(count, noun)} {what}" for (noun, what), count in left_out.items()),
        *copies.note("tag", "rank"),
        *left_out_note(foreign.total(), "tag of other invitations"),
        *([f"{counted(changed, 'reviewer')} {CHANGING}"] if changed else []),
    )
    recognised = f"OpenReview {ranking} tags, {len(rows.places)} ranks"
    return FileContent(recognised, ranks=rows.sheet(), notes=notes)


class _Tag(NamedTuple):
    """A tag: a rank, or the reason why it does not count (a noun and what is done)."""

    place: str
    label: str
    left_out: tuple[str, str] | None = None
    signature: str = ""
    forum: str = ""
    rank: int = 0
    of: str = ""


def _tag(tag: Mapping[str, Any], place: str, by_others: bool) -> _Tag:
    label = as_text(tag.get("tag")) or as_text(tag.get("label"))
    if tag.get("ddate"):
        return _Tag(place, "deleted", ("tag", "that was deleted left out"))
    if by_others:
        return _Tag(place, label, ("rank", "by area chairs or authors left out"))
    if label.lower() in _UNRANKED:
        return _Tag(place, "no ranking", ("paper", "left unranked ('No Ranking')"))
    rank = _RANK.fullmatch(label)
    if rank is None or (rank.group(2) and int(rank.group(1)) > int(rank.group(2))):
        raise ImportRefused(f"{place}: {label[:40]!r} is no rank such as '2 of 5' or 'No Ranking'")
    forum = as_text(tag.get("forum")) or as_text(tag.get("note"))
    signed = texts(tag.get("signatures")) or texts(tag.get("signature"))
    if not forum or not signed:
        raise ImportRefused(
            f"{place} has no {'signature' if forum else 'forum'}; save the tags again, with all fields"
        )
    return _Tag(place, label, None, signed[0], forum, int(rank.group(1)), rank.group(2) or "")
