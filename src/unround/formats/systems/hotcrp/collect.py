"""What HotCRP's files of reviews share: which reviews are submitted, and how authors are hidden."""

from __future__ import annotations

from collections.abc import Mapping

from unround.formats.files.source import Source
from unround.formats.systems.form_fields import Field
from unround.formats.systems.review_collector import ReviewCollector

SUBMITTED = frozenset({"complete", "completed", "submitted"})
IF_HIDDEN = (
    "HotCRP leaves out reviewername and email where the account may not see reviewers' identities: "
    "export again with a chair's (administrator's) account, and not the author view"
)


def hotcrp_reviews(source: Source, title: str, fields: Mapping[str, Field]) -> ReviewCollector:
    """Return a collector for the reviews of one file; `fields` are those its form states."""
    return ReviewCollector(source, title, fields, IF_HIDDEN)
