"""The linear mixed model  y = mean + paper + reviewer + noise, with crossed effects.

With n_p and n_r the numbers of reviews, and ratios a = noise²/between², s = noise²/strictness², the
mixed-model equations have the matrix

    [ diag(n_p + a)   N            ]
    [ N'              diag(n_r + s)]      (N: which paper has a review by which reviewer)

Parts of the conference that no reviewer connects have a mean each and share nothing but the variances.
Papers are eliminated exactly, so that only a system in (means, reviewers) is left. It is factored
where it is small, and solved by conjugate gradients where it is large; traces are then averaged over
a fixed set of probes.

Variances are fitted by restricted maximum likelihood, with average-information steps (AI-REML).

In large conferences the error of a single effect comes from its neighbourhood: around a paper p, its
reviewers and all papers that they reviewed. The reviews of those papers by others count with their
strictness as further noise. Nothing beyond can tell p's effect apart by more than a fraction of a per cent
(measured in the tests), and each paper costs a system of the size of its number of reviewers. The same
with roles exchanged gives the errors of reviewers.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, partial

import numpy as np
from scipy import sparse
from scipy.linalg import cho_factor, cho_solve
from scipy.sparse.csgraph import connected_components

from unround.arrays import FloatArray, IntArray
from unround.compiler import compiled

MOST_FACTORED = 1_500  # reviewers up to which the system is factored
PROBES = 24  # random vectors by which traces are estimated
PROBE_SEED = 20_240_611  # any fixed number: the same data give the same results
ACCURACY = 1e-8  # of conjugate gradients, relative
MOST_STEPS = 100
SETTLED = 1e-7  # relative change of the variances
LEAST_SHARE = 1e-6  # of the total variance: a component this small is none
LARGEST_STEP = 1.5  # in log variance
# In units of the smallest level spacing. Reviewers of a paper who differ by less mostly give it the same
# score, and are off together: 90% intervals that rest on their differences then hold less than 85%.
LEAST_SPREAD = 0.36
HIDDEN_BY_ROUNDING = (
    "reviewers agree more closely than the scale can show: this leaves rounding out, and its intervals "
    "are too narrow here"
)


@dataclass(frozen=True)
class Variances:
    """The three variance components."""

    between: float  # papers
    strictness: float  # reviewers
    noise: float  # single reviews


@dataclass(frozen=True)
class Design:
    """Who reviewed what, and the scores to be explained."""

    paper: IntArray
    reviewer: IntArray
    values: FloatArray

    @cached_property
    def parts(self) -> tuple[IntArray, IntArray]:
        """The connected part of each paper and of each reviewer, numbered from 0."""
        papers, reviewers = self.incidence.shape
        shape = (papers + reviewers, papers + reviewers)
        edges = (np.ones(self.paper.size), (self.paper, papers + self.reviewer))
        _, part = connected_components(sparse.csr_array(edges, shape=shape), directed=False)
        return part[:papers].astype(np.int64), part[papers:].astype(np.int64)

    @cached_property
    def per_paper(self) -> FloatArray:
        """The number of reviews of each paper."""
        return np.bincount(self.paper).astype(np.float64)

    @cached_property
    def per_reviewer(self) -> FloatArray:
        """The number of reviews by each reviewer."""
        return np.bincount(self.reviewer).astype(np.float64)

    @cached_property
    def incidence(self) -> sparse.csr_array:
        """Papers × reviewers: the number of reviews."""
        shape = (self.per_paper.size, self.per_reviewer.size)
        ones = np.ones(self.paper.size)
        return sparse.csr_array((ones, (self.paper, self.reviewer)), shape=shape)

    def sums(self, values: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return the sums of values per paper and per reviewer."""
        papers: FloatArray = np.bincount(
            self.paper, weights=values, minlength=self.per_paper.size
        ).astype(np.float64)
        reviewers: FloatArray = np.bincount(
            self.reviewer, weights=values, minlength=self.per_reviewer.size
        ).astype(np.float64)
        return papers, reviewers


@dataclass(frozen=True)
class Effects:
    """Best linear unbiased predictions: the mean of each part, and all effects."""

    mean: FloatArray
    paper: FloatArray
    reviewer: FloatArray

    def residuals(self, design: Design, values: FloatArray) -> FloatArray:
        """Return what neither means nor effects explain."""
        level = self.mean[design.parts[0]] + self.paper
        return values - level[design.paper] - self.reviewer[design.reviewer]


