"""Every list of systems names every system: the table in `wording` is the only one that is written."""

from __future__ import annotations

import re
from pathlib import Path
from typing import get_args

import click
import pytest

from unround.cli.group import commands
from unround.formats.model import FormatName
from unround.formats.registry import readers
from unround.wording import CONFERENCE_SYSTEMS, SYSTEMS, named_systems

CHECKOUT = Path(__file__).parents[2]


def words(text: str) -> str:
    """Text without regard to where its lines end."""
    return " ".join(text.split())


def test_the_values_of_format_are_the_systems():
    assert get_args(FormatName) == ("auto", *SYSTEMS)


def test_every_system_has_readers_and_a_page():
    assert list(dict.fromkeys(reader.system for reader in readers())) == list(SYSTEMS)
    pages = [CHECKOUT / "docs" / f"{system.page}.md" for system in SYSTEMS.values()]
    assert [page.name for page in pages if not page.is_file()] == []


def test_no_page_lists_systems_by_hand():
    """`python docs/_tools/wording.py` writes the lists of README.md and docs/index.md."""
    named = ", ".join(system.title for system in [*CONFERENCE_SYSTEMS.values()][:3])
    pages = [CHECKOUT / "README.md", CHECKOUT / "CONTRIBUTING.md", *CHECKOUT.glob("docs/**/*.md")]
    listing = [page for page in pages if named in _unmarked(page.read_text("utf-8"))]
    assert listing == []


def _unmarked(page: str) -> str:
    return words(re.sub("<!-- systems -->.*?<!-- end -->", "", page, flags=re.DOTALL))


def test_help_names_every_system():
    assert named_systems() in words(commands.get_help(click.Context(commands)))


@pytest.mark.parametrize("system", CONFERENCE_SYSTEMS.values(), ids=lambda system: system.title)
def test_readers_bear_the_name_of_their_system(system):
    assert any(system.title in reader.title for reader in readers())


def test_pages_of_the_console_name_no_system_by_hand():
    """They take the list from glossary.json."""
    listing = f"{next(iter(CONFERENCE_SYSTEMS.values())).title}, "
    pages = [*(CHECKOUT / "web" / "src").rglob("*.tsx")]
    assert pages
    assert [page.name for page in pages if listing in page.read_text("utf-8")] == []
