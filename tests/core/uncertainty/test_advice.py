"""What a run says about its data: two shares, whether rankings help, strictness, and an outlying λ."""

from dataclasses import replace

import numpy as np
import polars as pl
import pytest

import unround
from unround.disclosure.snapshot import Snapshot
from unround.disclosure.view import view
from unround.lab.catalogue.conferences import unruly
from unround.preparation import compared_pairs
from unround.reviews.reader import read
from unround.runs.folder import read_run
from unround.selection import simulation
from unround.solver.engine import Local
from unround.solver.local import Solver
from unround.uncertainty.consensus import find_wrong_comparisons
from unround.uncertainty.ranking_effect import RankingEffect
from unround.wording import COMMAND, PAGE, PYTHON, written_for


def run(trial=1, conflicts="scores", lam="auto+", **departures):
    sample = unruly(trial, **departures)
    made = sample.conference
    result = unround.dequantize(
        made.reviews, made.rankings, conflicts=conflicts, lam=lam, scale=made.scale, allow_loss=True
    )
    return result, made.truth


@pytest.mark.parametrize(
    "departure",
    [
        {},
        *({"swapped": share} for share in (0.1, 0.4)),
        *({"turned": share} for share in (0.11, 0.2, 0.41)),
    ],
)
def test_share_of_wrong_comparisons_is_learned_from_contradictions(departure):
    result, truth = run(papers=400, **departure)
    found, reviews = result.diagnostics.comparisons, result.internals.reviews
    better, worse = compared_pairs(reviews)
    opinion = truth[reviews.row]
    wrong = float(np.mean(opinion[better] < opinion[worse]))
    assert found.low <= found.share <= found.high
    assert found.share == pytest.approx(wrong, abs=0.015)
    assert (found.contradicting == 0) is (not departure)


@pytest.mark.parametrize("flipped", [0.0, 0.08, 0.17, 0.31])
def test_scattered_wrong_comparisons_are_learned_as_about_their_share(flipped):
    made = unround.simulate.thurstone(papers=1_000, seed=1)
    told = made.reviews.with_columns(truth=made.truth)
    pairs = told.join(told, on="reviewer").filter(pl.col("truth") > pl.col("truth_right"))
    better, worse = pairs["paper"].to_numpy(), pairs["paper_right"].to_numpy()
    wrong = np.random.default_rng(1).random(pairs.height) < flipped
    stated = pl.DataFrame(
        {
            "reviewer": pairs["reviewer"],
            "better": np.where(wrong, worse, better),
            "worse": np.where(wrong, better, worse),
        }
    )
    found = find_wrong_comparisons(read(made.reviews, stated, None, made.scale)[1])
    assert found.share == pytest.approx(flipped, abs=0.015)
    assert found.low <= flipped <= found.high


def test_wrong_comparisons_inside_ties_are_not_seen_there_but_by_other_reviewers():
    found = run(papers=400, blind=1.0)[0].diagnostics
    assert found.comparisons.contradicting == 0
    assert "Inside ties" in found.comparisons.in_words()
    assert found.consensus.high < found.consensus.sound
    assert "either the scores of other reviewers" in found.consensus.in_words()


def test_sound_conferences_agree_as_their_simulation_says():
    found = [run(trial, papers=200)[0].consensus for trial in range(6)]
    shares, sound = (np.mean([getattr(one, name) for one in found]) for name in ("share", "sound"))
    assert shares == pytest.approx(sound, abs=0.04)
    assert all(one.sound_low < one.sound < one.sound_high for one in found)


def test_rankings_that_are_random_in_ties_are_advised_against_and_leaving_them_out_is_better():
    sample = unruly(1, papers=400, blind=1.0)
    made = sample.conference
    result = unround.dequantize(made.reviews, made.rankings, scale=made.scale)
    effect = result.diagnostics.rankings
    assert effect.verdict == "hurt"
    assert "ignore_rankings=True" in effect.in_short()
    alone = unround.dequantize(made.reviews, made.rankings, scale=made.scale, ignore_rankings=True)
    assert "rankings left out" in alone.internals.tables.notes[0]
    errors = [
        unround.metrics.kendall_error(made.truth, each.scores["dequantized"])
        for each in (result, alone)
    ]
    assert errors[1] < errors[0]
    # The simulation knows the size of both errors.
    assert [effect.error, effect.without] == pytest.approx(errors, rel=0.15)


