"""Files in, files out, and what a notebook shows: the door for Python users."""

from __future__ import annotations

import io
import json
import sys
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pytest
from rich.console import Console

import unround
from unround.report.pages import is_built
from unround.runs.record import run_record
from unround.uncertainty import advice
from unround.wording import COMMAND, written_for

REVIEWS = "reviewer,paper,score,title\nann,1,4,One\nann,2,4,Two\nbob,1,6,One\nbob,2,3,Two\n"
RANKS = "reviewer,paper,rank\nann,2,1\nann,1,2\n"
BOTH_WAYS = "reviewer,paper,rank\nbob,2,1\nbob,1,2\n"


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    reviews, rankings = tmp_path / "reviews.csv", tmp_path / "rankings.csv"
    reviews.write_text(REVIEWS, "utf-8")
    rankings.write_text(RANKS, "utf-8")
    return reviews, rankings


@pytest.fixture
def frames() -> tuple[pl.DataFrame, pl.DataFrame]:
    return pl.read_csv(io.StringIO(REVIEWS)), pl.read_csv(io.StringIO(RANKS))


def saved(result: unround.Result, folder: Path) -> Path:
    with warnings.catch_warnings():
        if not is_built():
            warnings.simplefilter("ignore")
        return result.save(folder)


def test_a_saved_result_is_what_the_command_writes(files, tmp_path, call):
    reviews, rankings = files
    arguments = ["--rankings", rankings, "--lam", "2", "-o", tmp_path / "command"]
    assert call("run", reviews, *arguments).exit_code == 0
    # Records name options in the words of whoever made the run.
    with written_for(COMMAND):
        result = unround.dequantize(unround.read(reviews, rankings=rankings), lam=2.0)
        saved(result, tmp_path / "python")
    names = sorted(path.name for path in (tmp_path / "command").iterdir())
    assert names == sorted(path.name for path in (tmp_path / "python").iterdir())
    for name in names:
        command, python = ((tmp_path / way / name).read_bytes() for way in ("command", "python"))
        assert python == command, name


def test_paths_may_be_a_list(files):
    one, other = unround.read(*files), unround.read(list(map(str, files)))
    assert one.reviews.equals(other.reviews)
    assert one.rankings[0].equals(other.rankings[0])


def test_issues_of_files_name_their_lines_also_after_loading(files, tmp_path):
    (tmp_path / "rankings.csv").write_text(BOTH_WAYS, "utf-8")
    with pytest.raises(unround.InputRefused) as refused:
        unround.dequantize(unround.read(*files))
    places = ("reviews.csv, line 5", "reviews.csv, line 4")
    places += ("rankings.csv, line 2", "rankings.csv, line 3")
    assert refused.value.issues[0].where == places
    assert f"[{'; '.join(places)}]" in str(refused.value)
    assert unround.check(unround.read(*files)) == refused.value.issues
    result = unround.dequantize(unround.read(*files), conflicts="scores", lam=1.0)
    (issue,), (loaded,) = result.issues, unround.load(saved(result, tmp_path / "run")).issues
    assert issue.where == places
    for name in ("kind", "message", "where"):
        assert getattr(loaded, name) == getattr(issue, name)


def test_errors_name_options_as_python_does(files, frames, tmp_path):
    with pytest.raises(unround.UnroundError, match=r'columns=\{"score": "Note"\}'):
        unround.read(files[0], columns={"score": "Note"})
    result = unround.dequantize(*frames, lam=2.0)
    folder = saved(result, tmp_path / "run")
    with pytest.raises(unround.UsageError, match="force=True"):
        result.save(folder)
    with pytest.raises(unround.UnroundError, match="is not the result of"):
        unround.load(tmp_path)
    with pytest.raises(unround.UsageError, match="bring their own rankings"):
        unround.dequantize(unround.read(*files), frames[1])


@pytest.mark.parametrize("kind", ["polars", "pandas"])
def test_result_of_dataframes_is_saved_whole(frames, tmp_path, kind):
    reviews, ranks = frames if kind == "polars" else [frame.to_pandas() for frame in frames]
    others = type(ranks)({"reviewer": ["bob", "bob"], "paper": [1, 2], "rank": [1, 2]})
    result = unround.dequantize(reviews, [ranks, others], lam=2.0)
    loaded = unround.load(saved(result, tmp_path / "run"))
    assert loaded.record["inputs"] == []
    assert loaded.record["recognised"] == ["tables given in Python, no files"]
    assert loaded.papers["title"].to_list() == ["One", "Two"]
    assert loaded.scores["dequantized"].to_list() == list(result.scores["dequantized"])
    statements = pl.concat([frames[1], pl.DataFrame(others)])
    assert pl.read_csv(tmp_path / "run" / "rankings.csv").equals(statements)


