"""The order of the tests: long files first, the console by database, and each file in one process."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.schedule import LONG, SMALL_STUDIES, place_of, work_of

ROOT = Path(__file__).parents[1]
CONSOLE = "tests/console/api/test_papers.py"


def test_the_console_comes_by_database():
    tests = [
        f"{CONSOLE}::test_a[sqlite-1]",
        f"{CONSOLE}::test_a[postgresql-1]",
        "tests/console/test_forget.py::test_b[sqlite]",
        "tests/console/test_forget.py::test_b[postgresql]",
        "tests/core/test_c.py::test_c[0]",
        f"{LONG[0]}::test_d",
    ]
    places = sorted(tests, key=place_of)
    assert [tests.index(test) for test in places] == [5, 0, 2, 1, 3, 4]


@pytest.mark.parametrize(
    ("test", "work"),
    [
        (f"{CONSOLE}::test_a[sqlite-GET-/api]", f"{CONSOLE} on sqlite"),
        (f"{CONSOLE}::test_on_postgresql[postgresql]", f"{CONSOLE} on postgresql"),
        (f"{CONSOLE}::test_on_postgresql", CONSOLE),
        (
            "src/unround/metrics/__init__.py::unround.metrics.rmse",
            "src/unround/metrics/__init__.py",
        ),
    ],
)
def test_tests_of_a_file_and_a_database_stay_together(test, work):
    assert work_of(test) == work


def test_small_studies_are_made_in_one_process():
    users = {
        path.relative_to(ROOT).as_posix()
        for path in (ROOT / "tests" / "lab").rglob("test_*.py")
        if "small_results)" in path.read_text("utf-8")
    }
    assert users == set(SMALL_STUDIES)
    assert len({work_of(f"{file}::test") for file in SMALL_STUDIES}) == 1


@pytest.mark.parametrize("file", LONG)
def test_long_files_are_there(file):
    assert (ROOT / file).is_file()