def test_right_rankings_are_not_advised_against():
    result, truth = run(papers=400)
    effect = result.diagnostics.rankings
    assert effect.verdict != "hurt"
    error = unround.metrics.kendall_error(truth, result.scores["dequantized"])
    assert effect.right == pytest.approx(error, rel=0.1)


def test_what_rankings_do_where_they_are_trusted_is_estimated():
    result, truth = run(papers=200, swapped=0.4, conflicts="rankings")
    effect = result.diagnostics.rankings
    error = unround.metrics.kendall_error(truth, result.scores["dequantized"])
    assert effect.opened == pytest.approx(error, rel=0.2)
    assert effect.opened > effect.error
    assert effect.in_short().startswith("trusted: ")
    assert "one reviewer can move a paper further" in effect.in_words()


def test_verdicts_follow_the_interval():
    effect = RankingEffect(0.03, 0.05, 0.04, 0.06, 0.5, 0.2, 0.8)
    assert effect.break_even == pytest.approx(0.5)
    assert effect.verdict == "unclear"
    assert replace(effect, signal_low=0.6).verdict == "help"
    assert replace(effect, signal_high=0.4).verdict == "hurt"


def test_strictness_is_tested_in_every_run_and_calibrated_where_it_shows(tmp_path):
    strict = run(offset=1.0)[0]
    assert strict.diagnostics.recommends_calibration
    assert "reviewers differ" in repr(strict)
    loaded = unround.load(strict.save(tmp_path / "strict"))
    assert loaded.calibration.columns == ["paper", "calibrated", "se", "part", "place"]
    assert sorted(loaded.calibration["place"].to_list())[0] == 1
    plain = run()[0]
    assert not plain.diagnostics.recommends_calibration
    assert unround.load(plain.save(tmp_path / "plain")).calibration is None


@pytest.mark.parametrize("reviewers", [["ann"] * 3, ["ann", "bob", "eve"]])
def test_strictness_is_not_tested_without_reviewers_to_compare(reviewers):
    reviews = pl.DataFrame({"reviewer": reviewers, "paper": [1, 2, 2], "score": [1, 2, 3]})
    reviews = reviews.unique(["reviewer", "paper"], maintain_order=True)
    found = unround.dequantize(reviews, lam=1.0, scale="1..3").diagnostics
    assert found.strictness is None
    assert "cannot be tested" in dict(found.in_short())["strictness"]


def test_without_rankings_papers_stay_in_order_and_the_run_says_so():
    sample = unruly(3).conference
    result = unround.dequantize(sample.reviews, scale=sample.scale)
    assert result.diagnostics.rankings is None
    assert "papers stay in order of their means" in repr(result)
    papers = result.papers.sort("score_mean")["dequantized_mean"].to_numpy()
    assert np.all(np.diff(papers) > -0.05)


def test_conferences_are_drawn_once_for_lambda_and_for_the_advice(monkeypatch):
    drawn = []
    draw = simulation.draw_conference
    monkeypatch.setattr(
        simulation, "draw_conference", lambda *given: drawn.append(given) or draw(*given)
    )
    chosen = run()[0]
    draws = len(drawn)
    found = chosen.diagnostics
    assert draws == len(drawn) == chosen.internals.curve.simulation.draws
    given = run(lam=chosen.lam)[0]
    assert len(drawn) == draws
    assert given.diagnostics == found
    assert len(drawn) == 2 * draws


