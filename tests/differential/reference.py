"""The method once more, written from the paper and SPEC.md: dense matrices, Clarabel, no code of unround.

Reads the files itself. Whatever is found wrong is counted by kind, in the words of docs/issues.md; what is
left is Algorithm 1 of the paper, on cells that reach to the midpoints between levels.
"""

from __future__ import annotations

import csv
import math
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from itertools import permutations
from pathlib import Path

import clarabel
import numpy as np
from scipy import sparse
from scipy.optimize import nnls

# A table whose comparisons nearly all go against the scores, and one most of which is lost, are refused.
LEAST_COMPARISONS, NEARLY_ALL = 10, 0.9
LEAST_LOST = 10
PROVEN = 1e-9  # how exactly an optimum satisfies its conditions
TOUCHING = 1e-11  # cells that miss each other by rounding alone touch


@dataclass(frozen=True)
class Conference:
    """The files of a conference, and how the method is asked to treat them."""

    reviews: Path
    rankings: tuple[Path, ...]
    levels: tuple[str, ...] | None  # worst first; None: the integers in use
    lam: float
    epsilon: float
    conflicts: str
    unranked: str = "apart"
    allow_loss: bool = False


@dataclass(frozen=True)
class Review:
    """A row of the reviews: who, what, and the place of the score on the scale."""

    reviewer: str
    paper: str
    score: str
    level: int


@dataclass
class Answer:
    """Scores by row, or None where the input is refused; and how many issues of each kind there are."""

    issues: Counter[str] = field(default_factory=Counter)
    reviews: list[Review] = field(default_factory=list)
    scores: np.ndarray | None = None
    given: np.ndarray | None = None
    spacing: float = 1.0


def solve(conference: Conference) -> Answer:
    """Return what the method makes of a conference."""
    answer = Answer()
    rows = _read(conference.reviews)
    levels = conference.levels or _integers_in_use(rows)
    values = _values(levels)
    answer.spacing = min(np.diff(values)) if len(values) > 1 else 1.0
    values = values / answer.spacing  # here all is in level spacings
    reviews, fatal = _reviews(rows, levels, answer.issues)
    off = {(row["reviewer"], row["paper"]) for row in rows if row["score"] not in ("", *levels)}
    unscored = {(row["reviewer"], row["paper"]) for row in rows if not row["score"]}
    unscored -= {(row["reviewer"], row["paper"]) for row in rows if row["score"]}
    statements, set_aside = _Statements.of(conference, reviews, off, unscored, answer.issues)
    fatal = fatal or answer.issues["duplicate-rank"] > 0
    answer.reviews = reviews
    below, above = _cells(values)
    lower = np.array([below[review.level] for review in reviews])
    upper = np.array([above[review.level] for review in reviews])
    orders = []
    for own in _by_reviewer(reviews):
        order = _Order(reviews, own, statements, conference, lower, upper)
        answer.issues += order.issues
        orders.append(order)
    if answer.issues["contradiction"] and statements.upside_down(reviews):
        answer.issues["upside-down"] += 1
        fatal = fatal or conference.levels is None
    settled = not fatal and (conference.conflicts != "refuse" or not answer.issues.total())
    if settled and statements.mostly_lost(reviews, set_aside, orders, conference.conflicts):
        answer.issues["most-lost"] += 1
        settled = conference.allow_loss
    answer.issues += Counter()  # kinds that did not occur go
    if settled:
        given = np.array([values[review.level] for review in reviews])
        scores = _scores(reviews, given, orders, conference.lam, lower, upper)
        answer.given, answer.scores = given * answer.spacing, scores * answer.spacing
    return answer


# Reading


def _read(path: Path) -> list[dict[str, str]]:
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def _integers_in_use(rows: list[dict[str, str]]) -> tuple[str, ...]:
    scores = [int(row["score"]) for row in rows if row["score"]]
    return tuple(map(str, range(min(scores), max(scores) + 1)))


