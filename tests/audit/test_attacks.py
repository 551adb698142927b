"""Attacks on what area chairs receive: exact digits give hidden scores away, order and scope do not."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import combinations, product

import numpy as np
import polars as pl
import pytest

import unround
from tests.audit.conference import Held, held
from unround.audit.privacy.attack import (
    PRECISION,
    DeducedReview,
    ImpliedScore,
    deduce_hidden_reviews,
    implied_scores,
    paper_heights,
)
from unround.disclosure.model import OUTSIDE, View
from unround.disclosure.scope import Scope
from unround.disclosure.scores import PaperOrder, within_scope
from unround.disclosure.snapshot import Snapshot
from unround.disclosure.view import encoded, view

KINDS = [
    ("total", "refuse"),
    ("total", "scores"),
    ("total", "rankings"),
    ("tied", "refuse"),
    ("tied", "rankings"),
    ("pairs", "refuse"),
    ("pairs", "scores"),
]


def right(conference: Held, chair: int, shown: View, claim: DeducedReview) -> bool:
    """Whether a hidden review by that reviewer has exactly this score, and was given that level."""
    inside = pl.col("paper").cast(pl.String).is_in(sorted(conference.chairs[chair].papers))
    hidden = conference.snapshot.reviews.filter(
        ~inside,
        pl.col("reviewer").cast(pl.String) == shown["reviewers"][claim.reviewer],
        pl.col("value") == claim.level,
        (pl.col("dequantized") - claim.score).abs() < PRECISION,
    )
    return not hidden.is_empty()


@pytest.mark.parametrize("stars", [True, False])
@pytest.mark.parametrize(("kind", "policy"), KINDS)
def test_exact_digits_give_hidden_scores_away(kind, policy, stars):
    conference = held(kind, policy)
    judged = []
    for chair in range(len(conference.chairs)):
        shown = conference.view(chair, "exact", stars=stars)
        judged += [right(conference, chair, shown, claim) for claim in deduce_hidden_reviews(shown)]
    assert len(judged) > 40
    # An opened cell or a reduced ε misleads the attack; nothing else does.
    assert np.mean(judged) > (0.95 if policy == "refuse" else 0.7)


@pytest.mark.parametrize("stars", [True, False])
@pytest.mark.parametrize("disclosure", ["order", "scoped"])
@pytest.mark.parametrize(("kind", "policy"), KINDS)
def test_order_and_scope_give_nothing_away(kind, policy, disclosure, stars):
    conference = held(kind, policy)
    for chair in range(0, len(conference.chairs), 3 if disclosure == "scoped" else 1):
        shown = conference.view(chair, disclosure, stars=stars)
        assert not [
            one for one in deduce_hidden_reviews(shown) if right(conference, chair, shown, one)
        ]
        assert disclosure == "scoped" or implied_scores(shown) == []


def test_different_means_of_papers_with_the_same_scores_imply_who_was_pushed():
    """Ann's paper is above Bob's, and only the hidden paper below Ann's can have done that."""
    columns = {"reviewer": [0, 1], "paper": [0, 1], "score": [5.0, 5.0]}
    shown = {
        "reviews": columns,
        "papers": {"paper": ["a", "b"]},
        "order": [1, 2],
        "scale": {"levels": [4.0, 5.0, 6.0]},
        "rankings": [{"groups": [[0], [OUTSIDE]], "pairs": []}, {"groups": [[1]], "pairs": []}],
    }
    assert ImpliedScore(0, 0, False, 5.0) in implied_scores(shown)  # type: ignore[arg-type]
    shown["rankings"][1] = {"groups": [[OUTSIDE], [1]], "pairs": []}  # type: ignore[index]
    assert implied_scores(shown) == []  # type: ignore[arg-type]


# --- order -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("kind", "policy"), KINDS)
def test_papers_stand_in_the_order_of_the_run_as_far_as_they_may(kind, policy):
    conference, compared = held(kind, policy), 0
    for number, chair in enumerate(conference.chairs):
        exact, shown = (conference.view(number, level) for level in ("exact", "order"))
        run = paper_heights(exact)
        scope = Scope(chair.name, chair.papers, names=True)
        order = PaperOrder.of(conference.snapshot, within_scope(conference.snapshot, scope))
        free = (run > order.base - order.down) & (run < order.base + order.up)
        apart = np.abs(run[free][:, None] - run[free]) > 2e-4
        heights = paper_heights(shown)[free]
        signs = [np.sign(one[:, None] - one)[apart] for one in (heights, run[free])]
        assert np.array_equal(*signs)
        compared += signs[0].size
    # With two stated pairs per reviewer, no paper has hidden ones on both sides often enough.
    assert compared > 0 or kind == "pairs"


