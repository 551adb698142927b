"""A test of consensus: dequantize from scores alone, and compare the order of ties with the rankings.

Where a reviewer gave two papers the same score, the scores-only solution orders them by the scores of
their other reviewers. The reviewer's ranking, which was left out, shows whether that order is right. If
the other scores carried no information about it, half of these pairs would agree.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from unround.arrays import FloatArray, IntArray
from unround.metrics import tie_grid
from unround.preparation import ranked_pairs
from unround.problem.batches import completed_ranks
from unround.problem.build import build_problem
from unround.reviews.review_set import ReviewSet, Statements
from unround.settings import Settings
from unround.solver.local import Solver

LEVEL = 0.95
CHANCE = 0.5
# The λ of the question where the run's is infinite: nothing moves there, and nothing is ordered.
FINITE = 1.0
# In units of the smallest spacing: a hundredth of what makes a tie.
TOLERANCE = 1e-6


@dataclass(frozen=True)
class Consensus:
    """How often hidden rankings agree with the scores-only order of papers that their reviewer tied.

    The 95% interval is over reviewers: pairs of one reviewer are not independent of each other.
    """

    pairs: int  # ranked pairs of papers to which their reviewer gave one score
    agree: float  # of these, so many are ranked as consensus orders them; undecided ones count half
    undecided: int  # pairs that the scores-only solution ties
    reviewers: int  # who ranked such pairs
    low: float  # ends of the interval of `share`
    high: float
    lam: float  # the λ at which the scores alone were dequantized

    @property
    def share(self) -> float:
        """The share of pairs that agree."""
        return self.agree / self.pairs if self.pairs else math.nan

    def in_words(self) -> str:
        """State the share, its interval and what the interval says about chance. Advise nothing."""
        if not self.pairs:
            return (
                "Consensus cannot be tested here: nobody ranked two papers to which they gave the same "
                "score."
            )
        return (
            f"Of {self.pairs:,} pairs of papers that {self.reviewers:,} reviewers gave one score and "
            f"ranked, the scores of others alone put {self.share:.1%} (95% interval {self.low:.1%} to "
            f"{self.high:.1%}) in the order of the ranking; chance would be 50%. {self._conclusion()}"
        )

    def _conclusion(self) -> str:
        if self.low > CHANCE:
            return "Here the scores of other reviewers order ties better than chance."
        if self.high < CHANCE:
            return "Here the scores of other reviewers order ties worse than chance."
        return (
            "The interval contains 50%: these pairs do not show whether the scores of other reviewers "
            "order ties better than chance."
        )

    def in_short(self) -> str:
        """Return the share, its interval and the comparison with chance in half a line."""
        against_chance = "may be chance"
        if self.low > CHANCE or self.high < CHANCE:
            against_chance = "better than chance" if self.low > CHANCE else "worse than chance"
        shares = f"{self.share:.0%} ({self.low:.0%} to {self.high:.0%})"
        ties = "tie" if self.pairs == 1 else "ties"
        return f"orders {shares} of {self.pairs:,} ranked {ties} as ranked: {against_chance}"


def check_consensus(reviews: ReviewSet, settings: Settings, lam: float) -> Consensus:
    """Dequantize from scores alone at a run's λ and compare with the rankings that were given."""
    lam = lam if math.isfinite(lam) else FINITE
    above, below = tied_pairs(reviews, settings)
    if not above.size:
        return Consensus(0, 0.0, 0, 0, 0.0, 1.0, lam)
    silent = reviews.with_statements(Statements.none(len(reviews)))
    problem = build_problem(silent, settings)[0]
    scores = Solver(problem).solve(lam, TOLERANCE * reviews.scale.spacing).scores
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
