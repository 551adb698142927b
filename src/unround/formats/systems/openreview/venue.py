"""What a venue's groups say: the names of its invitations and rating fields, and who signs as whom."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from unround.formats.cells import listed
from unround.formats.files.source import Source
from unround.formats.model import Context, FileContent, ImportRefused, Options
from unround.formats.newest import Copies
from unround.formats.systems.form_fields import Field, guessed_fields
from unround.formats.systems.openreview.records import (
    RATING_FIELDS,
    Record,
    as_object,
    as_text,
    records_of,
    texts,
    unwrapped,
)
from unround.wording import option

UNLINKED = (
    "reviewers are anonymous ids that differ from paper to paper, so that one person's papers "
    "cannot be linked and rankings across papers have no effect; give the groups as a file too: "
    "client.get_all_groups(prefix='VENUE/Submission') with a chair's account, saved as JSON"
)
REVIEW_NAME = "Official_Review"
NAMES = ("submission_name", "submission_id", "review_name", "reviewers_name", "reviewers_id")
OUT = {"withdrawn_venue_id": "withdrawn", "desk_rejected_venue_id": "desk-rejected"}


class Venue:
    """The settings in a venue's group; OpenReview's usual ones where it states none."""

    def __init__(self, group: Mapping[str, Any]) -> None:
        self.id, self._settings = as_text(group.get("id")), as_object(group.get("content"))
        self.is_stated = not self._settings.keys().isdisjoint(NAMES)
        self.submission_name = self._setting("submission_name", "Submission")
        self.submission_id = self._setting("submission_id", f"{self.id}/-/{self.submission_name}")
        self.review_name = self._setting("review_name", REVIEW_NAME)
        reviewers = self._setting("reviewers_name", "Reviewers")
        self.reviewers_id = self._setting("reviewers_id", f"{self.id}/{reviewers}")
        out = {self._setting(name, ""): why for name, why in OUT.items()}
        self.out = {venueid: why for venueid, why in out.items() if venueid}

    def rating_fields(self) -> tuple[str, ...]:
        """Return the fields of the rating, in the order of trying; ask where several ratings are shown."""
        stated = unwrapped(self._settings.get("review_rating"))
        shown = stated if isinstance(stated, list) else [stated]
        ways = {names[0]: names for one in shown if (names := _in_turn(one))}
        if len(ways) > 1:
            plain = guessed_fields([Field(name, name, symbols={"1"}) for name in ways])
            if not plain:
                named = " or ".join(option("fields", name) for name in ways)
                raise ImportRefused(
                    f"{self.id} shows several ratings of a review. Which is the score? {named}"
                )
            ways = {field.key: ways[field.key] for field in plain}
        return tuple(dict.fromkeys(name for names in ways.values() for name in names))

    def _setting(self, name: str, otherwise: str) -> str:
        return next(iter(texts(unwrapped(self._settings.get(name)))), otherwise)


def _in_turn(shown: object) -> list[str]:
    """Return the fields of one rating: {"overall": ["final_rating", "rating"]} is tried in that order."""
    if isinstance(shown, dict):
        return [name for names in shown.values() for name in texts(names)]
    return texts(shown)


def review_name(options: Options, context: Context) -> str:
    """Return the last part of the reviews' invitation."""
    return options.columns.get("review") or Venue(context.venue).review_name


def rating_fields(options: Options, context: Context) -> tuple[str, ...]:
    """Return the fields that the user named, or those of the venue before the usual ones; else none."""
    if options.score_fields:
        return options.score_fields
    stated = Venue(context.venue).rating_fields()
    return tuple(dict.fromkeys((*stated, *RATING_FIELDS))) if stated else ()


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


def people_behind(
    name: str, signatures: Iterable[str], members: Mapping[str, str]
) -> tuple[dict[str, str], tuple[str, ...]]:
    """Return the profile behind each signature, or the signature itself if no groups were given.

    Notes say that reviewers cannot be linked, if so. Anonymous signatures of which no given group says who
    they are are refused.
    """
    distinct = dict.fromkeys(signatures)
    hidden = [
        one for one in distinct if not (one.startswith("~") or ("@" in one and "/" not in one))
    ]
    missing = [one for one in hidden if not members.get(one)] if members else []
    if missing:
        raise ImportRefused(
            f"{name}: signatures of which no given group says who they are: {listed(missing)}; "
            "save the groups of every submission with a chair's account, which alone sees their members: "
            "client.get_all_groups(prefix='VENUE/Submission')"
        )
    behind = {one: members[one] for one in hidden} if members else {}
    people = {one: behind.get(one, one) for one in distinct}
    return people, (UNLINKED,) if hidden and not members else ()
