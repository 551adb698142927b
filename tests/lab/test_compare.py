"""The command that says whether it helps on one's own conference."""

import numpy as np
import polars as pl
import pytest

import unround
from tests.lab.conftest import ROOT
from tests.lab.test_resuming import files_of
from unround.errors import UsageError
from unround.lab.catalogue.unruly import unruly
from unround.lab.compare import IMPLIED, STATED, between_levels, judge
from unround.lab.results.bootstrap import LEAST, MOST, resample_papers
from unround.metrics import kendall_error
from unround.reviews.reader import read
from unround.settings import Policy, Settings

pytestmark = pytest.mark.slow

EXAMPLE = ROOT / "examples" / "conference"


def judged(conference, rankings=None, **settings):
    known = read(conference.reviews, rankings, None, conference.scale)[1]
    return judge(known, Settings(**settings), lambda done, total: None)


@pytest.fixture(scope="module")
def contradicted():
    conference = unruly(2, papers=40, swapped=0.3, unranked=0.2).conference
    return conference, judged(conference, conference.rankings, conflicts=Policy.SCORES)


def test_sample_conference(call, tmp_path):
    done = call(
        "compare", EXAMPLE / "reviews.csv", "--rankings", EXAMPLE / "rankings.csv",
        "-o", tmp_path / "out",
    )  # fmt: skip
    assert done.exit_code == 0, done.output
    printed = " ".join(done.stdout.split())
    assert "240 reviews of 60 papers by 60 reviewers" in printed
    assert "Fewer errors than with BRE-adjusted scores: 57% fewer" in printed
    out = tmp_path / "out"
    table = pl.read_csv(out / "tables" / "comparison.csv")
    assert table["method"].to_list() == [
        "quantized", "bre", "scores-only", "proposed", "auto+", "oracle",
    ]  # fmt: skip
    assert (table["low"] <= table["kendall"]).all()
    assert (table["kendall"] <= table["high"]).all()
    error = dict(table.select("method", "kendall").iter_rows())
    assert error["oracle"] <= error["proposed"] < error["bre"] < error["quantized"]
    for name in ("errors", "curve"):
        for suffix in ("svg", "pdf", "png"):
            assert (out / "figures" / f"{name}.{suffix}").stat().st_size > 1000
    page = (out / "report.html").read_text("utf-8")
    assert f"{error['proposed']:.4f}" in page
    assert "What it cannot tell" in page


def test_errors_are_those_of_the_public_functions(call, tmp_path):
    call(
        "compare", EXAMPLE / "reviews.csv", "--rankings", EXAMPLE / "rankings.csv",
        "-o", tmp_path / "out",
    )  # fmt: skip
    table = pl.read_csv(tmp_path / "out" / "tables" / "comparison.csv")
    reviews = pl.read_csv(EXAMPLE / "reviews.csv")
    coarse = reviews.with_columns((pl.col("score") / 2).ceil().cast(pl.Int64))
    # The rankings of the example agree with its scores: between levels they are the scores' order.
    rank = (-pl.col("score")).rank("dense").over("reviewer").cast(pl.Int64)
    rankings = reviews.select("reviewer", "paper", rank=rank)
    result = unround.dequantize(coarse, rankings)
    row = table.filter(pl.col("method") == "proposed").row(0, named=True)
    assert row["lam"] == result.lam
    assert row["kendall"] == pytest.approx(
        kendall_error(reviews["score"], result.scores["dequantized"]), abs=1e-12
    )
    curve = pl.read_csv(tmp_path / "out" / "tables" / "curve.csv")
    wanted = unround.select_lambda(reviews).curve
    np.testing.assert_allclose(curve["error"], wanted["error"], atol=1e-12)


def test_the_same_bytes_again(call, tmp_path):
    for name in ("one", "two"):
        call(
            "compare", EXAMPLE / "reviews.csv", "--rankings", EXAMPLE / "rankings.csv",
            "-o", tmp_path / name,
        )  # fmt: skip
    assert files_of(tmp_path / "one") == files_of(tmp_path / "two")