def test_text_ids_that_look_like_numbers_are_saved(tmp_path):
    reviews = pd.DataFrame({"reviewer": ["01", "02"], "paper": ["7", "7"], "score": [3, 5]})
    loaded = unround.load(saved(unround.dequantize(reviews, lam=1.0), tmp_path / "run"))
    assert loaded.scores["reviewer"].to_list() == ["01", "02"]


def test_columns_that_no_csv_can_hold_are_refused(frames, tmp_path):
    nested = frames[0].with_columns(pl.Series("words", [["a"]] * 4))
    with pytest.raises(unround.UsageError, match="'words' holds lists"):
        unround.dequantize(nested, lam=1.0).save(tmp_path / "run")
    assert list(tmp_path.iterdir()) == []


def test_loaded_result_is_the_saved_one(tmp_path):
    conference = unround.simulate.thurstone(papers=12, seed=3)
    result = unround.dequantize(conference.reviews, conference.rankings)
    loaded = unround.load(saved(result, tmp_path / "run"))
    for value in ("lam", "certificate", "issues", "ties"):
        assert getattr(loaded, value) == getattr(result, value), value
    for table in ("scores", "papers", "selection", "explanation", "bindings"):
        assert getattr(loaded, table).equals(getattr(result, table)), table
    assert repr(loaded) == repr(result)
    assert loaded._repr_html_() == result._repr_html_()


def test_a_loaded_result_is_saved_as_it_is(tmp_path):
    conference = unround.simulate.thurstone(papers=12, seed=3)
    result = unround.dequantize(conference.reviews, conference.rankings, lam=2.0)
    loaded = unround.load(saved(result, tmp_path / "run"))
    posterior = unround.posterior(loaded)
    again = saved(loaded, tmp_path / "again")
    for path in (tmp_path / "run").iterdir():
        assert (again / path.name).read_bytes() == path.read_bytes(), path.name
    with warnings.catch_warnings(action="ignore"):  # where the page is not built
        more = unround.load(loaded.save(tmp_path / "more", posterior=posterior))
    assert more.folder == tmp_path / "more"
    assert more.uncertainty.height == 12
    assert again != more.folder
    assert (result.folder, result.uncertainty, result.record["lam"]) == (None, None, 2.0)


def test_what_a_record_shows_may_be_changed(frames):
    result = unround.dequantize(*frames, lam=2.0)
    before = repr(result)
    result.record["counts"]["reviews"] = 7
    assert repr(result) == before


def test_diagnostics_are_computed_once(frames, tmp_path, monkeypatch):
    solved = []
    diagnose = advice.diagnose
    monkeypatch.setattr(advice, "diagnose", lambda *given: solved.append(given) or diagnose(*given))
    result = unround.dequantize(*frames, lam=2.0)
    assert "diagnostics" not in run_record(result)
    assert not solved
    loaded = unround.load(saved(result, tmp_path / "run"))
    assert loaded.diagnostics == result.diagnostics
    assert repr(loaded) == repr(result)
    if is_built():
        result.report(tmp_path / "page.html")
        loaded.report(tmp_path / "loaded.html")
        assert "gave one score" in (tmp_path / "page.html").read_text("utf-8")
    assert len(solved) == 1


def test_every_count_of_issues_is_of_cases(tmp_path, call):
    """A reviewer with 1,500 contradictions has 1,000 listed and one issue for the rest."""
    papers = range(60)
    reviews = pl.DataFrame(
        {"reviewer": ["ann"] * 60, "paper": papers, "score": [p % 6 for p in papers]}
    )
    backwards = reviews.select("reviewer", "paper", rank=pl.col("score") + 1)
    with pytest.raises(
        unround.InputRefused, match=r"^1501 issues in the input \(1500 contradiction"
    ):
        unround.dequantize(reviews, backwards)
    options = {"conflicts": "scores", "allow_loss": True, "scale": "0..5", "lam": 1.0}
    result = unround.dequantize(reviews, backwards, **options)
    loaded = unround.load(saved(result, tmp_path / "run"))
    assert "1500 contradiction" in repr(result)
    assert repr(loaded) == repr(result)
    reviews.write_csv(tmp_path / "reviews.csv")
    backwards.write_csv(tmp_path / "rankings.csv")
    files = [tmp_path / "reviews.csv", "--rankings", tmp_path / "rankings.csv"]
    assert "1500 x contradiction" in call("check", *files).stderr
    listed = json.loads(call("check", *files, "--json").stdout)
    assert listed["counts"]["contradiction"] == 1500


def test_summary_has_three_lines_and_the_diagnostics(frames):
    result = unround.dequantize(*frames, lam=2.0)
    assert repr(result).splitlines()[3:] == ["diagnostics: see result.diagnostics"]
    lines = [f"{name}: {words}" for name, words in result.diagnostics.in_short()]
    text = repr(result)
    assert text.splitlines()[3:] == lines
    assert result.consensus is result.diagnostics.consensus
    assert "4 reviews of 2 papers by 2 reviewers, 1 comparisons" in text
    assert "λ = 2 (as given)" in text
    assert "λ = ∞ (as given)" in repr(unround.dequantize(*frames, lam=float("inf")))


