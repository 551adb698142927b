"""Readers' messages are tested in the words of the command line."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from unround.wording import COMMAND, written_for


@pytest.fixture(autouse=True)
def command_line() -> Iterator[None]:
    with written_for(COMMAND):
        yield
