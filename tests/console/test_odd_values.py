"""Odd values from outside: options in the address of a database, controls inside names."""

from __future__ import annotations

import pytest

from unround.console.schemas.conferences import NewConference
from unround.console.storage.database import Database
from unround.errors import UsageError


@pytest.mark.parametrize("url", ["postgresql://ann@host/name?sslmodes=x", "sqlite:///a.db?mode=ro"])
def test_options_of_a_database_are_refused_in_words(url: str):
    with pytest.raises(UsageError, match="takes no options after the name"):
        Database(url, 1.0)


def test_controls_of_direction_leave_names():
    assert NewConference(name="Con\u202efer\u2066ence\u200f 26").name == "Conference 26"
