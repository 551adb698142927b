"""Models of checks and runs."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal

from pydantic import BaseModel, Field

from unround.console.schemas.base import Id, Name, Status, Strict
from unround.console.schemas.conferences import FileInfo
from unround.formats.model import FormatName, Options
from unround.settings import AUTO_PLUS, EPSILON, PolicyName, Settings, UnrankedName, parse_lambda

# --- reading and checking -----------------------------------------------------------------------


class Reading(Strict):
    """How to read the files."""

    format: FormatName = "auto"
    columns: dict[str, str] = Field(default_factory=dict, max_length=50)  # ours -> the file's
    missing: dict[str, str] = Field(default_factory=dict, max_length=4)  # ours -> values for "none"
    score_fields: list[str] = Field(default_factory=list, max_length=20)
    ranker: str | None = Field(default=None, max_length=200)
    encoding: str = Field(default="", max_length=40)  # of text files that are not UTF-8
    duplicates: Literal["refuse", "newest", "first", "mean"] = "refuse"  # which review counts
    match_ids: Literal["certain", "always", "never"] = "certain"  # ids written in different ways
    count_drafts: bool = False  # HotCRP's forms that are not marked as submitted
    keep_withdrawn: bool = False

    def options(self) -> Options:
        """Return the same for the readers of files."""
        fields = self.model_dump()
        fields |= {"score_fields": tuple(self.score_fields), "ranker": self.ranker or None}
        return Options(**fields)


class ConstraintForm(Strict):
    """How statements become constraints."""

    scale: Annotated[str, Field(max_length=2000)] | None = None  # "1,3,5,6,8,10" or "D,C,B,A"
    epsilon: Annotated[float, Field(gt=0, lt=1e6)] = EPSILON
    conflicts: PolicyName = "refuse"
    unranked: UnrankedName = "apart"
    ignore_rankings: bool = False


class NewCheck(Strict):
    """Files to read and check."""

    files: Annotated[list[Id], Field(min_length=1, max_length=100)]
    reading: Reading = Reading()
    method: ConstraintForm = ConstraintForm()

    def settings(self) -> Settings:
        """Return the method's settings. Raises UsageError for one that makes no sense."""
        form = self.method.model_dump() | {"scale": self.method.scale or None}
        return Settings.checked(**form)


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

    reviewers: int = 0
    contradictions: int = 0
    fewest_changes: int = 0
    lines: list[ReviewerContradictions] = []


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


class Findings(BaseModel):
    """What a check has found; empty before its end. A check's row holds it as JSON."""

    recognised: list[str] = []
    notes: list[str] = []
    scale: ScaleInUse | None = None  # None where the scores make no scale
    counts: dict[str, int] = {}  # reviews, papers, reviewers, rankings
    previews: list[Preview] = []
    columns: list[FileColumns] = []
    issue_counts: list[IssueCount] = []
    issues: list[IssueLine] = []  # the first ones; all are in issues.csv
    contradictions: Contradictions = Contradictions()
    ready: bool = False  # whether a run with the same files and settings would be accepted


class Check(Findings):
    """A check and its findings. `reason` says why the files could not be read."""

    id: Id
    status: Status
    reason: str | None


# --- runs ---------------------------------------------------------------------------------------


class NewRun(NewCheck):
    """A run to start."""

    name: Name
    lam: Annotated[str, Field(min_length=1, max_length=40)] = AUTO_PLUS
    uncertainty: bool = False  # intervals and P(accept), by a model
    calibrate: bool = False  # strict and lenient reviewers

    def settings(self) -> Settings:
        """Return the method's settings. Raises UsageError for one that makes no sense."""
        return super().settings().changed(lam=parse_lambda(self.lam))


class AcceptanceLine(Strict):
    """How many papers are accepted: a number or a share in per cent, of all or in each track."""

    amount: Annotated[float, Field(ge=0, le=1e9, allow_inf_nan=False)]
    percent: bool = False
    per_track: bool = False


class RunChange(Strict):
    """Changes to a run; what is not named stays. `line` is that of all runs; None takes it away."""

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

    @classmethod
    def of(cls, status: str, reason: str | None = None) -> JobProgress:
        """Return the progress of a job that reports no stage: before its start, or after its end."""
        return cls.model_validate(
            {"status": status, "stage": None, "done": 0, "total": 0, "reason": reason}
        )


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