def test_papers_stand_in_the_order_of_the_run_where_all_are_in_scope():
    conference = held()
    everything = frozenset().union(*(chair.papers for chair in conference.chairs))
    scope = Scope("Ann", everything, names=True)
    run = paper_heights(view(conference.snapshot, replace(scope, disclosure="exact")))
    shown = paper_heights(view(conference.snapshot, scope))
    apart = np.abs(run[:, None] - run) > 2e-4
    assert np.array_equal(*(np.sign(one[:, None] - one)[apart] for one in (shown, run)))


# --- scoped: bytes -----------------------------------------------------------------------------------


def inside(conference: Held) -> pl.Expr:
    """Whether a paper is one of the first area chair's."""
    return pl.col("paper").cast(pl.String).is_in(sorted(conference.chairs[0].papers))


def scoped_bytes(
    conference: Held, reviews: pl.DataFrame, stated: pl.DataFrame, **options: object
) -> bytes:
    """The first area chair's page of a run on other tables."""
    result = unround.dequantize(reviews, stated, conflicts="scores", allow_loss=True, **options)
    scope = Scope("Ann", conference.chairs[0].papers, disclosure="scoped", key=b"secret")
    return encoded(view(Snapshot.of(result), scope))


@pytest.mark.slow
def test_scoped_bytes_do_not_depend_on_anything_outside():
    conference = held(papers=20, per=8)
    mine, reviews, ranks = inside(conference), conference.reviews, conference.stated
    before = scoped_bytes(conference, reviews, ranks, scale=range(11), lam="auto")
    shifted = reviews.with_columns(
        pl.when(mine).then("score").otherwise(10 - pl.col("score")).alias("score")
    )
    # In a ranking turned around outside, papers inside keep their order among themselves.
    kept = pl.when(mine).then(pl.col("rank") + 100).otherwise(50 - pl.col("rank"))
    turned = ranks.with_columns(kept.alias("rank"))
    extra = pl.DataFrame({"reviewer": [9999, 9998], "paper": [7777, 7777], "score": [0, 10]})
    fewer = reviews.filter(mine | (pl.col("reviewer") % 3 != 0))
    for changed, stated in (
        (shifted, ranks),
        (reviews, turned),
        (pl.concat([shifted, extra]), turned),
        (fewer, ranks.join(fewer, on=["reviewer", "paper"], how="semi")),
        (reviews.filter(mine), ranks.filter(mine)),
    ):
        after = scoped_bytes(conference, changed, stated, scale=range(11), lam="auto")
        assert after == before
    assert json.loads(before)["disclosure"] == "scoped"


def test_scoped_bytes_do_not_depend_on_a_scale_inferred_from_all_scores():
    conference = held(papers=20, per=8)
    reviews, stated = conference.reviews, conference.stated
    wider = pl.when(inside(conference)).then("score").otherwise(pl.col("score") + 3)
    changed = reviews.with_columns(wider.alias("score"))
    before = scoped_bytes(conference, reviews, stated)
    assert scoped_bytes(conference, changed, stated) == before


# --- two area chairs ---------------------------------------------------------------------------------


@pytest.mark.parametrize("disclosure", ["scoped", "exact"])
def test_two_area_chairs_link_reviewers_by_digits_only_where_digits_are_exact(disclosure):
    """Scores that are exactly ε apart belong to one reviewer: across two views that is a link."""
    conference = held()
    pages = [reviewers_and_scores(conference.view(chair, disclosure)) for chair in range(4)]
    linked = {
        who
        for mine, theirs in combinations(pages, 2)
        for (who, score), (whom, value) in product(mine, theirs)
        if who == whom
        and abs(score - round(score)) > PRECISION  # scores at rest are equal for everybody
        and abs(abs(score - value) - 0.05) < PRECISION
    }
    assert bool(linked) == (disclosure == "exact")


def reviewers_and_scores(shown: View) -> list[tuple[str, float]]:
    reviews = shown["reviews"]
    names = [shown["reviewers"][who] for who in reviews["reviewer"]]
    return list(zip(names, reviews["dequantized"], strict=True))
