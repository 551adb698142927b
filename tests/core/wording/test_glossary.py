"""One glossary: complete, current in the files made of it, and in the words of each reader."""

from __future__ import annotations

import re
import runpy
from collections.abc import Callable
from dataclasses import fields
from inspect import signature
from pathlib import Path
from typing import get_args, get_type_hints

import click
import polars as pl
import pytest
from click.testing import Result

import unround
from unround.ballots.exports import CHANGED, TARGETS
from unround.cli.group import commands
from unround.console.schemas.base import Status
from unround.disclosure.scope import Disclosure
from unround.formats.systems.plain.columns import SYNONYMS
from unround.issues import Kind
from unround.runs.exports import SYSTEM_OF
from unround.settings import LambdaChoice, Policy, Settings, Unranked
from unround.wording import (
    COMMAND,
    DUPLICATES,
    ISSUE_KINDS,
    MATCH_IDS,
    PAGE,
    POLICIES,
    Audience,
    advice,
    further_advice,
    option,
    written_for,
)
from unround.wording.options import OPTIONS
from unround.wording.words import (
    DISCLOSURES,
    LAMBDA_CHOICES,
    SYSTEM_EXPORTS,
    UNRANKED,
)

CHECKOUT = Path(unround.__file__).parents[2]
TOOL = runpy.run_path(str(CHECKOUT / "docs" / "_tools" / "wording.py"))
FILES = TOOL["FILES"]


@pytest.mark.parametrize("name", FILES)
def test_file_is_current(name: str) -> None:
    written = (CHECKOUT / name).read_text("utf-8")
    assert written == FILES[name](), "write it anew with `python docs/_tools/wording.py`"


def test_every_choice_has_its_words() -> None:
    assert list(POLICIES) == [str(policy) for policy in Policy]
    assert list(UNRANKED) == [str(choice) for choice in Unranked]
    assert tuple(DISCLOSURES) == get_args(Disclosure)
    reading = get_type_hints(unround.read)
    assert tuple(DUPLICATES) == get_args(reading["duplicates"])
    assert tuple(MATCH_IDS) == get_args(reading["match_ids"])
    assert set(LAMBDA_CHOICES) == {*get_args(LambdaChoice), "given", "inf"}
    assert set(ISSUE_KINDS) == {str(kind) for kind in Kind}
    assert set(TOOL["STATUSES"]) == set(get_args(Status))


def test_every_export_note_and_column_has_its_title() -> None:
    assert list(TOOL["DISCLOSURE_NOTES"]) == list(get_args(Disclosure))
    assert list(SYSTEM_EXPORTS) == list(SYSTEM_OF)
    assert tuple(TOOL["RANKING_EXPORTS"]) == (*TARGETS, CHANGED)
    assert set(TOOL["INPUT_COLUMNS"]) <= set(SYNONYMS)


@pytest.mark.parametrize("kind", list(Kind))
def test_help_explains_every_kind(kind: Kind, call: Callable[..., Result]) -> None:
    ended = call("help", kind)
    words, printed = ISSUE_KINDS[kind], " ".join(ended.output.split())
    assert ended.exit_code == 0
    assert words.title in printed
    with written_for(COMMAND):
        assert further_advice(kind) in printed
    assert not re.search(rf"\b({'|'.join(OPTIONS)})=", printed)


def test_help_lists_the_kinds_and_knows_commands(call: Callable[..., Result]) -> None:
    assert all(str(kind) in call("help").output for kind in Kind)
    assert "Compute real-valued scores" in call("help", "run").output
    assert call("help", "nonsense").exit_code == 2


