"""Models of sessions, links, area chairs and the log."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal

from pydantic import BaseModel, Field

from unround.console.schemas.base import FromRow, Id, Name, Role, Strict

Days = Annotated[int, Field(ge=1, le=3650)] | None  # None: never expires
# What becomes of a person's open link when a new one is made. "refuse" makes none and says so.
Existing = Literal["refuse", "replace", "keep"]


class Credentials(Strict):
    """The secret of a link."""

    secret: Annotated[str, Field(min_length=1, max_length=200)]


class Me(BaseModel):
    """The viewer who is signed in. A chair without a conference is the server's owner."""

    role: Role
    name: str | None  # of an area chair, and of a chair whose link has a name
    conference: Id | None
    expires: datetime | None  # when the link expires
    home: Id | None  # the run that an area chair begins with: the newest that is shared


class NewLink(Strict):
    """A link to make: for an area chair or, when None, for a chair of the conference by name."""

    area_chair: Id | None = None
    days: Days = None
    label: Annotated[str, Field(max_length=200)] = ""
    existing: Existing = "refuse"


class NewLinks(Strict):
    """A link for every area chair. "skip" makes links only for those without an open one."""

    days: Days = None
    existing: Existing | Literal["skip"] = "refuse"


class NewOwnerLink(Strict):
    """A link for another owner of the server."""

    label: Name
    days: Days = None


class Link(FromRow):
    """A link as it is listed. Its secret is not stored."""

    id: Id
    role: Role
    area_chair: Id | None
    label: str
    created: datetime
    expires: datetime | None
    revoked: datetime | None
    opened: datetime | None  # the last time


class CreatedLink(Link):
    """A new link with its URL, which is shown once."""

    url: str
    name: str | None
    email: str | None


class AreaChairDetail(BaseModel):
    """An area chair and their papers."""

    id: Id
    name: str
    email: str | None
    papers: int
    links: list[Link]


class FormerAreaChairs(BaseModel):
    """The area chairs before the last import, which can be brought back."""

    at: datetime
    who: str
    area_chairs: int


class Access(BaseModel):
    """The area chairs and links of a conference."""

    area_chairs: list[AreaChairDetail]
    chair_links: list[Link]
    warnings: list[str]  # to read before sending links
    former: FormerAreaChairs | None


class AssignmentResult(BaseModel):
    """What importing area chairs changes, or has changed when `done`.

    Nothing is changed until the request is repeated with `edition`, or when there are issues.
    """

    edition: int  # of the conference; confirms this very change
    done: bool = False
    area_chairs: int = 0
    papers: int = 0
    added: int = 0  # people who are new
    returning: int = 0  # people who were removed earlier
    returning_links: int = 0  # open links that work again
    removed: int = 0
    removed_links: int = 0  # open links that stop working
    unknown_papers: int = 0  # in no run of the conference
    unknown_examples: list[str] = []
    unassigned_papers: int = 0  # of the newest run, without an area chair
    emails: int = 0  # people whose e-mail was not known
    notes: list[str] = []  # what of the table was changed or left out
    issues: list[str] = []


class ServerAccess(BaseModel):
    """Links of the server's owners, who open every conference."""

    links: list[Link]


class LogEntry(FromRow):
    """A line of the log."""

    when: Annotated[datetime, Field(validation_alias="at")]
    who: str
    action: str
    detail: str
