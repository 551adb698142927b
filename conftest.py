"""Settings of every test run: documentation is executed, and long tests carry markers.

Docstrings run under pytest's own doctest, each by itself, so that an example works when copied; so does
the README.
"""

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
DATABASES = ("sqlite", "postgresql")


def pytest_configure(config: pytest.Config) -> None:
    """Collect docstrings in every run, not only when --doctest-modules is given."""
    config.option.doctestmodules = True


@pytest.hookimpl(wrapper=True)  # xdist reads the groups inside
def pytest_collection_modifyitems(items: list[pytest.Item]) -> Generator[None]:
    """Mark what tests need and which run together; put the groups with long tests first."""
    for item in items:
        for name in _markers(item):
            item.add_marker(name)
        if item.get_closest_marker("xdist_group") is None:
            item.add_marker(pytest.mark.xdist_group(_group(item)))
    yield
    long = {_group_name(item) for item in items if _is_long(item)}
    items.sort(key=lambda item: (_database(item) is None, _group_name(item) not in long))


def _markers(item: pytest.Item) -> Iterator[str]:
    """Yield the markers that follow from a test's folder or database; `slow` stands in the tests."""
    place = item.path.relative_to(item.config.rootpath).as_posix()
    yield from (name for folder, name in FOLDERS.items() if place.startswith(f"{folder}/"))
    if _database(item) == "postgresql":
        yield "postgres"


def _group(item: pytest.Item) -> str:
    """Return what runs in one process: the console on one database, else the tests of a file."""
    database = _database(item)
    return f"console on {database}" if database else str(item.path)


def _database(item: pytest.Item) -> str | None:
    """Return the database that a test of the console runs on."""
    parameters = item.callspec.params if hasattr(item, "callspec") else {}
    return str(parameters["kind"]) if parameters.get("kind") in DATABASES else None


def _group_name(item: pytest.Item) -> str:
    marker = item.get_closest_marker("xdist_group")
    assert marker is not None
    return str(marker.args[0])


def _is_long(item: pytest.Item) -> bool:
    return any(item.get_closest_marker(name) for name in ("slow", "e2e", "cluster"))
