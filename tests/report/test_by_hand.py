"""What each kind of viewer gets of a small conference, number by number."""

import polars as pl
import pytest

import unround
from unround.disclosure.model import OUTSIDE
from unround.disclosure.scope import Scope
from unround.disclosure.snapshot import Snapshot
from unround.disclosure.view import view

LEVELS = [1, 2, 3, 4, 5]
ROWS = [("ann", "x", 3), ("ann", "y", 3), ("ann", "z", 3), ("bob", "x", 4), ("cid", "z", 2)]
RANKS = [("ann", "x", 1), ("ann", "y", 1), ("ann", "z", 2)]
ALL_BUT_Y = frozenset("xz")
NOTHING = {"groups": [], "pairs": []}


def snapshot(**options):
    """ann ranks x and y above z, all of one score; a tenth of a level apart."""
    options = {"lam": 1.37, "epsilon": 0.1, "scale": LEVELS} | options
    reviews = pl.DataFrame(ROWS, ["reviewer", "paper", "score"], orient="row")
    ranks = pl.DataFrame(RANKS, ["reviewer", "paper", "rank"], orient="row")
    return Snapshot.of(unround.dequantize(reviews, ranks, **options))


@pytest.fixture(scope="module")
def taken():
    return snapshot()


def shown(taken, disclosure, papers=ALL_BUT_Y, **options):
    options = {"names": True, "disclosure": disclosure} | options
    return view(taken, Scope("Ada", papers, **options))


def test_a_chair_gets_every_number(taken):
    whole = view(taken)
    assert (whole["disclosure"], whole["order"]) == (None, None)
    assert whole["papers"]["paper"] == ["x", "y", "z"]
    assert whole["reviewers"] == ["ann", "bob", "cid"]
    reviews = whole["reviews"]
    assert (reviews["paper"], reviews["reviewer"]) == ([0, 1, 2, 0, 2], [0, 0, 0, 1, 2])
    assert reviews["score"] == [3.0, 3.0, 3.0, 4.0, 2.0]
    assert reviews["dequantized"] == taken.reviews["dequantized"].to_list()
    assert reviews["percentile"] == pytest.approx([70.0, 50.0, 30.0, 90.0, 10.0])
    assert (reviews["lower"], reviews["upper"]) == ([2.5] * 3 + [3.5, 1.5], [3.5] * 3 + [4.5, 2.5])
    assert whole["rankings"] == [{"groups": [[0, 1], [2]], "pairs": []}, NOTHING, NOTHING]
    assert whole["run"]["lam"] == 1.37
    assert whole["run"]["settings"]["lam"] == "1.37"
    assert set(whole["run"]["certificate"]) == {"max_error", "max_violation"}


def test_the_scale_is_shown_with_the_ends_of_its_cells(taken):
    assert view(taken)["scale"] == {
        "levels": [1.0, 2.0, 3.0, 4.0, 5.0],
        "lower": [0.5, 1.5, 2.5, 3.5, 4.5],
        "upper": [1.5, 2.5, 3.5, 4.5, 5.5],
        "symbols": None,
    }
    turned = view(snapshot(scale="5..1", conflicts="scores", allow_loss=True))["scale"]
    assert turned["symbols"] == ["5", "4", "3", "2", "1"]


def test_the_order_has_places_and_given_scores_alone(taken):
    ordered = shown(taken, "order")
    assert (ordered["disclosure"], ordered["order"]) == ("order", [1, 2])
    reviews = ordered["reviews"]
    assert reviews["score"] == [3.0, 3.0, 4.0, 2.0]
    hidden = ("dequantized", "percentile", "lower", "upper", "consensus", "ranking", "cell")
    assert [reviews[name] for name in hidden] == [[]] * 7
    assert [ordered["bindings"][name] for name in ("lifts", "lowers")] == [[], []]
    assert ordered["run"]["lam"] == 1.0
    assert ordered["run"]["settings"]["lam"] == "1"
    assert (ordered["run"]["certificate"], ordered["diagnostics"]) == (None, [])


