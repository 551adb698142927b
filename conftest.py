"""Settings of every test run: documentation is executed, and long tests carry markers.

Docstrings run under pytest's own doctest, each by itself, so that an example works when copied.
Markdown runs under Sybil, which knows where a fenced block ends.
"""

from collections.abc import Generator, Iterator
from typing import Any

import pytest
from hypothesis import settings
from sybil import Sybil
from sybil.parsers.markdown import PythonCodeBlockParser
from tests.schedule import InOrder, place_of

# The same examples in every run, however busy the machine is.
settings.register_profile("unround", deadline=None, derandomize=True)
settings.load_profile("unround")

# Folders whose every test carries a marker.
FOLDERS = {"tests/e2e": "e2e", "tests/cluster": "cluster", "tests/console/jobs": "slow"}


def pytest_configure(config: pytest.Config) -> None:
    """Collect docstrings in every run, not only when --doctest-modules is given."""
    config.option.doctestmodules = True


@pytest.hookimpl(wrapper=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> Generator[None]:
    """Mark the tests whose folder or parameters say what they need, and put them in order.

    `slow` stands in the tests.
    """
    for item in items:
        for name in _markers(item):
            item.add_marker(name)
    yield
    items.sort(key=lambda item: place_of(item.nodeid))


@pytest.hookimpl(optionalhook=True)  # pytest knows it with -n alone
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> InOrder | None:
    """Give each process the tests of one file after the other, unless --dist says otherwise."""
    return InOrder(config, log) if config.option.dist == "load" else None


def _markers(item: pytest.Item) -> Iterator[str]:
    place = item.path.relative_to(item.config.rootpath).as_posix()
    yield from (name for folder, name in FOLDERS.items() if place.startswith(f"{folder}/"))
    parameters = item.callspec.params if hasattr(item, "callspec") else {}
    if parameters.get("kind") == "postgresql":  # the console's fixtures run on each database
        yield "postgres"


pytest_collect_file = Sybil(parsers=[PythonCodeBlockParser()], patterns=["*.md"]).pytest()