WORDS = [
    (("scale", "1..5"), "--scale 1..5", 'scale="1..5"', "“Scale” 1..5"),
    (("scale",), "--scale", "scale", "“Scale”"),
    (("lam", "30"), "--lam 30", "lam=30", "“λ” 30"),
    (("lam", "auto"), "--lam auto", 'lam="auto"', "“Auto”"),
    (("conflicts", "scores"), "--conflicts scores", 'conflicts="scores"', "“Trust the scores”"),
    (("fields", "Q10"), "--field Q10", 'fields=["Q10"]', "“Score field” Q10"),
    (("fields", "Overall (1-5)"), "--field 'Overall (1-5)'", 'fields=["Overall (1-5)"]', None),
    (
        ("columns", "paper=..", "score=a=b"),
        "--column paper=.. --column score=a=b",
        'columns={"paper": "..", "score": "a=b"}',
        "“Columns” paper=.., score=a=b",
    ),
    (("force",), "--force", "force=True", "--force (on the command line)"),
    (("format", "easychair"), "--format easychair", 'format="easychair"', "“Format” easychair"),
]


@pytest.mark.parametrize(("named", "command", "python", "page"), WORDS)
def test_options_in_the_words_of_the_reader(
    named: tuple[str, ...], command: str, python: str, page: str | None
) -> None:
    assert option(*named) == python
    with written_for(COMMAND):
        assert option(*named) == command
    with written_for(PAGE):
        assert page is None or option(*named) == page


def test_every_option_exists_for_every_audience() -> None:
    run = commands.get_command(click.Context(commands), "run")
    audits = commands.get_command(click.Context(commands), "audit").commands
    named = (run, audits["groups"], audits["privacy"])
    flags = {flag for command in named for each in command.params for flag in each.opts}
    assert {words.flag for words in OPTIONS.values()} <= flags
    audited = (unround.audit.audit_groups, unround.audit.audit_privacy)
    called = (unround.read, unround.dequantize, unround.Result.save, *audited)
    arguments = {name for function in called for name in signature(function).parameters}
    assert set(OPTIONS) <= arguments
    source = CHECKOUT / "web/src"
    forms = [source / "domain/importForm.ts", *(source / "features/import").glob("*.tsx")]
    pages = "".join(path.read_text("utf-8") for path in forms)
    assert [words.label for words in OPTIONS.values() if words.label not in pages] == []


def test_every_option_of_the_method_has_words() -> None:
    assert {field.name for field in fields(Settings)} <= set(OPTIONS)


def test_one_message_in_the_words_of_command_line_and_python(
    tmp_path: Path, call: Callable[..., Result]
) -> None:
    path = tmp_path / "reviews.csv"
    path.write_text("reviewer,paper,score\na,1,4\nb,2,5\nc,3,5\nd,4,6\ne,5,77\n", "utf-8")
    ended = call("check", path)
    assert ended.exit_code == 1
    assert "--scale 4..6" in ended.output
    assert "scale=" not in ended.output
    with pytest.raises(unround.InputRefused, match=r'scale="4\.\.6"') as refused:
        unround.dequantize(unround.read(path))
    assert "--scale" not in str(refused.value)


LOOKS_LIKE_OPTIONS = ("lam=3", 'conflicts="scores"', "--scale", "--force 7", "fields must")


@pytest.mark.parametrize("name", LOOKS_LIKE_OPTIONS)
def test_data_that_look_like_options_come_through(
    name: str, tmp_path: Path, call: Callable[..., Result]
) -> None:
    reviews = pl.DataFrame({"reviewer": [name, name], "paper": [name, "b"], "score": [3, 9]})
    words = f"reviewer {name} gives paper b the score 9"
    for audience in Audience:
        with written_for(audience), pytest.raises(unround.InputRefused, match=words):
            unround.dequantize(reviews, scale="1..5")
    reviews.tail(1).write_csv(tmp_path / "reviews.csv")  # no score is on the scale
    printed = call("check", tmp_path / "reviews.csv", "--scale", "1..5").output
    assert words in " ".join(printed.split())


def test_pages_advise_no_control_that_the_console_lacks() -> None:
    with written_for(PAGE):
        assert "--allow-loss" not in advice("most-lost")
    with written_for(COMMAND):
        assert "--allow-loss" in advice("most-lost")


@pytest.mark.parametrize("kind", list(Kind))
def test_advice_for_pages_names_no_option_of_others(kind: Kind) -> None:
    with written_for(PAGE):
        text = advice(str(kind))
    assert "--" not in text
    assert "=" not in text.replace("score=Note", "")
