"""The command line as a function."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from click.testing import CliRunner, Result

from unround.cli.group import commands


@pytest.fixture(scope="session")
def call() -> Callable[..., Result]:
    """Call `unround` with these words, and return what it printed and how it ended."""

    def invoke(*words: object) -> Result:
        return CliRunner().invoke(commands, [str(word) for word in words])

    return invoke
