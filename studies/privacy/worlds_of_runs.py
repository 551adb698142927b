"""What follows from an area chair's page under `order` where λ is chosen from the reviews (`auto+`).

A random conference of 16 to 120 papers, an area chair with some of them, and a few scores that are hidden
from this area chair, of papers beside theirs in a ranking. The whole conference is run again for every value
of these scores, its λ chosen anew each time, and the pages of all these worlds are compared byte by byte.
Somebody who knows everything but these scores, and can run every world, cannot find more than is counted.
"""

from __future__ import annotations

import json
import random
from collections import defaultdict
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise, product

import polars as pl

import unround
from unround.disclosure.scope import Scope
from unround.disclosure.snapshot import Snapshot
from unround.disclosure.view import encoded, view

HIDDEN = {3: 2, 5: 2, 10: 1}  # scores that are open, by levels: at most 25 worlds
POLICIES = ("scores", "rankings", "refuse")  # in turn
PAPERS = (16, 120)
RANKED = 0.8  # of the reviewers

Review = tuple[int, int]  # reviewer and paper


@dataclass(frozen=True)
class Conference:
    """A conference, an area chair's papers, and the reviews whose scores are open."""

    reviews: pl.DataFrame
    rankings: pl.DataFrame
    levels: int
    policy: str
    papers: frozenset[int]
    hidden: tuple[Review, ...]

    def worlds(self) -> Iterator[tuple[tuple[int, ...], pl.DataFrame]]:
        """Yield every value of the open scores with the reviews that hold it."""
        for scores in product(range(self.levels), repeat=len(self.hidden)):
            given = pl.col("score")
            for (reviewer, paper), score in zip(self.hidden, scores, strict=True):
                this = (pl.col("reviewer") == reviewer) & (pl.col("paper") == paper)
                given = pl.when(this).then(score).otherwise(given)
            yield scores, self.reviews.with_columns(score=given)


@dataclass(frozen=True)
class World:
    """The open scores of a world, and what an area chair gets in it."""

    scores: tuple[int, ...]
    order: tuple[int | None, ...]
    rest: bytes  # of the page
    digit: str  # of λ, which earlier versions showed


def drawn(luck: random.Random, levels: int, policy: str) -> Conference:
    """Draw a conference; the open scores are of papers beside the area chair's in a ranking."""
    while True:
        papers = luck.randint(*PAPERS)
        made = unround.simulate.thurstone(papers, scale=range(levels), seed=luck.randrange(2**31))
        people = made.reviews["reviewer"].unique().sort().to_list()
        ranked = [one for one in people if luck.random() < RANKED]
        rankings = made.rankings.filter(pl.col("reviewer").is_in(ranked))
        mine = frozenset(luck.sample(range(papers), luck.randint(3, 8)))
        beside = sorted(_beside(rankings, mine))
        if len(beside) >= HIDDEN[levels]:
            hidden = tuple(luck.sample(beside, HIDDEN[levels]))
            return Conference(made.reviews, rankings, levels, policy, mine, hidden)


def _beside(rankings: pl.DataFrame, papers: frozenset[int]) -> set[Review]:
    """Return the reviews of other papers that a ranking puts next to one of these."""
    found: set[Review] = set()
    for (reviewer,), own in rankings.sort("rank").group_by("reviewer"):
        order = own["paper"].to_list()
        for one, other in pairwise(order):
            for mine, theirs in ((one, other), (other, one)):
                if mine in papers and theirs not in papers:
                    found.add((int(str(reviewer)), theirs))
    return found


def run_worlds(conference: Conference) -> list[World]:
    """Run every world that is not refused, and return what the area chair gets."""
    scope = Scope("Ann", frozenset(map(str, conference.papers)), names=True)
    found = []
    for scores, reviews in conference.worlds():
        try:
            result = unround.dequantize(
                reviews,
                conference.rankings,
                scale=range(conference.levels),
                conflicts=conference.policy,  # type: ignore[arg-type]
                allow_loss=True,
            )
        except unround.InputRefused:
            continue
        page = json.loads(encoded(view(Snapshot.of(result), scope, finished="2026-03-01")))
        order = tuple(page.pop("order"))
        found.append(World(scores, order, json.dumps(page).encode(), f"{result.lam:.0e}"))
    return found


