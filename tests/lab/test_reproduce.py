"""The command: what it writes, what it says when something is missing."""

import re
import sys

import numpy as np
import polars as pl
import pytest

from tests.lab.conftest import ICLR_2026, small_plan
from unround.cli import main
from unround.lab import reproduce as reproduction
from unround.lab.pages.document import Grid, Heading, Picture, Text, as_html
from unround.metrics import tie_share

pytestmark = pytest.mark.slow

STUDY = """
[[study]]
name = "tiny"
title = "A tiny study"
data = "thurstone"
methods = ["quantized", "bre", "proposed"]
metrics = ["kendall", "ties"]
sweep = { noise = [0.2, 1.0] }
fixed = { papers = 12 }
symbol = "σ"
"""


@pytest.fixture
def tiny(tmp_path):
    path = tmp_path / "tiny.toml"
    path.write_text(STUDY)
    return path


def scores_csv(path, papers=426):
    rows = [
        ("train", paper, review, 1 + (7 * paper + 3 * review) % 10)
        for paper in range(papers)
        for review in range(3)
    ]
    names = ["split", "paper_id", "review_index", "score"]
    pl.DataFrame(rows, schema=names, orient="row").write_csv(path)
    return path


def test_tables_figures_and_reports_are_written(call, tiny, tmp_path):
    done = call("reproduce", tiny, "--trials", 3, "--jobs", 1, "-o", tmp_path / "out")
    assert done.exit_code == 0, done.output
    assert done.stdout.splitlines()[0] == "Studies: tiny"
    out = tmp_path / "out"
    assert sorted(path.name for path in out.iterdir()) == [
        "figures", "report.html", "tables", "trials",
    ]  # fmt: skip
    table = pl.read_parquet(out / "tables" / "tiny.parquet")
    assert table.columns[:8] == [
        "study", "setting", "trial", "method", "metric", "value", "lam", "seed",
    ]  # fmt: skip
    assert table.height == 2 * 3 * 3 * 2
    assert pl.read_csv(out / "tables" / "tiny.csv").equals(table)
    assert sorted(path.name for path in (out / "figures").iterdir()) == [
        "tiny.pdf", "tiny.png", "tiny.svg",
    ]  # fmt: skip
    chosen = table.filter(
        (pl.col("setting") == "σ = 1")
        & (pl.col("method") == "bre")
        & (pl.col("metric") == "kendall")
    )["value"]
    shown = f"{chosen.mean():.5f} ± {chosen.std() / 3**0.5:.5f}"
    page = (out / "report.html").read_text("utf-8")
    assert shown in page
    # The page needs no other file and no network.
    assert re.findall(r'(?:src|href)="(?!data:)', page) == []
    assert "<script" not in page
    assert page.count("<img") == 1
    assert 'lang="en"' in page
    assert "<title>" in page
    assert str(tmp_path) not in page


def test_without_scores_the_rest_runs_and_says_what_is_missing(call, tmp_path):
    done = call(
        "reproduce", "noise", "iclr", "curves", "--trials", 1, "--jobs", 1, "-o", tmp_path / "out"
    )
    assert done.exit_code == 0, done.output
    assert "Left out, because data are missing: iclr, curves in part." in done.stderr
    assert "git clone https://github.com/allenai/PeerRead" in done.stderr.replace("\n", "")
    assert "Studies: noise, curves" in done.stdout
    page = (tmp_path / "out" / "report.html").read_text("utf-8")
    assert "Left out: iclr, curves in part." in page
    tables = {path.stem for path in (tmp_path / "out" / "tables").iterdir()}
    assert tables == {"noise", "curves"}


def test_nothing_to_run_is_wrong_usage(call, tmp_path):
    done = call("reproduce", "iclr", "-o", tmp_path / "out")
    assert done.exit_code == 2
    assert "nothing can run" in done.output
    assert "--data" in done.output
    assert not (tmp_path / "out").exists()


def test_other_scores_run_quietly_when_asked(call, tmp_path):
    scores = scores_csv(tmp_path / "mine.csv")
    words = ("--trials", 1, "--jobs", 1, "--data", scores, "--quiet", "-o", tmp_path / "out")
    done = call("reproduce", "iclr", *words)
    assert (done.exit_code, done.output) == (0, "")
    page = (tmp_path / "out" / "report.html").read_text("utf-8")
    assert "Scores given with --data: 426 papers with 1,278 reviews" in page


def test_a_folder_is_no_table(call, tmp_path):
    done = call("reproduce", "iclr", "--data", tmp_path, "-o", tmp_path / "out")
    assert done.exit_code == 1
    assert "is a folder, not a table" in done.output.replace("\n", " ")
    assert "python -m studies.peerread" in done.output.replace("\n", " ")


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ("none.csv", "does not exist"),
        ("words.csv", "words.csv has scores that are not numbers: good"),
        ("halves.csv", "scores must be integers, at least one"),
    ],
)
def test_unusable_scores_are_refused_before_anything_is_written(data, message, call, tmp_path):
    for name, score in (("words", "good"), ("halves", "3.5")):
        text = f"split,paper_id,review_index,score\ntrain,1,0,{score}\n"
        (tmp_path / f"{name}.csv").write_text(text, "utf-8")
    done = call("reproduce", "iclr", "--data", tmp_path / data, "-o", tmp_path / "out")
    assert done.exit_code in (1, 2)
    assert message in done.output.replace("\n", " ")
    assert not (tmp_path / "out").exists()


