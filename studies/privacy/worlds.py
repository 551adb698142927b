"""What follows for sure from an area chair's page under `order`: rewrites WORLDS.md.

`python -m studies.privacy.worlds` draws small conferences with several hidden papers above and below those of
an area chair. It goes through all scores that hidden reviews can have (their worlds), solves each, and
sorts them by what the page shows. A hidden score that is the same in all worlds with one page, and not in
all worlds, is known for sure to somebody who has that page, knows the program and λ, knows which hidden
paper stands at which star, and can solve every world: no attack can find more.

So few reviews say nothing about λ, which is given here. Conferences that are large enough for λ to be chosen
from the reviews, again in every world, are those of `studies.privacy.worlds_of_runs`.
"""

from __future__ import annotations

import argparse
import math
import random
import sys
from collections import defaultdict
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise, product
from pathlib import Path

import numpy as np
import polars as pl

import unround
from studies.privacy import worlds_of_runs
from unround.arrays import IntArray
from unround.disclosure.scope import Scope
from unround.disclosure.scores import PaperOrder, within_scope
from unround.disclosure.snapshot import Snapshot

TARGET = Path(__file__).with_name("WORLDS.md")
# On longer scales, rankings that may contradict scores leave too many worlds.
CASES = ((3, "refuse"), (3, "scores"), (3, "rankings"), (5, "refuse"), (10, "refuse"))
MOST_WORLDS = {3: 2000, 5: 2000, 10: 6000}  # by levels
MOST_CONFERENCES = {10: 12}  # which take longest
STRENGTHS = (4.0, 20.0, 50.0, math.inf)  # of λ, in turn
READERS = (
    "exact",
    "page",
    "who reviews",
    "two area chairs",
    "one of both scopes",
    "two runs",
    "update",
)


@dataclass(frozen=True)
class Said:
    """What one reviewer said: scores, and a ranking of papers, best first; papers may be unranked."""

    scores: dict[int, int]
    ranking: tuple[int, ...]

    def with_hidden(self, hidden: Sequence[int], scores: Sequence[int]) -> Said:
        """Return the statement with other scores of hidden papers."""
        return replace(self, scores=self.scores | dict(zip(hidden, scores, strict=True)))

    def contradicts(self) -> bool:
        """Whether the ranking is against the scores."""
        return any(self.scores[a] < self.scores[b] for a, b in pairwise(self.ranking))


World = tuple[Said, ...]


@dataclass(frozen=True)
class Small:
    """A small conference, an area chair's papers, and those of a second one."""

    said: World
    papers: frozenset[int]
    others: frozenset[int]
    levels: int
    policy: str
    lam: float


def drawn(luck: random.Random, levels: int, policy: str, lam: float) -> Small:
    """Draw a conference: papers 0 and 1 are the area chair's, 2 another's, the others nobody's."""
    middle, said = levels // 2, []
    hidden = range(3, 3 + luck.randint(4, 6))
    for number, paper in enumerate((0, 0, 1, *luck.choices((0, 1), k=luck.randint(0, 1)))):
        between = number < 2  # hidden papers on both sides
        beside = luck.sample(
            (2, *hidden) if luck.random() < 0.5 else hidden, luck.randint(1 + between, 4)
        )
        cut = luck.randint(between, len(beside) - between)
        ranking = (*beside[:cut], paper, *beside[cut:]) if between or luck.random() < 0.7 else ()
        score = middle if luck.random() < 0.8 else luck.randrange(levels)
        said.append(Said(dict.fromkeys((paper, *beside), score), ranking))
    return Small(tuple(said), frozenset({0, 1}), frozenset({2}), levels, policy, lam)


def worlds(small: Small, known: frozenset[int] | None = None) -> list[World] | None:
    """Return every world that agrees on the scores of known papers; None where there are too many."""
    each = [list(_choices(one, known or small.papers, small)) for one in small.said]
    count = math.prod(len(one) for one in each)
    return list(product(*each)) if 1 < count <= MOST_WORLDS[small.levels] else None


def _choices(said: Said, known: frozenset[int], small: Small) -> Iterator[Said]:
    """Yield all that a reviewer may have said without a difference in known papers."""
    hidden = [paper for paper in said.scores if paper not in known]
    for scores in product(range(small.levels), repeat=len(hidden)):
        one = said.with_hidden(hidden, scores)
        if small.policy != "refuse" or not one.contradicts():
            yield one


