"""Every example of the documentation gives what the page shows."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import click
import pytest

from tests.docs.doc_pages import ROOT, all_pages, blocks_of
from tests.docs.doc_reader import WIDTH, PageReader
from unround.cli.group import commands

PAGES = [page for page in all_pages() if any(block.language for block in blocks_of(page))]
NAMES = [page.name for page in PAGES]
CALL = re.compile(r"(?:\S*/)?unround ((?!.*\[OPTIONS\]).*)")
# Pages that start a cluster, or run experiments.
MARKS = {
    "commands": pytest.mark.cluster,
    "trust": pytest.mark.slow,
    "architecture": pytest.mark.slow,
}


@pytest.mark.parametrize(
    "doc",
    [pytest.param(page, marks=MARKS.get(page.stem, ())) for page in PAGES],
    ids=NAMES,
)
def test_page(doc: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    reader = PageReader(doc, tmp_path)
    for block in blocks_of(doc):
        reader.follow(block)
    assert not reader.complaints, "\n".join(reader.complaints)


@pytest.mark.parametrize("doc", PAGES, ids=NAMES)
def test_every_example_is_checked_and_needs_no_scroll_bar(doc: Path) -> None:
    for block in blocks_of(doc):
        if block.language == "console":
            assert block.text.startswith("$ "), f"line {block.line}: begin with the command"
            assert [line for line in block.text.splitlines() if len(line) > int(WIDTH)] == []
        if block.language == "python" and not block.caption:
            assert block.text.startswith(">>> "), f"line {block.line}: begin with >>>"


@pytest.mark.parametrize("doc", PAGES, ids=NAMES)
def test_commands_that_are_only_shown_have_the_options_that_they_name(doc: Path) -> None:
    """What needs a server, a token, a GPU or data that cannot be shipped is not executed."""
    shown = [block.text for block in blocks_of(doc) if block.language == "text"]
    lines = [line for text in shown for line in text.replace("\\\n", " ").splitlines()]
    for command in filter(None, map(CALL.fullmatch, lines)):
        _parse(shlex.split(command.group(1), comments=True))


def _parse(words: list[str]) -> None:
    """Find the command and read its options; raise where one does not exist."""
    command: click.Command = commands
    while isinstance(command, click.Group):
        name, *words = words
        found = command.get_command(click.Context(command), name)
        assert found is not None, f"no command {name}"
        command = found
    command.make_parser(click.Context(command)).parse_args(args=list(words))
