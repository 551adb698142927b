"""Ways to choose λ, and their losses against the oracle."""

import math

import numpy as np
import polars as pl
import pytest

import studies.selection  # noqa: F401  (registers the ways to choose λ)
from studies.selection.losses import (
    FIXED,
    Loss,
    differences,
    loss_blocks,
    losses,
    overall,
    worst,
)
from unround.lab import Case, Study
from unround.lab.catalogue.conferences import thurstone
from unround.lab.pages.document import Grid
from unround.lab.registry import find_method
from unround.lab.results import Results
from unround.lab.trials.trial import CURVE


def test_every_selector_solves_the_papers_program():
    case = Case(thurstone(1, papers=20))
    for name in ("smoothed", "both-alignments", "both-smoothed", "fine-grid", "simulate-plain"):
        answer = find_method(name).estimate(case)
        np.testing.assert_array_equal(answer.scores, case.solve(answer.lam))


def table_of_losses():
    values = {"oracle": [0.1, 0.2], "proposed": [0.12, 0.21], "auto+": [0.1, 0.22]}
    rows = [
        ("s", "x", "{}", method, "kendall", trial, value, 1.0)
        for method, pair in values.items()
        for trial, value in enumerate(pair)
    ] + [
        ("s", "x", "{}", CURVE + "original", "kendall", trial, error, lam)
        for trial in range(2)
        for lam, error in ((1.0, 0.1 + 0.1 * trial), (2.0, 0.19))
    ]
    names = ("study", "setting", "parameters", "method", "metric", "trial", "value", "lam")
    return pl.DataFrame(rows, schema=names, orient="row")


def test_losses_are_ratios_of_means_with_paired_errors():
    table = table_of_losses()
    found = {loss.method: loss for loss in losses(table, "s")}
    assert found["proposed"].percent == pytest.approx(10.0)
    off = [(0.12 - 1.1 * 0.1) / 0.15, (0.21 - 1.1 * 0.2) / 0.15]
    assert found["proposed"].error == pytest.approx(100 * pl.Series(off).std() / math.sqrt(2))
    assert found[FIXED].percent == pytest.approx(0.0)  # λ = 1 has means 0.1 and 0.2
    (difference,) = differences(table, "s", "auto+", "proposed")
    assert difference.percent == pytest.approx(100 * (0.16 - 0.165) / 0.15)
    two = [*losses(table, "s"), Loss("y", "proposed", 30.0, 0.0)]
    assert next(x for x in overall(two) if x.method == "proposed").percent == pytest.approx(20.0)
    assert next(x for x in worst(two) if x.method == "proposed").setting == "y"


def test_the_report_has_a_table_of_losses():
    study = Study("s", "Three", "unruly", ["proposed", "auto+", "oracle"])
    results = Results([study], table_of_losses())
    (grid,) = [block for block in loss_blocks(results) if isinstance(block, Grid)]
    assert [row[0] for row in grid.rows] == ["x", "mean of all settings", "worst setting"]
    assert grid.header[-1] == "auto+ less validation"
    first = next(loss for loss in losses(results.table, "s") if loss.method == "proposed")
    assert grid.rows[0][1] == f"{first.percent:+.1f} ± {first.error:.1f}"
