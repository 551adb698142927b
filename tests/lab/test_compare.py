"""The command that says whether it helps on one's own conference."""

import shutil
from pathlib import Path
from typing import NamedTuple

import numpy as np
import polars as pl
import pytest
from click.testing import Result

import unround
from tests.lab.conftest import ROOT
from tests.lab.test_resuming import files_of
from unround.errors import UsageError
from unround.lab.catalogue.conferences import unruly
from unround.lab.catalogue.recovered import between_levels, coarsening_to, recovery_case
from unround.lab.compare import (
    BETWEEN,
    IMPLIED,
    LEAST_DRAWS,
    MOST_DRAWS,
    STATED,
    compare_methods,
    resample_papers,
)
from unround.metrics import kendall_error
from unround.reviews.reader import read
from unround.settings import Policy, Settings

pytestmark = pytest.mark.slow

EXAMPLE = ROOT / "examples" / "conference"


def judged(conference, rankings=None, **settings):
    known = read(conference.reviews, rankings, None, conference.scale)[1]
    return compare_methods(known, Settings(**settings), lambda done, total: None)


def coarser(reviews):
    """Reviews with half as many levels, as a comparison rounds them."""
    return reviews.with_columns((pl.col("score") / 2).ceil().cast(pl.Int64))


@pytest.fixture(scope="module")
def contradicted():
    conference = unruly(2, papers=40, swapped=0.3, unranked=0.2).conference
    return conference, judged(conference, conference.rankings, conflicts=Policy.SCORES)


def compare_sample(call, folder, *others):
    """Run the command on the sample conference."""
    rankings = ("--rankings", EXAMPLE / "rankings.csv")
    return call("compare", EXAMPLE / "reviews.csv", *rankings, "-o", folder, *others)


class Compared(NamedTuple):
    done: Result
    folder: Path


@pytest.fixture(scope="module")
def compared(call, tmp_path_factory):
    folder = tmp_path_factory.mktemp("compared") / "out"
    return Compared(compare_sample(call, folder), folder)


def test_sample_conference(compared):
    done = compared.done
    assert done.exit_code == 0, done.output
    printed = " ".join(done.stdout.split())
    assert "240 reviews of 60 papers by 60 reviewers" in printed
    assert "Fewer errors than with BRE-adjusted scores: 39% fewer" in printed
    assert "No clear difference from the same method without rankings" in printed
    assert "Of 47 pairs of papers that 37 reviewers gave one score and ranked" in printed
    out = compared.folder
    table = pl.read_csv(out / "tables" / "comparison.csv")
    methods = [
        "quantized", "bre", "scores-only", "rankings-only", "proposed", "auto+", "oracle",
    ]  # fmt: skip
    assert table["method"].to_list() == 2 * methods
    assert table["rankings"].unique(maintain_order=True).to_list() == [STATED, BETWEEN]
    assert (table["low"] <= table["kendall"]).all()
    assert (table["kendall"] <= table["high"]).all()
    error = dict(table.head(7).select("method", "kendall").iter_rows())
    assert error["oracle"] <= error["proposed"] < error["bre"] < error["quantized"]
    page = (out / "report.html").read_text("utf-8")
    assert f"{error['proposed']:.4f}" in page
    assert "Limits: this does not show" in page


def test_errors_are_those_of_the_public_functions(compared):
    table = pl.read_csv(compared.folder / "tables" / "comparison.csv")
    reviews = pl.read_csv(EXAMPLE / "reviews.csv")
    # The rankings of the example agree with its scores: between levels they are the scores' order.
    rank = (-pl.col("score")).rank("dense").over("reviewer").cast(pl.Int64)
    rankings = reviews.select("reviewer", "paper", rank=rank)
    result = unround.dequantize(coarser(reviews), rankings, lam="auto")
    between = table.filter(pl.col("rankings") == BETWEEN)
    row = between.filter(pl.col("method") == "proposed").row(0, named=True)
    assert row["lam"] == result.lam
    assert row["kendall"] == pytest.approx(
        kendall_error(reviews["score"], result.scores["dequantized"]), abs=1e-12
    )


def test_a_comparison_replaces_an_earlier_one_by_the_same_bytes(call, compared, tmp_path):
    shutil.copytree(compared.folder, again := tmp_path / "again")
    (again / "tables" / "stale.csv").write_text("")
    (again / "report.html").write_text("")
    refused = compare_sample(call, again)
    assert "holds earlier results; replace them with --force" in refused.stderr.replace("\n", " ")
    assert compare_sample(call, again, "--force").exit_code == 0
    assert files_of(again) == files_of(compared.folder)


