"""The report on rivals: differences from the proposed method, leads, and methods that gave up."""

import polars as pl
import pytest

from studies.rivals.comparison import against, ahead, gave_up, seconds
from studies.rivals.report import rival_blocks
from unround.lab.pages import document as doc
from unround.lab.results import Results
from unround.lab.study import Study
from unround.lab.trials.trial import REFUSED


def table(values, metric="papers"):
    rows = [
        ("rivals-s", "a", trial, name, metric, value)
        for name, of_trials in values.items()
        for trial, value in enumerate(of_trials)
        if value is not None
    ]
    names = ("study", "setting", "trial", "method", "metric", "value")
    frame = pl.DataFrame(rows, schema=names, orient="row")
    return frame.with_columns(parameters=pl.lit("{}"), lam=pl.lit(None, pl.Float64))


RIVALS = Study("rivals-s", "Three", "unruly", ["proposed", "quantized", "bre"], ["papers"])


def test_differences_are_of_the_trials_that_both_finished():
    found = against(
        table({"proposed": [0.1, 0.2, 0.9], "quantized": [0.2, 0.4, None], "bre": [0.1, 0.1, 0.7]}),
        RIVALS, "papers",
    )  # fmt: skip
    quantized, bre = found
    assert (quantized.trials, quantized.ours) == (2, pytest.approx(0.15))
    assert quantized.difference == pytest.approx(100.0)
    assert quantized.difference_error == pytest.approx(0.0)
    assert bre.difference == pytest.approx(-25.0)
    assert [row.method for row in ahead(found)["a"]] == ["bre"]


def test_missed_papers_are_compared_by_points():
    found = against(
        table({"proposed": [0.0, 0.0], "quantized": [2.0, 4.0], "bre": [0.0, 0.0]}, "missed"),
        RIVALS, "missed",
    )  # fmt: skip
    assert [row.difference for row in found] == [3.0, 0.0]
    assert [row.is_ahead for row in found] == [False, False]


def test_every_lead_is_listed_with_its_size():
    values = {"proposed": [0.1, 0.2], "quantized": [0.2, 0.4], "bre": [0.05, 0.1]}
    blocks = list(rival_blocks(Results([RIVALS], table(values))))
    texts = [block.text for block in blocks if isinstance(block, doc.Text)]
    assert (
        "of 2 comparisons with the proposed method, a rival is ahead in 1, clearly in 1" in texts[1]
    )
    (grid,) = (block for block in blocks if isinstance(block, doc.Grid))
    assert grid.rows == [("a", "BRE-adjusted scores -50.0% ± 0.0 (clear)")]


def test_one_trial_has_no_standard_error():
    values = {"proposed": [0.1], "quantized": [0.05], "bre": [0.2]}
    blocks = list(rival_blocks(Results([RIVALS], table(values))))
    (grid,) = (block for block in blocks if isinstance(block, doc.Grid))
    assert grid.rows == [("a", "Quantized scores -50.0%")]
    texts = [block.text for block in blocks if isinstance(block, doc.Text)]
    assert "ahead in 1, and one trial cannot tell whether by chance" in texts[1]


def test_methods_that_gave_up_are_named():
    kept = table({"proposed": [0.1, 0.2], "quantized": [0.2, 0.4]})
    refused = table({"bre": [1.0, 1.0]}, REFUSED)
    results = Results([RIVALS], pl.concat([kept, refused]))
    assert gave_up(results.table, RIVALS) == {("a", "bre"): 2}
    texts = [block.text for block in rival_blocks(results) if isinstance(block, doc.Text)]
    assert any("BRE-adjusted scores, a: 2." in text for text in texts)


def test_times_are_tabulated_and_giving_up_is_said():
    timed = Study("rivals-s", "Time", "unruly", ["proposed", "bre"], [], limit=20.0)
    results = Results([timed], table({"proposed": [0.5, 1.5]}, "seconds"))
    assert seconds(results.table, timed) == {("a", "proposed"): 1.0}
    (grid,) = (block for block in rival_blocks(results) if isinstance(block, doc.Grid))
    assert [row[1].text for row in grid.rows] == ["1.0", "gave up (> 20)"]
