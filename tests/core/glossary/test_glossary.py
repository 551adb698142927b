"""One glossary: complete, current in the files made of it, and told to each reader in their words."""

from __future__ import annotations

import re
from pathlib import Path
from typing import get_args

import pytest
from click.testing import CliRunner

import unround
from unround.cli.group import commands
from unround.console.schemas import Status
from unround.glossary import (
    COMMAND,
    ISSUE_KINDS,
    LAMBDA_CHOICES,
    PAGE,
    POLICIES,
    PYTHON,
    STATUSES,
    UNRANKED,
    advice,
    told,
)
from unround.glossary.__main__ import CHECKOUT, FILES
from unround.glossary.audience import OPTIONS
from unround.issues import Kind
from unround.settings import LambdaChoice, Policy, Unranked


@pytest.mark.parametrize("name", FILES)
def test_file_is_current(name: str) -> None:
    written = (CHECKOUT / name).read_text("utf-8")
    assert written == FILES[name](), "write it anew with `python -m unround.glossary`"


def test_every_choice_has_its_words() -> None:
    assert list(POLICIES) == [str(policy) for policy in Policy]
    assert list(UNRANKED) == [str(choice) for choice in Unranked]
    assert set(LAMBDA_CHOICES) == {*get_args(LambdaChoice), "given", "inf"}
    assert set(ISSUE_KINDS) == {str(kind) for kind in Kind}
    assert set(STATUSES) == set(get_args(Status))


@pytest.mark.parametrize("kind", list(Kind))
def test_help_explains_every_kind(kind: Kind) -> None:
    ended = CliRunner().invoke(commands, ["help", str(kind)])
    words, printed = ISSUE_KINDS[kind], " ".join(ended.output.split())
    assert ended.exit_code == 0
    assert words.title in printed
    assert told(words.more, COMMAND) in printed
    assert not re.search(rf"\b({'|'.join(option.python for option in OPTIONS)})=", printed)


def test_help_lists_the_kinds_and_knows_commands() -> None:
    run = CliRunner().invoke
    assert all(str(kind) in run(commands, ["help"]).output for kind in Kind)
    assert "Compute real-valued scores" in run(commands, ["help", "run"]).output
    assert run(commands, ["help", "nonsense"]).exit_code == 2


TOLD = [
    ('scale="1..5"', "--scale 1..5", 'scale="1..5"', "“Scale” 1..5"),
    ("scale=[1, 3, 5]", "--scale 1,3,5", 'scale="1,3,5"', "“Scale” 1,3,5"),
    ("with --scale, worst first", "with --scale, worst first", "with scale=, worst first", None),
    ("--scale 1..5:0.1 or", "--scale 1..5:0.1 or", 'scale="1..5:0.1" or', None),
    ('conflicts="scores"', "--conflicts scores", 'conflicts="scores"', "“Scores rule”"),
    ("--conflicts rankings", "--conflicts rankings", 'conflicts="rankings"', "“Rankings rule”"),
    ("--field Q10, or", "--field Q10, or", 'fields=["Q10"], or', "“Score field” Q10, or"),
    ("use --field to choose", "use --field to choose", "use fields= to choose", None),
    ("--column score=..", "--column score=..", 'columns={"score": ".."}', None),
    ("rankings=[a, b]", "--rankings a --rankings b", "rankings=[a, b]", None),
    ("with --force or", "with --force or", "with force=True or", None),
    ("--format easychair", "--format easychair", 'format="easychair"', "“Format” easychair"),
    ("lam must be 1", "--lam must be 1", "lam must be 1", "“λ” must be 1"),
    ("the scale is 1, 2, 3", "the scale is 1, 2, 3", "the scale is 1, 2, 3", None),
]


@pytest.mark.parametrize(("text", "command", "python", "page"), TOLD)
def test_options_in_the_words_of_the_reader(
    text: str, command: str, python: str, page: str | None
) -> None:
    assert told(text, COMMAND) == command
    assert told(text, PYTHON) == python
    assert page is None or told(text, PAGE) == page


def test_one_message_in_the_words_of_command_line_and_python(tmp_path: Path) -> None:
    path = tmp_path / "reviews.csv"
    rows = [
        f"r{number},{number % 7},{77 if number == 40 else number % 5 + 1}" for number in range(80)
    ]
    path.write_text("\n".join(["reviewer,paper,score", *rows]) + "\n", "utf-8")
    ended = CliRunner().invoke(commands, ["check", str(path)])
    assert ended.exit_code == 1
    assert "--scale 1" in ended.output
    assert "scale=" not in ended.output
    with pytest.raises(unround.InputRefused, match='scale="1') as refused:
        unround.dequantize(unround.read(path))
    assert "--scale" not in str(refused.value)


def test_pages_advise_no_control_that_the_console_lacks() -> None:
    assert "Go on without" not in advice("most-lost", PAGE)
    assert "--allow-loss" in advice("most-lost", COMMAND)


@pytest.mark.parametrize("kind", list(Kind))
def test_advice_for_pages_names_no_option_of_others(kind: Kind) -> None:
    text = advice(str(kind), PAGE)
    assert "--" not in text
    assert "=" not in text.replace("score=Note", "")
