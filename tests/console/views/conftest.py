"""Audits that nobody has asked for yet."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from unround.console.background import Background


@pytest.fixture
def none_measured() -> Iterator[Background]:
    """A place for audits without those that other tests of the console had measured."""
    audits: Background = Background(limit=2)
    yield audits
    audits.close()