def test_a_run_of_8000_reviews_takes_no_more_solves_for_its_diagnostics_than_for_its_scores(
    monkeypatch,
):
    solved = []
    solve = Solver.solve
    monkeypatch.setattr(Solver, "solve", lambda *given: solved.append(given) or solve(*given))
    made = unround.simulate.thurstone(papers=2_000, seed=1)
    result = unround.dequantize(made.reviews, made.rankings)
    assert "diagnostics: see result.diagnostics" in repr(result)
    assert "diagnostics" in result._repr_html_()
    assert len(solved) == 41
    assert result.diagnostics.rankings is not None
    assert len(solved) <= 60


def test_diagnostics_are_solved_where_the_scores_were():
    class Counting(Local):
        solved = 0

        def solver(self, problem):
            Counting.solved += 1
            return super().solver(problem)

    made = unround.simulate.thurstone(papers=2_000, seed=1)
    result = unround.dequantize(made.reviews, made.rankings, lam=20.0, engine=Counting())
    assert Counting.solved == 1
    assert result.diagnostics.rankings is not None
    assert Counting.solved == 5  # scores alone; and drawn, with right, random and no rankings


def test_advice_names_an_order_that_its_reader_has():
    found = replace(run()[0].diagnostics, strictness=1e-9)
    places = {}
    for audience in (COMMAND, PYTHON, PAGE):
        with written_for(audience):
            places[audience] = found.in_words()[-1]
    assert "calibration.csv" in places[COMMAND]
    assert "unround.calibrate" in places[PYTHON]
    assert "the column “Mean without strictness” (View)" in places[PAGE]


def test_diagnostics_do_not_depend_on_the_order_of_rows():
    sample = unruly(5, swapped=0.2).conference
    shuffled = sample.reviews.sample(fraction=1.0, shuffle=True, seed=1)
    one, other = (
        unround.dequantize(table, sample.rankings, conflicts="scores", scale=sample.scale)
        for table in (sample.reviews, shuffled)
    )
    assert one.diagnostics == other.diagnostics


def test_no_rankings_of_different_scores():
    reviews = pl.DataFrame({"reviewer": [1, 1], "paper": [1, 2], "score": [3, 3]})
    ranks = pl.DataFrame({"reviewer": [1, 1], "paper": [1, 2], "rank": [1, 2]})
    found = find_wrong_comparisons(unround.dequantize(reviews, ranks, lam=1.0).internals.reviews)
    assert found.pairs == 0
    assert "cannot be found" in found.in_words()


def panels(count, papers=12):
    """Panels that share neither reviewer nor paper."""
    made = [unround.simulate.thurstone(papers, seed=seed).reviews for seed in range(count)]
    ids = pl.col("reviewer", "paper")
    return pl.concat([one.select(ids + 1000 * at, "score") for at, one in enumerate(made)])


def test_groups_that_share_no_paper_are_named(tmp_path):
    """Nothing shows whether one panel is stricter: its places among all mean little."""
    result = unround.dequantize(panels(3), lam=2.0, scale=range(11))
    found = result.diagnostics
    assert (found.parts, found.largest) == (3, 12)
    assert found.groups.startswith("Reviewers fall into 3 groups that share no paper")
    assert dict(found.in_short())["groups"] == found.groups == found.in_words()[0]
    loaded = unround.load(result.save(tmp_path / "run", posterior=unround.posterior(result)))
    assert loaded.diagnostics == found
    assert view(Snapshot.of_run(read_run(tmp_path / "run")))["groups"] == found.groups
    assert loaded.uncertainty.sort("paper")["part"].to_list() == [1] * 12 + [2] * 12 + [3] * 12


def test_a_conference_in_one_part_says_nothing_of_groups():
    found = unround.dequantize(panels(1), lam=2.0, scale=range(11)).diagnostics
    assert (found.parts, found.groups) == (1, "")
    assert "groups" not in dict(found.in_short())


def test_reviewers_of_one_paper_each_are_no_groups():
    reviews = pl.DataFrame({"reviewer": range(6), "paper": [1, 1, 2, 2, 3, 3], "score": [1, 2] * 3})
    found = unround.dequantize(reviews, lam=2.0, scale=range(4)).diagnostics
    assert found.groups.startswith("No reviewer has two papers")
