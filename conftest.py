"""Settings of every test run: documentation is executed, and long tests carry markers.

Docstrings run under pytest's own doctest, each by itself, so that an example works when copied.
Markdown runs under Sybil, which knows where a fenced block ends.
"""

from collections.abc import Iterator

import pytest
from hypothesis import settings
from sybil import Sybil
from sybil.parsers.markdown import PythonCodeBlockParser

# The same examples in every run, however busy the machine is.
settings.register_profile("unround", deadline=None, derandomize=True)
settings.load_profile("unround")

# Folders whose every test carries a marker.
FOLDERS = {"tests/e2e": "e2e", "tests/cluster": "cluster", "tests/console/jobs": "slow"}


def pytest_configure(config: pytest.Config) -> None:
    """Collect docstrings in every run, not only when --doctest-modules is given."""
    config.option.doctestmodules = True


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the tests whose folder or parameters say what they need. `slow` stands in the tests."""
    for item in items:
        for name in _markers(item):
            item.add_marker(name)


def _markers(item: pytest.Item) -> Iterator[str]:
    place = item.path.relative_to(item.config.rootpath).as_posix()
    yield from (name for folder, name in FOLDERS.items() if place.startswith(f"{folder}/"))
    parameters = item.callspec.params if hasattr(item, "callspec") else {}
    if parameters.get("kind") == "postgresql":  # the console's fixtures run on each database
        yield "postgres"


pytest_collect_file = Sybil(parsers=[PythonCodeBlockParser()], patterns=["*.md"]).pytest()
