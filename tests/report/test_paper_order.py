"""How far a paper may stand from where what is in scope puts it, by hand."""

import numpy as np
import polars as pl
import pytest

import unround
from unround.disclosure.scope import Scope
from unround.disclosure.scores import PaperOrder, has_room, within_scope
from unround.disclosure.snapshot import Snapshot


def test_a_push_needs_room_in_the_cell_and_not_the_end_of_the_scale():
    value = np.array([1.0, 3.0, 5.0, 3.0, 3.0])
    base = np.array([1.0, 3.0, 5.0, 3.375, 2.625])
    up, down = has_room(value, base, unround.Scale.integers(1, 5), 0.25)
    assert up.tolist() == [False, True, True, False, True]
    assert down.tolist() == [True, True, False, True, False]


@pytest.mark.parametrize("levels", [(1, 2, 3, 4, 5), (10, 20, 30, 40, 50)])
def test_each_review_beside_hidden_papers_moves_the_mean_by_half_a_gap_over_its_reviews(levels):
    """Four reviewers give x the middle score and rank a hidden paper of it above and one below; one does not.

    Of five reviews up to four can be pushed each way. One less is shown: 3 · (ε/2) · spacing / 5.
    """
    low, middle, high = levels[1:4]
    reviews = [(who, "x", middle) for who in "abcde"]
    reviews += [(who, paper, middle) for who in "abcd" for paper in (f"{who}1", f"{who}2")]
    reviews += [("e", "e1", low), ("e", "e2", high)]
    ranks = [
        row for who in "abcd" for row in ((who, f"{who}1", 1), (who, "x", 2), (who, f"{who}2", 3))
    ]
    result = unround.dequantize(
        pl.DataFrame(reviews, ["reviewer", "paper", "score"], orient="row"),
        pl.DataFrame(ranks, ["reviewer", "paper", "rank"], orient="row"),
        lam=4.0,
        epsilon=0.25,
        scale=levels,
    )
    snapshot = Snapshot.of(result)
    scope = Scope("Ann", frozenset("x"), key=b"secret")
    order = PaperOrder.of(snapshot, within_scope(snapshot, scope))
    step = 3 * 0.125 * (levels[1] - levels[0]) / 5
    assert order.base.tolist() == pytest.approx([middle])
    assert (order.up.tolist(), order.down.tolist()) == (
        [pytest.approx(step)],
        [pytest.approx(step)],
    )
