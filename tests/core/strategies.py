"""Random conferences: reviews and statements as polars tables, with λ, ε and a scale.

A reviewer's papers stand in an order from best to worst that agrees with their scores. Rank lists
cut that order into ties, stated pairs take pairs out of it, so that whatever is drawn holds
together. Hypothesis draws the sizes and settings, a seeded generator fills them in: conferences
stay as varied as their size allows, and shrink in size.
"""

import math
from dataclasses import dataclass
from functools import cached_property

import polars as pl
from hypothesis import strategies as st

import unround

SCALES = (
    tuple(range(1, 11)),
    tuple(range(1, 6)),
    (1, 3, 5, 6, 8, 10),
    (1.0, 1.5, 2.0, 2.5, 3.0, 3.5, 4.0, 4.5, 5.0),
)
KINDS = ("total", "ties", "partial", "pairs", "mixed", "scores only")
# What one reviewer of a mixed conference states.
MIXTURES = (
    ("scores only",),
    ("total",),
    ("ties",),
    ("pairs",),
    ("ties", "pairs"),
    ("partial", "pairs"),
)
MOST_PAPERS = 14
MOST_REVIEWERS = 12
LARGEST_LOAD = 12


@dataclass(frozen=True)
class Instance:
    """A conference and how to solve it."""

    reviews: pl.DataFrame
    ranks: pl.DataFrame
    pairs: pl.DataFrame
    scale: tuple
    lam: float
    epsilon: float
    conflicts: str = "refuse"

    @property
    def rankings(self):
        """What `dequantize` takes: the tables that say something."""
        return [table for table in (self.ranks, self.pairs) if table.height] or None

    @property
    def options(self):
        """The keyword arguments of `dequantize`, but for λ."""
        return {
            "scale": self.scale,
            "epsilon": self.epsilon,
            "conflicts": self.conflicts,
            # Statements made at random may mostly fall away.
            "allow_loss": self.conflicts != "refuse",
        }

    @cached_property
    def problem(self):
        """The program for it, which is the same at every λ."""
        return unround.dequantize(
            self.reviews, self.rankings, lam=math.inf, tolerance=1.0, **self.options
        ).internals.problem


def lambdas():
    """1e-3 to 1e6 log-uniformly, both ends, 1, and infinity."""
    spread = st.floats(-3.0, 6.0).map(lambda power: 10.0**power)
    return st.one_of(spread, spread, spread, st.sampled_from([1e-3, 1.0, 1e6, math.inf]))


def epsilons():
    """0.001 to 0.1 log-uniformly, and the paper's 0.05."""
    return st.one_of(st.just(0.05), st.floats(-3.0, -1.0).map(lambda power: 10.0**power))


@st.composite
def conferences(draw, kind="mixed", lam=None):
    """A conference whose statements all hold together: no policy is needed."""
    rows, random = _Rows(draw(st.sampled_from(SCALES))), draw(_generators())
    lists = _lists(draw, random, len(rows.scale))
    for reviewer, papers in enumerate(lists):
        rows.review(reviewer, papers)
        _state(random, rows, reviewer, [paper for paper, _ in papers], kind)
    # A strict chain of all of a reviewer's papers must fit into one cell.
    longest = max(len(papers) for papers in lists)
    epsilon = min(draw(epsilons()), 1.0 / max(longest - 1, 1))
    return rows.instance(draw(lambdas() if lam is None else st.just(lam)), epsilon)


@st.composite
def contradictory(draw, policy):
    """A conference whose statements ignore the scores, need too much room, or run in cycles."""
    rows, random = _Rows(draw(st.sampled_from(SCALES))), draw(_generators())
    for reviewer, papers in enumerate(_lists(draw, random, len(rows.scale))):
        rows.review(reviewer, papers)
        order = [paper for paper, _ in papers]
        if random.random() < 0.6:
            random.shuffle(order)
        _state(random, rows, reviewer, order, "mixed")
        if random.random() < 0.3:
            _state(random, rows, reviewer, order[::-1], "pairs")
    # The larger ε leave room for four and for two papers in a cell.
    epsilon = draw(st.one_of(epsilons(), st.just(0.3), st.just(0.7)))
    return rows.instance(draw(lambdas()), epsilon, policy)


def _generators():
    return st.randoms(note_method_calls=False, use_true_random=True)


class _Rows:
    """The tables of an instance, row by row."""

    def __init__(self, scale):
        self.scale = scale
        self._reviews, self._ranks, self._pairs = [], [], []

    def review(self, reviewer, papers):
        self._reviews += [(f"r{reviewer}", paper, self.scale[level]) for paper, level in papers]

    def rank(self, reviewer, paper, rank):
        self._ranks.append((f"r{reviewer}", paper, rank))

    def pair(self, reviewer, above, below):
        self._pairs.append((f"r{reviewer}", above, below))

    def instance(self, lam, epsilon, conflicts="refuse"):
        number = pl.Float64 if isinstance(self.scale[0], float) else pl.Int64
        return Instance(
            _table(self._reviews, reviewer=pl.String, paper=pl.Int64, score=number),
            _table(self._ranks, reviewer=pl.String, paper=pl.Int64, rank=pl.Int64),
            _table(self._pairs, reviewer=pl.String, better=pl.Int64, worse=pl.Int64),
            self.scale,
            lam,
            epsilon,
            conflicts,
        )


def _table(rows, **schema):
    return pl.DataFrame(rows, schema, orient="row")


def _lists(draw, random, levels):
    """For each reviewer (paper, level) from best to worst; equal levels in any order."""
    papers = draw(st.integers(1, MOST_PAPERS))
    reviewers = draw(st.integers(1, MOST_REVIEWERS))
    # Narrow bands of levels make crowded cells, where orders bind.
    low = random.randrange(levels)
    high = min(low + random.choice([0, 1, 1, 2, levels]), levels - 1)
    lists = []
    for _ in range(reviewers):
        load = random.randint(1, min(papers, LARGEST_LOAD))
        given = sorted((random.randint(low, high) for _ in range(load)), reverse=True)
        lists.append(list(zip(random.sample(range(papers), load), given, strict=True)))
    return lists


def _state(random, rows, reviewer, papers, kind):
    """Statements of one reviewer, all in keeping with one order from best to worst."""
    for one in random.choice(MIXTURES) if kind == "mixed" else (kind,):
        if one == "pairs":
            _pair(random, rows, reviewer, papers)
        elif one != "scores only":
            _rank(random, rows, reviewer, papers, one)


def _rank(random, rows, reviewer, papers, kind):
    """A rank list: "ties" joins some neighbours, "partial" also leaves some papers out."""
    rank = 1
    for paper in papers:
        rank += kind == "total" or random.random() < 0.5
        if kind != "partial" or random.random() < 0.7:
            rows.rank(reviewer, paper, rank)


def _pair(random, rows, reviewer, papers):
    """Pairs out of the order: from a few, which leave posets, to most of it."""
    share = random.choice([0.1, 0.3, 0.6])
    for place, above in enumerate(papers):
        for below in papers[place + 1 :]:
            if random.random() < share:
                rows.pair(reviewer, above, below)