def spaced_csv(path):
    """Even scores, as ICLR 2026 has them, of papers with one to four reviews."""
    rows = [
        ("ICLR", 2026, f"p{paper}", review, 2 * ((5 * paper + 3 * review) % 6))
        for paper in range(40)
        for review in range(1 + paper % 4)
    ]
    names = ["venue", "year", "paper", "review_index", "score"]
    pl.DataFrame(rows, schema=names, orient="row").write_csv(path)
    return path


def test_even_scores_and_unequal_numbers_of_reviews(call, tmp_path):
    path = spaced_csv(tmp_path / "even.csv")
    done = call(
        "reproduce", "iclr", "curves", "--data", path, "--trials", 2, "-o", tmp_path / "out"
    )
    assert done.exit_code == 0, done.output
    report = (tmp_path / "out" / "report.html").read_text("utf-8")
    assert "40 papers with 100 reviews on the scale 0, 2, 4, 6, 8, 10." in report
    assert "even.csv, varying number of papers per reviewer" in report
    table = pl.read_csv(tmp_path / "out" / "tables" / "iclr.csv")
    ties = table.filter((pl.col("method") == "quantized") & (pl.col("metric") == "ties"))
    scores = pl.read_csv(path)["score"].to_numpy()
    # In level spacings: 0 stays 0, 2 and 4 become 1, 6 and 8 become 2, 10 becomes 3.
    expected = 100.0 * tie_share(np.ceil(scores / 2 / 2))
    assert ties["value"].to_list() == pytest.approx([expected] * ties.height)
    errors = (
        table.filter(pl.col("metric") == "kendall").group_by("method").agg(pl.col("value").mean())
    )
    error = dict(errors.iter_rows())
    assert 0.0 < error["proposed"] < error["quantized"]


@pytest.mark.skipif(not ICLR_2026, reason="UNROUND_ICLR_2026 does not give the path of the scores")
def test_the_scores_of_iclr_2026(call, tmp_path):
    done = call("reproduce", "iclr", "--data", ICLR_2026, "--trials", 1, "-o", tmp_path / "out")
    assert done.exit_code == 0, done.output
    report = (tmp_path / "out" / "report.html").read_text("utf-8")
    assert "19,472 papers with 75,848 reviews on the scale 0, 2, 4, 6, 8, 10." in report


def test_an_error_of_our_own_says_what_was_written(tmp_path, monkeypatch, capsys):
    def broken(*_):
        raise RuntimeError("out of ink")

    monkeypatch.setattr("unround.lab.reproduce.write_report", broken)
    words = ["reproduce", "noise", "--trials", "1", "--jobs", "1", "-o", str(tmp_path / "out")]
    monkeypatch.setattr(sys, "argv", ["unround", *words])
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 70
    told = capsys.readouterr().err
    assert "No report was written; finished trials are kept" in told
    assert "Nothing was written" not in told
    assert list((tmp_path / "out" / "trials").rglob("*.json"))


def test_foreign_folders_are_left_alone(call, tiny, tmp_path):
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "thesis.tex").write_text("x")
    done = call("reproduce", tiny, "-o", tmp_path / "mine")
    assert done.exit_code == 2
    assert "thesis.tex" in done.output
    done = call("reproduce", tiny, "-o", tiny)
    assert done.exit_code == 2
    assert "is a file" in done.output


@pytest.mark.parametrize("module", ["matplotlib", "joblib"])
def test_missing_packages_are_named_with_the_way_to_get_them(
    module, call, tiny, tmp_path, monkeypatch
):
    monkeypatch.setitem(sys.modules, module, None)
    done = call("reproduce", tiny, "--trials", 2, "--jobs", 2, "-o", tmp_path / "out")
    assert done.exit_code == 2
    assert module in done.output
    assert "pip install 'unround[lab]'" in done.output


@pytest.mark.parametrize("part", ["paper", "beyond"])
def test_every_figure_and_table_of_our_files_in_small(part, tmp_path, small_results, monkeypatch):
    # One format is enough where the others are not looked at.
    monkeypatch.setattr("unround.lab.figures._FORMATS", {"svg": {"metadata": {"Date": None}}})
    plan, results = small_plan(part).with_all_figures(), small_results(part)
    pictures = reproduction._pictures(plan, results, tmp_path, lambda *step: None)
    assert [picture.name for picture in pictures] == [figure.name for figure in plan.figures]
    blocks = reproduction.report_blocks(plan, results, None, (), pictures)
    grids = [block.caption for block in blocks if isinstance(block, Grid)]
    assert len(grids) >= len(plan.studies)
    if part == "paper":
        assert len([caption for caption in grids if caption.startswith("ICLR 2017")]) == 6


class TestDocument:
    parts = (
        Heading("A <b>"),
        Text("plain & simple"),
        Text("loud", "good"),
        Grid("Numbers", ("x", "y"), [("1 | 2", Text("3", "bad"))]),
        Picture("f", "A figure", b"<svg/>"),
    )

    def test_html_escapes_what_is_text(self):
        page = as_html("T & T", self.parts)
        assert "<h2>A &lt;b&gt;</h2>" in page
        assert "<p>plain &amp; simple</p>" in page
        assert '<td class="bad">3</td>' in page
        assert "data:image/svg+xml;base64,PHN2Zy8+" in page
        assert 'alt="A figure"' in page
