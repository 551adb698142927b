"""check, convert, export, simulate, and what holds for every command."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import click
import polars as pl
import pytest

from unround.cli.group import COMMANDS, commands
from unround.output.tables import read_own_csv

EXAMPLES = Path(__file__).parents[2] / "examples"


def test_check_finds_nothing_in_a_clean_conference(call, files):
    """It never writes over what it reads."""
    ended = call("check", *files)
    assert ended.exit_code == 0, ended.output
    assert "No issue found in 80 reviews" in ended.output
    for option, path in (("--output", files[0]), ("--mail-merge", files[2])):
        ended = call("check", files[0].parent, option, path)
        assert (ended.exit_code, path.stat().st_size > 1000) == (2, True)
        assert f"{path} was read; name another file to write" in ended.output.replace("\n", " ")


def test_check_lists_and_writes_every_problem_and_passes_under_a_policy(
    contradicted, call, tmp_path, files
):
    ended = call("check", *files, "--output", tmp_path / "issues.csv")
    assert ended.exit_code == 1
    table = pl.read_csv(tmp_path / "issues.csv")
    assert set(table["kind"]) == {"contradiction"}
    assert table["where"].str.contains("reviews.csv, line").all()
    assert table["suggestion"].str.contains("--conflicts scores", literal=True).all()
    assert f"{table.height} x contradiction" in ended.output
    ended = call("check", *files, "--conflicts", "scores", "--json")
    assert ended.exit_code == 0
    found = json.loads(ended.output)
    assert found["counts"]["contradiction"] == len(found["issues"])


@pytest.mark.parametrize("words", [["check"], ["run", "--lam", "2", "-o"]], ids=["check", "run"])
def test_a_terminal_without_columns_shows_as_much_as_one_of_80(
    files, call, tmp_path, monkeypatch, words
):
    shown = []
    for columns in ("80", "00"):
        monkeypatch.setenv("COLUMNS", columns)
        folder = [tmp_path / columns] if "-o" in words else []
        shown.append(call(*words, *folder, *files).output.replace(str(tmp_path / columns), "out"))
    assert shown[0] == shown[1] != ""


def every_parameter(command, *path):
    """Every argument and every option with a value, with the words that name it."""
    if isinstance(command, click.Group):
        context = click.Context(command)
        for name in command.list_commands(context):
            yield from every_parameter(command.get_command(context, name), *path, name)
    for one in command.params:
        if isinstance(one, click.Argument):
            yield [*path, ""]
        elif not one.is_flag and not one.is_eager:
            yield [*path, one.opts[-1], ""]
            yield [*path, f"{max(one.opts, key=len)}="]


def test_empty_values_are_refused_everywhere(call, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    parameters = list(every_parameter(commands))
    assert len(parameters) > 150
    for words in parameters:
        ended = call(*words)
        assert (ended.exit_code, "is empty: is a variable" in ended.output) == (2, True), words
    assert list(tmp_path.iterdir()) == []


def test_standard_input_is_not_read(call):
    assert (
        "- does not exist; standard input is not read: save it as a file"
        in call("check", "-").output
    )


def test_a_file_that_may_not_be_read_is_no_wrong_usage(call, files, monkeypatch):
    """The paths of all commands are opened by what reads them, which says why it was not possible."""
    monkeypatch.setattr(os, "access", lambda *_, **__: False)
    assert call("check", *files).exit_code == 0


def test_an_empty_value_is_named_by_the_word_before_it(call, files):
    for words, named in (
        (["run", "", "-o", "x"], "run"),
        (["run", files[0], "--rankings", "", "-o", "x"], "--rankings"),
        (["run", files[0], "--rankings=", "-o", "x"], "--rankings="),
    ):
        assert f"Error: the value after {named} is empty" in call(*words).output
    assert "is empty" not in call("check", files[0], "--missing=score=").output


MANY = "reviewer,paper,score\n" + "".join(
    f"r{number}@x.org,{paper},{score}\n"
    for number in range(90)
    for paper, score in ((1, 5), (2, 4), (3, 3))
)
TURNED = "reviewer,paper,rank\n" + "".join(
    f"r{number}@x.org,{paper},{rank}\n"
    for number in range(90)
    for paper, rank in (((3, 1), (2, 2), (1, 3)) if number < 30 else ((1, 1), (2, 2), (3, 3)))
)


def test_a_refusal_prints_the_command_that_lists_everything(call, tmp_path, monkeypatch):
    (tmp_path / "the reviews.csv").write_text(MANY, "utf-8")
    (tmp_path / "rankings.csv").write_text(TURNED, "utf-8")
    monkeypatch.chdir(tmp_path)
    ended = call(
        "run", "the reviews.csv", "--rankings", "rankings.csv", "--scale", "1..5", "--allow-loss",
        "--lam", "4", "-o", "results",
    )  # fmt: skip
    assert ended.exit_code == 1
    command = (
        "unround check 'the reviews.csv' --rankings rankings.csv --scale 1..5 --allow-loss "
        "--output issues.csv"
    )
    assert f"... and 10 more: `{command}` lists them all" in ended.output
    assert call(*shlex.split(command)[1:]).exit_code == 1
    assert pl.read_csv("issues.csv").height == 90


def test_contradictions_are_listed_by_reviewer_and_written_for_a_mail_merge(
    call, tmp_path, monkeypatch
):
    (tmp_path / "reviews.csv").write_text(MANY, "utf-8")
    (tmp_path / "rankings.csv").write_text(TURNED, "utf-8")
    ended = call(
        "check", tmp_path / "reviews.csv", "--rankings", tmp_path / "rankings.csv",
        "--mail-merge", tmp_path / "letters.csv",
    )  # fmt: skip
    printed = " ".join(ended.output.split())
    assert ended.exit_code == 1
    assert "90 x contradiction by 30 reviewers, settled by changing 60 papers: ask" in printed
    assert "and 2 contradictions more of this reviewer, settled by changing rank or score of 2" in (
        printed
    )
    assert re.search(r"\[reviews.csv, lines \d and \d; rankings.csv, lines \d and \d\]", printed)
    (more,) = re.findall(r"\.\.\. and 10 more: `(.*)` lists them all", ended.output)
    assert shlex.split(more)[:2] == ["unround", "check"]
    monkeypatch.chdir(tmp_path)
    call(*shlex.split(more)[1:])
    assert pl.read_csv("issues.csv").height == 90
    letters = pl.read_csv(tmp_path / "letters.csv")
    assert set(letters["email"]) == {f"r{number}@x.org" for number in range(30)}
    assert letters["sentence"].str.contains("3 (score 3) above 2 (score 4)", literal=True).all()


def test_convert_gives_tables_that_read_back_alike(conference, call, tmp_path, files):
    plain = tmp_path / "plain"
    ended = call("convert", *files, "-o", plain)
    assert ended.exit_code == 0, ended.output
    columns = ["reviewer", "paper", "score"]
    again, original = (
        pl.read_csv(one / "reviews.csv", columns=columns) for one in (plain, conference)
    )
    assert again.equals(original)
    assert pl.read_csv(plain / "rankings.csv").equals(pl.read_csv(conference / "rankings.csv"))


def contents(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@pytest.mark.parametrize("name", ["run", "convert", "simulate"])
def test_folders_are_replaced_by_one_rule(files, call, tmp_path, name):
    """Those that unround wrote, and with --force; what others wrote stays."""
    words = {
        "run": ("run", *files, "--lam", "2"),
        "convert": ("convert", *files),
        "simulate": ("simulate", "--papers", "12"),
    }[name]
    ours, mine = tmp_path / "ours", tmp_path / "mine"
    assert call(*words, "-o", ours).exit_code == 0
    (ours / "added").touch()
    before = contents(ours)
    refused = call(*words, "-o", ours)
    assert refused.exit_code == 2
    assert "holds earlier results; replace them with --force" in refused.output.replace("\n", " ")
    assert contents(ours) == before
    assert call(*words, "-o", ours, "--force").exit_code == 0
    assert contents(ours).keys() == before.keys() - {"added"}
    mine.mkdir()
    (mine / "reviews.csv").write_text("years of work")
    refused = call(*words, "-o", mine, "--force")
    assert refused.exit_code == 2
    assert "not from unround" in refused.output
    assert contents(mine) == {"reviews.csv": b"years of work"}


def test_decisions_of_a_table_are_exported(finished, call, tmp_path):
    paper = pl.read_csv(finished / "papers.csv")["paper"][0]
    table = tmp_path / "decided.csv"
    table.write_text(f"Paper,Decision\n{paper},Accept (oral)\n", "utf-8")
    for target, expected in (
        ("cmt", f"{paper}\tAccept (oral)\r\n"),
        ("openreview-decisions", f'{paper},Accept (oral),""\n'),
    ):
        written = tmp_path / target
        ended = call("export", finished, "--to", target, "--decisions", table, "-o", written)
        assert ended.exit_code == 0, ended.output
        assert written.read_bytes().decode() == expected
        assert "19 papers without a decision left out" in ended.output
    none = call("export", finished, "--to", "cmt", "-o", tmp_path / "none")
    assert none.exit_code == 2
    assert "no paper has a decision yet" in none.output
    table.write_text("paper,decision\nno such,Accept\n", "utf-8")
    unknown = call("export", finished, "--to", "cmt", "--decisions", table, "-o", tmp_path / "none")
    assert "no paper of this run is called no such" in unknown.output
    table.write_text(f"paper,decision\n{paper},Accept\n{paper},Reject\n", "utf-8")
    twice = call("export", finished, "--to", "cmt", "--decisions", table, "-o", tmp_path / "none")
    assert f"different rows for one paper: {paper}" in twice.output
    assert not (tmp_path / "none").exists()


def test_export_to_tables(finished, call, tmp_path):
    """One table of reviews as CSV, and a workbook; for HotCRP, tags."""
    for target in ("csv", "xlsx", "hotcrp"):
        written = tmp_path / f"r.{target}"
        export = call("export", finished, "--to", target, "--tag", "new", "-o", written)
        assert export.exit_code == 0
    text = read_own_csv(tmp_path / "r.csv")
    assert text.height == 80
    assert {"dequantized", "dequantized_mean", "title"} <= set(text.columns)
    papers = pl.read_excel(tmp_path / "r.xlsx", sheet_name="Papers")
    assert (papers["dequantized_mean"].dtype, papers.height) == (pl.Float64, 20)
    tags = (tmp_path / "r.hotcrp").read_text()
    cleared = "~~new_min ~~new_max ~~new_mean ~~new_median ~~new_spread"
    assert tags.startswith(f"paper,action,tag,tag_value\nall,cleartag,{cleared},\n")


def test_export_of_notes_to_openreview(call, tmp_path):
    call("run", EXAMPLES / "openreview", "-o", tmp_path / "run")
    export = ("export", tmp_path / "run", "--to", "openreview-notes", "-o", tmp_path / "e.json")
    ended = call(*export, "--invitation", "V/-/Score")
    assert ended.exit_code == 0, ended.output
    made = json.loads((tmp_path / "e.json").read_text())
    assert [item["invitation"] for item in made] == ["V/-/Score"] * 12


def test_a_venue_names_nothing_else(conference, call, tmp_path):
    ended = call("run", "openreview:V", conference / "reviews.csv", "-o", tmp_path / "out")
    assert ended.exit_code == 2
    assert "has rankings of its own" in ended.output


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("--to hotcrp --per-review", "has no letter"),
        ("--to openreview", "--invitation"),
        ("--to openreview-notes", "--invitation"),
        ("--to openreview --invitation V/-/Score", "forum"),
        ("--to csv -o mine.csv", "replace it with --force"),
    ],
    ids=["no letters", "edges of nothing", "notes of nothing", "no forums", "over a file"],
)
def test_export_that_is_refused_writes_nothing(
    finished, call, tmp_path, monkeypatch, words, message
):
    monkeypatch.chdir(tmp_path)
    Path("mine.csv").write_text("mine")
    ended = call("export", finished, "-o", "new", *words.split())
    assert ended.exit_code == 2
    assert message in ended.output
    assert [path.name for path in tmp_path.iterdir()] == ["mine.csv"]
    assert Path("mine.csv").read_text() == "mine"


def test_export_of_something_else_is_refused(call, tmp_path):
    ended = call("export", tmp_path, "--to", "csv", "-o", tmp_path / "r.csv")
    assert ended.exit_code == 1
    assert "not the result of `unround run`" in ended.output


def test_formulas_in_cells_are_never_run(conference, call, tmp_path):
    table = pl.read_csv(conference / "reviews.csv").with_columns(title=pl.lit('=cmd|" /C calc"!A0'))
    table.write_csv(conference / "reviews.csv")
    call("run", conference / "reviews.csv", "-o", tmp_path / "out")
    assert pl.read_csv(tmp_path / "out" / "papers.csv")["title"].str.starts_with("'=cmd").all()
    call("export", tmp_path / "out", "--to", "xlsx", "-o", tmp_path / "r.xlsx")
    shown = pl.read_excel(tmp_path / "r.xlsx", sheet_name="Papers")["title"]
    assert shown.str.starts_with("=cmd").all()  # a text cell, not a formula: its words are kept


def test_simulate_makes_the_same_files_from_a_seed_that_run_reads(call, tmp_path):
    for name in ("made", "again"):
        made = call("simulate", "--papers", 12, "--seed", 3, "-o", tmp_path / name)
        assert made.exit_code == 0, made.output
    files = (tmp_path / name / "reviews.csv" for name in ("made", "again"))
    assert len({path.read_bytes() for path in files}) == 1
    ended = call("run", tmp_path / "made", "--lam", "10", "--json", "-o", tmp_path / "out")
    assert ended.exit_code == 0, ended.output
    record = json.loads(ended.output)
    assert record["counts"] == {"reviews": 48, "papers": 12, "reviewers": 12, "comparisons": 36}


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_explains_itself(call, name):
    ended = call(name, "--help")
    assert ended.exit_code == 0
    assert f"Example: unround {name}" in " ".join(ended.output.split())
    assert len(ended.output.splitlines()) <= 60


@pytest.mark.parametrize(
    ("shell", "words"), [("bash", "complete -o"), ("zsh", "compdef"), ("fish", "complete ")]
)
def test_shell_completion(shell, words):
    environment = os.environ | {"_UNROUND_COMPLETE": f"{shell}_source"}
    unround = os.path.join(os.path.dirname(sys.executable), "unround")
    printed = subprocess.run([unround], env=environment, capture_output=True, text=True, check=True)
    assert words in printed.stdout


def test_an_interrupted_command_is_no_refused_input(call, monkeypatch, conference, tmp_path):
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("unround.runs.compute.compute_run", interrupted)
    done = call("run", conference / "reviews.csv", "-o", tmp_path / "out")
    assert done.exit_code == 130
    assert "Stopped." in done.output
    assert not (tmp_path / "out").exists()


def test_a_command_works_in_the_process_that_was_started():
    """No second process watches it: work that waits for long is healthy work."""
    program = (
        "import atexit, os; from unround.cli import main; "
        "atexit.register(lambda: print('worked in', os.getpid())); main()"
    )
    command = [sys.executable, "-c", program, "--version"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        printed, _ = process.communicate()
    assert f"worked in {process.pid}" in printed