def test_contradictions_are_refused_as_in_a_run(call, tmp_path):
    conference = unruly(2, papers=20, swapped=0.4).conference
    conference.reviews.write_csv(tmp_path / "reviews.csv")
    conference.rankings.write_csv(tmp_path / "rankings.csv")
    given = (tmp_path / "reviews.csv", "--rankings", tmp_path / "rankings.csv")
    refused = call("compare", *given, "-o", tmp_path / "out")
    assert refused.exit_code == 1
    assert "contradiction" in refused.output
    assert not (tmp_path / "out").exists()
    done = call("compare", *given, "--conflicts", "scores", "-o", tmp_path / "out")
    assert done.exit_code == 0, done.output


def test_stated_rankings_are_told_from_implied_ones(contradicted):
    _, judgement = contradicted
    assert [outcome.rankings for outcome in judgement.outcomes] == [STATED, IMPLIED]
    stated, implied = judgement.outcomes
    assert stated.resampled.errors["proposed"] > implied.resampled.errors["proposed"]
    assert stated.resampled.errors["scores-only"] == implied.resampled.errors["scores-only"]
    assert judgement.table().height == 12


def test_implied_rankings_are_what_validation_takes(contradicted):
    conference, judgement = contradicted
    curve = unround.select_lambda(conference.reviews, scale=conference.scale).curve
    np.testing.assert_allclose(judgement.outcomes[1].curve.error, curve["error"], atol=1e-12)
    np.testing.assert_array_equal(judgement.validation.error, curve["error"].to_numpy())


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
    judgement = judged(conference, pairs)
    assert "bre" not in judgement.main.estimates
    assert judgement.main.baseline == "quantized"
    assert "the coarse scores" in judgement.main.verdict()


def test_without_rankings_those_of_the_scores_stand_in(call, tmp_path):
    done = call("compare", EXAMPLE / "reviews.csv", "-o", tmp_path / "out")
    assert done.exit_code == 0, done.output
    table = pl.read_csv(tmp_path / "out" / "tables" / "comparison.csv")
    assert set(table["rankings"]) == {IMPLIED}


def test_uneven_scales_are_coarsened_by_position():
    conference = unruly(3, papers=24, scale=[1, 3, 5, 6, 8, 10]).conference
    judgement = judged(conference, conference.rankings)
    assert judgement.coarse_levels == 3
    assert judgement.main.resampled.errors["proposed"] < 0.2


def test_two_levels_are_too_few():
    reviews = pl.DataFrame({"reviewer": [1, 2, 1], "paper": [1, 1, 2], "score": [1, 2, 2]})
    known = read(reviews, None, None, None)[1]
    with pytest.raises(UsageError, match="at least three different levels"):
        judge(known, Settings(), lambda done, total: None)


class TestBootstrap:
    random = np.random.default_rng(0)
    truth = random.integers(1, 10, 120).astype(float)
    paper = np.repeat(np.arange(30), 4)
    good, bad = truth + random.normal(0, 0.3, 120), truth + random.normal(0, 3, 120)

    def resampled(self):
        return resample_papers(self.truth, self.paper, {"good": self.good, "bad": self.bad})

    def test_intervals_repeat_and_hold_the_estimate(self):
        one, two = self.resampled(), self.resampled()
        assert one.error("good") == two.error("good")
        for name, estimate in (("good", self.good), ("bad", self.bad)):
            interval = one.error(name)
            assert interval.value == kendall_error(self.truth, estimate)
            assert interval.low < interval.value < interval.high
        assert one.draws["good"].size == MOST

    def test_differences_are_paired(self):
        found = self.resampled()
        gap = found.difference("good", "bad")
        assert gap.high < 0.0
        assert found.reduction("good", "bad").low > 50.0
        assert found.difference("good", "good").low == found.difference("good", "good").high == 0.0

    def test_large_conferences_are_drawn_less_often(self):
        size = 220_000
        truth = np.arange(size) % 7
        found = resample_papers(
            truth.astype(float), np.arange(size) // 4, {"same": truth.astype(float)}
        )
        assert found.draws["same"].size == LEAST
        assert found.error("same").high == 0.0
