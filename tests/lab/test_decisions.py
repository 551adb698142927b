"""The studies of decisions: coverage, reliability, and a report that says where it is off."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from unround.errors import UsageError
from unround.lab.catalogue.conferences import unruly
from unround.lab.catalogue.metrics import INTERVALS, Intervals
from unround.lab.pages import document as doc
from unround.lab.pages.report import decision_blocks
from unround.lab.plan import plan_for
from unround.lab.registry import find_method, find_metric
from unround.lab.results import Results, refusals, reliability_bins
from unround.lab.study import Study
from unround.lab.trials.case import Case, Sample, by_paper
from unround.lab.trials.trial import REFUSED, RELIABILITY, Trial, reliability, run_trial
from unround.metrics import kendall_error
from unround.uncertainty.posterior import NotMixed, SamplerDiagnostics


@pytest.fixture(scope="module")
def case():
    return Case(unruly(1, papers=40, noise=0.5, offset=0.7))


def test_coverage_counts_ends_as_inside():
    interval = Intervals(
        np.array([0.0, 1.0, 2.0]), np.array([1.0, 2.0, 4.0]), np.array([1.0, 3, 2])
    )
    assert interval.coverage == pytest.approx(2 / 3)
    assert interval.width == pytest.approx(4 / 3)


@pytest.mark.parametrize("name", INTERVALS)
def test_every_kind_of_interval_is_around_its_truth(case, name):
    found = INTERVALS[name](case)
    assert found.low.shape == found.high.shape == found.truth.shape
    assert 0.75 <= found.coverage <= 1.0
    assert 0.0 < found.width < 4.0
    if name in ("of-posterior", "of-calibration", "of-bootstrap"):  # of papers, in their order
        assert np.corrcoef((found.low + found.high) / 2, found.truth)[0, 1] > 0.9


def test_papers_are_judged_by_what_the_method_says_of_them(case):
    calibrated = find_method("calibrated").estimate(case)
    proposed = find_method("proposed").estimate(case)
    assert np.array_equal(calibrated.scores, proposed.scores)
    papers = find_metric("papers")
    assert papers.value(case, calibrated) == kendall_error(case.quality, calibrated.papers)
    assert papers.value(case, proposed) == kendall_error(
        case.quality, by_paper(case.conference, proposed.scores)
    )
    assert papers.value(case, calibrated) < papers.value(case, proposed)


def test_reliability_counts_every_paper_once(case):
    found = reliability(case)
    assert found["papers"].sum() == 40
    assert found["inside"].sum() == 10
    assert found["expected"].sum() == pytest.approx(10.0)
    assert np.all(found["inside"] <= found["papers"])


def test_papers_without_known_quality_cannot_be_measured(case):
    unknown = Case(Sample(case.conference, seed=1))
    with pytest.raises(UsageError, match="each paper's quality is known"):
        reliability(unknown)


def table(rows):
    names = ("method", "metric", "trial", "value", "lam")
    frame = pl.DataFrame(rows, schema=names, orient="row")
    return frame.with_columns(study=pl.lit("s"), setting=pl.lit("default"), parameters=pl.lit("{}"))


def test_bins_are_pooled_over_trials():
    rows = [
        (RELIABILITY, metric, trial, value, lam)
        for trial in (0, 1)
        for lam, values in ((0.0, (0.0, 0.0, 0.0)), (0.5, (4.0, 2.2, 3.0)))
        for metric, value in zip(("papers", "expected", "inside"), values, strict=True)
    ]
    (only,) = reliability_bins(table(rows), "s")
    assert (only.papers, only.expected, only.inside) == (8, pytest.approx(0.55), 0.75)
    assert only.error == pytest.approx(np.sqrt(0.55 * 0.45 / 8))


def blocks_of(first, second):
    study = Study("s", "Two kinds", "thurstone", intervals=["of-posterior", "of-bootstrap"])
    rows = [
        (name, "coverage", trial, value, None)
        for name, values in (("of-posterior", first), ("of-bootstrap", second))
        for trial, value in enumerate(values)
    ]
    return list(decision_blocks(Results([study], table(rows))))


def test_the_report_marks_what_is_outside():
    blocks = blocks_of([0.9, 0.92], [0.7, 0.74])
    (grid,) = (b for b in blocks if isinstance(b, doc.Grid))
    assert [cell.text for cell in grid.rows[0][1:]] == ["91.0 ± 1.0", "72.0 ± 2.0"]
    assert [cell.mood for cell in grid.rows[0][1:]] == [doc.GOOD, doc.BAD]


def test_a_posterior_that_refuses_is_left_out_and_counted(monkeypatch):
    def refuse(*_, **__):
        raise NotMixed(SamplerDiagnostics(1.4, 12.0, 16_200, 1_000, 2.0, 0.1, 0.5, 0.0))

    monkeypatch.setattr("unround.lab.trials.case.posterior", refuse)
    study = Study(
        "s", "Refused", "unruly", ["quantized", "posterior"], fixed={"papers": 12},
        intervals=["of-posterior", "of-calibration"], curves=["reliability"],
    )  # fmt: skip
    trial = Trial(study, study.points()[0], 0)
    found = {(row.method, row.metric) for row in run_trial(trial, None).rows}
    assert {("quantized", "kendall"), ("of-calibration", "coverage")} <= found
    assert {("posterior", REFUSED), ("of-posterior", REFUSED), (RELIABILITY, REFUSED)} <= found
    assert ("posterior", "kendall") not in found
    rows = [("of-posterior", REFUSED, 0, 1.0, None), ("of-posterior", "coverage", 1, 0.9, None)]
    assert refusals(table(rows), "s") == 1
    blocks = list(decision_blocks(Results([study], table(rows))))
    assert any("Refused: 1." in block.text for block in blocks if isinstance(block, doc.Text))


def test_decisions_are_a_group_of_their_own():
    names = {study.name for study in plan_for(["decisions"]).studies}
    assert {"decisions-0", "decisions-60-0.7"} <= names
    assert not names & {study.name for study in plan_for(["all"]).studies}
    assert [study.name for study in plan_for(["decisions-0.3"]).studies] == ["decisions-0.3"]