def test_contradictions_are_counted(call, tmp_path):
    conference = unruly(2, papers=20, swapped=0.4).conference
    conference.reviews.write_csv(tmp_path / "reviews.csv")
    conference.rankings.write_csv(tmp_path / "rankings.csv")
    given = (tmp_path / "reviews.csv", "--rankings", tmp_path / "rankings.csv")
    done = call("compare", *given, "-o", tmp_path / "out")
    assert done.exit_code == 0, done.output
    found = unround.check(conference.reviews, conference.rankings, conflicts="scores")
    count = sum(issue.count for issue in found if str(issue.kind) == "contradiction")
    assert f"settled as by --conflicts scores: {count} contradiction" in done.stdout


def test_input_that_no_policy_settles_is_refused(call, tmp_path):
    (tmp_path / "reviews.csv").write_text("reviewer,paper,score\na,1,2\na,1,3\nb,2,5\n")
    refused = call("compare", tmp_path / "reviews.csv", "-o", tmp_path / "out")
    assert refused.exit_code == 1
    assert not (tmp_path / "out").exists()


def test_a_folder_of_something_else_is_left_alone(call, tmp_path):
    (tmp_path / "trials").mkdir()
    (tmp_path / "trials" / "one.json").write_text("{}")
    refused = call("compare", EXAMPLE / "reviews.csv", "-o", tmp_path)
    assert refused.exit_code == 2
    assert "not from unround; name another folder" in refused.stderr
    assert (tmp_path / "trials" / "one.json").is_file()


def test_stated_rankings_are_compared_apart_from_implied_ones(contradicted):
    _, result = contradicted
    kinds = [(scenario.rankings, str(scenario.policy)) for scenario in result.scenarios]
    assert kinds == [
        (STATED, "scores"), (STATED, "rankings"), (BETWEEN, "scores"), (IMPLIED, "scores"),
    ]  # fmt: skip
    scores, rankings, between, implied = result.scenarios
    assert scores.bootstrap.on_data["proposed"] > implied.bootstrap.on_data["proposed"]
    for scenario in (rankings, between, implied):
        for method in ("quantized", "scores-only"):
            assert scenario.bootstrap.on_data[method] == scores.bootstrap.on_data[method]
    assert result.table().height == 28


def test_the_gain_is_split_into_its_parts(contradicted):
    for scenario in contradicted[1].scenarios:
        errors = scenario.bootstrap
        coarse, undone = errors.on_data["quantized"], {}
        for name in ("scores-only", "rankings-only", "auto+"):
            part = errors.reduction(name, "quantized")
            assert part.value == pytest.approx(100 * (coarse - errors.on_data[name]) / coarse)
            assert part.low <= part.value <= part.high
            undone[name] = part.value
            assert (
                f"{-part.value:+.0f}% ({-part.high:+.0f}% to {-part.low:+.0f}%)" in scenario.split()
            )
        added = errors.reduction("auto+", "scores-only", of="quantized")
        assert added.value == pytest.approx(undone["auto+"] - undone["scores-only"])


def test_the_verdict_is_about_a_run_by_default(contradicted):
    conference, result = contradicted
    main = result.main
    assert main.verdict().startswith("With λ by simulation (auto+), the default: ")
    assert main.reduction() == main.bootstrap.reduction("auto+", main.baseline)
    given = (coarser(conference.reviews).sort("reviewer", "paper"), conference.rankings)
    scale = unround.Scale.integers(0, 5)
    for scenario, method, left_out in (
        (main, "auto+", False),
        (main, "scores-only", True),
        (result.scenarios[1], "auto+", False),
    ):
        run = unround.dequantize(
            *given, scale=scale, conflicts=str(scenario.policy), ignore_rankings=left_out
        )
        estimate = scenario.estimates[method]
        assert estimate.lam == run.lam, (scenario.policy, method)
        np.testing.assert_allclose(estimate.scores, run.scores["dequantized"], atol=1e-8)


def test_scores_are_rounded_to_as_many_levels_as_asked():
    conference = unruly(3, papers=24).conference
    known = read(conference.reviews, conference.rankings, None, conference.scale)[1]
    for levels in range(2, len(known.scale.levels)):
        case = recovery_case(known, Settings(), levels)
        assert len(case.reviews.scale.levels) == levels
        rounded = coarsening_to(levels, len(known.scale.levels))(known.scale.values)
        assert np.ptp(np.bincount(rounded.astype(int))[1:]) <= 1  # as even as can be
        np.testing.assert_array_equal(case.given, rounded[known.level])
        np.testing.assert_array_equal(case.reviews.statements.rank, known.statements.rank)
    with pytest.raises(UsageError, match="can be rounded to 2 to 10 levels"):
        recovery_case(known, Settings(), 11)


