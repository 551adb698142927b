"""Settings of every test run: documentation is executed, and long tests carry markers.

Docstrings run under pytest's own doctest, each by itself, so that an example works when copied; so does
the README.
"""

import re
from collections.abc import Generator, Iterator

import pytest
from hypothesis import HealthCheck, settings

# The same examples in every run, however busy the machine is.
settings.register_profile(
    "reproducible",
    derandomize=True,
    deadline=None,
    database=None,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("reproducible")

# Folders whose every test carries a marker.
FOLDERS = {"tests/e2e": "e2e", "tests/cluster": "cluster", "tests/console/jobs": "slow"}
# Folders whose tests share what takes long to make, and run in one process.
SHARING = ("tests/cluster", "tests/faults", "tests/lab")
CONSOLE = "console on"
DATABASE = re.compile(r"\b(sqlite|postgresql)\b")


def pytest_configure(config: pytest.Config) -> None:
    """Collect docstrings in every run, not only when --doctest-modules is given."""
    config.option.doctestmodules = True


@pytest.hookimpl(wrapper=True)  # `-m` and xdist read the markers inside
def pytest_collection_modifyitems(items: list[pytest.Item]) -> Generator[None]:
    """Mark what tests need and which run in one process; put the groups with long tests first."""
    for item in items:
        for name in _markers(item.nodeid):
            item.add_marker(name)
        item.add_marker(pytest.mark.xdist_group(_group(item)))
    yield
    long = {_marked_group(item) for item in items if _is_long(item)}
    items.sort(
        key=lambda item: (
            not _marked_group(item).startswith(CONSOLE),
            _marked_group(item) not in long,
        )
    )


def _markers(nodeid: str) -> Iterator[str]:
    """Yield the markers that follow from a test's folder or database; `slow` stands in the tests."""
    yield from (name for folder, name in FOLDERS.items() if nodeid.startswith(f"{folder}/"))
    if _database(nodeid) == "postgresql":
        yield "postgres"


def _group(item: pytest.Item) -> str:
    """Return what runs in one process: the console on one database, the demo, a folder, else a file."""
    nodeid = item.nodeid
    if database := _database(nodeid):
        return f"{CONSOLE} {database}"
    if item.get_closest_marker("demo") is not None:
        return "demo"
    folders = (folder for folder in SHARING if nodeid.startswith(f"{folder}/"))
    return next(folders, nodeid.partition("::")[0])


def _marked_group(item: pytest.Item) -> str:
    marker = item.get_closest_marker("xdist_group")
    assert marker is not None
    return str(marker.args[0])


def _database(nodeid: str) -> str | None:
    """Return the database that a test of the console runs on."""
    found = DATABASE.search(nodeid) if nodeid.startswith("tests/console/") else None
    return found[1] if found else None


def _is_long(item: pytest.Item) -> bool:
    return any(item.get_closest_marker(name) for name in ("slow", "e2e", "cluster"))
