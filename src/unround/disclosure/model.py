"""View: one run as one viewer may see it, in columns, ready for JSON.

Papers, reviewers and reviews are numbered by their place in their columns, and refer to each other by
that number. A paper outside the viewer's scope is OUTSIDE, and nothing else about it is in a
View. The page computes statistics from the reviews; an area chair who gets the order alone
(`unround.disclosure.scores`) gets the places of papers, and of reviews the given scores. Where reviewers
go by their names, the order of reviews is the one that `Result.papers` adds them in, so that the two
agree to the last bit. Where they have pseudonyms, it is the order of pseudonyms, since the other one
is that of ids; a mean may then differ in its last bit.
"""

from __future__ import annotations

from typing import Literal

from typing_extensions import TypedDict

from unround.disclosure.scope import Disclosure

OUTSIDE = -1  # some paper outside the scope, shown as a star


class ViewerView(TypedDict):
    """Who the view is for; `name` is None for chairs, who see everything."""

    role: Literal["chair", "area_chair"]
    name: str | None
    reviewer_names: bool  # False: reviewers have pseudonyms


class ScaleView(TypedDict):
    """Every level, worst to best; symbols where scores are not numbers."""

    levels: list[float]
    lower: list[float]  # the ends of each level's rounding range
    upper: list[float]
    symbols: list[str] | None


class PaperColumns(TypedDict):
    """One entry per paper, by id. A column that nothing is known of is None."""

    paper: list[int | str]
    title: list[str | None] | None
    track: list[str | None] | None
    area_chair: list[str | None] | None  # chairs only
    decision: list[str | None] | None


class ReviewColumns(TypedDict):
    """One entry per review, by reviewer and paper.

    score + consensus + ranking + cell = dequantized, but for rounding to six decimals. Where only the
    order is shown, every column but the first three is empty.
    """

    paper: list[int]
    reviewer: list[int]
    score: list[float]
    dequantized: list[float]
    percentile: list[float]
    lower: list[float]  # the ends of the review's cell
    upper: list[float]
    consensus: list[float]
    ranking: list[float]
    cell: list[float]


class RankingView(TypedDict):
    """What one reviewer stated: groups of tied papers, best first, and stated pairs (better, worse)."""

    groups: list[list[int]]
    pairs: list[tuple[int, int]]


class BindingColumns(TypedDict):
    """The comparisons that hold two scores apart, and how far each lifts one and lowers the other."""

    reviewer: list[int]
    better: list[int]
    worse: list[int]
    lifts: list[float]
    lowers: list[float]


class CurveView(TypedDict):
    """The error of every λ that was tried."""

    lam: list[float]
    error: list[float]


class IssueView(TypedDict):
    """An issue of the input and what was done about it."""

    kind: str
    message: str
    where: list[str]  # file and line; chairs only
    advice: str
    action: str
    count: int  # how many cases it stands for


class SettingsView(TypedDict):
    """The settings of the run."""

    lam: str | None  # "auto", "auto+", "inf" or a number; None where only the order is shown
    epsilon: float
    scale: list[float | str]
    scale_origin: str  # where the scale came from; chairs only, for it counts all reviews
    conflicts: str
    unranked: str


class InputView(TypedDict):
    """An input file."""

    file: str
    sha256: str


class CertificateView(TypedDict):
    """The proven bounds."""

    max_error: float
    max_violation: float


class RunView(TypedDict):
    """Facts about the run; `inputs` and `read` are for chairs only.

    Where only the order is shown, λ, its curve and the certificate are left out: they depend on hidden
    scores. Without a review in scope there is nothing to compute, and `lam` is None under `scoped`.
    """

    lam: float | Literal["inf"] | None
    selection: CurveView | None
    settings: SettingsView
    certificate: CertificateView | None
    issues: list[IssueView]
    inputs: list[InputView]
    read: list[str]  # what was recognised, what was left out
    versions: dict[str, str]


class PlaceShares(TypedDict):
    """The distribution of each paper's place over the plausible orders, by a few of its points.

    The points of paper p are start[p] to start[p + 1]; `thousandths` of the orders put it at `place` or
    a better one. Between two points it is linear, off by at most ten. Large conferences have hundreds
    of thousands of points, which browsers read sooner as whole numbers.
    """

    start: list[int]
    place: list[int]
    thousandths: list[int]


class UncertaintyView(TypedDict):
    """Intervals of effects and places under the model, one entry per paper."""

    interval: float  # the share of the plausible orders between low and high
    draws: int
    rhat: float
    effective: float
    mean: list[float | None]
    low: list[float | None]
    high: list[float | None]
    place: list[int | None]
    place_low: list[int | None]
    place_high: list[int | None]
    among_all: PlaceShares
    within_track: PlaceShares | None


class CalibrationView(TypedDict):
    """Papers with strictness taken out (one entry per paper), and strictness (one per reviewer)."""

    verdict: str
    caution: str  # what to mind in the standard errors
    recommended: bool
    parts: int  # parts of the conference that no reviewer connects
    calibrated: list[float | None]
    se: list[float | None]
    effect: list[float | None]  # how far above the others the reviewer scores
    effect_se: list[float | None]


class StabilityView(TypedDict):
    """What holds for resampled reviewers; with an acceptance line, one entry per paper."""

    share_of_pairs: float
    draws: int
    accept: int | None
    caution: str
    stays: list[float | None] | None
    depends_on: list[str] | None


class EstimatesView(TypedDict):
    """Estimates of uncertainty that were requested; `missing` says why one could not be computed."""

    missing: str
    uncertainty: UncertaintyView | None
    calibration: CalibrationView | None
    stability: StabilityView | None


class WithoutColumns(TypedDict):
    """Places by mean if contradictions were set aside: one reviewer's, or of all about a paper (None).

    Large runs have these for the contradictions that moved a score furthest.
    """

    paper: list[int]
    reviewer: list[int | None]
    place: list[int]
    place_last: list[int]
    track_place: list[int]
    track_place_last: list[int]


class View(TypedDict):
    """One run as one viewer may see it."""

    conference: str
    name: str  # the run's
    # ISO 8601; None where it is unknown. For area chairs only the day: a duration tells a size.
    finished: str | None
    viewer: ViewerView
    disclosure: Disclosure | None  # what kind of numbers these are; None for chairs
    run: RunView
    scale: ScaleView
    papers: PaperColumns
    reviewers: list[str]
    reviews: ReviewColumns
    # Places of papers, 1 the best; only where the order alone is shown.
    order: list[int | None] | None
    rankings: list[RankingView]  # one per reviewer
    bindings: BindingColumns
    diagnostics: list[str]  # what the data say about themselves; chairs only
    groups: str  # how far places compare where reviewers fall into groups, or empty; chairs only
    estimates: EstimatesView | None  # chairs only
    without: WithoutColumns | None  # chairs only; None where the run has none
