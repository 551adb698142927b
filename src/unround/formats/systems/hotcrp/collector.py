"""Collect HotCRP's reviews: meta-reviews do not count, and reviews by token have no author."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace

from unround.formats.cells import counted
from unround.formats.files.source import Source
from unround.formats.model import FileContent, Options
from unround.formats.systems.form_fields import Field
from unround.formats.systems.review_collector import Review, ReviewCollector

IF_HIDDEN = (
    "HotCRP leaves out reviewername and email where the account may not see reviewers' identities: "
    "export again with a chair's (administrator's) account, and not the author view"
)
META_UNMARKED = (
    "HotCRP's tables and forms do not mark meta-reviews: if there are any, add PC assignments, or use "
    "the JSON for reviewqualitycollector.org"
)
NO_REVIEWS = (
    "which has no single reviews: export Reviews (CSV), or the JSON for reviewqualitycollector"
)
META_REVIEW, NOT_SUBMITTED = "meta-review", "review not submitted"
# Statuses of papers that are out of the running, and the words for them.
OUT = {"withdrawn": "withdrawn", "desk_reject": "desk-rejected", "draft": "unfinished"}
# The account that HotCRP makes up for reviews by token. Several reviews share one; JSON has its name alone.
_MADE_UP_EMAIL = re.compile(r"anonymous[0-9]*", re.IGNORECASE)
MADE_UP_NAME = "Jane Q. Public"


class HotcrpReviews(ReviewCollector):
    """The reviews of one file of HotCRP."""

    def __init__(
        self, source: Source, title: str, options: Options, form: Mapping[str, Field] | None = None
    ) -> None:
        super().__init__(source, title, IF_HIDDEN, form)
        self._options = options
        self._by_token = 0

    def add(self, review: Review) -> None:
        """Add a submitted review, unless a file of assignments says that it is a meta-review."""
        if (review.paper, review.email.lower()) in (self._options.meta_reviews or ()):
            self.left_out[META_REVIEW] += 1
            return
        unnamed = not review.email and review.name == MADE_UP_NAME
        if unnamed or _MADE_UP_EMAIL.fullmatch(review.email):
            self._by_token += 1
            review = replace(review, name=f"anonymous {review.review or review.place}", email="")
        super().add(review)

    def content(self, *, marks_meta_reviews: bool) -> FileContent:
        """Return the reviews, with notes on what the file does not say."""
        if self._by_token:
            by_token = counted(self._by_token, "review by token")
            self.notes.append(f"{by_token}: each counts as a reviewer of its own")
        content = self.part(self._options)
        if marks_meta_reviews or self._options.meta_reviews is not None or not self.has_reviews:
            return content
        return replace(content, notes=(*content.notes, META_UNMARKED))
