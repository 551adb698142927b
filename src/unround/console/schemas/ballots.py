"""Models of the API about ballots."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, ClassVar, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

from unround.ballots.content import BallotContent, BallotPaper, Rules, Score
from unround.ballots.statements import BallotContradiction, Unanswered
from unround.console.schemas.access import Days
from unround.console.schemas.base import Id, Moment, Name, Strict
from unround.console.schemas.conferences import FileInfo
from unround.console.schemas.runs import Reading
from unround.settings import PolicyName

MOST_PAPERS = 500
State = Literal["open", "closed"]
Which = Literal["saved", "submitted"]  # ballots that count

# --- what a reviewer says -----------------------------------------------------------------------


class SaveBallot(Strict):
    """A ballot to save, on top of the version that the reviewer saw.

    The same `save_id` is saved once: a request whose response was lost can be sent again.
    """

    save_id: Annotated[str, Field(pattern=r"^[0-9a-fA-F-]{8,36}$")]
    base_version: Annotated[int, Field(ge=0, le=2**31 - 1)]
    content: BallotContent
    submit: bool = False


# --- what a reviewer sees -----------------------------------------------------------------------


@dataclass(frozen=True)
class CollectionOptions(Rules):
    """What a collection allows, and what it shows."""

    __pydantic_config__: ClassVar = {"extra": "forbid"}
    top_k: Annotated[int, Field(ge=1, le=MOST_PAPERS)] | None = None
    show_scores: bool = True


class BallotCollection(BaseModel):
    """A collection as a reviewer sees it. Closed: by the chairs, or because the deadline has passed."""

    title: str
    instructions: str
    options: CollectionOptions
    deadline: datetime | None
    state: State
    levels: list[Score]  # of the scale, worst first; none where scores are not shown


class NextPair(BaseModel):
    """The pair to ask about: so many are answered, and so many at most are left with this one."""

    first: str
    second: str
    done: int
    left: int


class Ballot(BaseModel):
    """A reviewer's ballot: version 0 is the empty one."""

    id: Id
    collection: BallotCollection
    reviewer: str
    papers: list[BallotPaper]  # with the reviewer's own scores, where these are shown
    version: int
    saved_at: datetime | None
    submitted_at: datetime | None
    submitted_version: int | None
    receipt: str | None  # a checksum of this version: chairs see the same one
    content: BallotContent
    contradictions: list[BallotContradiction]
    next_pair: NextPair | None  # in the mode "pairs"
    order: list[list[str]] | None  # that the pairs settle, as groups, where groups can state it


class BallotConflict(BaseModel):
    """Why a ballot was not saved: another one was, meanwhile, and is the newest."""

    detail: str
    current: Ballot


class BallotVersion(BaseModel):
    """One saved state of a ballot."""

    version: int
    saved_at: datetime
    submitted: bool
    receipt: str


# --- what chairs make ---------------------------------------------------------------------------


class CollectionSource(Strict):
    """Who reviews what: from a finished run, or from uploaded files."""

    run: Id | None = None
    files: list[Id] = Field(default_factory=list, max_length=100)
    reading: Reading = Reading()  # of the files

    @model_validator(mode="after")
    def _one(self) -> CollectionSource:
        """Reject none and both."""
        if (self.run is None) != bool(self.files):
            raise ValueError("name a run, or files")
        return self


class CollectionForm(Strict):
    """What a collection says and allows. A deadline without a zone is in UTC."""

    title: Name
    instructions: Annotated[str, Field(max_length=10_000)] = ""
    options: CollectionOptions = CollectionOptions()
    deadline: Moment | None = None

    @model_validator(mode="after")
    def _best_of_a_list(self) -> CollectionForm:
        """Reject "only the best" with pairs, which ask about all papers."""
        if self.options.mode == "pairs" and self.options.top_k is not None:
            raise ValueError("only the best can be asked for in a list, not in pairs")
        return self


class NewCollection(CollectionForm):
    """A collection to make."""

    source: CollectionSource