@dataclass(frozen=True)
class Found:
    """Open scores, added up over worlds: how many are certain, and how many have lost a level."""

    open: int = 0
    certain: int = 0
    narrowed: int = 0

    def __add__(self, other: Found) -> Found:
        return Found(
            self.open + other.open,
            self.certain + other.certain,
            self.narrowed + other.narrowed,
        )

    def shares(self) -> str:
        """Return both shares as cells of a table."""
        return f"{self.certain / max(self.open, 1):.2%} | {self.narrowed / max(self.open, 1):.1%}"


def followed(worlds: Sequence[World], shown: Sequence[Hashable]) -> Found:
    """Return what follows for somebody who sees `shown` in each of these worlds."""
    alike = defaultdict(list)
    for world, page in zip(worlds, shown, strict=True):
        alike[page].append(world.scores)
    total = Found()
    for position in range(len(worlds[0].scores)):
        possible = {world.scores[position] for world in worlds}
        if len(possible) == 1:  # known without any page
            continue
        for same in alike.values():
            left = {scores[position] for scores in same}
            total += Found(len(same), len(same) * (len(left) == 1), len(same) * (left != possible))
    return total


def measured(levels: int, count: int) -> str:
    """Return a row of the table."""
    luck = random.Random(f"runs {levels}")  # noqa: S311  (nothing secret)
    by_order, by_digit = Found(), Found()
    number = orders = digits = differing = 0
    for each in range(count):
        worlds = run_worlds(drawn(luck, levels, POLICIES[each % len(POLICIES)]))
        if not worlds:
            continue
        number += len(worlds)
        orders += len({world.order for world in worlds}) > 1
        digits += len({world.digit for world in worlds}) > 1
        differing += len({world.rest for world in worlds}) > 1
        by_order += followed(worlds, [world.order for world in worlds])
        by_digit += followed(worlds, [(world.order, world.digit) for world in worlds])
    row = (levels, HIDDEN[levels], count, f"{number:,}", differing, f"{by_order.open:,}", orders)
    cells = (*map(str, row), by_order.shares(), str(digits), by_digit.shares())
    return f"| {' | '.join(cells)} |"


HEAD = """## Whole conferences, λ chosen from the reviews

{count} random conferences of {least} to {most} papers (Thurstone, four reviews per paper, whole rankings by
{ranked:.0%} of the reviewers; policies `scores`, `rankings` and `refuse` in turn), and one area chair
with 3 to 8 papers. *Open*: scores of papers beside theirs in a ranking; all other scores are known. Every
value of them is a world, run with `auto+`, and *open scores* counts them over all worlds that are not
refused.

- *pages differ*: conferences in which anything but the order of the papers differs between two worlds;
- *certain*: open scores that are the same in all worlds with this order; *narrowed*: those with a level that
  is possible without the page, and in none of the worlds with this order;
- *with λ's digit*: the same for somebody who gets λ to one digit too, as pages of version 1.0.0 show it.

*Orders* and *digits* count the conferences with more than one.

| levels | open | conferences | worlds | pages differ | open scores | orders | certain | narrowed | digits \
| certain, with λ's digit | narrowed, with λ's digit |
|---|---|---|---|---|---|---|---|---|---|---|---|"""


def section(per_row: int) -> Iterator[str]:
    """Yield the lines of this section of WORLDS.md."""
    least, most = PAPERS
    yield HEAD.format(count=per_row * len(HIDDEN), least=least, most=most, ranked=RANKED)
    for levels in HIDDEN:
        yield measured(levels, per_row)
