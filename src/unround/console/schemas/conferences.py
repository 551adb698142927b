"""Models of conferences and their files."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from pydantic import BaseModel, ConfigDict

from unround.console.schemas.base import FromRow, Id, Name, Status, Strict
from unround.disclosure.scope import Disclosure


class NewConference(Strict):
    """A conference to make."""

    name: Name


class ShownToAreaChairs(BaseModel):
    """What area chairs see, as the chairs choose: columns of the conference's row."""

    show_stars: bool | None = None
    show_names: bool | None = None
    show_line: bool | None = None  # above, near or below it, of their own papers
    show_decisions: bool | None = None  # those of imported files
    disclosure: Disclosure | None = None


class ConferenceChange(ShownToAreaChairs, Strict):
    """Changes to a conference; None leaves a value as it is."""

    name: Name | None = None


class ConferenceSummary(BaseModel):
    """One line of the list of conferences."""

    id: Id
    name: str
    created: datetime
    runs: int  # that the viewer may open


class DeletedConference(BaseModel):
    """A conference in the bin."""

    id: Id
    name: str
    deleted: datetime
    who: str
    goes: datetime  # when it is deleted for good


class FileInfo(FromRow):
    """An uploaded file."""

    id: Id
    name: str
    size: int
    sha256: str
    uploaded: datetime
    for_ballots: bool  # added for a collection of ballots: runs leave it out unless chosen


class RunSummary(FromRow):
    """One line of the list of runs. An area chair gets no λ, no conflicts, and only the day."""

    id: Id
    name: str
    status: Status
    created: datetime
    finished: datetime | None
    shared: bool
    archived: bool
    lam: float | Literal["inf"] | None
    conflicts: str | None


class ConferenceDetail(ShownToAreaChairs):
    """A conference with its runs and files.

    `files`, `system_hosts` (which the server may contact) and what area chairs see are for chairs only.
    """

    model_config = ConfigDict(json_schema_serialization_defaults_required=True)

    id: Id
    name: str
    created: datetime
    runs: list[RunSummary]
    files: list[FileInfo]
    system_hosts: list[str]
