"""unround run: what it writes, what it refuses, and how it ends."""

from __future__ import annotations

import hashlib
import json

import polars as pl
import pytest

import unround


def test_record_holds_all_that_a_repeat_needs_and_a_repeat_gives_the_same_bytes(
    conference, finished, call, tmp_path, files
):
    call("run", *files, "-o", tmp_path / "again")
    for name in ("scores.csv", "papers.csv", "run.json"):
        assert (tmp_path / "again" / name).read_bytes() == (finished / name).read_bytes()
    scores, papers = (pl.read_csv(finished / name).columns for name in ("scores.csv", "papers.csv"))
    assert scores[:5] == ["reviewer", "paper", "score", "dequantized", "percentile"]
    assert papers[:4] == ["paper", "reviews", "score_min", "score_max"]
    record = json.loads((finished / "run.json").read_text())
    assert record["settings"]["lam"] == "auto+"
    assert record["lam"] in record["selection"]["lam"]
    assert len(record["selection"]["error"]) == 40
    assert 0 <= record["certificate"]["max_error"] <= 1e-9
    digest = hashlib.sha256((conference / "reviews.csv").read_bytes()).hexdigest()
    assert {"file": "reviews.csv", "sha256": digest} in record["inputs"]
    assert record["versions"]["unround"] == unround.__version__


def test_contradiction_is_refused_with_file_and_line(contradicted, call, tmp_path, files):
    ended = call("run", *files, "-o", tmp_path / "out")
    assert ended.exit_code == 1
    assert "against their own scores" in ended.output
    assert "reviews.csv, line" in ended.output
    assert "--conflicts scores or --conflicts rankings" in " ".join(ended.output.split())
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("policy", ["scores", "rankings"])
def test_policies_settle_it_and_say_so(contradicted, call, tmp_path, policy, files):
    ended = call("run", *files, "--conflicts", policy, "-o", tmp_path / "out")
    assert ended.exit_code == 0, ended.output
    issues = json.loads((tmp_path / "out" / "run.json").read_text())["issues"]
    assert {issue["kind"] for issue in issues} == {"contradiction"}
    assert all(issue["action"] and issue["where"] for issue in issues)
    scores = pl.read_csv(tmp_path / "out" / "scores.csv")
    outside = scores.filter((pl.col("dequantized") - pl.col("score")).abs() > 0.5 + 1e-4).height
    assert (outside > 0) is (policy == "rankings")
    assert (f" {outside} score" in ended.output) is (policy == "rankings")


def test_precision_that_cannot_be_proven_ends_with_3(conference, call, tmp_path):
    ended = call("run", conference / "reviews.csv", "--tolerance", "1e-30", "-o", tmp_path / "out")
    assert ended.exit_code == 3
    assert "could be proven" in ended.output
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("option", "value", "words"),
    [
        ("--lam", "often", "--lam must be"),
        ("--lam", "-1", "above 0"),
        ("--tolerance", "0", "--tolerance must be"),
        ("--epsilon", "0", "above 0"),
        ("--scale", "5,3,4", "worst to best"),
        *[
            ("--scale", slip, "is no scale")
            for slip in (",", "1,,2", "1..", "..", "a..b", "1..5:0")
        ],
        ("--scale", "", "is empty"),
        ("--scale", "1..1e9", "more than 1000 levels"),
        ("--scale", "nan", "must be finite"),
        ("--scale", "1,1", "twice"),
        ("--column", "score", "OURS=THEIRS"),
        ("--conflicts", "both", "both"),
    ],
)
def test_wrong_usage_ends_with_2(conference, call, tmp_path, option, value, words):
    ended = call("run", conference / "reviews.csv", option, value, "-o", tmp_path / "out")
    assert ended.exit_code == 2
    assert words in ended.output
    assert not (tmp_path / "out").exists()


def test_quiet_json_and_dry_run(conference, call, tmp_path):
    run = ("run", conference / "reviews.csv", "-o", tmp_path / "out")
    assert call(*run, "--dry-run", "--quiet").output == ""
    assert not (tmp_path / "out").exists()
    printed = json.loads(call(*run, "--json").output)
    assert printed == json.loads((tmp_path / "out" / "run.json").read_text())


def test_a_run_without_checks_has_no_diagnostics_and_says_none(files, call, tmp_path, monkeypatch):
    plain, bare = tmp_path / "plain", tmp_path / "bare"
    assert call("run", *files, "-o", plain).exit_code == 0
    with monkeypatch.context() as patched:
        patched.setattr("unround.uncertainty.advice.diagnose", None)
        ended = call("run", *files, "-o", bare, "--no-checks")
    assert ended.exit_code == 0, ended.output
    assert "strictness" not in ended.output
    records = [json.loads((folder / "run.json").read_text("utf-8")) for folder in (plain, bare)]
    assert records[0].keys() - records[1].keys() == {"diagnostics"}
    assert (plain / "scores.csv").read_bytes() == (bare / "scores.csv").read_bytes()
    assert unround.load(bare).diagnostics == unround.load(plain).diagnostics


def test_summary_has_four_diagnostics_in_twelve_lines_of_a_narrow_terminal(
    call, tmp_path, files, monkeypatch
):
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.chdir(tmp_path)
    made = unround.simulate.thurstone(papers=3_000, seed=1)  # long numbers, and a question about 0
    made.reviews.write_csv("reviews.csv")
    made.rankings.write_csv("rankings.csv")
    for given, size in (
        (files, "80 reviews of 20 papers"),
        (("reviews.csv", "--rankings", "rankings.csv"), "12,000 reviews of 3,000 papers"),
    ):
        ended = call("run", *given, "-o", "out", "--force")
        assert ended.exit_code == 0, ended.output
        words = " ".join(ended.stdout.split())
        assert [one for one in (size, "chosen by simulation", "(proven)") if one not in words] == []
        labels = {line.partition(" ")[0] for line in ended.stdout.splitlines()}
        assert labels >= {"read", "agreement", "comparisons", "rankings", "strictness", "results"}
        assert len(ended.stdout.splitlines()) <= 12, ended.stdout
        assert max(map(len, ended.stdout.splitlines())) <= 80


def test_columns_can_be_named_and_brackets_are_printed_as_they_stand(call, conference, tmp_path):
    """They are no markup: neither in headers and titles, nor around a file and its line."""
    path = conference / "reviews.csv"
    text = path.read_text().replace("score", "score [/x]", 1).replace("reviewer,", "Wer,", 1)
    text = text.replace("Synthetic", "[b]:bug: bold[/]")
    path.write_text(text)
    read = (path, "--column", "score=score [/x]", "--column", "reviewer=Wer", "--format", "csv")
    ended = call("run", *read, "-o", tmp_path / "out")
    assert ended.exit_code == 0, ended.output
    assert "score from 'score [/x]'" in " ".join(ended.output.split())
    path.write_text(text + text.splitlines()[1] + "\n")
    refused = call("check", *read)
    assert refused.exit_code == 1
    assert "[reviews.csv, lines 2 and 82]" in refused.output


def test_a_dry_run_needs_no_folder(conference, call):
    tried = call("run", conference, "--lam", "2", "--dry-run")
    assert tried.exit_code == 0
    assert "nothing written (dry run)" in tried.stdout
    refused = call("run", conference, "--lam", "2")
    assert refused.exit_code == 2
    assert "name a folder for the results with -o" in refused.stderr
