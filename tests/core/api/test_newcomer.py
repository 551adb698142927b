"""The library as a newcomer meets it: mistakes are answered in words, and obvious wishes are granted."""

import io
from types import SimpleNamespace

import numpy as np
import polars as pl
import pytest

import unround
from unround.settings import Accept

MISTAKES = {
    "scale dict": lambda world: unround.dequantize(world.reviews, scale={1: 2}),
    "scale none": lambda _: unround.Scale(None),
    "tables none": lambda _: unround.dequantize(unround.Tables(None)),
    "check none": lambda _: unround.check(None),
    "rank list of lists": lambda world: unround.dequantize(world.reviews, [[1, 2]]),
    "stability df": lambda world: unround.stability(world.reviews),
    "stability 500": lambda world: unround.stability(world.larger, accept=500, draws=3),
    "stability acc list": lambda world: unround.stability(world.larger, accept=[1], draws=3),
    "stability draws str": lambda world: unround.stability(world.larger, draws="many"),
    "stability draws float": lambda world: unround.stability(world.larger, draws=2.5),
    "stability interval": lambda world: unround.stability(world.larger, draws=3, interval=90),
    "p_top 500": lambda world: unround.posterior(world.conference.reviews).p_top(500),
    "p_top None": lambda world: unround.posterior(world.conference.reviews).p_top(None),
    "posterior interval": lambda world: unround.posterior(world.reviews, interval="90%"),
    "posterior ranks": lambda world: unround.posterior(world.result, world.conference.rankings),
    "calibrate on": lambda world: unround.calibrate(world.result, on="score"),
    "calibrate None": lambda world: unround.calibrate(None),
    "update swapped": lambda world: unround.update(world.reviews, world.result),
    "update none": lambda world: unround.update(world.result, None),
    "read int": lambda world: unround.read(5),
    "read empty": lambda _: unround.read(""),
    "rankings empty": lambda world: unround.read(world.folder / "run", rankings=""),
    "load empty": lambda _: unround.load(""),
    "save empty": lambda world: world.result.save(""),
    "report empty": lambda world: world.result.report(""),
    "audit int": lambda _: unround.audit.audit_groups(5, "x"),
    "audit empty": lambda _: unround.audit.audit_influence(""),
    "groups empty": lambda world: unround.audit.audit_groups(world.folder / "run", "x", table=""),
    "read none": lambda world: unround.read(None),
    "read nowhere": lambda world: unround.read("nowhere.csv"),
    "load nowhere": lambda world: unround.load("nowhere"),
    "load int": lambda world: unround.load(5),
    "load result": lambda world: unround.load(world.result),
    "save none": lambda world: world.result.save(None),
    "save int": lambda world: world.result.save(5),
    "save post": lambda world: world.larger.save(world.folder / "y", posterior="x"),
    "save cal": lambda world: world.larger.save(world.folder / "y", calibration=world.result),
    "report None": lambda world: world.result.report(None),
    "select grid": lambda world: unround.select_lambda(world.conference.reviews, grid=5),
    "select grid str": lambda world: unround.select_lambda(world.conference.reviews, grid="1,2"),
    "select loss": lambda world: unround.select_lambda(world.conference.reviews, loss="kendall"),
    "select coarsening": lambda world: unround.select_lambda(world.reviews, coarsening=2),
    "compare levels": lambda world: unround.compare(world.conference.reviews, levels="4"),
    "compare share": lambda world: unround.compare(world.conference.reviews, levels=[4.5]),
    "audit sample": lambda world: unround.audit.audit_influence(world.folder / "run", sample="x"),
    "audit no sample": lambda world: unround.audit.audit_influence(world.folder / "run", sample=0),
    "effects": lambda world: unround.posterior(world.larger, reviewer_effects="no"),
    "places within": lambda world: unround.posterior(world.larger).places(within=5),
    "most moved": lambda world: world.larger.most_moved("x"),
    "bre none": lambda world: unround.baselines.bre_adjusted(None, world.conference.rankings),
}


