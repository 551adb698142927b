"""How rankings agree with scores: of other reviewers, inside ties, and of their own reviewer, between scores.

Where a reviewer gave two papers the same score, the scores-only solution orders them by the scores of
their other reviewers, and the reviewer's ranking, which was left out, can be compared with that order. If
either of the two carried no information, half of these pairs would agree. Where a reviewer gave two papers
different scores, a ranking that contradicts them shows how often stated comparisons are wrong.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from unround.arrays import FloatArray, IntArray
from unround.metrics import tie_grid
from unround.preparation import compared_pairs, ranked_pairs
from unround.problem.build import build_problem
from unround.problem.rank_lists import completed_ranks
from unround.reviews.review_set import ReviewSet, Statements
from unround.settings import Settings
from unround.solver.engine import ON_THIS_MACHINE, Engine

LEVEL = 0.95
CHANCE = 0.5
# The λ that scores alone are dequantized at where the run's is infinite: there they would not move at all.
LAMBDA_FOR_INFINITY = 1.0
# In units of the smallest level spacing: a hundredth of the decimal to which scores are tied.
TOLERANCE = 1e-6


@dataclass(frozen=True)
class Consensus:
    """How often rankings agree with the scores-only order of papers that their reviewer tied.

    The 95% interval is over reviewers: pairs of one reviewer are not independent of each other.
    """

    pairs: int  # ranked pairs of papers to which their reviewer gave one score
    agree: float  # of these, so many are ranked as consensus orders them; undecided ones count half
    undecided: int  # pairs that the scores-only solution ties
    reviewers: int  # who ranked such pairs
    low: float  # ends of the interval of `share`
    high: float
    lam: float  # the λ at which the scores alone were dequantized
    # The share, and its interval, in simulated conferences whose scores and rankings are right.
    sound: float | None = None
    sound_low: float | None = None
    sound_high: float | None = None

    @property
    def share(self) -> float:
        """The share of pairs that agree."""
        return self.agree / self.pairs if self.pairs else math.nan

    def in_words(self) -> str:
        """State the share, its interval, and what a sound conference would show."""
        if not self.pairs:
            return (
                "Consensus cannot be tested here: nobody ranked two papers to which they gave the same "
                "score."
            )
        return (
            f"Of {self.pairs:,} pairs of papers that {self.reviewers:,} reviewers gave one score and "
            f"ranked, the scores of others alone put {self.share:.1%} (95% interval {self.low:.1%} to "
            f"{self.high:.1%}) in the order of the ranking; chance would be 50%. {self._sound_share()}"
            f"{self._conclusion()}"
        )

    def _sound_share(self) -> str:
        if self.sound is None:
            return ""
        return (
            f"A simulated conference of this size whose scores and rankings are sound shows {self.sound:.1%} "
            f"({self.sound_low:.1%} to {self.sound_high:.1%}). "
        )

    def _conclusion(self) -> str:
        if self.sound is not None and self.high < self.sound:
            return (
                "Here it is less: either the scores of other reviewers say little about these ties, or the "
                "rankings do."
            )
        if self.low > CHANCE or self.high < CHANCE:
            side = "better" if self.low > CHANCE else "worse"
            return f"Here the scores of other reviewers order ties {side} than chance."
        return (
            "The interval contains 50%: these pairs do not show whether the scores of other reviewers, or "
            "the rankings, order ties better than chance."
        )

    def in_short(self) -> str:
        """Return the share and its interval, and what a sound conference shows, in half a line."""
        shares = f"{self.share:.0%} ({self.low:.0%} to {self.high:.0%})"
        ties = "tie" if self.pairs == 1 else "ties"
        sound = "" if self.sound is None else f"; sound: {self.sound:.0%}"
        return f"{shares} of {self.pairs:,} ranked {ties} as others score{sound}"


@dataclass(frozen=True)
class WrongComparisons:
    """The share of stated comparisons that are wrong, learned from those that contradict their scores.

    Comparisons of papers of one score contradict nothing: they are taken to be wrong as often as others.
    The 95% interval is over reviewers.
    """

    pairs: int  # compared papers to which their reviewer gave different scores
    contradicting: int  # of these, ranked against the scores
    low: float
    high: float

    @property
    def share(self) -> float:
        """The share of pairs that contradict the scores."""
        return self.contradicting / self.pairs if self.pairs else 0.0

    def in_words(self) -> str:
        """State the share, where it comes from and what it cannot see."""
        if not self.pairs:
            return "Nobody ranked papers of different scores: wrong comparisons cannot be found."
        return (
            f"Of {self.pairs:,} comparisons of papers with different scores, {self.contradicting:,} "
            f"contradict their reviewer's scores: about {self.share:.1%} ({self.low:.1%} to {self.high:.1%}) "
            "of all comparisons are wrong. Inside ties nothing can contradict: wrong ones there are not seen."
        )

    def in_short(self) -> str:
        """Return the share in half a line."""
        if not self.pairs:
            return "none between different scores: wrong ones cannot be found"
        share = f"{self.share:.1%} ({self.low:.1%} to {self.high:.1%})"
        return f"{share} wrong by contradictions, blind in ties"


def find_wrong_comparisons(reviews: ReviewSet) -> WrongComparisons:
    """Learn from contradictions how often stated comparisons are wrong."""
    better, worse = compared_pairs(reviews)
    rise = reviews.level[better] - reviews.level[worse]
    untied = rise != 0
    if not untied.any():
        return WrongComparisons(0, 0, 0.0, 1.0)
    _, code = np.unique(reviews.reviewer[better[untied]], return_inverse=True)
    wrong = rise[untied] < 0
    hits = np.bincount(code, weights=wrong).astype(np.float64)
    interval = share_interval(hits, np.bincount(code).astype(np.float64))
    return WrongComparisons(int(untied.sum()), int(wrong.sum()), *interval)


def check_consensus(
    reviews: ReviewSet, settings: Settings, lam: float, engine: Engine = ON_THIS_MACHINE
) -> Consensus:
    """Dequantize from scores alone at a run's λ and compare with the rankings that were given."""
    lam = lam if math.isfinite(lam) else LAMBDA_FOR_INFINITY
    silent = reviews.with_statements(Statements.none(len(reviews)))
    problem = build_problem(silent, settings)[0]
    scores = engine.solver(problem).solve(lam, TOLERANCE * reviews.scale.spacing).scores
    return agreement(reviews, settings, scores, lam)