def test_implied_rankings_are_what_validation_takes(contradicted):
    conference, result = contradicted
    curve = unround.select_lambda(conference.reviews, scale=conference.scale).curve
    oracle = result.scenarios[-1].estimates["oracle"]
    assert oracle.lam == curve["lam"][int(curve["error"].arg_min())]
    assert result.scenarios[-1].bootstrap.on_data["oracle"] == pytest.approx(curve["error"].min())


def test_rankings_between_levels():
    reviews = pl.DataFrame(
        {"reviewer": [1] * 5, "paper": [1, 2, 3, 4, 5], "score": [7, 7, 5, 5, 3]}
    )
    rankings = pl.DataFrame({"reviewer": [1] * 4, "paper": [1, 2, 3, 4], "rank": [1, 4, 2, 3]})
    said = between_levels(read(reviews, rankings, None, None)[1])
    assert said.rank[0] == said.rank[1] == said.rank[2] == said.rank[3]  # both levels mean 2.5
    assert np.isnan(said.rank[4])
    pairs = pl.DataFrame({"reviewer": [1, 1], "better": [1, 1], "worse": [2, 3]})
    said = between_levels(read(reviews, pairs, None, None)[1])
    assert (said.better.tolist(), said.worse.tolist()) == ([0], [2])


def test_pairs_leave_the_adjusted_scores_out():
    conference = unround.simulate.thurstone(20, seed=1)
    papers = (
        conference.reviews.group_by("reviewer", maintain_order=True).agg("paper", "score").rows()
    )
    rows = [
        (who, p[0], p[1]) if s[0] > s[1] else (who, p[1], p[0])
        for who, p, s in papers
        if s[0] != s[1]
    ]
    pairs = pl.DataFrame(rows, schema=["reviewer", "better", "worse"], orient="row")
    result = judged(conference, pairs)
    assert "bre" not in result.main.estimates
    assert result.main.baseline == "quantized"
    assert "the coarse scores" in result.main.verdict()


def test_without_rankings_those_of_the_scores_stand_in(call, tmp_path):
    done = call("compare", EXAMPLE / "reviews.csv", "-o", tmp_path / "out")
    assert done.exit_code == 0, done.output
    table = pl.read_csv(tmp_path / "out" / "tables" / "comparison.csv")
    assert set(table["rankings"]) == {IMPLIED}


def test_uneven_scales_are_coarsened_by_position():
    conference = unruly(3, papers=24, scale=[1, 3, 5, 6, 8, 10]).conference
    result = judged(conference, conference.rankings)
    assert result.main.levels == 3
    assert result.main.bootstrap.on_data["proposed"] < 0.2


def test_two_levels_are_too_few():
    reviews = pl.DataFrame({"reviewer": [1, 2, 1], "paper": [1, 1, 2], "score": [1, 2, 2]})
    known = read(reviews, None, None, None)[1]
    with pytest.raises(UsageError, match="at least three different levels"):
        compare_methods(known, Settings(), lambda done, total: None)


class TestBootstrap:
    random = np.random.default_rng(0)
    truth = random.integers(1, 10, 120).astype(float)
    paper = np.repeat(np.arange(30), 4)
    good, bad = truth + random.normal(0, 0.3, 120), truth + random.normal(0, 3, 120)

    def bootstrap(self):
        return resample_papers(self.truth, self.paper, {"good": self.good, "bad": self.bad})

    def test_intervals_repeat_and_hold_the_estimate(self):
        one, two = self.bootstrap(), self.bootstrap()
        assert one.error("good") == two.error("good")
        for name, estimate in (("good", self.good), ("bad", self.bad)):
            interval = one.error(name)
            assert interval.value == kendall_error(self.truth, estimate)
            assert interval.low < interval.value < interval.high
        assert one.on_draws["good"].size == MOST_DRAWS

    def test_differences_are_paired(self):
        found = self.bootstrap()
        assert found.reduction("good", "bad").low > 50.0
        assert found.reduction("good", "good").low == found.reduction("good", "good").high == 0.0

    def test_large_conferences_are_drawn_less_often(self):
        size = 220_000
        truth = np.arange(size) % 7
        found = resample_papers(
            truth.astype(float), np.arange(size) // 4, {"same": truth.astype(float)}
        )
        assert found.on_draws["same"].size == LEAST_DRAWS
        assert found.error("same").high == 0.0
