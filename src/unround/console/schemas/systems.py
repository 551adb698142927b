"""Models of running conference systems: where they are, what is fetched, and what is sent."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import BaseModel, Field, SecretStr

from unround.console.schemas.base import Strict
from unround.console.schemas.conferences import FileInfo
from unround.formats.model import ExportOptions
from unround.runs.exports import ExportPart
from unround.wording import LIVE_SYSTEMS

if TYPE_CHECKING:
    LiveSystem = str
else:
    LiveSystem = Literal[tuple(LIVE_SYSTEMS)]


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
