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
    four = unround.Scale.integers(1, 4)
    up, down = has_room(np.array([1.0, 4.0]), np.array([1.0, 4.0]), four, 0.25)
    assert (up.tolist(), down.tolist()) == ([False, True], [True, False])


@pytest.mark.parametrize("levels", [(1, 2, 3, 4, 5), (10, 20, 30, 40, 50)])
@pytest.mark.parametrize(
    ("below", "up", "down"),
    [(4, 3, 3), (3, 2, 3), (2, 1, 3), (1, 0, 0)],
    ids=["4", "3", "2", "1"],
)
def test_reviews_beside_hidden_papers_let_the_mean_move(levels, below, up, down):
    """Of five reviews of x, four have a hidden paper ranked above, and some have one below too.

    Each can be pushed by half a gap; one less than can be is shown, and nothing where only one can.
    """
    low, middle, high = levels[1:4]
    reviews = [(who, "x", middle) for who in "abcde"] + [("e", "e1", low), ("e", "e2", high)]
    ranks = []
    for place, who in enumerate("abcd"):
        reviews += [(who, f"{who}1", middle), (who, f"{who}2", middle)]
        ranks += [(who, f"{who}1", 1), (who, "x", 2)]
        ranks += [(who, f"{who}2", 3)] if place < below else []
    result = unround.dequantize(
        pl.DataFrame(reviews, ["reviewer", "paper", "score"], orient="row"),
        pl.DataFrame(ranks, ["reviewer", "paper", "rank"], orient="row"),
        lam=4.0,
        epsilon=0.25,
        scale=levels,
    )
    snapshot = Snapshot.of(result)
    order = PaperOrder.of(
        snapshot, within_scope(snapshot, Scope("Ann", frozenset("x"), key=b"secret"))
    )
    step = 0.125 * (levels[1] - levels[0]) / 5
    assert order.base.tolist() == pytest.approx([middle])
    assert order.up.tolist() == pytest.approx([up * step])
    assert order.down.tolist() == pytest.approx([down * step])


def test_means_are_shown_as_far_as_they_may_move():
    order = PaperOrder(np.array([2.0, 2.1, 1.9]), np.array([0.15, 0, 0]), np.array([0.05, 0, 0]))
    assert order.places(np.array([9.0, 0.0, 0.0])) == [1, 2, 3]  # 2.15
    assert order.places(np.array([2.05, 0.0, 0.0])) == [2, 1, 3]
    assert order.places(np.array([0.0, 0.0, 0.0])) == [2, 1, 3]  # 1.95


def test_papers_that_hidden_ones_can_move_share_no_place():
    far = np.array([0.1, 0.0, 0.0, 0.1, 0.0, np.nan])
    base = np.array([3.0, 3.0, 3.0, 3.0, 2.0, np.nan])
    assert PaperOrder(base, far, far).places(base) == [3, 1, 1, 4, 5, None]