class Equations:
    """The mixed-model equations at given variances, in units of 1/noise², with papers eliminated.

    Unknowns are the means of the parts, then the reviewers' effects.
    """

    def __init__(self, design: Design, variances: Variances) -> None:
        self._design = design
        paper_part, self._part = design.parts
        self.paper_diagonal = design.per_paper + variances.noise / variances.between
        self._down = sparse.diags_array(1.0 / self.paper_diagonal) @ design.incidence
        self._share = design.per_paper / self.paper_diagonal
        left = design.per_paper * (1.0 - self._share)
        self._means = np.bincount(paper_part, weights=left)
        self._coupling = design.per_reviewer - self._down.T @ design.per_paper
        shape = (self._means.size, self._part.size)
        where = (self._part, np.arange(self._part.size))
        self._onto_means = sparse.csr_array((self._coupling, where), shape=shape)
        self._diagonal = design.per_reviewer + variances.noise / variances.strictness
        self.size = self._means.size + self._diagonal.size
        self.is_small = self.size <= MOST_FACTORED
        self.solve = self._factored() if self.is_small else self._iterated

    def _factored(self) -> Callable[[FloatArray], FloatArray]:
        first = self._means.size
        matrix = np.zeros((self.size, self.size))
        matrix[:first, :first] = np.diag(self._means)
        matrix[self._part, first + np.arange(self._diagonal.size)] = self._coupling
        matrix[first:, :first] = matrix[:first, first:].T
        flow = (self._design.incidence.T @ self._down).toarray()
        matrix[first:, first:] = np.diag(self._diagonal) - flow
        return partial(cho_solve, cho_factor(matrix))

    def _times(self, x: FloatArray) -> FloatArray:
        first = self._means.size
        mean, rest = x[:first], x[first:]
        product = np.empty_like(x)
        product[:first] = self._means[:, None] * mean
        product[:first] += self._onto_means @ rest
        product[first:] = (
            self._coupling[:, None] * mean[self._part]
            + self._diagonal[:, None] * rest
            - self._design.incidence.T @ (self._down @ rest)
        )
        return product

    def _iterated(self, right: FloatArray) -> FloatArray:
        """Solve by conjugate gradients, all right-hand sides at once, preconditioned by the diagonal."""
        b = right.reshape(self.size, -1)
        inverse = 1.0 / np.concatenate([self._means, self._diagonal])[:, None]
        x, residual = np.zeros_like(b), b.copy()
        towards = inverse * residual
        direction, size = towards.copy(), np.sum(residual * towards, axis=0)
        goal = ACCURACY**2 * size
        tiny = np.finfo(np.float64).tiny
        for _ in range(10 * self.size):
            if np.all(size <= goal):
                break
            product = self._times(direction)
            step = size / np.maximum(np.sum(direction * product, axis=0), tiny)
            x += step * direction
            residual -= step * product
            towards = inverse * residual
            before, size = size, np.sum(residual * towards, axis=0)
            direction = towards + (size / np.maximum(before, tiny)) * direction
        return x.reshape(right.shape)

    def effects(self, values: FloatArray) -> Effects:
        """Solve for the means and all effects."""
        paper_sum, reviewer_sum = self._design.sums(values)
        paper_part, first = self._design.parts[0], self._means.size
        left = paper_sum * (1.0 - self._share)
        right = np.concatenate(
            [np.bincount(paper_part, weights=left), reviewer_sum - self._down.T @ paper_sum]
        )
        found = self.solve(right)
        mean, reviewer = found[:first], found[first:]
        rest = paper_sum - self._design.per_paper * mean[paper_part]
        paper = (rest - self._design.incidence @ reviewer) / self.paper_diagonal
        return Effects(mean, paper, reviewer)

    def traces(self) -> tuple[float, float]:
        """Return the traces of the inverse's blocks of papers and of reviewers."""
        first = self._means.size
        probes, weight = _probes(self.size, exact=self.is_small)
        solved = self.solve(probes)
        reviewers = weight * float(np.sum(probes[first:] * solved[first:]))
        # The variance of a paper's effect when all else is known, plus what means and reviewers add.
        inflow = weight * float(np.sum(self._lifted(probes) * self._lifted(solved)))
        return float(np.sum(1.0 / self.paper_diagonal)) + inflow, reviewers

    def _lifted(self, x: FloatArray) -> FloatArray:
        """Return how far each paper's effect moves down when means and reviewers move up by x."""
        first = self._means.size
        mean = x[:first][self._design.parts[0]]
        moved: FloatArray = self._share[:, None] * mean + self._down @ x[first:]
        return moved

    def paper_errors(self) -> FloatArray:
        """Return the variance of the error of each paper's mean + effect, exactly; for small systems only."""
        first = self._means.size
        onto = np.zeros((self._share.size, self.size))
        onto[np.arange(self._share.size), self._design.parts[0]] = 1.0 - self._share
        onto[:, first:] = -self._down.toarray()
        errors: FloatArray = 1.0 / self.paper_diagonal + np.sum(onto * self.solve(onto.T).T, axis=1)
        return errors

    def reviewer_errors(self) -> FloatArray:
        """Return the variance of the error of each reviewer's effect, exactly; for small systems only."""
        return np.diag(self.solve(np.eye(self.size)))[self._means.size :].copy()


def _probes(size: int, *, exact: bool) -> tuple[FloatArray, float]:
    """Return vectors whose outer products average to the identity, and the weight of each."""
    if exact:
        return np.eye(size), 1.0
    signs = np.random.default_rng(PROBE_SEED).integers(0, 2, size=(size, PROBES))
    return signs.astype(np.float64) * 2.0 - 1.0, 1.0 / PROBES


