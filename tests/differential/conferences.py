"""Random small conferences as files: every scale, kind of ranking, policy and fault of an input."""

from __future__ import annotations

import csv
import math
from itertools import combinations
from pathlib import Path
from random import Random

from tests.differential.reference import Conference

SCALES = {
    "inferred": None,
    "ten": tuple(map(str, range(1, 11))),
    "halves": ("1", "1.5", "2", "2.5", "3", "3.5", "4"),
    "evens": ("0", "2", "4", "6", "8", "10"),
    "uneven": ("1", "3", "5", "6", "8", "10"),
    "reversed": ("5", "4", "3", "2", "1"),
    "letters": ("D", "C", "B", "A"),
    "tenths": ("0.1", "0.2", "0.3", "0.4"),
    "hundreds": ("-100", "0", "100", "200"),
}
KINDS = ("none", "full", "ties", "partial", "pairs", "mixed")
FAULTS = ("off-scale", "no score", "duplicate-review", "duplicate-rank")
FAULTS += ("unreviewed", "self-comparison", "cycle", "upside-down", "strangers")
RANKS, PAIRS = "ranks.csv", "pairs.csv"
POLICIES = ("refuse", "scores", "rankings")

Row = dict[str, object]


def make(number: int, seed: int, folder: Path) -> Conference:
    """Write the files of one conference; the same number and seed give the same files."""
    random = Random(f"{seed} {number}")
    name = random.choice(list(SCALES))
    levels = SCALES[name] or tuple(map(str, range(1, random.randint(3, 7))))
    fault = random.choice(FAULTS) if random.random() < 0.25 else ""
    lists = _lists(random, levels)
    reviews = [
        {"reviewer": reviewer, "paper": paper, "score": levels[level]}
        for reviewer, papers in lists.items()
        for paper, level in papers
    ]
    # How far rankings go their own way, and how many reviewers' do.
    own_way, share = random.choice([0.0, 0.5, 1.0, 5.0]), random.choice([0.3, 1.0])
    kind = random.choice(KINDS)
    ranks, pairs = list[Row](), list[Row]()
    for reviewer, papers in lists.items():
        astray = own_way if random.random() < share else 0.0
        order = _order(random, papers, astray, turned=fault == "upside-down")
        _state(random, reviewer, order, kind, ranks, pairs)
    _spoil(random, fault, reviews, ranks, pairs)
    stated = SCALES[name] or (None if _all_used(reviews) else levels)
    for rows in (reviews, ranks, pairs):
        random.shuffle(rows)
    files = ((RANKS, ranks), (PAIRS, pairs))
    return Conference(
        reviews=_write(folder / "reviews.csv", reviews),
        rankings=tuple(_write(folder / name, rows) for name, rows in files if rows),
        levels=stated,
        lam=random.choice([10.0 ** random.uniform(-3, 6), 10.0 ** random.uniform(-1, 2), math.inf]),
        epsilon=random.choice([0.05, 0.05, 10.0 ** random.uniform(-3, -1), 0.3, 0.7]),
        conflicts=random.choice(POLICIES),
        unranked="below" if random.random() < 0.2 else "apart",
        allow_loss=random.random() < 0.3,
    )


def _lists(random: Random, levels: tuple[str, ...]) -> dict[str, list[tuple[str, int]]]:
    """Return each reviewer's papers with the places of their scores: of a paper's quality, and noise."""
    papers = [f"p{number}" for number in range(1, random.randint(3, 12) + 1)]
    quality = {paper: random.uniform(-0.5, len(levels) - 0.5) for paper in papers}
    noise = random.choice([0.3, 1.0, 3.0])
    lists = {}
    for number in range(1, random.randint(2, 8) + 1):
        chosen = random.sample(papers, random.randint(1, min(len(papers), 8)))
        levels_given = (round(random.gauss(quality[paper], noise)) for paper in chosen)
        bounded = (min(max(level, 0), len(levels) - 1) for level in levels_given)
        lists[f"r{number}"] = list(zip(chosen, bounded, strict=True))
    return lists


def _order(random: Random, papers: list[tuple[str, int]], astray: float, turned: bool) -> list[str]:
    """Return papers from best to worst: by score, ties at random, and further astray."""
    place = {paper: -level + random.uniform(0, 0.9 + astray) for paper, level in papers}
    return sorted(place, key=place.__getitem__, reverse=turned)


def _state(
    random: Random, reviewer: str, order: list[str], kind: str, ranks: list[Row], pairs: list[Row]
) -> None:
    """Add what one reviewer states of an order."""
    if kind == "mixed":
        kind = random.choice(KINDS[:-1])
        _state(random, reviewer, order, random.choice(["none", "pairs"]), ranks, pairs)
    if kind == "pairs":
        density = random.choice([0.2, 0.5, 0.9])
        pairs += [
            {"reviewer": reviewer, "better": better, "worse": worse}
            for better, worse in combinations(order, 2)
            if random.random() < density
        ]
    elif kind != "none":
        rank = 0
        for paper in order:
            rank += random.choice([1, 1, 3]) if kind == "full" or random.random() < 0.5 else 0
            if kind != "partial" or random.random() < 0.7:
                ranks.append({"reviewer": reviewer, "paper": paper, "rank": rank + 1})


def _spoil(
    random: Random, fault: str, reviews: list[Row], ranks: list[Row], pairs: list[Row]
) -> None:
    """Put one fault into the tables."""
    review = random.choice(reviews)
    reviewer, paper = review["reviewer"], review["paper"]
    if fault == "off-scale":
        review["score"] = 77 if str(review["score"]).lstrip("-")[0].isdigit() else "Q"
    elif fault == "no score":
        review["score"] = ""
    elif fault == "duplicate-review":
        reviews.append(dict(review))
    elif fault == "duplicate-rank" and ranks:
        ranks.append(dict(random.choice(ranks)))
    elif fault == "unreviewed":
        ranks.append({"reviewer": reviewer, "paper": "p99", "rank": 1})
    elif fault == "strangers":
        ranks += [{"reviewer": f"s{k}", "paper": paper, "rank": 1} for k in range(12)]
    elif fault == "self-comparison":
        pairs.append({"reviewer": reviewer, "better": paper, "worse": paper})
    elif fault == "cycle":
        own = [row["paper"] for row in reviews if row["reviewer"] == reviewer]
        circle = random.sample(own, random.randint(1, len(own)))
        for better, worse in zip(circle, circle[1:] + circle[:1], strict=True):
            if better != worse:
                pairs.append({"reviewer": reviewer, "better": better, "worse": worse})


def _all_used(reviews: list[Row]) -> bool:
    """Whether every integer between the least and the largest score is in use: then none is in doubt."""
    scores = {int(str(row["score"])) for row in reviews if row["score"] != ""}
    return bool(scores) and len(scores) == max(scores) - min(scores) + 1


def _write(path: Path, rows: list[Row]) -> Path:
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    return path
