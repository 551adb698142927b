"""Numbers computed from what is in scope alone."""

import polars as pl

import unround
from unround.disclosure.scope import Scope
from unround.disclosure.snapshot import Snapshot
from unround.disclosure.view import view
from unround.uncertainty import advice


def test_a_scale_that_a_scope_leaves_in_doubt_is_that_of_its_scores():
    """Nobody in scope gave a 5, which would stop a run: here nobody could settle it."""
    made = unround.simulate.thurstone(papers=120, seed=1)
    inside = pl.col("paper") < 40
    score = pl.when(inside & (pl.col("score") == 5)).then(6).otherwise(pl.col("score"))
    reviews = made.reviews.with_columns(score.alias("score"))
    run = unround.dequantize(reviews, made.rankings, conflicts="scores")
    own = frozenset(map(str, range(40)))
    scope = Scope(area_chair="Ann", papers=own, key=b"secret", disclosure="scoped")
    shown = view(Snapshot.of(run), scope)
    used = reviews.filter(inside)["score"].unique().sort().to_list()
    assert 5 not in used
    assert shown["scale"]["levels"] == used


def test_diagnostics_are_not_computed_for_a_page_that_does_not_show_them(monkeypatch):
    made = unround.simulate.thurstone(papers=12, seed=1)
    snapshot = Snapshot.of(unround.dequantize(made.reviews, made.rankings, lam=2.0))
    solved = []
    monkeypatch.setattr(advice, "diagnose", lambda *given: solved.append(given))
    scope = Scope(area_chair="Ann", papers=frozenset("123"), key=b"secret", disclosure="scoped")
    assert view(snapshot, scope)["diagnostics"] == []
    assert not solved