@pytest.fixture(scope="module")
def world(tmp_path_factory):
    folder = tmp_path_factory.mktemp("runs")
    reviews = pl.DataFrame(
        {"reviewer": [*"aabbcc"], "paper": [1, 2, 1, 2, 1, 2], "score": [6, 6, 7, 5, 5, 6]}
    )
    rankings = pl.DataFrame({"reviewer": ["a", "a"], "paper": [1, 2], "rank": [1, 2]})
    conference = unround.simulate.thurstone(30, seed=1)
    larger = unround.dequantize(conference.reviews, conference.rankings, lam=5.0)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("warnings.warn", lambda *_, **__: None)  # the page of an unbuilt checkout
        saved = unround.load(larger.save(folder / "run"))
    return SimpleNamespace(
        reviews=reviews,
        result=unround.dequantize(reviews, rankings, lam=2.0),
        conference=conference,
        larger=larger,
        saved=saved,
        folder=folder,
    )


@pytest.mark.parametrize("mistake", MISTAKES)
def test_mistakes_are_answered_in_words(world, mistake):
    with pytest.raises(unround.UnroundError) as refused:
        MISTAKES[mistake](world)
    assert len(str(refused.value)) > 10


def test_one_number_of_levels_and_a_bar_are_understood(world):
    found = unround.compare(world.conference.reviews, world.conference.rankings, levels=4)
    assert found.table()["levels"].unique().to_list() == [4]
    assert unround.posterior(world.larger, progress=True).papers.height == 30
    assert unround.stability(world.larger, draws=2, progress=True).draws == 2


def test_a_loaded_run_works_where_a_result_does(world):
    found = unround.posterior(world.saved)
    assert found.papers.equals(unround.posterior(world.larger).papers)
    assert unround.calibrate(world.saved).papers.equals(unround.calibrate(world.larger).papers)
    assert unround.stability(world.saved, draws=3).draws == 3
    again = unround.update(world.saved, world.conference.reviews, world.conference.rankings)
    assert again.changes.height == 0


@pytest.mark.parametrize("accept", [8, 0.25, "25%", "8"])
def test_room_is_a_number_or_a_share_everywhere(world, accept):
    assert Accept.of(accept).papers(30) == 8
    chances = unround.posterior(world.larger).p_top(accept)["probability"]
    assert chances.sum() == pytest.approx(8.0)
    assert unround.stability(world.larger, accept=accept, draws=3).accept == 8


@pytest.mark.parametrize(("better", "worse"), [("winner", "loser"), ("above", "below")])
def test_pairs_under_other_names_are_told_of_ours(world, better, worse):
    pairs = pl.DataFrame({"reviewer": ["a"], better: [1], worse: [2]})
    with pytest.raises(unround.InputRefused, match=f"call {better} better and {worse} worse"):
        unround.dequantize(world.reviews, pairs)


def test_two_ends_of_a_scale_are_asked_about(world):
    with pytest.raises(unround.InputRefused, match=r'is the scale scale="1\.\.10"\?'):
        unround.dequantize(world.reviews, scale=(1, 10))


def test_advice_names_options_of_files_as_such(world):
    with pytest.raises(unround.InputRefused, match="for files, say which one it is with columns="):
        unround.dequantize(world.reviews.rename({"score": "rating"}))
    with pytest.raises(unround.InputRefused, match="for files, duplicates="):
        unround.dequantize(pl.concat([world.reviews, world.reviews]))


@pytest.mark.parametrize(
    ("estimate", "argument", "value"),
    [
        (unround.posterior, "scale", "1..3"),
        (unround.posterior, "scale", 10),
        (unround.posterior, "epsilon", 0.05),
        (unround.posterior, "epsilon", "x"),
        (unround.posterior, "conflicts", "refuse"),
        (unround.posterior, "conflicts", "nonsense"),
        (unround.posterior, "unranked", 7),
        (unround.calibrate, "scale", "1..3"),
    ],
)
def test_what_a_result_brings_along_is_not_given_beside_it(world, estimate, argument, value):
    for result in (world.larger, world.saved):
        with pytest.raises(unround.UsageError, match=f"settings along: leave out {argument}, or"):
            estimate(result, **{argument: value})


