"""Evidence made by hand: whole ballots, and small random conferences."""

from itertools import pairwise

import numpy as np

from studies.rivals.evidence import Evidence, pairs_of


def evidence(reviews, levels=11):
    """Reviews as (reviewer, paper, level, rank or None)."""
    reviewer, paper, level, rank = (np.array(part) for part in zip(*reviews, strict=True))
    rank = rank.astype(np.float64)
    better, worse = pairs_of(reviewer, rank)
    return Evidence(
        papers=int(paper.max()) + 1,
        reviewer=reviewer,
        paper=paper,
        given=level.astype(np.float64),
        level=level,
        levels=levels,
        rank=rank,
        better=better,
        worse=worse,
    )


def election(ballots):
    """Ballots as {"ACBED": 5 voters, ..}; all scores are equal."""
    names = sorted({name for ballot in ballots for name in ballot})
    voters = [ballot for ballot, count in ballots.items() for _ in range(count)]
    return evidence(
        [
            (voter, names.index(name), 0, place)
            for voter, ballot in enumerate(voters)
            for place, name in enumerate(ballot)
        ],
        levels=2,
    )


def winners(value, names="ABCDE"):
    """Names by falling value; a slash between equals."""
    order = np.argsort(-value, kind="stable")
    text = names[order[0]]
    for one, other in pairwise(order.tolist()):
        text += ("/" if value[one] == value[other] else "") + names[other]
    return text


def small_conference(seed, papers=5, reviewers=6, load=4, levels=6, tied=0.3):
    """Random scores, and rankings with ties."""
    random = np.random.default_rng(seed)
    quality = random.permutation(papers) / (papers - 1)
    reviews = []
    for reviewer in range(reviewers):
        read = random.choice(papers, load, replace=False)
        opinion = quality[read] + random.normal(0.0, 0.25, load)
        place = np.argsort(np.argsort(-opinion))
        rank = place - (random.random(load) < tied) * (place > 0)
        level = np.clip(np.rint(opinion * (levels - 1)), 0, levels - 1).astype(int)
        reviews += zip([reviewer] * load, read.tolist(), level.tolist(), rank.tolist(), strict=True)
    return evidence(reviews, levels)
