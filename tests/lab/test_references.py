"""The published numbers, as the report shows them."""

import math
from collections import Counter
from pathlib import Path

import pytest

from tests.lab.conftest import ICLR, needs_iclr, small_scores
from unround.lab.catalogue.iclr import ICLR_2017, Scores, read_scores
from unround.lab.pages.references import (
    METHODS,
    ClaimVerdict,
    Verdict,
    check_claims,
    check_means,
    check_results,
    check_trials,
    claim_grid,
    reference_rows,
    summary_line,
)
from unround.lab.plan import Claim, plan_for
from unround.lab.results import Mean, Results, tidy
from unround.lab.study import Study
from unround.lab.trials.runner import Store, run, trials_of

pytestmark = pytest.mark.slow


def computed(names, scores, folder):
    plan = plan_for(names)
    finished = run(trials_of(plan, 20, scores), scores, Store(folder), jobs=1)
    return plan, Results(plan.studies, tidy(finished))


@pytest.fixture(scope="module")
def synthetic(tmp_path_factory):
    """All of the paper's synthetic experiments, 20 trials each."""
    names = ["noise", "load", "reviews", "epsilon"]
    return computed(names, None, tmp_path_factory.mktemp("synthetic"))


def test_synthetic_means_and_their_errors_equal_the_published_ones(synthetic):
    _, results = synthetic
    comparisons = check_means(results.summary, None)
    # 9 settings x (3 methods x 3 metrics + the median λ)
    assert len(comparisons) == 9 * 10
    assert {c.verdict for c in comparisons} == {Verdict.EQUAL}
    assert all(abs(c.in_errors) < 0.5 for c in comparisons if not math.isnan(c.in_errors))
    assert_published_errors(results, settings=9)


def assert_published_errors(results, settings):
    """The standard errors of all computed means are those of the reference."""
    rows = reference_rows(with_iclr=True)
    means = [mean for mean in results.summary if mean.metric == "kendall" and mean.identity in rows]
    ours = [mean for mean in means if mean.method in METHODS]
    assert len({mean.identity for mean in ours}) == settings
    for mean in ours:
        printed = float(rows[mean.identity][mean.method]["kendall_se"])
        assert mean.error == pytest.approx(printed, rel=0, abs=1e-5)


def test_figures_of_the_text_hold_but_for_one_rounded_down(synthetic):
    plan, results = synthetic
    checks = check_claims(plan.claims, results.summary, None)
    assert [round(check.ours, 2) for check in checks] == [11.11, 5.84, 12.40, 6.29, 1.53]
    assert [str(check.verdict) for check in checks] == [*["holds"] * 4, "does not hold"]


def test_trial_0_equals_the_published_program(synthetic):
    _, results = synthetic
    checks = check_trials(results.table, None)
    assert [check.method for check in checks] == ["quantized", "bre", "proposed", "λ"]
    assert all(check.equal for check in checks)
    assert all(check.ours == check.reference for check in checks[:3])


def test_one_sentence_says_it_all(synthetic):
    plan, results = synthetic
    sentence = summary_line(check_results(plan, results, None))
    assert sentence.startswith("90 means against their references: 90 equal. ")
    assert "4 of 4 numbers of trial 0 equal to 12 digits" in sentence
    assert "4 of 5 numbers in the paper's text hold." in sentence


@needs_iclr
def test_iclr_2017_means_equal_the_published_ones(tmp_path):
    scores = read_scores(Path(ICLR))
    assert scores.is_iclr_2017
    plan, results = computed(["iclr", "iclr-epsilon", "curves"], scores, tmp_path)
    comparisons = check_means(results.summary, scores)
    verdicts = Counter(c.verdict for c in comparisons)
    assert verdicts[Verdict.OFF] == 0
    assert_published_errors(results, settings=4)
    by_noise = [c for c in comparisons if c.verdict is Verdict.NOISE]
    assert {(c.metric, c.mean.method) for c in by_noise} == {("l2", "proposed")}
    others = [c for c in comparisons if c not in by_noise]
    assert {c.verdict for c in others} == {Verdict.EQUAL}
    claims = {c.claim.text: c for c in check_claims(plan.claims, results.summary, scores)}
    lower = [c.ours for text, c in claims.items() if "about 30% lower" in text]
    assert [round(value, 1) for value in lower] == [28.9, 30.2, 29.6]
    assert [text for text, c in claims.items() if c.verdict is not ClaimVerdict.HOLDS] == [
        "ICLR 2017: less than 3.4% ties with the proposed algorithm (most at k = 2)"
    ]
    assert all(c.equal for c in check_trials(results.table, scores))


def test_other_scores_have_no_reference(tmp_path):
    scores = small_scores()
    _, results = computed(["iclr"], scores, tmp_path)
    assert not scores.is_iclr_2017
    assert check_means(results.summary, scores) == []
    as_if = Scores(scores.table, ICLR_2017 + "0" * 48)
    verdicts = {c.verdict for c in check_means(results.summary, as_if)}
    assert Verdict.OFF in verdicts


def test_fewer_trials_have_no_reference(small_results):
    assert check_means(small_results("paper").summary, None) == []


@pytest.mark.parametrize(
    ("says", "relation", "within", "ours", "holds"),
    [
        ("11.1", "is", 0.0, 11.149, True),
        ("11.1", "is", 0.0, 11.151, False),
        ("8.0", "is", 0.0, 7.94, False),
        ("30", "about", 2.0, 28.0, True),
        ("30", "about", 2.0, 27.9, False),
        ("1.5", "below", 0.0, 1.49, True),
        ("1.5", "below", 0.0, 1.5, False),
    ],
)
def test_claims_hold_to_the_printed_digit_or_the_stated_tolerance(
    says, relation, within, ours, holds
):
    claim = Claim("text", "noise", "default", "m", says, relation=relation, within=within)
    (check,) = check_claims((claim,), OneMean(ours, 20), None)
    assert check.verdict is (ClaimVerdict.HOLDS if holds else ClaimVerdict.FAILS)


@pytest.mark.parametrize("trials", [2, 40])
def test_means_over_other_trials_are_not_judged(trials):
    claim = Claim("text", "noise", "default", "m", "11.1")
    for ours in (11.1, 50.0):
        (check,) = check_claims((claim,), OneMean(ours, trials), None)
        assert check.verdict is ClaimVerdict.NOT_JUDGED


def test_other_data_than_the_papers_are_not_judged():
    claims = tuple(claim for claim in plan_for(["iclr"]).claims if claim.study == "iclr")
    for scores in (None, small_scores()):
        checks = check_claims(claims, OneMean(8.0, 20, data="coarsened"), scores)
        assert {check.verdict for check in checks} == {ClaimVerdict.NOT_JUDGED}


def test_the_report_says_what_was_not_judged(small_results):
    results = small_results("paper")
    checks = check_results(plan_for(["noise"]), results, None)
    text = "\n".join(" ".join(map(str, row)) for row in claim_grid(checks.claims).rows)
    assert "not judged" in text
    assert "does not hold" not in text


class OneMean:
    """A summary in which every mean is the same one."""

    def __init__(self, value, trials, data="thurstone"):
        (point,) = Study("s", "t", data).points()
        self._mean = Mean("s", "default", point.identity, "m", "ties", value, 0.1, trials, None)

    def find(self, *_):
        return self._mean
