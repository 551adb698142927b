"""Synthetic conferences with a known truth: Thurstone's model, and real scores made coarser."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import ArrayLike

from unround.arrays import FloatArray, IntArray, freeze
from unround.errors import UsageError
from unround.scale import Scale

if TYPE_CHECKING:
    import polars as pl

    Seed = int | np.random.Generator | None

DRAWS = ("generator", "published")


@dataclass(frozen=True)
class Conference:
    """Reviews and rankings as polars tables, and the real-valued opinion behind each review.

    >>> import unround
    >>> conference = unround.simulate.thurstone(papers=12, seed=3)
    >>> conference.reviews.columns, conference.rankings.columns, conference.truth.shape
    (['reviewer', 'paper', 'score'], ['reviewer', 'paper', 'rank'], (48,))
    """

    reviews: pl.DataFrame
    rankings: pl.DataFrame
    truth: FloatArray  # in the order of `reviews`
    scale: Scale

    def __post_init__(self) -> None:
        freeze(self.truth)


def thurstone(
    papers: int = 60,
    *,
    reviews_per_paper: int | Sequence[int] = 4,
    papers_per_reviewer: int | Sequence[int] = 4,
    noise: float = 0.5,
    quality: tuple[float, float] | None = None,
    scale: Scale | Sequence[Any] | None = None,
    seed: Seed = None,
    draw: str = "generator",
) -> Conference:
    """Draw a conference from Thurstone's model: opinions are a paper's quality plus normal noise.

    Scores are the opinions rounded to the scale; rankings are in the order of the opinions.

    Parameters
    ----------
    papers
        How many papers.
    reviews_per_paper
        One number, or one per paper.
    papers_per_reviewer
        One load, or several that reviewers take in turn. The last reviewer may have a smaller load.
    noise
        Standard deviation σ of opinions around a paper's quality.
    quality
        Range of the uniform qualities. None: the scale less a tenth at each end.
    scale
        None: 0, 1, .., 10.
    draw
        "generator" (numpy.random.Generator), or "published": the legacy generator in the order of the
        paper's own program. The latter needs an integer seed.

    >>> import unround
    >>> conference = unround.simulate.thurstone(seed=0, draw="published")
    >>> unround.metrics.kendall_error(conference.truth, conference.reviews["score"])
    0.05937935843793584
    """
    if isinstance(papers, bool) or not isinstance(papers, int | np.integer):
        raise UsageError(f"papers must be a whole number, not {papers!r}")
    levels = _scale(scale)
    low, high = float(levels.values[0]), float(levels.values[-1])
    margin = 0.1 * (high - low)
    if quality is not None and (not isinstance(quality, tuple | list) or len(quality) != 2):
        raise UsageError(f"quality must be a pair, worst and best, not {quality!r}")
    worst, best = quality if quality is not None else (low + margin, high - margin)
    counts = _counts(reviews_per_paper, papers)
    if not isinstance(noise, int | float) or not 0.0 <= noise < np.inf:
        raise UsageError(f"noise must be a number of at least 0, not {noise!r}")
    if not worst <= best:
        raise UsageError(f"quality goes from worst to best: {worst!r} to {best!r} does not")
    random = _random(seed, draw)
    merit = random.uniform(worst, best, papers)
    drawn = [
        (reviewer, paper, np.clip(merit[paper] + random.normal(0.0, noise, paper.size), low, high))
        for reviewer, paper in _assignments(counts, papers_per_reviewer, random)
    ]
    reviewer, paper, truth = (np.concatenate(part) for part in zip(*drawn, strict=True))
    return _conference(reviewer, paper, truth, levels.nearest(truth), levels)


def coarsened(
    scores: ArrayLike,
    *,
    papers_per_reviewer: int | Sequence[int] = 6,
    seed: Seed = None,
    draw: str = "generator",
) -> Conference:
    """Make real scores y the truth: reviews get ⌈y/2⌉, and random reviewers rank by y.

    `scores` is a table of papers by reviews of integer scores, NaN where a paper has fewer reviews.
    Evenly spaced levels such as 0, 2, .., 10 are counted in level spacings, 0 to 5, before.

    >>> import unround
    >>> conference = unround.simulate.coarsened([[7, 8, 3], [5, 5, 6]], papers_per_reviewer=2, seed=0)
    >>> sorted(conference.reviews["score"].to_list())
    [2, 3, 3, 3, 4, 4]
    """
    try:
        table = np.asarray(scores, dtype=np.float64)
    except (TypeError, ValueError):
        table = np.empty(0)
    if table.ndim != 2 or not table.size:
        raise UsageError("scores must be a table of numbers: a row per paper, a column per review")
    fine = scale_of(table)
    counts = (~np.isnan(table)).sum(axis=1)
    filled = np.take_along_axis(table, np.argsort(np.isnan(table), axis=1, kind="stable"), axis=1)
    random = _random(seed, draw)
    drawn = [
        (reviewer, paper, filled[paper, position])
        for position, (reviewer, paper) in enumerate(
            _assignments(counts, papers_per_reviewer, random)
        )
    ]
    reviewer, paper, truth = (np.concatenate(part) for part in zip(*drawn, strict=True))
    coarse = fine.coarse_values()[np.searchsorted(fine.values, truth)]
    return _conference(
        reviewer, paper, truth, coarse, Scale.integers(int(coarse.min()), int(coarse.max()))
    )


def scale_of(scores: ArrayLike) -> Scale:
    """Return the scale of integer scores: every integer between the ends, or every second, third, ..

    >>> import unround
    >>> unround.simulate.scale_of([[1, 3], [4, float("nan")]])
    Scale(1, 2, 3, 4)
    >>> unround.simulate.scale_of([[0, 2], [6, 10]])
    Scale(0, 2, 4, 6, 8, 10)
    """
    table = np.asarray(scores, dtype=np.float64)
    given = table[~np.isnan(table)]
    if not given.size or not np.all(np.isfinite(given)) or np.any(given != np.rint(given)):
        raise UsageError("scores must be integers, at least one: they are coarsened by ⌈y/2⌉")
    used = np.unique(given).astype(np.int64)
    step = int(np.gcd.reduce(np.diff(used))) if used.size > 2 else 1
    return Scale(range(int(used[0]), int(used[-1]) + 1, step))


class _Random(Protocol):
    """What both of numpy's generators can do."""

    def uniform(self, low: float, high: float, size: int) -> FloatArray: ...
    def normal(self, loc: float, scale: float, size: int) -> FloatArray: ...
    def permutation(self, x: IntArray) -> IntArray: ...


