"""Every hidden world that an area chair's page leaves open: rewrites benchmarks/WORLDS.md.

`python -m benchmarks.worlds` draws small conferences and an area chair in each. It goes through all
scores that hidden reviews can have, and all ways in which hidden papers can stand at the stars that the
area chair sees, solves each of these worlds, and sorts them by what the page shows. A hidden score that
is the same in all worlds with one page, and not in all worlds, is known for sure from that page: no
attack can find more, whatever it knows about the program. λ is taken as known.
"""

from __future__ import annotations

import argparse
import math
import random
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise, permutations, product
from pathlib import Path

import numpy as np
import polars as pl

import unround
from unround.arrays import FloatArray, IntArray
from unround.disclosure.scope import Scope
from unround.disclosure.scores import PaperOrder
from unround.disclosure.snapshot import Snapshot
from unround.metrics import tie_grid

TARGET = Path(__file__).with_name("WORLDS.md")
KINDS = ("total", "tied", "pairs")
POLICIES = ("refuse", "scores", "rankings")
MOST_WORLDS = 4100
STRENGTHS = (4.0, 20.0, 50.0, math.inf)  # of λ, in turn
PAGES = ("exact", "order of the run", "order of means", "shown")

Pairs = tuple[tuple[int, int], ...]  # better and worse


@dataclass(frozen=True)
class Said:
    """What one reviewer said: a score per paper; ranks where they ranked, otherwise stated pairs."""

    scores: dict[int, int]
    ranks: dict[int, int]
    pairs: Pairs
    stars: tuple[int, ...] = ()  # the scores of hidden papers, in the order in which they stand

    def changed(self, names: dict[int, int], stars: tuple[int, ...]) -> Said:
        """Return the statements with hidden papers in each other's places, and with other scores."""
        scores = self.scores | dict(zip(names.values(), stars, strict=True))
        ranks = {names.get(paper, paper): rank for paper, rank in self.ranks.items()}
        pairs = tuple((names.get(a, a), names.get(b, b)) for a, b in self.pairs)
        return Said(scores, ranks, pairs, stars)

    def comparisons(self) -> Iterator[tuple[int, int]]:
        """Yield each pair of which the first stands above the second."""
        yield from self.pairs
        for one, high in self.ranks.items():
            yield from ((one, other) for other, low in self.ranks.items() if high < low)


@dataclass(frozen=True)
class Small:
    """A small conference and the papers of one area chair."""

    said: tuple[Said, ...]
    papers: frozenset[int]
    levels: int
    policy: str
    lam: float


World = tuple[Said, ...]


def drawn(luck: random.Random, kind: str, policy: str, lam: float) -> Small:
    """Draw a conference: papers in scope stand between hidden ones in most rankings."""
    levels, inside = luck.choice((3, 3, 3, 4)), luck.choice((2, 2, 3))
    hidden = range(inside, inside + luck.randint(2, 4))
    said = []
    for reviewer in range(max(inside, luck.choice((2, 3, 4, 4, 5)))):
        order = [reviewer % inside]
        for extra in luck.sample(range(inside), inside - 1):
            if extra not in order and luck.random() < 0.1:
                order.append(extra)
        above, below = luck.sample(hidden, 2)
        order = [above] * (luck.random() < 0.95) + order + [below] * (luck.random() < 0.95)
        score = luck.randrange(levels) if luck.random() < 0.2 else levels // 2
        scores = dict.fromkeys(order, score)
        said.append(_stated(luck, kind, order, scores))
    return Small(tuple(said), frozenset(range(inside)), levels, policy, lam)


def _stated(luck: random.Random, kind: str, order: list[int], scores: dict[int, int]) -> Said:
    ranks = {paper: place for place, paper in enumerate(order, start=1)}
    if kind == "pairs":
        pairs = tuple(pair for pair in pairwise(order) if luck.random() < 0.9)
        return Said(scores, {}, pairs)
    if kind == "tied" and len(order) > 2 and luck.random() < 0.4:
        ranks[order[1]] = ranks[luck.choice((order[0], order[2]))]
    return Said(scores, ranks, ())


