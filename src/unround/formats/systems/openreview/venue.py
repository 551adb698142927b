"""What a venue's own group says: the names of its invitations and of its rating fields."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from unround.formats.model import Context, ImportRefused, Options
from unround.formats.systems.form_fields import Field, guessed_fields
from unround.formats.systems.openreview.records import (
    RATING_FIELDS,
    as_object,
    as_text,
    texts,
    unwrapped,
)
from unround.wording import option

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