@dataclass(frozen=True)
class Fit:
    """The variances, their standard errors, and the effects that follow."""

    variances: Variances
    errors: FloatArray  # standard errors of between, strictness, noise
    effects: Effects
    equations: Equations
    settled: bool


def fit(design: Design) -> Fit:
    """Maximise the restricted likelihood in the logarithms of the three variances."""
    total = max(float(design.values.var()), np.finfo(np.float64).tiny)
    logs = np.array([math.log(total * share) for share in (0.4, 0.1, 0.5)])
    floor = math.log(total * LEAST_SHARE)
    for _ in range(MOST_STEPS):
        score, information, equations, effects = _score(design, Variances(*map(math.exp, logs)))
        active = (logs > floor) | (score > 0.0)
        step = np.zeros(3)
        step[active] = _step(score[active], information[np.ix_(active, active)])
        logs = np.maximum(logs + step, floor)
        if np.max(np.abs(step)) < SETTLED:
            break
    sizes = [math.exp(log) for log in logs]
    errors = np.sqrt(np.diag(np.linalg.pinv(information))) * sizes
    settled = bool(np.abs(step).max() < SETTLED)
    return Fit(Variances(*sizes), errors, effects, equations, settled)


def _step(score: FloatArray, information: FloatArray) -> FloatArray:
    if not score.size:
        return score
    damped = information + 1e-9 * np.trace(information) * np.eye(score.size)
    step = np.linalg.solve(damped, score)
    if score @ step <= 0.0:  # far from the maximum, the step may lead down
        step = score / np.maximum(np.diag(damped), 1e-12)
    return np.clip(step, -LARGEST_STEP, LARGEST_STEP)


def _score(
    design: Design, variances: Variances
) -> tuple[FloatArray, FloatArray, Equations, Effects]:
    """Return gradient and average information of the restricted likelihood in log variances."""
    between, strictness, noise = variances.between, variances.strictness, variances.noise
    equations = Equations(design, variances)
    effects = equations.effects(design.values)
    papers, reviewers, reviews = effects.paper.size, effects.reviewer.size, design.values.size
    of_papers, of_reviewers = (noise * trace for trace in equations.traces())
    kept = np.array([papers - of_papers / between, reviewers - of_reviewers / strictness, 0.0])
    kept[2] = reviews - effects.mean.size - kept[0] - kept[1]
    projected = effects.residuals(design, design.values) / noise  # P y
    paper_sum, reviewer_sum = design.sums(projected)
    directions = np.stack(
        [
            between * paper_sum[design.paper],
            strictness * reviewer_sum[design.reviewer],
            noise * projected,
        ]
    )
    explained = directions @ projected
    answers = np.stack(
        [equations.effects(one).residuals(design, one) / noise for one in directions]
    )
    information = 0.5 * directions @ answers.T
    return 0.5 * (explained - kept), (information + information.T) / 2.0, equations, effects


@compiled
def neighbourhood_errors(
    start: IntArray,
    other: IntArray,
    other_start: IntArray,
    back: IntArray,
    ratio: float,
    other_ratio: float,
) -> FloatArray:
    """Return the variance of each effect, in units of noise².

    `other[start[p]:start[p+1]]` are the neighbours of p, `back[other_start[r]:..]` those of r. Ratios
    are noise² over the variance of the effects, and of the neighbours' effects.
    """
    count = start.size - 1
    errors = np.empty(count)
    outside = 1.0 / (1.0 + 1.0 / other_ratio)  # weight of a review by somebody else
    near = np.zeros(count, dtype=np.int64)  # how many of the neighbours know q
    for p in range(count):
        first, size = start[p], start[p + 1] - start[p]
        for k in range(size):
            r = other[first + k]
            for j in range(other_start[r], other_start[r + 1]):
                near[back[j]] += 1
        system = np.zeros((size, size))
        for k in range(size):
            r = other[first + k]
            system[k, k] += other_start[r + 1] - other_start[r] + other_ratio
            for j in range(other_start[r], other_start[r + 1]):
                q = back[j]
                known = near[q]
                total = start[q + 1] - start[q]
                flow = 1.0 / (ratio + known + (total - known) * outside)
                if known == 1:
                    system[k, k] -= flow
                else:
                    for i in range(size):
                        if _knows(other_start, back, other[first + i], q):
                            system[k, i] -= flow
        own = 1.0 / (ratio + size)
        errors[p] = own + own * own * np.linalg.solve(system, np.ones(size)).sum()
        for k in range(size):
            r = other[first + k]
            for j in range(other_start[r], other_start[r + 1]):
                near[back[j]] = 0
    return errors


@compiled
def _knows(other_start: IntArray, back: IntArray, r: int, q: int) -> bool:
    """Whether r is a neighbour of q. Neighbours are in ascending order."""
    low, high = other_start[r], other_start[r + 1]
    while low < high:
        middle = (low + high) // 2
        if back[middle] < q:
            low = middle + 1
        else:
            high = middle
    return bool(low < other_start[r + 1] and back[low] == q)


def is_hidden_by_rounding(spread: float, spacing: float) -> bool:
    """Return whether reviewers, this far apart around a paper, are hidden by rounding."""
    return spread < LEAST_SPREAD * spacing