def agreement(reviews: ReviewSet, settings: Settings, scores: FloatArray, lam: float) -> Consensus:
    """Compare the rankings inside ties with scores that were dequantized without them."""
    above, below = tied_pairs(reviews, settings)
    if not above.size:
        return Consensus(0, 0.0, 0, 0, 0.0, 1.0, lam)
    place = tie_grid(scores, reviews.scale.spacing)
    gap = np.sign(place[above] - place[below])
    agree = 0.5 * (1.0 + gap)
    _, code = np.unique(reviews.reviewer[above], return_inverse=True)
    count = np.bincount(code)
    hits = np.bincount(code, weights=agree).astype(np.float64)
    low, high = share_interval(hits, count.astype(np.float64))
    undecided = int(np.sum(gap == 0.0))
    return Consensus(above.size, float(agree.sum()), undecided, count.size, low, high, lam)


def tied_pairs(reviews: ReviewSet, settings: Settings) -> tuple[IntArray, IntArray]:
    """Return all pairs of reviews of one reviewer and one score that were ranked: above, and below."""
    rank = completed_ranks(reviews, settings.unranked)
    above, below = ranked_pairs(rank, reviews.reviewer * len(reviews.scale.levels) + reviews.level)
    better, worse = reviews.statements.better, reviews.statements.worse
    tied = reviews.level[better] == reviews.level[worse]
    return np.concatenate([above, better[tied]]), np.concatenate([below, worse[tied]])


def share_interval(hits: FloatArray, trials: FloatArray) -> tuple[float, float]:
    """Return the 95% interval of a share from clusters of trials, each with its hits.

    Wilson's interval with the effective number of independent trials: the variance is that
    of a ratio over clusters, never taken below that of independent trials, and the normal quantile is
    Student's with one degree of freedom per cluster but one. Where all clusters agree on 0 or 1, each
    counts as one trial.
    """
    from scipy.special import stdtrit  # takes a moment to load

    clusters, total = hits.size, float(trials.sum())
    share = float(hits.sum()) / total
    if clusters < 2:
        return 0.0, 1.0
    quantile = float(stdtrit(clusters - 1, 0.5 + LEVEL / 2.0))
    spread = float(np.sum((hits - share * trials) ** 2)) * clusters / (clusters - 1) / total**2
    alone = share * (1.0 - share)
    effective = min(alone / spread, total) if spread > 0.0 and alone > 0.0 else float(clusters)
    square = quantile**2 / effective
    centre = (share + square / 2.0) / (1.0 + square)
    half = math.sqrt(square * alone + square**2 / 4.0) / (1.0 + square)
    return max(0.0, centre - half), min(1.0, centre + half)
