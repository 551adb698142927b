"""Models of results: audits of a run, and what is fetched from and sent to running conference systems."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import BaseModel, Field, SecretStr

from unround.console.schemas.base import Strict
from unround.console.schemas.conferences import FileInfo
from unround.disclosure.scope import Disclosure
from unround.formats.model import ExportOptions
from unround.runs.exports import ExportPart
from unround.wording import LIVE_SYSTEMS

if TYPE_CHECKING:
    LiveSystem = str
else:
    LiveSystem = Literal[tuple(LIVE_SYSTEMS)]


class InfluentialReviewer(BaseModel):
    """A reviewer and the furthest they could move a paper by a change of one review."""

    reviewer: str
    papers: int
    move: float  # of a mean
    limit: float  # no change of theirs moves a mean further
    plain: float
    places: int
    places_limit: int
    plain_places: int
    turns: int  # papers that they could take across the line


class InfluenceSummary(BaseModel):
    """How far single reviewers could move papers. Shares are in per cent."""

    reviewers: int
    tried: int
    above: int  # places above the line
    turning: float  # reviews whose reviewer alone could take the paper across the line
    plain_turning: float  # the same under plain means
    worst: list[InfluentialReviewer]


class InfluenceAnswer(BaseModel):
    """The audit of a run; none while it is being measured: ask again a second later."""

    audit: InfluenceSummary | None


class AuditedLevel(BaseModel):
    """What the area chairs who were audited could find out for sure at one level."""

    disclosure: Disclosure
    neighbours: int  # hidden scores beside one of theirs in a ranking
    certain: int  # of these, known for sure
    means: int  # of hidden papers, computed


class PrivacySummary(BaseModel):
    """What area chairs could find out about papers that are not theirs, measured on a sample."""

    area_chairs: int
    audited: int
    levels: list[AuditedLevel]


class PrivacyAnswer(BaseModel):
    """The audit of a run; none while it is being measured: ask again a second later."""

    audit: PrivacySummary | None


class SystemAccess(Strict):
    """A conference on a running system, and a token for it, which is used once."""

    system: LiveSystem
    url: Annotated[str, Field(max_length=500)]
    token: Annotated[SecretStr, Field(min_length=1, max_length=500)]


class FetchedFiles(BaseModel):
    """The new files, those of an earlier time with the same names, and what was not fetched."""

    files: list[FileInfo]
    earlier: list[FileInfo]
    notes: list[str]


class SendResults(SystemAccess):
    """Results to send."""

    dry_run: bool = True
    tag: Annotated[str, Field(max_length=100)] = "dq"
    per_review: bool = False
    include: tuple[ExportPart, ...] = ("scores",)

    def options(self) -> ExportOptions:
        """Return the options of the export."""
        return ExportOptions(self.tag, self.per_review, include=self.include)


class SentResults(BaseModel):
    """What changed, or would change, in sentences."""

    changes: list[str]