def _random(seed: Seed, draw: str) -> _Random:
    if draw not in DRAWS:
        raise UsageError(f"draw must be one of {', '.join(map(repr, DRAWS))}, not {draw!r}")
    try:
        if draw == "generator":
            return np.random.default_rng(seed)
        if isinstance(seed, int | np.integer):
            return np.random.RandomState(seed)
    except (TypeError, ValueError) as error:
        raise UsageError(f"{seed!r} is no seed: {error}") from None
    raise UsageError('draw="published" needs an integer seed, the number of the trial')


def _scale(scale: Scale | Sequence[Any] | None) -> Scale:
    levels = Scale.integers(0, 10) if scale is None else Scale.of(scale)
    if levels.is_reversed:
        raise UsageError(f"simulated levels go from worst to best: {levels.text} does not rise")
    return levels


def _counts(reviews_per_paper: int | Sequence[int], papers: int) -> IntArray:
    counts = _whole_numbers(reviews_per_paper, "reviews_per_paper")
    if papers < 1:
        raise UsageError("a conference needs at least one paper")
    if counts.size not in (1, papers):
        raise UsageError(
            f"reviews_per_paper has {counts.size} entries for {papers} papers: give one, or one a paper"
        )
    return np.broadcast_to(counts, (papers,))


def _whole_numbers(values: int | Sequence[int], name: str) -> IntArray:
    numbers = np.atleast_1d(np.asarray(values))
    if not numbers.size or numbers.dtype.kind not in "iu" or numbers.min() < 1:
        raise UsageError(f"{name} must be a whole number of at least 1, or a list of such")
    return numbers.astype(np.int64)


def _assignments(
    counts: IntArray, loads: int | Sequence[int], random: _Random
) -> Iterator[tuple[IntArray, IntArray]]:
    """Yield reviewers and papers, for every paper's first review, then for every second one, and so on.

    Each time the papers are shuffled and dealt out in loads to new reviewers: nobody gets a paper twice.
    """
    turn = _whole_numbers(loads, "papers_per_reviewer")
    first = 0
    for position in range(int(counts.max())):
        paper = random.permutation(np.flatnonzero(counts > position))
        sizes = np.resize(turn, -(-paper.size // int(turn.min())))
        reviewer = first + np.repeat(np.arange(sizes.size), sizes)[: paper.size]
        first = int(reviewer[-1]) + 1
        yield reviewer, paper


def _conference(
    reviewer: IntArray, paper: IntArray, truth: FloatArray, score: FloatArray, scale: Scale
) -> Conference:
    import polars as pl

    symbols = np.array(scale.levels)[np.searchsorted(scale.values, score)]
    reviews = pl.DataFrame({"reviewer": reviewer, "paper": paper, "score": symbols})
    rank = _ranks_within(reviewer, truth)
    rankings = pl.DataFrame({"reviewer": reviewer, "paper": paper, "rank": rank})
    return Conference(reviews, rankings, truth, scale)


def _ranks_within(reviewer: IntArray, truth: FloatArray) -> IntArray:
    """Rank each reviewer's papers by opinion, 1 for the best; equal opinions share a rank.

    In NumPy: polars would wait for its threads, which a forked process does not have.
    """
    order = np.lexsort((-truth, reviewer))
    owner, opinion = reviewer[order], truth[order]
    first = np.concatenate([[True], owner[1:] != owner[:-1]])
    lower = np.concatenate([[True], opinion[1:] != opinion[:-1]])
    place = np.cumsum(first | lower)
    rank = np.empty(order.size, dtype=np.int64)
    rank[order] = place - np.maximum.accumulate(np.where(first, place, 0)) + 1
    return rank