def worlds(small: Small) -> list[World] | None:
    """Return every world that looks the same to the area chair; None where there are too many."""
    each = [_choices(one, small) for one in small.said]
    count = math.prod(len(one) for one in each)
    return list(product(*each)) if 1 < count <= MOST_WORLDS else None


def _choices(said: Said, small: Small) -> list[Said]:
    """Return all that a reviewer may have said without the area chair seeing a difference."""
    hidden = [paper for paper in said.scores if paper not in small.papers]
    found = []
    # Where rankings may contradict scores, worlds are too many: the area chair is told who stands where.
    orders = permutations(hidden) if small.policy == "refuse" else [tuple(hidden)]
    for order in orders:
        for stars in product(range(small.levels), repeat=len(hidden)):
            one = said.changed(dict(zip(hidden, order, strict=True)), stars)
            against = any(one.scores[a] < one.scores[b] for a, b in one.comparisons())
            if small.policy != "refuse" or not against:
                found.append(one)
    return found


def solved(small: Small, found: list[World]) -> Snapshot:
    """Solve all worlds as parts of one conference that no reviewer connects.

    A paper of world w has the number w · 1000 + paper, and so have reviewers.
    """
    reviews, ranks, pairs = [], [], []
    for number, world in enumerate(found):
        for reviewer, said in enumerate(world):
            who, at = 1000 * number + reviewer, 1000 * number
            reviews += [(who, at + paper, said.scores[paper]) for paper in sorted(said.scores)]
            ranks += [(who, at + paper, rank) for paper, rank in said.ranks.items()]
            pairs += [(who, at + better, at + worse) for better, worse in said.pairs]
    stated = [
        pl.DataFrame(rows, schema=["reviewer", *names], orient="row")
        for rows, names in ((ranks, ("paper", "rank")), (pairs, ("better", "worse")))
        if rows
    ]
    result = unround.dequantize(
        pl.DataFrame(reviews, schema=["reviewer", "paper", "score"], orient="row"),
        stated or None,
        scale=range(small.levels),
        lam=small.lam,
        conflicts=small.policy,  # type: ignore[arg-type]
        allow_loss=True,
    )
    return Snapshot.of(result)


def scope_of(small: Small, world: int = 0) -> Scope:
    """Return the area chair's scope in one of the worlds."""
    papers = frozenset(str(1000 * world + paper) for paper in small.papers)
    return Scope("Ann", papers, names=True)


def hidden_scores(small: Small, found: list[World]) -> IntArray:
    """Return the scores at the stars that the area chair sees: a row per world, a column per star."""
    seen = [number for number, said in enumerate(small.said) if small.papers & set(said.scores)]
    return np.array([[star for one in seen for star in world[one].stars] for world in found])


def pages(small: Small, snapshot: Snapshot, count: int) -> dict[str, list[bytes]]:
    """Return what each kind of page shows, world by world."""
    mine = snapshot.reviews.filter(pl.col("paper") % 1000 < len(small.papers))
    scores = mine["dequantized"].to_numpy().reshape(count, -1)
    paper = mine["paper"].to_numpy().reshape(count, -1)[0]
    value = mine["value"].to_numpy().reshape(count, -1)[0]
    means = np.array([scores[:, paper == one].mean(axis=1) for one in range(len(small.papers))]).T
    order = PaperOrder.of(snapshot, scope_of(small))
    return {
        "exact": [np.round(row, 7).tobytes() for row in scores],
        "order of the run": [_places(row, paper, value) for row in scores],
        "order of means": [_order(row) for row in means],
        "shown": [repr(order.places(row)).encode() for row in means],
    }


def _order(values: FloatArray) -> bytes:
    return np.unique(tie_grid(values), return_inverse=True)[1].tobytes()