def solved(
    small: Small, found: Sequence[World], lam: float | None = None, epsilon: float = 0.05
) -> Snapshot:
    """Solve all worlds as parts of one conference that no reviewer connects.

    A paper of world w has the number w · 1000 + paper, and so have reviewers.
    """
    reviews, ranks = [], []
    for number, world in enumerate(found):
        for reviewer, said in enumerate(world):
            who, at = 1000 * number + reviewer, 1000 * number
            reviews += [(who, at + paper, said.scores[paper]) for paper in sorted(said.scores)]
            ranks += [(who, at + paper, rank) for rank, paper in enumerate(said.ranking, start=1)]
    stated = pl.DataFrame(ranks, schema=["reviewer", "paper", "rank"], orient="row")
    result = unround.dequantize(
        pl.DataFrame(reviews, schema=["reviewer", "paper", "score"], orient="row"),
        stated if ranks else None,
        scale=range(small.levels),
        lam=small.lam if lam is None else lam,
        epsilon=epsilon,
        conflicts=small.policy,  # type: ignore[arg-type]
        allow_loss=True,
    )
    return Snapshot.of(result)


def scope_of(papers: frozenset[int], world: int = 0) -> Scope:
    """Return the scope of an area chair of these papers in one of the worlds."""
    ids = frozenset(str(1000 * world + paper) for paper in papers)
    return Scope("Ann", ids, names=True)


def pages(papers: frozenset[int], snapshot: Snapshot, count: int) -> list[Hashable]:
    """Return the order of papers on an area chair's page, world by world."""
    mine = snapshot.reviews.filter((pl.col("paper") % 1000).is_in(sorted(papers)))
    if not mine.height:
        return [()] * count
    world, paper = mine["paper"] // 1000, mine["paper"] % 1000
    means = (
        mine.with_columns(world=world, number=paper)
        .group_by("world", "number")
        .agg(pl.col("dequantized").mean())
        .sort("world", "number")["dequantized"]
        .to_numpy()
        .reshape(count, -1)
    )
    order = PaperOrder.of(snapshot, within_scope(snapshot, scope_of(papers)))
    return [tuple(order.places(row)) for row in means]


def hidden_scores(small: Small, found: Sequence[World], known: frozenset[int]) -> IntArray:
    """Return the scores at the stars of reviewers in view: a row per world, a column per star."""
    stars = [
        (number, paper)
        for number, said in enumerate(small.said)
        if known & set(said.scores)
        for paper in said.ranking
        if paper not in known
    ]
    return np.array([[world[one].scores[paper] for one, paper in stars] for world in found])


@dataclass(frozen=True)
class Known:
    """Hidden scores that are open without a page, and those that a reader knows for sure with it."""

    sure: int
    open: int
    pages: int


def known(hidden: IntArray, shown: Sequence[Hashable]) -> Known:
    """Return what is the same in all worlds with one page, added up over worlds."""
    groups = defaultdict(list)
    for world, page in enumerate(shown):
        groups[page].append(world)
    if not hidden.size:
        return Known(0, 0, len(groups))
    open_ones = hidden[:, (hidden != hidden[0]).any(axis=0)]
    sure = sum(
        len(same) * int((open_ones[same] == open_ones[same[0]]).all(axis=0).sum())
        for same in groups.values()
    )
    return Known(sure, int(open_ones.size), len(groups))


def readers(small: Small, found: Sequence[World]) -> dict[str, Known]:
    """Return what each reader of pages knows for sure in a small conference."""
    mine, count = small.papers, len(found)
    snapshot, hidden = solved(small, found), hidden_scores(small, found, small.papers)
    page = pages(mine, snapshot, count)
    digits = snapshot.reviews.filter((pl.col("paper") % 1000).is_in(sorted(mine)))
    exact = np.round(digits["dequantized"].to_numpy().reshape(count, -1), 7)
    # An area chair who is the first reviewer knows what this one said; counted are the others' scores.
    own = len([paper for paper in small.said[0].ranking if paper not in mine])
    reviewing = list(zip(page, map(tuple, hidden[:, :own].tolist()), strict=True))
    weaker = 4.0 if small.lam != 4.0 else 20.0
    answers = {
        "exact": known(hidden, [row.tobytes() for row in exact]),
        "page": known(hidden, page),
        "who reviews": known(hidden[:, own:], reviewing),
        "two runs": known(
            hidden,
            list(zip(page, pages(mine, solved(small, found, weaker), count), strict=True)),
        ),
        "update": known(
            hidden,
            list(zip(page, pages(mine, solved(small, _updated(small, found)), count), strict=True)),
        ),
    }
    both = mine | small.others
    pooled = [
        world
        for world in found
        if all(_agrees(world, small, both, one) for one in range(len(world)))
    ]
    if len(pooled) > 1:
        snapshot, hidden = solved(small, pooled), hidden_scores(small, pooled, both)
        page, other = (pages(which, snapshot, len(pooled)) for which in (mine, small.others))
        answers["two area chairs"] = known(hidden, list(zip(page, other, strict=True)))
        answers["one of both scopes"] = known(hidden, pages(both, snapshot, len(pooled)))
    return answers


