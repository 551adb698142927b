"""Models of results: audits of what area chairs could find out and what single reviewers could move."""

from __future__ import annotations

from pydantic import BaseModel

from unround.disclosure.scope import Disclosure


class MovedBy(BaseModel):
    """The furthest that reviewers can move a paper: the reviewer in the middle, and the one furthest out."""

    median: float
    largest: float


class InfluentialReviewer(BaseModel):
    """A reviewer and the furthest they could move papers by their scores and ranking."""

    reviewer: str
    papers: int
    mean: float
    plain_mean: float
    places: int
    places_limit: int  # the most that any change could move; equal where the places are exact
    plain_places: int
    turns: int  # papers that they could take across the line
    exact: bool  # whether every ranking was tried; otherwise the mean is the furthest found


class InfluentialReview(BaseModel):
    """A review, and what its paper does when its score alone is a level higher or lower."""

    reviewer: str
    paper: str
    score: str
    mean: float
    move: float
    place: int
    place_to: int


class InfluenceSummary(BaseModel):
    """How far single reviewers could move papers. Shares are in per cent."""

    reviewers: int
    tried: int
    papers: int
    above: int  # places above the line
    turning: float  # reviews whose reviewer alone could take the paper across the line
    plain_turning: float  # the same under plain means
    together: MovedBy  # of a mean, by scores and ranking
    score: MovedBy  # by one score
    ranking: MovedBy  # by the ranking
    plain: MovedBy  # by scores under plain means
    places: MovedBy
    plain_places: MovedBy
    worst: list[InfluentialReviewer]
    reviews: list[InfluentialReview]


class InfluenceAnswer(BaseModel):
    """The audit of a run; none while it is being measured: ask again a second later."""

    audit: InfluenceSummary | None


class AuditedAreaChair(BaseModel):
    """An area chair and how many hidden scores they could know for sure."""

    name: str
    certain: int


class AuditedLevel(BaseModel):
    """What the area chairs who were audited could find out at one level. Shares are in per cent."""

    disclosure: Disclosure
    beside: int  # hidden scores beside one of theirs in a ranking
    certain: int  # of these, known for sure
    means: int  # of hidden papers, computed
    # Of two hidden papers, how often the one with the same score as the paper in view is picked.
    picked: float | None
    baseline: float | None  # the same from given scores and stars alone
    gain: tuple[float, float] | None  # 90% interval of the difference
    traces: float  # hidden facts that change something in a view
    worst: list[AuditedAreaChair]


class PrivacySummary(BaseModel):
    """What area chairs could find out about papers that are not theirs, measured on a sample."""

    area_chairs: int
    audited: int
    facts: int  # hidden facts that were changed, one by one
    levels: list[AuditedLevel]


class PrivacyAnswer(BaseModel):
    """The audit of a run; none while it is being measured: ask again a second later."""

    audit: PrivacySummary | None
