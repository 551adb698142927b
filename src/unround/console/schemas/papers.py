"""Models of papers: the chairs' decisions, tags, notes and saved views."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal

from pydantic import BaseModel, Field

from unround.console.schemas.base import FromRow, Id, Name, Strict

PaperId = Annotated[str, Field(min_length=1, max_length=500)]
PaperIds = Annotated[list[PaperId], Field(min_length=1, max_length=200_000)]
Label = Annotated[str, Field(min_length=1, max_length=60, pattern=r"^\S(.*\S)?$")]
Tag = Annotated[str, Field(min_length=1, max_length=60, pattern=r"^[^\s,;]+$")]
MarkField = Literal["decision", "tag", "note"]


class PaperMarks(BaseModel):
    """What the chairs said of one paper."""

    paper: str
    decision: str | None
    tags: list[str]
    note: str | None


class Marks(BaseModel):
    """Decisions, tags and notes of a conference. `version` counts up with every change."""

    version: int
    papers: list[PaperMarks]  # those that have any


class SetDecision(Strict):
    """A decision on some papers; None takes it away.

    `seen` is the version that the chair looked at: papers decided since then refuse the change.
    """

    papers: PaperIds
    decision: Label | None
    seen: Annotated[int, Field(ge=0)] | None = None


class SetTags(Strict):
    """Tags to add to papers and to remove from them."""

    papers: PaperIds
    add: Annotated[list[Tag], Field(max_length=20)] = Field(default_factory=list)
    remove: Annotated[list[Tag], Field(max_length=20)] = Field(default_factory=list)


class SetNote(Strict):
    """A paper's note. `before` is the note that the chair started from."""

    paper: PaperId
    note: Annotated[str, Field(max_length=20_000)]
    before: Annotated[str, Field(max_length=20_000)] = ""


class Undo(Strict):
    """A change to undo."""

    batch: Id


class ChangeResult(BaseModel):
    """The outcome of a change. `kept` papers stay as they are: somebody changed them since."""

    batch: Id | None  # to undo it; None where nothing changed
    papers: int
    kept: int = 0


class PaperChange(FromRow):
    """One change of one paper."""

    at: datetime
    who: str
    field: MarkField
    before: str | None
    after: str | None


class ChangeBatch(BaseModel):
    """Changes that were made at once."""

    batch: Id  # to undo them
    at: datetime
    who: str
    field: MarkField
    before: list[str]  # every value that was there, "" for none
    after: list[str]
    papers: list[str]  # a few of them
    count: int
    undoable: int  # papers that are still as these changes left them


class SavedRecommendation(Strict):
    """What an area chair recommends on a paper of theirs, and their note to the chairs."""

    paper: PaperId
    value: Label | None = None
    note: Annotated[str, Field(max_length=20_000)] = ""
    area_chair: str


class Recommendation(Strict):
    """A recommendation, a note or both; what is not named stays.

    `before` is the note that the area chair started from: a note that has changed since is kept.
    """

    paper: PaperId
    value: Label | None = None
    note: Annotated[str, Field(max_length=20_000)] = ""
    before: Annotated[str, Field(max_length=20_000)] | None = None


class NewView(Strict):
    """A view to save, in place of one of the same name."""

    name: Name
    query: Annotated[str, Field(max_length=8000)]


class SavedView(FromRow):
    """A named view of the table of papers."""

    id: Id
    name: str
    query: str
    who: str
    at: datetime
