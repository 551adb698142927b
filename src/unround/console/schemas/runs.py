"""Models of the API. The front end's types are generated from these."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, field_validator

from unround.disclosure.scope import Disclosure
from unround.formats.model import FormatName
from unround.settings import EPSILON, PolicyName, UnrankedName

Role = Literal["chair", "area_chair", "reviewer"]
Status = Literal["queued", "running", "done", "refused", "failed", "cancelled"]
Name = Annotated[str, Field(min_length=1, max_length=200, pattern=r"\S")]
Id = Annotated[str, Field(pattern=r"^[0-9a-f]{32}$")]


def _texts(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for one in value:
            yield from _texts(one)
    elif isinstance(value, dict):
        for key, one in value.items():
            yield from _texts(key)
            yield from _texts(one)


class Strict(BaseModel):
    """Input: an unknown field is an error."""

    model_config = ConfigDict(extra="forbid")

    @field_validator("*", mode="before")
    @classmethod
    def _storable(cls, value: object) -> object:
        """Reject text that some database cannot store."""
        for text in _texts(value):
            if "\0" in text or any("\ud800" <= character <= "\udfff" for character in text):
                raise ValueError("the text holds characters that cannot be stored")
        return value


# --- the viewer ---------------------------------------------------------------------------------


class Credentials(Strict):
    """The secret of a link."""

    secret: Annotated[str, Field(min_length=1, max_length=200)]


class Me(BaseModel):
    """The viewer who is signed in. A chair without a conference is the server's owner."""

    role: Role
    name: str | None  # of an area chair, and of a chair whose link has a name
    conference: Id | None
    expires: datetime | None  # when the link expires


class ErrorBody(BaseModel):
    """Why a request was refused, in words for the person who sent it."""

    detail: str


# --- conferences and files ----------------------------------------------------------------------


class NewConference(Strict):
    """A conference to make."""

    name: Name


class ConferenceChange(Strict):
    """Changes to a conference; None leaves a value as it is."""

    name: Name | None = None
    show_stars: bool | None = None
    show_names: bool | None = None
    disclosure: Disclosure | None = None


class ConferenceSummary(BaseModel):
    """One line of the list of conferences."""

    id: Id
    name: str
    created: datetime
    runs: int  # that the viewer may open


class FileInfo(BaseModel):
    """An uploaded file."""

    id: Id
    name: str
    size: int
    sha256: str
    uploaded: datetime


class RunSummary(BaseModel):
    """One line of the list of runs. For an area chair without λ and conflicts."""

    id: Id
    name: str
    status: Status
    created: datetime
    finished: datetime | None
    shared: bool
    archived: bool
    lam: float | Literal["inf"] | None
    conflicts: str | None


class ConferenceDetail(BaseModel):
    """A conference with its runs and files. `files` and what area chairs see are for chairs only."""

    id: Id
    name: str
    created: datetime
    runs: list[RunSummary]
    files: list[FileInfo]
    show_stars: bool | None
    show_names: bool | None
    disclosure: Disclosure | None


# --- reading and checking -----------------------------------------------------------------------


class Reading(Strict):
    """How to read the files."""

    format: FormatName = "auto"
    columns: dict[str, str] = Field(default_factory=dict, max_length=50)  # ours -> the file's
    score_fields: list[str] = Field(default_factory=list, max_length=20)
    ranker: str | None = Field(default=None, max_length=200)
    encoding: str = Field(default="", max_length=40)  # of text files that are not UTF-8
    duplicates: Literal["refuse", "newest", "first", "mean"] = "refuse"  # which review counts
    match_ids: Literal["certain", "always", "never"] = "certain"  # ids written in different ways


class ConstraintForm(Strict):
    """How statements become constraints."""

    scale: Annotated[str, Field(max_length=2000)] | None = None  # "1,3,5,6,8,10" or "D,C,B,A"
    epsilon: Annotated[float, Field(gt=0, lt=1e6)] = EPSILON
    conflicts: PolicyName = "refuse"
    unranked: UnrankedName = "apart"
    same_within: Annotated[float, Field(ge=0, lt=1e6)] | None = None