def test_notebook_shows_the_papers_that_moved_most():
    reviews = pl.DataFrame({"reviewer": [1, 2], "paper": ["<b>", "<b>"], "score": [3, 4]})
    text = unround.dequantize(reviews, lam=1.0)._repr_html_()
    assert "<table>" not in text, "no mean moved"
    conference = unround.simulate.thurstone(papers=40, seed=3)
    text = unround.dequantize(conference.reviews, conference.rankings, lam=9.0)._repr_html_()
    assert text.count("<tr>") == 11


@pytest.mark.skipif(not is_built(), reason="the front end is not built")
def test_report_is_one_page(frames, tmp_path):
    result = unround.dequantize(*frames, lam=2.0)
    page = result.report(tmp_path / "page.html", title="Our conference")
    assert "Our conference" in page.read_text("utf-8")
    loaded = unround.load(saved(result, tmp_path / "run"))
    again = loaded.report(tmp_path / "again.html", title="Our conference")
    assert again.read_bytes() == page.read_bytes()


class TestPlots:
    @pytest.fixture
    def result(self):
        matplotlib = pytest.importorskip("matplotlib")
        matplotlib.use("agg")
        conference = unround.simulate.thurstone(papers=12, seed=3)
        return unround.dequantize(conference.reviews, conference.rankings)

    def test_validation_curve_marks_the_choice(self, result):
        axes = result.plot.validation()
        curve, chosen = axes.get_lines()
        assert curve.get_xdata().tolist() == result.selection["lam"].to_list()
        assert chosen.get_xdata()[0] == result.lam

    def test_scores_before_and_after(self, result):
        axes = result.plot.scores()
        assert sum(bar.get_height() for bar in axes.patches) == result.scores.height
        (given,) = axes.collections
        counts = [float(line[1][1]) for line in given.get_segments()]
        assert sum(counts) == result.scores.height
        assert len(counts) == result.scores["score"].n_unique()

    def test_moves_are_of_the_papers_that_moved_most(self, result):
        axes = result.plot.moves(most=3)
        moved = result.papers.select(
            "paper", moved=pl.col("dequantized_mean") - pl.col("score_mean")
        )
        largest = moved.sort(pl.col("moved").abs(), descending=True)["paper"].head(3).to_list()
        labels = [label.get_text() for label in axes.get_yticklabels()]
        assert [label.split(" (")[0] for label in labels][::-1] == list(map(str, largest))
        lengths = [bar.get_width() for bar in axes.patches]
        assert np.abs(lengths).max() == pytest.approx(moved["moved"].abs().max())

    def test_intervals_of_every_estimate(self, result):
        posterior = unround.posterior(result)
        axes = result.plot.intervals(posterior, most=5)
        assert axes.get_xlabel() == "place"
        assert len(axes.get_yticklabels()) == 5
        for estimate in (unround.calibrate(result), unround.stability(result, draws=5)):
            assert result.plot.intervals(estimate).get_xlabel() == "score"

    def test_all_of_them(self, result, tmp_path):
        assert len(result.plot()) == 3
        assert len(unround.load(saved(result, tmp_path / "run")).plot()) == 3

    def test_nothing_but_axes_is_returned_which_a_notebook_would_draw_again(self, result):
        first, *others = result.plot()
        assert {axes.figure for axes in others} == {first.figure}
        with pytest.raises(unround.UsageError, match="ax must be matplotlib's axes, not 3"):
            result.plot.scores(ax=3)
        with pytest.raises(unround.UsageError, match=r"^most must be a whole number"):
            result.plot.moves(most="5")

    def test_given_lambda_has_no_curve(self, frames):
        with pytest.raises(unround.UsageError, match="no validation curve"):
            unround.dequantize(*frames, lam=2.0).plot.validation()

    def test_without_matplotlib_the_extra_is_named(self, frames, monkeypatch):
        monkeypatch.setitem(sys.modules, "matplotlib", None)
        with pytest.raises(unround.UsageError, match=r"pip install 'unround\[lab\]'"):
            unround.dequantize(*frames, lam=2.0).plot.moves()


def test_progress_shows_a_bar_where_somebody_looks(frames, monkeypatch):
    screen = io.StringIO()

    def terminal(**options: object) -> Console:
        return Console(file=screen, force_terminal=True, width=100)

    monkeypatch.setattr("rich.console.Console", terminal)
    monkeypatch.setenv("FORCE_COLOR", "1")  # pytest's standard error is no terminal
    unround.dequantize(*frames, lam=2.0, progress=True)
    assert "Computing scores" in screen.getvalue()


def test_progress_function_hears_of_every_stage(frames):
    heard = []
    unround.dequantize(*frames, progress=lambda *told: heard.append(told))
    assert list(dict.fromkeys(stage for stage, _, _ in heard)) == [
        "reading",
        "validating",
        "solving",
    ]
    assert all(done <= total for _, done, total in heard)