ESTIMATES = {
    "posterior": unround.posterior,
    "calibration": unround.calibrate,
    "stability": lambda result: unround.stability(result, draws=2),
}


@pytest.mark.parametrize("name", ESTIMATES)
def test_estimates_of_another_conference_are_not_saved(world, name):
    reviews, rankings = world.conference.reviews, world.conference.rankings
    others = {
        "other papers": unround.simulate.thurstone(40, seed=1).reviews,
        "other scores": reviews.with_columns(score=10 - pl.col("score")),
        "other ids": reviews.with_columns(paper=pl.col("paper") + 1),
        "fewer": reviews.slice(1),
    }
    for other in others.values():
        found = ESTIMATES[name](unround.dequantize(other, lam=5.0))
        with pytest.raises(unround.UsageError, match=f"{name} was computed from other reviews"):
            world.larger.save(world.folder / name, **{name: found})
        assert not (world.folder / name).exists()
    shuffled = reviews.sample(fraction=1.0, shuffle=True, seed=2).to_pandas()
    found = ESTIMATES[name](unround.dequantize(shuffled, rankings, lam=5.0))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("warnings.warn", lambda *_, **__: None)
        world.larger.save(world.folder / name, **{name: found})


def test_comparisons_and_audits_are_public(world):
    found = unround.compare(world.conference.reviews, world.conference.rankings)
    assert "Without rankings" in repr(found)
    assert found.main.verdict() in repr(found)
    run = world.folder / "run"
    influence = unround.audit.audit_influence(run, accept=0.25, sample=3)
    assert influence.tried == 3
    by_reviewer = world.folder / "area.csv"
    area = {"reviewer": np.arange(40), "area": ["a", "b"] * 20}
    pl.DataFrame(area).write_csv(by_reviewer)
    assert len(unround.audit.audit_groups(run, "area", table=by_reviewer).groups) == 2
    papers = world.larger.papers["paper"].to_list()
    chairs = {"paper": papers, "areachair": ["x", "y"] * (len(papers) // 2)}
    pl.DataFrame(chairs).write_csv(world.folder / "chairs.csv")
    privacy = unround.audit.audit_privacy(run, world.folder / "chairs.csv", sample=1)
    assert privacy.area_chairs == 2
    with pytest.raises(unround.UsageError, match=r"the run names no area chairs; .* areachairs"):
        unround.audit.audit_privacy(run)


def test_audits_take_results_as_well_as_folders(world):
    runs = (world.larger, world.saved, world.folder / "run")
    found = [unround.audit.audit_influence(one, sample=10) for one in runs]
    assert all(one.record() == found[0].record() for one in found)
    groups = [unround.audit.audit_groups(one, "score") for one in (world.larger, world.saved)]
    assert groups[0].record() == groups[1].record()


@pytest.mark.parametrize(
    ("given", "words"),
    [
        (pl.DataFrame({"reviewer": [1]}), "no column is the paper or the score"),
        (io.BytesIO(b"reviewer,paper,score\n"), "no open files: save the content"),
        ("https://example.org/reviews.csv", "is a web address: download the file"),
    ],
    ids=["dataframe", "open file", "address"],
)
def test_what_read_does_not_take_is_answered_with_what_to_do(given, words):
    with pytest.raises((unround.UsageError, unround.InputRefused), match=words):
        unround.read(given)


def test_texts_and_lists_are_taken_wherever_they_can_be_understood(world):
    assert unround.Scale("1..5") == unround.Scale([1, 2, 3, 4, 5])
    assert unround.metrics.KendallError([1, 2, 3])([3, 2, 1]) == 1.0
    assert unround.dequantize(world.reviews, lam="inf").lam == float("inf")
    found = unround.compare(world.conference.reviews, world.conference.rankings)
    assert isinstance(found.in_words(), list)
