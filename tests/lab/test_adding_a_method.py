"""A method, a data set and studies of one's own, as docs/architecture.md adds them."""

import re

import polars as pl
import pytest

from tests.lab.conftest import ROOT

pytestmark = pytest.mark.slow

PAGE = (ROOT / "docs" / "architecture.md").read_text("utf-8")
FILES = dict(re.findall(r"```\{code-block\} \w+\n:caption: (\S+)\n\n(.*?)```", PAGE, re.S))
COMMANDS = re.findall(r"```console\n\$ unround (.*?)\n(.*?)```", PAGE, re.S)


@pytest.fixture
def followed(call, tmp_path, monkeypatch):
    """The folder of a reader who wrote every file and typed every command."""
    monkeypatch.chdir(tmp_path)
    for name, text in FILES.items():
        (tmp_path / name).write_text(text, "utf-8")
    for command, printed in COMMANDS:
        done = call(*command.split())
        assert done.exit_code == 0, done.output
        assert done.output == printed
    return tmp_path


def test_results_are_as_complete_as_our_own(followed):
    table = pl.read_csv(followed / "results" / "tables" / "strong-or-weak.csv")
    assert set(table["method"]) == {"quantized", "bre", "halfway", "proposed"}
    assert table.height == 2 * 5 * 4 * 2
    report = (followed / "results" / "REPORT.md").read_text("utf-8")
    assert "| Setting | Quantized scores | BRE-adjusted scores | Halfway to the mean |" in report
    assert (followed / "results" / "figures" / "strong-or-weak.svg").exists()


def test_a_changed_file_makes_new_trials(followed, call):
    before = set((followed / "results").rglob("trials/*/*.json"))
    source = followed / "my_study.py"
    source.write_text(source.read_text("utf-8").replace("mean) / 2", "mean) / 3"), "utf-8")
    done = call("reproduce", "my_study.py", "--trials", 1, "--jobs", 1, "-o", "results")
    assert done.exit_code == 0, done.output
    assert len(set((followed / "results").rglob("trials/*/*.json")) - before) == 2


def test_toml_may_load_code(followed, call):
    text = 'code = ["my_study.py"]\n' + FILES["noisy.toml"].replace('"bre"', '"halfway"')
    (followed / "mixed.toml").write_text(text, "utf-8")
    done = call("reproduce", "mixed.toml", "--trials", 1, "--jobs", 2, "-o", "mixed")
    assert done.exit_code == 0, done.output
    assert "halfway" in set(pl.read_csv("mixed/tables/noisy.csv")["method"])