class NewCheck(Strict):
    """Files to read and check."""

    files: Annotated[list[Id], Field(min_length=1, max_length=100)]
    reading: Reading = Reading()
    method: ConstraintForm = ConstraintForm()


class Preview(BaseModel):
    """The first rows of a table."""

    table: Literal["reviews", "rankings", "papers"]
    columns: list[str]
    rows: list[list[str]]
    height: int


class IssueCount(BaseModel):
    """How many issues of one kind there are, and what can be done about them."""

    kind: str
    count: int
    advice: str


class IssueLine(BaseModel):
    """One issue."""

    kind: str
    message: str
    where: list[str]
    action: str  # what the policy does about it; empty: the input is refused


class ReviewerContradictions(BaseModel):
    """How a reviewer's rankings contradict their scores."""

    reviewer: str
    reviewer_name: str | None
    email: str | None
    contradictions: int  # pairs of papers
    fewest_changes: int  # places or stated pairs that would have to change
    sentence: str  # to be sent to the reviewer


class Contradictions(BaseModel):
    """Contradictions of all reviewers together, and the first reviewers; all are in the CSV file."""

    reviewers: int
    contradictions: int
    fewest_changes: int
    lines: list[ReviewerContradictions]


class ScaleInUse(BaseModel):
    """The scale that a run would use."""

    text: str  # as the field "Scale" takes it: "1..10" or "1,3,5,6,8,10"
    levels: list[float | str]
    origin: str  # where it came from, levels that nobody used, and what to write to change it


class FileColumns(BaseModel):
    """The columns of an uploaded table, for mapping them by hand."""

    file: Id
    name: str
    columns: list[str]


class Check(BaseModel):
    """The findings of a check. `reason` says why the files could not be read."""

    id: Id
    status: Status
    reason: str | None
    recognised: list[str]
    notes: list[str]
    scale: ScaleInUse | None  # None where the scores make no scale
    counts: dict[str, int]  # reviews, papers, reviewers, rankings
    previews: list[Preview]
    columns: list[FileColumns]
    issue_counts: list[IssueCount]
    issues: list[IssueLine]  # the first ones; all are in issues.csv
    contradictions: Contradictions
    ready: bool  # a run with the same files and settings would go through


# --- runs ---------------------------------------------------------------------------------------


class NewRun(NewCheck):
    """A run to start."""

    name: Name
    lam: Annotated[str, Field(min_length=1, max_length=40)] = "auto"
    uncertainty: bool = False  # intervals and P(accept), by a model
    calibrate: bool = False  # strict and lenient reviewers


class AcceptanceLine(Strict):
    """How many papers are accepted: a number or a share in per cent, of all or in each track."""

    amount: Annotated[float, Field(ge=0, le=1e9, allow_inf_nan=False)]
    percent: bool = False
    per_track: bool = False


class RunChange(Strict):
    """Changes to a run; what is not named stays. `line` None takes the line away."""

    name: Name | None = None
    shared: bool | None = None  # whether area chairs may open the run
    archived: bool | None = None
    line: AcceptanceLine | None = None


class JobProgress(BaseModel):
    """How far a run has come."""

    status: Status
    stage: str | None  # reading, validating, solving, calibrating, sampling, saving
    done: int
    total: int
    reason: str | None


class RunDetail(BaseModel):
    """Everything about a run but its results. For chairs."""

    id: Id
    conference: Id
    name: str
    status: Status
    reason: str | None  # why it was refused or failed
    created: datetime
    finished: datetime | None
    shared: bool
    archived: bool
    line: AcceptanceLine | None
    progress: JobProgress
    reading: Reading
    method: ConstraintForm
    lam: str
    uncertainty: bool
    calibrate: bool
    inputs: list[FileInfo]
    issue_counts: list[IssueCount]
    issues: list[IssueLine]  # of a refused run, the first ones
    contradictions: Contradictions  # of a refused run
    files: list[str]  # that it wrote, to download


# --- what area chairs could find out ------------------------------------------------------------