def test_exact_numbers_are_those_of_the_run_with_coarser_shares():
    taken = snapshot(scale=LEVELS, lam=2.0)
    exact = shown(taken, "exact", frozenset("x"))
    mine = taken.reviews.filter(pl.col("paper") == "x")
    assert exact["order"] is None
    assert exact["reviews"]["dequantized"] == mine["dequantized"].to_list()
    assert exact["reviews"]["percentile"] == [70.0, 90.0]
    thirds = Snapshot.of(
        unround.dequantize(
            pl.DataFrame({"reviewer": [1, 2, 3], "paper": [1, 1, 2], "score": [1, 2, 3]}),
            lam=2.0,
            scale=LEVELS,
        )
    )
    assert shown(thirds, "exact", frozenset("1"))["reviews"]["percentile"] == [16.7, 50.0]
    assert shown(thirds, "scoped", frozenset("1"))["reviews"]["percentile"] == [25.0, 75.0]
    assert view(thirds)["reviews"]["percentile"] == pytest.approx([50 / 3, 50.0, 250 / 3])


def test_scoped_numbers_follow_from_the_papers_in_scope(taken):
    scoped = shown(taken, "scoped", frozenset("x"))
    assert (scoped["disclosure"], scoped["order"]) == ("scoped", None)
    both = [("ann", "x", 3), ("bob", "x", 4)]
    alone = unround.dequantize(
        pl.DataFrame(both, ["reviewer", "paper", "score"], orient="row"), lam=1.37, scale=LEVELS
    )
    assert scoped["reviews"]["dequantized"] == alone.scores["dequantized"].to_list()
    assert scoped["run"]["certificate"] is not None
    assert scoped["rankings"][0]["groups"] == [[0]]


@pytest.mark.parametrize(("scale", "levels"), [(LEVELS, [1.0, 2.0, 3.0, 4.0, 5.0]), (None, [])])
def test_a_scope_without_reviews_has_the_scale_that_was_stated(scale, levels):
    nothing = shown(snapshot(scale=scale), "scoped", frozenset({"unknown"}))
    assert nothing["scale"]["levels"] == levels
    assert nothing["run"]["lam"] is None
    assert nothing["run"]["certificate"] is None
    assert nothing["reviews"]["score"] == []


def test_papers_out_of_scope_are_stars_after_those_in_scope_or_not_there(taken):
    x_and_z = shown(taken, "exact")
    assert x_and_z["rankings"][0]["groups"] == [[0, OUTSIDE], [1]]
    assert shown(taken, "exact", stars=False)["rankings"][0]["groups"] == [[0], [1]]


def test_pairs_are_shown_either_way_round_and_not_of_a_paper_with_itself():
    reviews = pl.DataFrame(ROWS, ["reviewer", "paper", "score"], orient="row")
    stated = [("ann", "z", "x"), ("ann", "x", "y"), ("ann", "y", "y"), ("bob", "x", "y")]
    pairs = pl.DataFrame(stated, ["reviewer", "better", "worse"], orient="row")
    options = {"lam": 1.0, "scale": LEVELS, "conflicts": "scores"}
    found = view(Snapshot.of(unround.dequantize(reviews, pairs, **options)))["rankings"]
    assert [said["pairs"] for said in found] == [[(0, 1), (2, 0)], [], []]


def test_an_issue_is_one_case_for_chairs_and_area_chairs():
    reviews = pl.DataFrame(
        [("ann", "x", 3), ("ann", "y", 4)], ["reviewer", "paper", "score"], orient="row"
    )
    pairs = pl.DataFrame({"reviewer": ["ann"], "better": ["x"], "worse": ["y"]})
    options = {"lam": 1.0, "scale": LEVELS, "conflicts": "scores"}
    taken = Snapshot.of(unround.dequantize(reviews, pairs, **options))
    for run in (view(taken)["run"], shown(taken, "exact", frozenset("xy"))["run"]):
        assert [(issue["kind"], issue["count"]) for issue in run["issues"]] == [
            ("contradiction", 1)
        ]


def test_pairs_of_papers_out_of_scope_are_left_out():
    reviews = pl.DataFrame(ROWS, ["reviewer", "paper", "score"], orient="row")
    stated = [("ann", "x", "y"), ("ann", "y", "z")]
    pairs = pl.DataFrame(stated, ["reviewer", "better", "worse"], orient="row")
    taken = Snapshot.of(unround.dequantize(reviews, pairs, lam=1.0, scale=LEVELS))
    assert shown(taken, "exact", frozenset("x"))["rankings"][0]["pairs"] == [(0, OUTSIDE)]