class CollectionPreview(BaseModel):
    """What would be made."""

    ballots: int
    reviewers: int
    papers: int
    too_short: int  # reviewers with one paper, who get no ballot
    too_short_examples: list[str]
    without_email: int
    without_email_examples: list[str]
    with_scores: bool
    levels: list[Score]
    fewest_papers: int  # on a ballot
    most_papers: int
    notes: list[str]  # what of the files was changed or left out


class CollectionChange(Strict):
    """Changes to a collection; what is not named stays. `deadline` None takes it away."""

    title: Name | None = None
    instructions: Annotated[str, Field(max_length=10_000)] | None = None
    show_scores: bool | None = None
    state: State | None = None
    deadline: Moment | None = None


# --- what chairs see ----------------------------------------------------------------------------


class CollectionSummary(BaseModel):
    """One line of the list of collections."""

    id: Id
    title: str
    created: datetime
    state: State
    deadline: datetime | None
    ballots: int
    saved: int
    submitted: int


class CollectionCounts(BaseModel):
    """How far the reviewers have come. Each count includes the following ones."""

    ballots: int
    invited: int  # have had a link
    opened: int
    saved: int
    submitted: int


class ContradictionCounts(BaseModel):
    """Contradictions on the newest versions, and what reviewers answered."""

    ballots: int  # with at least one
    asked: int
    unanswered: int
    order: int
    score: int
    both: int
    unsure: int
    changed_scores: int


class BallotLine(BaseModel):
    """One ballot of the list."""

    model_config = ConfigDict(json_schema_serialization_defaults_required=True)

    id: Id
    reviewer: str
    name: str | None
    email: str | None
    papers: int
    invited: datetime | None
    opened: datetime | None
    saved: datetime | None
    submitted: datetime | None
    version: int
    placed: int = 0
    cannot_say: int = 0
    contradictions: int = 0
    unanswered: int = 0


class Collection(BallotCollection):
    """A collection with its ballots, as chairs see it."""

    id: Id
    conference: Id
    closed_by_chairs: bool
    created: datetime
    source: str
    counts: CollectionCounts
    opened_not_saved: int  # drop-outs
    saved_not_submitted: int
    median_minutes: float | None  # from opening to the last submission
    contradictions: ContradictionCounts
    warnings: list[str]  # to read before sending links
    ballots: list[BallotLine]


class BallotLinks(Strict):
    """Links to make: for all ballots, those without an open link, or those not submitted.

    Links that a reviewer has stay open with "keep" and are revoked with "replace".
    """

    only: Literal["all", "without_link", "unanswered"] = "all"
    ballot: Id | None = None  # for this one alone
    existing: Literal["keep", "replace"] = "keep"
    days: Days = None


class BallotLink(BaseModel):
    """A new link with its URL, which is shown once."""

    ballot: Id
    reviewer: str
    name: str | None
    email: str | None
    url: str
    expires: datetime | None


class CreatedBallotLinks(BaseModel):
    """New links, and the same as a table for a mail merge."""

    links: list[BallotLink]
    csv: str


class BallotVersionDetail(BallotVersion):
    """One saved state with its content."""

    content: BallotContent


class BallotDetail(BaseModel):
    """A ballot with all its versions, oldest first."""

    line: BallotLine
    papers: list[BallotPaper]
    contradictions: list[BallotContradiction]
    versions: list[BallotVersionDetail]


class UseBallots(Strict):
    """Which ballots become rankings, and what becomes of contradictions without an answer."""

    which: Which = "saved"
    unanswered: Unanswered = "keep"


class RankingFiles(BaseModel):
    """The files that were made, for "New run"."""

    files: list[FileInfo]
    earlier: list[FileInfo]  # made of this collection before: a run takes these or those
    ballots: int
    partial: int  # stated as comparisons, because ranks cannot state them
    conflicts: PolicyName  # the policy that does what reviewers answered
    advice: str
