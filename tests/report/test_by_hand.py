"""What each kind of viewer gets of a small conference, number by number."""

import polars as pl
import pytest

import unround
from tests.core.tables import pairs_of
from unround.disclosure.model import OUTSIDE
from unround.disclosure.scope import DISCLOSURES, Scope
from unround.disclosure.snapshot import Snapshot
from unround.disclosure.view import view
from unround.uncertainty import advice

LEVELS = [1, 2, 3, 4, 5]
ROWS = [("ann", "x", 3), ("ann", "y", 3), ("ann", "z", 3), ("bob", "x", 4), ("cid", "z", 2)]
REVIEWS = pl.DataFrame(ROWS, ["reviewer", "paper", "score"], orient="row")
RANKS = pl.DataFrame({"reviewer": ["ann"] * 3, "paper": ["x", "y", "z"], "rank": [1, 1, 2]})
ALL_BUT_Y = frozenset("xz")
NOTHING = {"groups": [], "pairs": []}


def snapshot(reviews=REVIEWS, rankings=RANKS, **options):
    """ann ranks x and y above z, all of one score; a tenth of a level apart."""
    options = {"lam": 1.37, "epsilon": 0.1, "scale": LEVELS} | options
    return Snapshot.of(unround.dequantize(reviews, rankings, **options))


@pytest.fixture(scope="module")
def taken():
    return snapshot()


def shown(taken, disclosure, papers=ALL_BUT_Y, **options):
    options = {"names": True, "disclosure": disclosure} | options
    return view(taken, Scope("Ada", papers, **options))


def test_a_chair_gets_every_number(taken):
    whole = view(taken)
    assert (whole["disclosure"], whole["order"]) == (None, None)
    assert whole["viewer"] == {"role": "chair", "name": None, "reviewer_names": True}
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


def test_where_the_scale_came_from_is_for_chairs():
    """The sentence counts the reviews of the whole conference."""
    inferred = snapshot(scale=None)
    origin = view(inferred)["run"]["settings"]["scale_origin"]
    assert origin == inferred.record["settings"]["scale_origin"] != ""
    for disclosure in DISCLOSURES:
        everything = shown(inferred, disclosure, frozenset("xyz"))
        assert everything["run"]["settings"]["scale_origin"] == ""


def test_the_order_has_places_and_given_scores_alone(taken):
    ordered = shown(taken, "order")
    assert (ordered["disclosure"], ordered["order"]) == ("order", [1, 2])
    given = {"paper": [0, 1, 0, 1], "reviewer": [0, 0, 1, 2], "score": [3.0, 3.0, 4.0, 2.0]}
    assert {name: column for name, column in ordered["reviews"].items() if column} == given
    assert not any(ordered["bindings"].values())
    assert (ordered["run"]["certificate"], ordered["diagnostics"]) == (None, [])


@pytest.mark.parametrize("lam", ["auto+", 1.37])
def test_the_order_comes_without_lambda(lam):
    """It depends on every hidden score; a λ that shows only where it was given would say which it was."""
    ordered = shown(snapshot(lam=lam), "order")["run"]
    assert (ordered["lam"], ordered["settings"]["lam"], ordered["selection"]) == (None, None, None)


@pytest.mark.parametrize("disclosure", DISCLOSURES)
def test_area_chairs_get_the_day_of_a_run_and_no_time(taken, disclosure):
    """A duration would say how large the conference is."""
    finished = "2026-03-01T10:20:30+00:00"
    scope = Scope("Ann", frozenset("xy"), names=True, disclosure=disclosure)
    assert view(taken, scope, finished=finished)["finished"] == "2026-03-01"
    assert view(taken, finished=finished)["finished"] == finished


