"""How properties are tested, and the command line as a function."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from click.testing import CliRunner, Result
from hypothesis import HealthCheck, settings

from unround.cli.group import commands

# The same examples in every run, on a busy machine too.
settings.register_profile(
    "reproducible",
    derandomize=True,
    deadline=None,
    database=None,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("reproducible")


@pytest.fixture(scope="session")
def call() -> Callable[..., Result]:
    """Call `unround` with these words, and return what it printed and how it ended."""

    def invoke(*words: object) -> Result:
        return CliRunner().invoke(commands, [str(word) for word in words])

    return invoke
