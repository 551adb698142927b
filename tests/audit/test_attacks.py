"""Attacks on what area chairs receive: exact digits give hidden scores away, order and scope do not."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import cache

import numpy as np
import polars as pl
import pytest

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


@cache
def truth(conference: Held) -> dict[str, dict[str, tuple[float, float]]]:
    """Given and dequantized score of every review, by reviewer and paper."""
    found: dict[str, dict[str, tuple[float, float]]] = {}
    columns = ["reviewer", "paper", "value", "dequantized"]
    for reviewer, paper, given, score in conference.snapshot.reviews.select(columns).iter_rows():
        found.setdefault(str(reviewer), {})[str(paper)] = (given, score)
    return found


def right(conference: Held, chair: int, shown: View, claim: DeducedReview) -> bool:
    """Whether a hidden review by that reviewer has exactly this score, and was given that level."""
    theirs = truth(conference)[shown["reviewers"][claim.reviewer]]
    return any(
        paper not in conference.chairs[chair].papers
        and given == claim.level
        and abs(score - claim.score) < PRECISION
        for paper, (given, score) in theirs.items()
    )


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


@pytest.mark.parametrize("stars", [True, False])
@pytest.mark.parametrize(("kind", "policy"), KINDS)
def test_order_implies_no_hidden_score(kind, policy, stars):
    conference = held(kind, policy)
    views = [
        conference.view(chair, "order", stars=stars) for chair in range(len(conference.chairs))
    ]
    assert [one for shown in views for one in implied_scores(shown)] == []


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


def test_order_has_places_of_papers_and_given_scores_alone():
    conference = held()
    shown = conference.view(0, "order")
    assert shown["run"]["certificate"] is shown["run"]["selection"] is None
    given = {"paper", "reviewer", "score"}
    assert {name for name, column in shown["reviews"].items() if column} == given
    assert shown["bindings"]["better"] == []
    assert sorted(shown["order"]) == list(range(1, 1 + len(conference.chairs[0].papers)))
    lam = shown["run"]["lam"]
    assert lam == float(f"{lam:.0e}")
    text = encoded(shown).decode()
    mine = conference.snapshot.reviews.filter(
        pl.col("paper").cast(pl.String).is_in(sorted(conference.chairs[0].papers))
    )
    moved = mine.filter((pl.col("dequantized") - pl.col("value")).abs() > PRECISION)
    assert moved.height
    assert not [one for one in moved["dequantized"].to_list() if repr(round(one, 5))[:6] in text]


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


def rerun(conference: Held, reviews: pl.DataFrame, stated: pl.DataFrame) -> Snapshot:
    import unround

    result = unround.dequantize(
        reviews, stated, scale=range(11), conflicts="scores", lam="auto", allow_loss=True
    )
    return Snapshot.of(result)


def scoped_bytes(snapshot: Snapshot, papers: frozenset[str]) -> bytes:
    return encoded(view(snapshot, Scope("Ann", papers, disclosure="scoped", key=b"secret")))


@pytest.mark.slow
def test_scoped_bytes_do_not_depend_on_anything_outside():
    conference = held(papers=20, per=8)
    papers = conference.chairs[0].papers
    inside = pl.col("paper").cast(pl.String).is_in(sorted(papers))
    reviews, ranks = conference.reviews, conference.stated
    before = scoped_bytes(rerun(conference, reviews, ranks), papers)
    shifted = reviews.with_columns(
        pl.when(inside).then("score").otherwise(10 - pl.col("score")).alias("score")
    )
    # In a ranking turned around outside, papers inside keep their order among themselves.
    kept = pl.when(inside).then(pl.col("rank") + 100).otherwise(50 - pl.col("rank"))
    turned = ranks.with_columns(kept.alias("rank"))
    extra = pl.DataFrame({"reviewer": [9999, 9998], "paper": [7777, 7777], "score": [0, 10]})
    fewer = reviews.filter(inside | (pl.col("reviewer") % 3 != 0))
    for changed, stated in (
        (shifted, ranks),
        (reviews, turned),
        (pl.concat([shifted, extra]), turned),
        (fewer, ranks.join(fewer, on=["reviewer", "paper"], how="semi")),
        (reviews.filter(inside), ranks.filter(inside)),
    ):
        assert scoped_bytes(rerun(conference, changed, stated), papers) == before
    assert json.loads(before)["disclosure"] == "scoped"


def test_scoped_bytes_do_not_depend_on_a_scale_told_from_all_scores():
    import unround

    conference = held(papers=20, per=8)
    papers = conference.chairs[0].papers
    inside = pl.col("paper").cast(pl.String).is_in(sorted(papers))
    wider = pl.when(inside).then("score").otherwise(pl.col("score") + 3)
    shown = []
    for reviews in (conference.reviews, conference.reviews.with_columns(wider.alias("score"))):
        result = unround.dequantize(reviews, conference.stated, conflicts="scores", allow_loss=True)
        shown.append(scoped_bytes(Snapshot.of(result), papers))
    assert shown[0] == shown[1]


def test_scope_without_reviews_shows_nothing_of_the_run():
    shown = view(
        held().snapshot, Scope("Ann", frozenset({"none"}), disclosure="scoped", key=b"secret")
    )
    assert shown["run"]["lam"] is None
    assert shown["papers"]["paper"] == shown["run"]["issues"] == []


# --- two area chairs ---------------------------------------------------------------------------------


@pytest.mark.parametrize("disclosure", ["scoped", "exact"])
def test_two_area_chairs_link_reviewers_by_digits_only_where_digits_are_exact(disclosure):
    """Scores that are exactly ε apart belong to one reviewer: across two views that is a link."""
    conference = held()
    reviewers = set()
    for one in range(4):
        for other in range(one + 1, 4):
            reviewers |= linked(conference, one, other, disclosure)
    expected = {who for who, right in reviewers if right}
    assert bool(expected) == (disclosure == "exact")


def linked(conference: Held, one: int, other: int, disclosure: str) -> set[tuple[str, bool]]:
    mine, theirs = (conference.view(chair, disclosure) for chair in (one, other))  # type: ignore[arg-type]
    gap = 0.05
    found = set()
    for score, who in zip(mine["reviews"]["dequantized"], mine["reviews"]["reviewer"], strict=True):
        if abs(score - round(score)) < PRECISION:
            continue  # scores at rest are equal for everybody
        for value, whom in zip(
            theirs["reviews"]["dequantized"], theirs["reviews"]["reviewer"], strict=True
        ):
            if abs(abs(score - value) - gap) < PRECISION:
                name = mine["reviewers"][who]
                found.add((name, name == theirs["reviewers"][whom]))
    return found
