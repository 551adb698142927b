"""The references are complete: every command, option, column, key, kind and name is on its page."""

from __future__ import annotations

import json
import re
import runpy
import sys
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import click
import polars as pl
import pytest
from click.testing import Result

import unround
from tests.docs.doc_pages import DOCS, ROOT, all_pages, blocks_of
from unround.formats.model import PAPER_COLUMNS

sys.path.append(str(DOCS / "_tools"))  # the tools import each other
TOOL = runpy.run_path(str(DOCS / "_tools" / "commands.py"))
TABLES = runpy.run_path(str(DOCS / "_tools" / "tables.py"))
COMMANDS = dict(TOOL["all_commands"]())
VENUE = ROOT / "examples" / "openreview"
INPUT_COLUMNS = ("reviewer", "paper", "score", "rank", "better", "worse", "same_as", *PAPER_COLUMNS)
Call = Callable[..., Result]


def page(name: str) -> str:
    return (DOCS / name).read_text("utf-8")


def section(name: str, heading: str) -> str:
    """What a page says under a heading of the second level."""
    return page(name).partition(f"\n## {heading}\n")[2].partition("\n## ")[0]


@pytest.fixture(scope="module")
def run(call: Call, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run on exports of a system that knows everything about its papers."""
    folder = tmp_path_factory.mktemp("run") / "out"
    ended = call("run", VENUE, "-o", folder)
    assert ended.exit_code == 0, ended.output
    return folder


@pytest.mark.parametrize(("tool", "written"), [(TOOL, "commands"), (TABLES, "tables")])
def test_what_a_tool_writes_is_up_to_date(tool: dict[str, Any], written: str) -> None:
    text = page(f"{written}.md")
    assert tool[f"with_{written}"](text) == text, f"run: python docs/_tools/{written}.py"


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_and_option_has_help(name: str) -> None:
    assert COMMANDS[name].help
    options = [one for one in COMMANDS[name].params if isinstance(one, click.Option)]
    assert [one.name for one in options if not (one.help or one.hidden)] == []


@pytest.mark.parametrize(
    ("name", "words", "as_written"),
    [
        ("commands.md", ("bash", "zsh", "fish"), "_UNROUND_COMPLETE={0}_source unround"),
        ("issues.md", unround.Kind, "\n({0})=\n### {0}: "),
        ("files.md", INPUT_COLUMNS, "`{0}`"),
        ("python.md", unround.__all__, "unround.{0}"),
    ],
    ids=["completion of shells", "kinds of issues", "columns of tables", "names of the library"],
)
def test_everything_there_is_has_its_place(
    name: str, words: Iterable[str], as_written: str
) -> None:
    text = page(name)
    assert [word for word in words if as_written.format(word) not in text] == []


@pytest.mark.parametrize("table", ["scores.csv", "papers.csv", "explanation.csv", "bindings.csv"])
def test_every_column_is_documented(run: Path, table: str) -> None:
    columns = pl.read_csv(run / table).columns
    assert columns
    assert [name for name in columns if f"`{name}`" not in section("files.md", table)] == []


def test_every_column_of_the_problems_is_documented(call: Call, tmp_path: Path) -> None:
    reviews = tmp_path / "reviews.csv"
    reviews.write_text("reviewer,paper,score\nann,1,\nann,2,3\n")
    (tmp_path / "ranks.csv").write_text("reviewer,paper,rank\nbob,2,1\n")
    issues = tmp_path / "issues.csv"
    call("check", reviews, "--rankings", tmp_path / "ranks.csv", "--output", issues)
    columns, text = pl.read_csv(issues).columns, section("files.md", "Problems: issues.csv")
    assert [name for name in columns if f"| `{name}` |" not in text] == []


def test_every_key_of_the_record_is_documented(run: Path) -> None:
    text = section("files.md", "run.json")
    record = json.loads((run / "run.json").read_text("utf-8"))
    versions = record.pop("versions")
    assert [name for name in versions if f"`{name}`" not in text] == []
    assert [key for key in keys_of(record) if f"`{key}`" not in text] == []


def keys_of(record: Mapping[str, Any], above: str = "") -> Iterator[str]:
    """Keys of objects, and of objects in lists, as paths."""
    for key, value in record.items():
        yield f"{above}{key}"
        inner = value[0] if isinstance(value, list) and value else value
        if isinstance(inner, Mapping):
            yield from keys_of(inner, f"{above}{key}.")


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_picture_of_the_layers_is_that_of_today(theme: str) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    flow = project["tool"]["importlinter"]["contracts"][0]
    rooms = [room.split(".")[1] for layer in flow["layers"] for room in layer.split(" | ")]
    drawn = re.findall(r">([^<>]+)</text>", page(f"_static/architecture-{theme}.svg"))
    last = drawn.index("a room imports only from rooms further down")
    assert drawn[last + 1 :] == rooms


def test_pages_link_to_what_is_there() -> None:
    """The same without Sphinx: files, and the headings in them."""
    broken = []
    for source in all_pages():
        prose = re.sub(r"```.*?```", "", source.read_text("utf-8"), flags=re.DOTALL)
        for target in re.findall(r"\]\(([^)\s]+)\)", prose):
            if "://" in target:
                continue
            path, _, heading = target.partition("#")
            file = (source.parent / path).resolve() if path else source
            if not file.is_file() or (heading and heading not in headings(file)):
                broken.append(f"{source.name}: {target}")
    assert broken == []


def test_no_picture_is_left_over() -> None:
    text = "".join(source.read_text("utf-8") for source in all_pages())
    pictures = [*DOCS.glob("_static/**/*.png"), *DOCS.glob("_static/**/*.svg")]
    assert pictures
    assert [picture.name for picture in pictures if picture.name not in text] == []


@pytest.mark.parametrize("name", ["CONTRIBUTING.md", "docs/architecture.md"])
def test_pages_for_developers_name_files_that_are_there(name: str) -> None:
    text = re.sub(r"```.*?```", "", (ROOT / name).read_text("utf-8"), flags=re.DOTALL)
    named = re.findall(r"`([\w./-]+(?:/[\w.-]+|\.py|\.toml|\.md))`", text)
    made = {".venv", "web/node_modules", "web/openapi.json"}
    places = (ROOT, ROOT / "src" / "unround")
    assert named
    missing = [name for name in named if not any((place / name).exists() for place in places)]
    assert [name for name in missing if name not in made] == []


def test_the_architecture_has_a_paragraph_for_every_room() -> None:
    package = ROOT / "src" / "unround"
    rooms = {folder.parent.name for folder in package.glob("*/__init__.py")}
    assert rooms == set(re.findall(r"^`(\w+)`$", page("architecture.md"), flags=re.MULTILINE))


def headings(file: Path) -> set[str]:
    """The anchors of a page's headings, as GitHub and MyST make them."""
    lines = re.findall(r"^#+ (.*)$", file.read_text("utf-8"), flags=re.MULTILINE)
    words = (re.sub(r"[^\w\s-]", "", line.lower()).strip() for line in lines)
    return {re.sub(r"\s", "-", line) for line in words}


@pytest.fixture
def scripts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The page's scripts, and openreview-py with a client that gives what a venue holds."""
    made = SimpleNamespace(OpenReviewClient=lambda **_: Client(VENUE))
    library = ModuleType("openreview")
    vars(library).update(api=made, OpenReviewException=Exception)
    monkeypatch.setitem(sys.modules, "openreview", library)
    monkeypatch.setattr(sys, "argv", ["script", "example.org/2026/Conference", "--rankings"])
    for block in blocks_of(DOCS / "openreview.md"):
        if block.caption:
            (tmp_path / block.caption).write_text(block.text, "utf-8")
    (tmp_path / "saved").mkdir()
    monkeypatch.chdir(tmp_path / "saved")
    return tmp_path


def test_script_that_saves_openreview(call: Call, run: Path, scripts: Path) -> None:
    runpy.run_path(str(scripts / "save_openreview.py"))
    ended = call("run", scripts / "saved", "-o", scripts / "again")
    assert ended.exit_code == 0, ended.output
    for name in ("scores.csv", "papers.csv"):
        assert (scripts / "again" / name).read_bytes() == (run / name).read_bytes()


def test_script_that_asks_openreview(
    run: Path, scripts: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    result = runpy.run_path(str(scripts / "from_openreview.py"))["result"]
    papers = pl.read_csv(run / "papers.csv")
    assert result.papers["dequantized_mean"].to_list() == papers["dequantized_mean"].to_list()
    assert "dequantized_mean" in capsys.readouterr().out


class Client:
    """OpenReview as far as the script asks it; answers come from files."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.session = SimpleNamespace(request=print)

    def get_group(self, _: str) -> SimpleNamespace:
        content = {"review_name": {"value": "Official_Review"}}
        return SimpleNamespace(id="example.org/2026/Conference", members=[], content=content)

    def get_all_notes(self, *, invitation: str, details: str) -> list[SimpleNamespace]:
        assert (invitation, details) == ("example.org/2026/Conference/-/Submission", "replies")
        return self._objects("notes.json")

    def get_all_groups(self, *, prefix: str) -> list[SimpleNamespace]:
        assert prefix == "example.org/2026/Conference/Submission"
        return self._objects("groups.json")

    def get_all_tags(self, *, invitation: str) -> list[SimpleNamespace]:
        assert invitation == "example.org/2026/Conference/Reviewers/-/Paper_Ranking"
        return self._objects("tags.json")

    def get_invitation(self, invitation: str) -> SimpleNamespace:
        known = {one.id: one for one in self._objects("invitation.json")}
        assert "example.org/2026/Conference/-/Official_Review" in known
        return known.get(invitation, SimpleNamespace(id=invitation))

    def _objects(self, name: str) -> list[SimpleNamespace]:
        found = json.loads((self._folder / name).read_text("utf-8"))
        return [SimpleNamespace(**one) for one in (found if isinstance(found, list) else [found])]


def test_pages_name_no_machine() -> None:
    words = re.compile(r"/(work|home|tmp|root)/")
    assert [p.name for p in all_pages() if words.search(p.read_text("utf-8"))] == []