def test_exact_numbers_are_those_of_the_run_with_coarser_shares():
    taken = snapshot(lam=2.0)
    exact = shown(taken, "exact", frozenset("x"))
    mine = taken.reviews.filter(pl.col("paper") == "x")
    assert exact["order"] is None
    assert exact["reviews"]["dequantized"] == mine["dequantized"].to_list()
    assert exact["reviews"]["percentile"] == [70.0, 90.0]
    thirds = snapshot(
        pl.DataFrame({"reviewer": [1, 2, 3], "paper": [1, 1, 2], "score": [1, 2, 3]}), None
    )
    assert shown(thirds, "exact", frozenset("1"))["reviews"]["percentile"] == [16.7, 50.0]
    assert shown(thirds, "scoped", frozenset("1"))["reviews"]["percentile"] == [25.0, 75.0]
    assert view(thirds)["reviews"]["percentile"] == pytest.approx([50 / 3, 50.0, 250 / 3])


def test_scoped_numbers_follow_from_the_papers_in_scope(taken):
    scoped = shown(taken, "scoped", frozenset("x"))
    assert (scoped["disclosure"], scoped["order"]) == ("scoped", None)
    alone = snapshot(REVIEWS.filter(paper="x"), None)
    assert scoped["reviews"]["dequantized"] == alone.reviews["dequantized"].to_list()
    assert scoped["run"]["certificate"] is not None
    assert scoped["rankings"][0]["groups"] == [[0]]


def test_diagnostics_are_not_computed_for_a_page_that_does_not_show_them(taken, monkeypatch):
    solved = []
    monkeypatch.setattr(advice, "diagnose", lambda *given: solved.append(given))
    assert shown(taken, "scoped")["diagnostics"] == []
    assert not solved


def test_a_scale_that_a_scope_leaves_in_doubt_is_that_of_its_scores():
    """Nobody in scope gave a 5, which would stop a run: here nobody could settle it."""
    made = unround.simulate.thurstone(papers=120, seed=1)
    inside = pl.col("paper") < 40
    score = pl.when(inside & (pl.col("score") == 5)).then(6).otherwise(pl.col("score"))
    reviews = made.reviews.with_columns(score.alias("score"))
    run = snapshot(reviews, made.rankings, scale=None, conflicts="scores")
    used = reviews.filter(inside)["score"].unique().sort().to_list()
    assert 5 not in used
    assert shown(run, "scoped", frozenset(map(str, range(40))))["scale"]["levels"] == used


@pytest.mark.parametrize(("scale", "levels"), [(LEVELS, [1.0, 2.0, 3.0, 4.0, 5.0]), (None, [])])
def test_a_scope_without_reviews_has_the_scale_that_was_stated(scale, levels):
    nothing = shown(snapshot(scale=scale), "scoped", frozenset({"unknown"}))
    assert nothing["scale"]["levels"] == levels
    assert nothing["run"]["lam"] is None
    assert nothing["run"]["certificate"] is None
    assert nothing["papers"]["paper"] == nothing["reviews"]["score"] == []
    assert nothing["run"]["issues"] == []


def test_papers_out_of_scope_are_stars_after_those_in_scope_or_not_there(taken):
    assert shown(taken, "exact")["rankings"][0]["groups"] == [[0, OUTSIDE], [1]]
    assert shown(taken, "exact", stars=False)["rankings"][0]["groups"] == [[0], [1]]


def test_pairs_are_shown_either_way_round_with_stars_for_papers_out_of_scope():
    """But none of a paper with itself, of a paper without a review, or of two papers out of scope."""
    stated = pl.concat([pairs_of("zx", "xy", "zy", "yy"), pairs_of("xy", reviewer="bob")])
    taken = snapshot(rankings=stated, conflicts="scores")
    whole, x = view(taken), shown(taken, "exact", frozenset("x"))
    assert [said["pairs"] for said in whole["rankings"]] == [[(0, 1), (2, 0), (2, 1)], [], []]
    assert [said["pairs"] for said in x["rankings"]] == [[(OUTSIDE, 0), (0, OUTSIDE)], []]
