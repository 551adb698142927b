"""Two area chairs who pool their views: which pseudonym in one is which pseudonym in the other.

Two rankings fit if they are equally long, what one shows is hidden in the other, and given scores fall
from first to last. Among those that fit, shown scores are weighed in several ways, and the one that
finds most counts: so an area chair would have to know which one that is.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations, pairwise

import numpy as np

from tests.audit.conference import Held, held
from unround.audit.privacy.attack import PRECISION
from unround.disclosure.model import OUTSIDE, View
from unround.disclosure.scope import Disclosure

EPSILON = 0.05
Places = dict[int, tuple[float, float]]  # by place in the ranking: given and shown score
Penalty = Callable[[list[float]], float]


def rankings(shown: View) -> dict[str, tuple[int, Places]]:
    """How long each reviewer's ranking is, and the scores in it that the view has."""
    columns = shown["reviews"]
    rows = zip(
        columns["reviewer"], columns["paper"], columns["score"], columns["dequantized"], strict=True
    )
    scores = {(who, paper): (given, score) for who, paper, given, score in rows}
    found = {}
    for who, name in enumerate(shown["reviewers"]):
        groups = shown["rankings"][who]["groups"]
        places = {
            place: scores[who, group[0]]
            for place, group in enumerate(groups)
            if group[0] != OUTSIDE
        }
        found[name] = len(groups), places
    return found


def merged(one: tuple[int, Places], other: tuple[int, Places]) -> list[tuple[float, float]] | None:
    """Given and shown scores from first to last if both can be one reviewer's; None if not."""
    if one[0] != other[0] or one[1].keys() & other[1].keys():
        return None
    both = one[1] | other[1]
    scores = [both[place] for place in sorted(both)]
    return scores if all(high >= low for (high, _), (low, _) in pairwise(scores)) else None


def out_of_order(scores: list[float]) -> float:
    return float(sum(high < low for high, low in pairwise(scores)))


def how_far_out_of_order(scores: list[float]) -> float:
    return round(sum(max(0.0, low - high) for high, low in pairwise(scores)), 6)


def not_held_apart(scores: list[float]) -> float:
    """Scores that are exactly ε apart belong to one reviewer."""
    held_apart = sum(abs(high - low - EPSILON) < PRECISION for high, low in pairwise(scores))
    return out_of_order(scores) - held_apart


def given_alone(_scores: list[float]) -> float:
    return 0.0


def linked(conference: Held, disclosure: Disclosure, penalty: Penalty) -> float:
    """The share of reviewers in two views who are linked rightly; of equally good guesses, one by chance."""
    shown = [
        rankings(conference.view(chair, disclosure)) for chair in range(len(conference.chairs))
    ]
    right = []
    for mine, theirs in combinations(shown, 2):
        for name in sorted(mine.keys() & theirs.keys()):
            fit = {other: merged(mine[name], theirs[other]) for other in theirs}
            cost = {
                other: penalty([score for _, score in scores])
                for other, scores in fit.items()
                if scores is not None
            }
            best = [other for other, one in cost.items() if one == min(cost.values())]
            right.append((name in best) / len(best))
    assert len(right) > 100
    return float(np.mean(right))


def test_pooled_views_link_reviewers_by_exact_digits_better_than_by_given_scores():
    """Under `order` a view has given scores alone, so that there is nothing else to weigh."""
    conference = held()
    baseline = linked(conference, "exact", given_alone)
    penalties = (out_of_order, how_far_out_of_order, not_held_apart)
    found = [linked(conference, "exact", penalty) for penalty in penalties]
    assert 100 * (max(found) - baseline) >= 5