def _places(scores: FloatArray, paper: IntArray, value: FloatArray) -> bytes:
    """Return reviews in order within their levels, equal ones of a paper together, and five statistics."""
    groups = sorted(set(zip(value.tolist(), paper.tolist(), strict=True)))
    means = [scores[(value == level) & (paper == one)].mean() for level, one in groups]
    levels = np.array([level for level, _ in groups])
    found = [_order(np.array(means)[levels == level]) for level in np.unique(levels)]
    own = [scores[paper == one] for one in np.unique(paper)]
    statistics = (np.min, np.max, np.mean, np.median, np.ptp)
    found += [_order(np.array([each(one) for one in own])) for each in statistics]
    return b"|".join(found)


@dataclass(frozen=True)
class Known:
    """Hidden scores that a kind of page tells for sure, added up over worlds."""

    scores: int
    pages: int


def known(small: Small, found: list[World]) -> tuple[dict[str, Known], int]:
    """Return what each kind of page tells, and how many hidden scores are not known without one."""
    hidden = hidden_scores(small, found)
    if not hidden.shape[1]:
        return {name: Known(0, 1) for name in PAGES}, 0
    open_ones = hidden[:, (hidden != hidden[0]).any(axis=0)]
    told = {}
    for name, shown in pages(small, solved(small, found), len(found)).items():
        groups = defaultdict(list)
        for world, page in enumerate(shown):
            groups[page].append(world)
        sure = sum(
            len(same) * int((open_ones[same] == open_ones[same[0]]).all(axis=0).sum())
            for same in groups.values()
        )
        told[name] = Known(sure, len(groups))
    return told, int(open_ones.size)


def measured(kind: str, policy: str, conferences: int) -> str:
    """Return a row of the table: what is known for sure, kind of page by kind of page."""
    luck = random.Random(f"{kind} {policy}")
    total, pages_of, hidden, count = dict.fromkeys(PAGES, 0), 0, 0, 0
    for number in range(conferences):
        found, lam = None, STRENGTHS[number % len(STRENGTHS)]
        while found is None:
            small = drawn(luck, kind, policy, lam)
            found = worlds(small)
        told, scores = known(small, found)
        hidden, count, pages_of = (
            hidden + scores,
            count + len(found),
            pages_of + told["shown"].pages,
        )
        for name in PAGES:
            total[name] += told[name].scores
    shares = [f"{total[name]:,}" for name in PAGES]
    row = [kind, policy, f"{count:,}", f"{hidden:,}", *shares, f"{pages_of - conferences:,}"]
    return "| " + " | ".join(row) + " |"


HEAD = """# Every hidden world

Written by `python -m benchmarks.worlds`. Small conferences (2 to 5 reviewers, 3 to 7 papers, 3 or 4
levels), an area chair of 2 or 3 papers in each, {conferences} per row, with λ 4, 20, 50 and ∞ in turn.
*Worlds*: all scores of hidden reviews, and all ways in which hidden papers stand at the stars that the
area chair sees; where rankings may contradict scores, the area chair is taken to know which hidden
paper stands where. *Hidden scores*: those at these stars that are not known from given scores and stars
alone, added up over worlds. The next columns count those that are known for sure to someone who has the
page, knows the program and λ, and can solve every world: from exact numbers; from places of reviews and
of papers by five statistics as the run has them; from papers by their means as the run has them; and
from what `order` shows. *Pages*: how many different pages `order` has beyond one per conference;
without any, an area chair would learn nothing from it.
"""


def main() -> None:
    """Measure and write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--conferences", type=int, default=40, help="per row of the table")
    conferences = parser.parse_args().conferences
    lines = [
        HEAD.format(conferences=conferences),
        "| rankings | conflicts | worlds | hidden scores | exact | order of the run | order of means "
        "| shown | pages |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    for kind, policy in product(KINDS, POLICIES):
        lines.append(measured(kind, policy, conferences))
        print(lines[-1], flush=True)
    TARGET.write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
