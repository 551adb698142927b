"""What the API says about the influence of single reviewers."""

from __future__ import annotations

from pydantic import BaseModel


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


class InfluenceAudit(BaseModel):
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

    audit: InfluenceAudit | None
