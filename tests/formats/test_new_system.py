"""The recipes for a new conference system: as a package of its own, or among those of unround."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import unround
from tests.formats.given_files import refused, written
from unround.cli.group import commands
from unround.formats.registry import readers

SOURCE = Path(unround.__file__).parent
WRITERS = SOURCE.parents[1] / "docs" / "_tools" / "wording.py"
PACKAGE = Path(__file__).parent / "example_system" / "tinyconf"
TABLE = "\nSYSTEMS = {\n"
ROW = '    "tinyconf": System("TinyConf", "Grades (CSV)."),\n'
# What one process with the new system prints: the outputs of these commands, then what derives from the row.
COMMANDS = (
    ["--help"],
    ["check", "--help"],
    ["check", "grades.csv"],
    ["run", "grades.csv", "--format", "tinyconf", "--lam", "1", "-o", "results"],
    ["check", "other.csv", "--format", "tinyconf"],
)
SCRIPT = f"""
import json, runpy
from click.testing import CliRunner
from unround.cli.group import commands
from unround.console.schemas.runs import Reading
from unround.formats.registry import readers

print(json.dumps({{
    "outputs": [" ".join(CliRunner().invoke(commands, line).output.split()) for line in {COMMANDS!r}],
    "front end": json.loads(runpy.run_path({str(WRITERS)!r})["front_end"]())["conference_systems"],
    "api": Reading.model_json_schema()["properties"]["format"]["enum"],
    "readers": [reader.title for reader in readers()],
}}))
"""


def linked(folder: Path, target: Path, changed: str) -> Path:
    """Make a folder of links to the content of another, but for one entry; return that one's path."""
    target.mkdir()
    for path in folder.iterdir():
        if path.name != changed:
            (target / path.name).symlink_to(path)
    return target / changed


def derived(folder: Path) -> dict[str, Any]:
    """Follow the recipe in a copy of the package, and see what a process makes of it."""
    formats = linked(SOURCE, folder / "unround", "formats")
    systems = linked(SOURCE / "formats", formats, "systems")
    linked(SOURCE / "formats" / "systems", systems, "tinyconf").symlink_to(PACKAGE)
    (folder / "unround" / "wording").unlink()
    words = linked(SOURCE / "wording", folder / "unround" / "wording", "words.py")
    text = (SOURCE / "wording" / "words.py").read_text("utf-8")
    assert text.count(TABLE) == 1
    words.write_text(text.replace(TABLE, TABLE + ROW), "utf-8")
    written(folder, "grades.csv", "Juror,Contribution,Grade\nann,1,4\nann,2,5\nbob,1,3\n")
    written(folder, "other.csv", "reviewer,paper,score\nann,1,4\n")
    ended = subprocess.run(
        [sys.executable, "-c", SCRIPT],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(folder)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.returncode == 0, ended.stderr
    found: dict[str, Any] = json.loads(ended.stdout)
    return found


def test_a_new_system_is_named_everywhere_and_its_files_are_read(tmp_path: Path) -> None:
    found = derived(tmp_path)
    help_text, check_help, checked, solved, other = found["outputs"]
    assert "TinyConf, HotCRP, OpenReview" in help_text
    assert "tinyconf" in check_help
    assert found["api"][:2] == ["auto", "tinyconf"]
    assert found["front end"]["tinyconf"] == {"title": "TinyConf", "text": "Grades (CSV)."}
    assert found["readers"][0] == "TinyConf grades (grades.csv)"
    assert "grades.csv: TinyConf grades" in checked
    assert "3 reviews" in solved
    assert "other.csv is not a tinyconf file" in other


ENTRY_POINTS = "[unround.systems]\ntinyconf = tinyconf\n"
METADATA = "Metadata-Version: 2.1\nName: unround-tinyconf\nVersion: 1.0\n"


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Install TinyConf as a package of somebody else's; return a file of it."""
    info = tmp_path / "unround_tinyconf-1.0.dist-info"
    info.mkdir()
    written(info, "METADATA", METADATA)
    written(info, "entry_points.txt", ENTRY_POINTS)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.syspath_prepend(PACKAGE.parent)
    readers.cache_clear()
    yield written(tmp_path, "grades.csv", "Juror,Contribution,Grade\nann,1,4\nann,2,5\nbob,1,3\n")
    readers.cache_clear()
    sys.modules.pop("tinyconf", None)


def test_a_system_of_another_package_is_found_by_its_entry_point(installed: Path) -> None:
    for options in ({}, {"format": "tinyconf"}):
        tables = unround.read(installed, **options)
        assert tables.reviews["score"].to_list() == [4, 5, 3]
        assert tables.recognised == ("grades.csv: TinyConf grades",)
    plain = written(installed.parent, "other.csv", "reviewer,paper,score\nann,1,4\n")
    assert unround.read(plain).reviews.height == 1
    with refused("other.csv is not a tinyconf file: it looks like a table"):
        unround.read(plain, format="tinyconf")


def test_the_command_line_has_it_too(installed: Path) -> None:
    ended = CliRunner().invoke(commands, ["check", str(installed), "--format", "tinyconf"])
    assert "grades.csv: TinyConf grades" in " ".join(ended.output.split())
    ended = CliRunner().invoke(commands, ["check", str(installed), "--format", "hugeconf"])
    assert ended.exit_code == 2
    assert "'csv', 'tinyconf'" in " ".join(ended.output.split())