def _agrees(world: World, small: Small, papers: frozenset[int], one: int) -> bool:
    """Whether a reviewer gave papers the scores that they have in the conference as it was drawn."""
    theirs = small.said[one].scores
    return all(world[one].scores[paper] == theirs[paper] for paper in papers & set(theirs))


def _updated(small: Small, found: Sequence[World]) -> list[World]:
    """Return the worlds after the first reviewer took back their ranking."""
    return [(replace(world[0], ranking=()), *world[1:]) for world in found]


def conferences(levels: int, policy: str, count: int) -> Iterator[tuple[Small, list[World]]]:
    """Draw conferences with few enough worlds; λ is another one in turn."""
    luck = random.Random(f"{levels} {policy}")  # noqa: S311  (nothing secret)
    for number in range(count):
        found = None
        while found is None:
            small = drawn(luck, levels, policy, STRENGTHS[number % len(STRENGTHS)])
            found = worlds(small)
        yield small, found


def measured(levels: int, policy: str, count: int) -> str:
    """Return a row of the table: the share of open hidden scores that each reader knows for sure."""
    sure, open_ones = dict.fromkeys(READERS, 0), dict.fromkeys(READERS, 0)
    more = number = 0
    for small, found in conferences(levels, policy, count):
        answers = readers(small, found)
        number += len(found)
        more += answers["page"].pages > 1
        for name, answer in answers.items():
            sure[name] += answer.sure
            open_ones[name] += answer.open
    shares = [f"{sure[name] / max(open_ones[name], 1):.2%}" for name in READERS]
    row = [
        str(levels),
        policy,
        f"{count} ({more})",
        f"{number:,}",
        f"{open_ones['page']:,}",
        *shares,
    ]
    return "| " + " | ".join(row) + " |"


def example(levels: int = 3) -> Small:
    """Return a conference in which the order of two papers tells a hidden score.

    Two reviewers ranked paper 0, one of them above two hidden papers; paper 1 is not ranked. With all
    scores in the middle, paper 0 below paper 1 tells that the last hidden paper got a lower score.
    """
    middle = levels // 2
    said = (
        Said(dict.fromkeys((0, 3, 4), middle), (3, 0, 4)),
        Said(dict.fromkeys((0, 5, 6, 7), middle), (5, 0, 6, 7)),
        Said({1: middle}, ()),
        Said({1: middle}, ()),
    )
    return Small(said, frozenset({0, 1}), frozenset({2}), levels, "refuse", 20.0)


HEAD = """# What follows for sure from a page under `order`

Written by `python -m studies.privacy.worlds`. Small conferences drawn at random (3 or 4 reviewers of an area
chair's two papers, with up to four hidden papers around each, four of five reviewers with the middle
score), at most {conferences} per row, with λ given: 4, 20, 50 and ∞ in turn. All scores that hidden
reviews can have are tried. *Hidden scores*: those of reviewers in view that given scores and stars leave
open, added up over all these worlds. The shares of them that are known for sure to somebody who knows the
program, λ, and which hidden paper is at which star, and can solve every world:

- *exact*: from the numbers of the run; *page*: from one page under `order`;
- *who reviews*: by an area chair who is one of the reviewers and so knows their own scores;
- *two area chairs*: from two pages together; *one of both scopes*: by one area chair of the same papers;
- *two runs*: from pages of two runs with different λ; *update*: from the pages before and after a reviewer
  took back their ranking.

In brackets, how many of the conferences have more than one page: in the others an area chair learns nothing.
These conferences are the worst case, small and with nearly all scores equal. In simulated conferences of
realistic size no attack of `unround audit privacy` finds a score for sure (`PRIVACY.md`).

| levels | conflicts | conferences | worlds | hidden scores | exact | page | who reviews | two area chairs \
| one of both scopes | two runs | update |
|---|---|---|---|---|---|---|---|---|---|---|---|"""


def main() -> None:
    """Measure and write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--conferences", type=int, default=30, help="per row of the first table")
    parser.add_argument("--runs", type=int, default=100, help="conferences per row of the second")
    parser.add_argument("-o", "--output", type=Path, default=TARGET, metavar="FILE")
    chosen = parser.parse_args()
    count = chosen.conferences
    lines = [HEAD.format(conferences=count)]
    for levels, policy in CASES:
        lines.append(measured(levels, policy, min(count, MOST_CONFERENCES.get(levels, count))))
        sys.stdout.write(f"{lines[-1]}\n")
    small = example()
    answer = readers(small, worlds(small) or [])["page"]
    lines += [
        "",
        "A conference made for the attack (★ > A > ★, ★ > A > ★ > ★, B unranked, three levels, all scores "
        f"in the middle): {answer.sure / answer.open:.1%} of its hidden scores are known for sure from "
        "the page.",
        "",
    ]
    for line in worlds_of_runs.section(chosen.runs):
        lines.append(line)
        sys.stdout.write(f"{line}\n")
    chosen.output.write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
