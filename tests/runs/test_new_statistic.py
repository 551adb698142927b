"""The recipe for a new statistic of papers: its words, its function, and nothing else in Python."""

from __future__ import annotations

import json
import runpy
from pathlib import Path

import polars as pl
import pytest

import unround
from unround.formats.model import ExportOptions
from unround.formats.systems.hotcrp import assignments
from unround.formats.systems.openreview import notes
from unround.metrics.papers import STATISTIC_FUNCTIONS, SortedScores
from unround.runs.compute import run_of_result
from unround.runs.exports import wide_papers
from unround.runs.folder import read_run, write_run
from unround.wording import STATISTICS
from unround.wording.words import StatisticWords

WRITERS = runpy.run_path(str(Path(unround.__file__).parents[2] / "docs" / "_tools" / "wording.py"))
REVIEWS = pl.DataFrame(
    [(1, "a", 3), (1, "b", 5), (2, "a", 4), (2, "b", 1), (3, "c", 2)],
    schema=["reviewer", "paper", "score"],
    orient="row",
)


def test_a_new_statistic_is_in_every_table_and_generated_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def middle(scores: SortedScores) -> object:
        return (scores.ascending[scores.first] + scores.ascending[scores.last]) / 2.0

    words = StatisticWords("Midrange", "Halfway between lowest and highest.", "midranges", 1)
    monkeypatch.setitem(STATISTICS, "midrange", words)
    monkeypatch.setitem(STATISTIC_FUNCTIONS, "midrange", middle)
    run = run_of_result(unround.dequantize(REVIEWS, scale="1..5", lam=1.0))
    write_run(tmp_path, run.tables, run.record)
    saved = read_run(tmp_path)
    assert saved.papers["score_midrange"].to_list() == [3.5, 3.0, 2.0]
    assert "dequantized_midrange" in wide_papers(saved).columns
    papers = saved.papers.with_columns(paper=pl.Series([1, 2, 3]), forum=pl.lit("forum"))
    assert "1,tag,~~dq_midrange," in assignments(saved.scores, papers, ExportOptions())
    assert "dq_midrange" in notes(papers, "VENUE/-/Notes")[0]["note"]["content"]
    assert json.loads(WRITERS["front_end"]())["statistics"]["midrange"]["plural"] == "midranges"
    assert (
        "| `midrange` | Midrange | Halfway between lowest and highest. |" in WRITERS["words_page"]()
    )
    assert "| `score_midrange`, `dequantized_midrange` | halfway between" in WRITERS["files_page"]()


def test_every_statistic_has_a_function() -> None:
    assert list(STATISTICS) == list(STATISTIC_FUNCTIONS)