def _values(levels: tuple[str, ...]) -> np.ndarray:
    """Return what levels count as: numbers themselves, mirrored where they go down; words 1, 2, .."""
    try:
        numbers = np.array([float(level) for level in levels])
    except ValueError:
        return np.arange(1.0, len(levels) + 1.0)
    return numbers if numbers[-1] >= numbers[0] else numbers[0] + numbers[-1] - numbers


def _cells(values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the ends of cells: midpoints between levels, and the inner half mirrored at the ends."""
    if len(values) == 1:
        return values - 0.5, values + 0.5
    middle = (values[1:] + values[:-1]) / 2.0
    first, last = 2.0 * values[0] - middle[0], 2.0 * values[-1] - middle[-1]
    return np.array([first, *middle]), np.array([*middle, last])


def _reviews(
    rows: list[dict[str, str]], levels: tuple[str, ...], issues: Counter[str]
) -> tuple[list[Review], bool]:
    """Return the reviews that can be used, and whether one cannot."""
    place = {level: number for number, level in enumerate(levels)}
    found: dict[tuple[str, str], Review] = {}
    for row in rows:
        who, what, score = row["reviewer"], row["paper"], row["score"]
        if not score:
            continue  # a review without a score does not count
        if score not in place:
            issues["off-scale"] += 1
        elif (who, what) in found:
            issues["duplicate-review"] += 1
        else:
            found[who, what] = Review(who, what, score, place[score])
    return list(found.values()), issues.total() > 0


def _by_reviewer(reviews: list[Review]) -> list[list[int]]:
    own: dict[str, list[int]] = defaultdict(list)
    for number, review in enumerate(reviews):
        own[review.reviewer].append(number)
    return list(own.values())


# Statements


@dataclass
class _Statements:
    """Ranks by review, and stated pairs of reviews."""

    rank: dict[int, float]
    pairs: list[tuple[int, int]]

    @classmethod
    def of(
        cls,
        conference: Conference,
        reviews: list[Review],
        off: set[tuple[str, str]],
        unscored: set[tuple[str, str]],
        issues: Counter[str],
    ) -> tuple[_Statements, int]:
        """Return the statements that are about reviews, and how many are not.

        That a review off the scale is ranked is no issue of its own. What is about a review without a score
        is left out, as the review is.
        """
        number = {(review.reviewer, review.paper): k for k, review in enumerate(reviews)}
        rank: dict[int, float] = {}
        pairs: list[tuple[int, int]] = []
        lost = 0
        for row in (row for path in conference.rankings for row in _read(path)):
            papers = [row["paper"]] if "paper" in row else [row["better"], row["worse"]]
            if any((row["reviewer"], paper) in unscored for paper in papers):
                continue
            about = [number.get((row["reviewer"], paper)) for paper in papers]
            unreviewed = about.count(None)
            issues["unreviewed"] += sum(
                review is None and (row["reviewer"], paper) not in off
                for review, paper in zip(about, papers, strict=True)
            )
            itself = not unreviewed and len(papers) == 2 and about[0] == about[1]
            issues["self-comparison"] += itself
            lost += bool(unreviewed) or itself
            if unreviewed or itself:
                continue
            if len(papers) == 2:
                pairs.append((about[0], about[1]))
            elif about[0] in rank:
                issues["duplicate-rank"] += 1
            else:
                rank[about[0]] = float(row["rank"])
        return cls(rank, pairs), lost

    def comparisons(self, reviews: list[Review]) -> list[tuple[int, int]]:
        """Return every comparison that was stated: of ranked papers, and pairs."""
        ranked = permutations(self.rank, 2)
        return self.pairs + [
            (one, other)
            for one, other in ranked
            if reviews[one].reviewer == reviews[other].reviewer
            and self.rank[one] < self.rank[other]
        ]

    def upside_down(self, reviews: list[Review]) -> bool:
        """Whether nearly all comparisons of papers with different scores go against the scores."""
        rises = [
            reviews[better].level - reviews[worse].level
            for better, worse in self.comparisons(reviews)
        ]
        against, untied = sum(rise < 0 for rise in rises), sum(rise != 0 for rise in rises)
        return untied >= LEAST_COMPARISONS and against >= NEARLY_ALL * untied

    def mostly_lost(
        self, reviews: list[Review], unusable: int, orders: list[_Order], conflicts: str
    ) -> bool:
        """Whether more than half of the statements fall away."""
        usable = len(self.rank) + len(self.pairs)
        if unusable >= LEAST_LOST and 2 * unusable > usable + unusable:
            return True
        circular = {pair for order in orders for pair in order.circular}
        stated = self.comparisons(reviews)
        dropped = sum(
            pair in circular
            or (conflicts != "rankings" and reviews[pair[0]].level < reviews[pair[1]].level)
            for pair in stated
        )
        return dropped >= LEAST_LOST and 2 * dropped > len(stated)


class _Order:
    """What one reviewer's statements demand of the scores, after conflicts are settled."""

    def __init__(
        self,
        reviews: list[Review],
        own: list[int],
        statements: _Statements,
        conference: Conference,
        lower: np.ndarray,
        upper: np.ndarray,
    ) -> None:
        self.own, self.issues = own, Counter[str]()
        self.lower, self.upper = lower[own].copy(), upper[own].copy()
        self.gap = conference.epsilon
        above = _closed(_stated(own, statements, conference.unranked))
        cycle = above & above.T
        self.circular = [
            (own[i], own[j]) for i, j in np.argwhere(cycle & ~np.eye(len(own), dtype=bool))
        ]
        self.issues["cycle"] = len({tuple(row) for row in cycle if row.any()})
        self.above = above & ~cycle
        level = np.array([reviews[k].level for k in own])
        against = self.above & (level[:, None] < level[None, :])
        self.issues["contradiction"] = int(against.sum())
        agreeing = self.above & ~against
        fits = _largest_gap(agreeing, self.lower, self.upper)
        self.issues["no-room"] = int(fits < self.gap - TOUCHING)
        if conference.conflicts == "rankings":
            self._open_cells()
        else:
            self.above = agreeing
            if self.issues["no-room"]:
                self.gap = fits / 2.0

    def _open_cells(self) -> None:
        """Widen cells by the least sum of squares that makes room for the order.

        There is room exactly if it suffices between any two papers: from i down to j over n steps,
        upper_i + up_i ≥ lower_j − down_j + n gaps.
        """
        n, pairs, steps = len(self.own), np.argwhere(self.above), _most_steps(self.above)
        better, worse = pairs[:, 0], pairs[:, 1]
        unit = np.eye(n)
        room = np.vstack([np.hstack([unit[better], unit[worse]]), np.eye(2 * n)])
        missing = self.lower[worse] + steps[better, worse] * self.gap - self.upper[better]
        least = np.concatenate([missing, np.zeros(2 * n)])
        opened = minimum(np.eye(2 * n), np.zeros(2 * n), room, least)
        self.upper += np.maximum(opened[:n], 0.0)
        self.lower -= np.maximum(opened[n:], 0.0)


def _stated(own: list[int], statements: _Statements, unranked: str) -> np.ndarray:
    """Return which of a reviewer's papers are stated to be above which."""
    rank = {k: statements.rank[k] for k in own if k in statements.rank}
    if unranked == "below" and rank:
        rank = {k: rank.get(k, math.inf) for k in own}
    place = {k: number for number, k in enumerate(own)}
    above = np.zeros((len(own), len(own)), dtype=bool)
    for one, other in permutations(rank, 2):
        above[place[one], place[other]] |= rank[one] < rank[other]
    for better, worse in statements.pairs:
        if better in place:
            above[place[better], place[worse]] = True
    return above


def _closed(above: np.ndarray) -> np.ndarray:
    """Return everything that follows: what is above something is above all that this is above."""
    closed = above.copy()
    for _ in range(len(above)):
        closed |= (closed.astype(int) @ closed.astype(int)) > 0
    return closed


def _most_steps(above: np.ndarray) -> np.ndarray:
    """Return over how many comparisons a paper is above another, at most."""
    steps = np.where(above, 1, 0)
    for _ in range(len(above)):
        for i, j in np.argwhere(above):
            between = np.flatnonzero(above[i] & above[:, j])
            steps[i, j] = max([1, *(steps[i, k] + steps[k, j] for k in between)])
    return steps


def _largest_gap(above: np.ndarray, lower: np.ndarray, upper: np.ndarray) -> float:
    """Return the largest gap that fits: over n steps from i down to j, (upper_i − lower_j) / n."""
    steps = _most_steps(above)
    return min([math.inf, *((upper[i] - lower[j]) / steps[i, j] for i, j in np.argwhere(above))])


# The program


def _scores(
    reviews: list[Review],
    given: np.ndarray,
    orders: list[_Order],
    lam: float,
    lower: np.ndarray,
    upper: np.ndarray,
) -> np.ndarray:
    """Minimise Σ_p Σ_{i on p} (y_i − ȳ_p)² + λ Σ_i (y_i − z_i)² over orders and cells."""
    n = len(reviews)
    lower, upper = lower.copy(), upper.copy()
    rows, least = [], []
    for order in orders:
        lower[order.own], upper[order.own] = order.lower, order.upper
        pairs = np.array(order.own)[np.argwhere(order.above)]
        rows.append(_differences(pairs, n))
        least.append(np.full(len(pairs), order.gap))
    matrix = np.vstack([*rows, np.eye(n), -np.eye(n)])
    bounds = np.concatenate([*least, lower, -upper])
    papers = np.array([review.paper for review in reviews])
    same = (papers[:, None] == papers[None, :]).astype(float)
    spread = np.eye(n) - same / same.sum(axis=1)
    curvature = np.eye(n) if math.isinf(lam) else (spread + lam * np.eye(n)) / (1.0 + lam)
    pull = np.zeros(n) if math.isinf(lam) else spread @ given / (1.0 + lam)
    # In moves from the given scores, so that no digits are lost.
    moves = minimum(curvature, pull, matrix, bounds - matrix @ given)
    return given + moves


def _differences(pairs: np.ndarray, n: int) -> np.ndarray:
    matrix = np.zeros((len(pairs), n))
    for row, (above, below) in enumerate(pairs):
        matrix[row, above], matrix[row, below] = 1.0, -1.0
    return matrix


def minimum(
    curvature: np.ndarray, slope: np.ndarray, matrix: np.ndarray, least: np.ndarray
) -> np.ndarray:
    """Return the x with the smallest ½ xᵀPx + qᵀx for which Ax ≥ b, by Clarabel and proven.

    Clarabel says which constraints hold with equality. The equations of these are solved to the last
    digits, and the answer must satisfy the optimality conditions of the whole program.
    """
    for tolerance in (1e-12, 1e-10, 1e-8):
        settings = clarabel.DefaultSettings()
        settings.verbose = False
        settings.max_iter = 500
        settings.tol_gap_abs = settings.tol_gap_rel = settings.tol_feas = tolerance
        cone = [clarabel.NonnegativeConeT(len(least))]
        program = (sparse.csc_matrix(np.triu(curvature)), slope, sparse.csc_matrix(-matrix), -least)
        found = clarabel.DefaultSolver(*program, cone, settings).solve()
        active = np.array(found.z) > np.array(found.s)
        for _ in range(5):
            held = matrix[active]
            equations = np.block([[curvature, -held.T], [held, np.zeros((len(held), len(held)))]])
            right = np.concatenate([-slope, least[active]])
            x = np.linalg.lstsq(equations, right, rcond=None)[0][: len(slope)]
            if _is_optimal(x, curvature, slope, matrix, least):
                return x
            active |= matrix @ x < least  # constraints that hardly push
    raise ArithmeticError("Clarabel does not say which constraints hold with equality")


def _is_optimal(
    x: np.ndarray, curvature: np.ndarray, slope: np.ndarray, matrix: np.ndarray, least: np.ndarray
) -> bool:
    """Whether x keeps to the constraints, and those that it touches hold it: Px + q = Aᵀμ with μ ≥ 0."""
    slack = matrix @ x - least
    if slack.min() < -PROVEN:
        return False
    touched, pull = matrix[slack < PROVEN], curvature @ x + slope
    left = nnls(touched.T, pull)[1] if len(touched) else np.linalg.norm(pull)
    return bool(left < PROVEN)
