"""What the console hands out is what the command line writes, byte for byte."""

from __future__ import annotations

import io
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from click.testing import CliRunner

import unround
from tests.console.conftest import Person, World
from tests.console.sample import mark
from tests.report.open_page import opened
from unround.cli.group import commands
from unround.runs.exports import INTERPOLATION
from unround.runs.folder import CHECKSUMS

EXAMPLES = Path(__file__).parents[3] / "examples"


@pytest.fixture(scope="module")
def folder(world: World, tmp_path_factory):
    """The same conference, run by the command line."""
    path = tmp_path_factory.mktemp("command-line")
    for name, content in world.sample.files.items():
        (path / name).write_bytes(content)
    _call("run", path / "reviews.csv", "--rankings", path / "rankings.csv", "--lam", "4",
          "--conflicts", "scores", "--uncertainty", "--calibrate", "-o", path / "out")  # fmt: skip
    return path


def _call(*arguments: object):
    ended = CliRunner().invoke(commands, [str(argument) for argument in arguments])
    assert ended.exit_code == 0, ended.output
    return ended


def test_every_file_is_the_command_lines(world: World, folder, tmp_path):
    # The report is made on request, and the hashes are of a folder that holds it.
    names = {path.name for path in (folder / "out").iterdir()} - {"report.html", CHECKSUMS}
    assert names >= {"scores.csv", "papers.csv", "run.json", "explanation.csv", "rankings.csv"}
    assert names >= {"uncertainty.csv", "places.csv", "calibration.csv", "reviewers.csv"}
    for name in names:
        answer = world.chair.get(f"/api/runs/{world.run}/files/{name}")
        assert answer.content == (folder / "out" / name).read_bytes(), name
        assert answer.headers["content-disposition"] == f'attachment; filename="{name}"'
    listed = world.chair.get(f"/api/runs/{world.run}").json()["files"]
    assert sorted(listed) == sorted([*names, CHECKSUMS])
    for name in listed:
        content = world.chair.get(f"/api/runs/{world.run}/files/{name}").content
        (tmp_path / name).write_bytes(content)
    assert unround.load(tmp_path).lam == 4.0


@pytest.mark.parametrize(
    "name", ["same.csv", "secret", "..%2funround.db", "run.json%00", "RUN.JSON"]
)
def test_only_a_runs_own_files_are_there(world: World, name: str):
    assert world.chair.get(f"/api/runs/{world.run}/files/{name}").status_code == 404


def test_the_whole_tables_hold_decisions_tags_and_notes(world: World):
    chair, paper = world.chair, sorted(world.sample.owner)[3]
    marks = f"/api/conferences/{world.conference}/papers"
    chair.made(f"{marks}/decisions", {"papers": [paper], "decision": "=Accept"}, 200)
    chair.made(f"{marks}/tags", {"papers": [paper], "add": ["b", "a"]}, 200)
    assert chair.put(f"{marks}/note", json={"paper": paper, "note": "-1+1"}).status_code == 200
    answer = chair.get(f"/api/runs/{world.run}/tables/papers.csv")
    assert answer.content.startswith(b"\xef\xbb\xbf")
    assert "Conference-of-the-tests_first-run_20" in answer.headers["content-disposition"]
    table = pl.read_csv(answer.content)
    assert table["place"].is_sorted()
    row = table.row(by_predicate=pl.col("paper") == paper, named=True)
    assert (row["decision"], row["tags"], row["note"]) == ("'=Accept", "a b", "'-1+1")
    book = io.BytesIO(chair.get(f"/api/runs/{world.run}/tables/run.xlsx").content)
    sheets = pl.read_excel(book, sheet_id=0)
    assert set(sheets) == {"Papers", "Reviews"}
    shown = sheets["Papers"].row(by_predicate=pl.col("paper") == paper, named=True)
    assert (shown["decision"], shown["note"]) == ("=Accept", "-1+1")  # text, never a formula
    reviews = pl.read_csv(chair.get(f"/api/runs/{world.run}/tables/reviews.csv").content)
    assert reviews.height == sheets["Reviews"].height == world.sample.reviews.height
    assert reviews["rank"].is_not_null().any()
    assert chair.get(f"/api/runs/{world.run}/tables/other.csv").status_code in (404, 422)
    chair.made(f"{marks}/decisions", {"papers": [paper], "decision": None}, 200)
    chair.made(f"{marks}/tags", {"papers": [paper], "remove": ["a", "b"]}, 200)
    chair.put(f"{marks}/note", json={"paper": paper, "note": "", "before": "-1+1"})


def test_every_download_of_a_run_has_a_name_of_its_own(world: World):
    listed = world.chair.get(f"/api/runs/{world.run}").json()["files"]
    tables = ("papers.csv", "reviews.csv", "run.xlsx")
    paths = [
        *(f"files/{name}" for name in listed),
        *(f"tables/{name}" for name in tables),
        "report.html",
        *(f"report.html?as={one}" for one in world.area_chairs.values()),
    ]
    answers = [world.chair.get(f"/api/runs/{world.run}/{path}") for path in paths]
    assert {answer.status_code for answer in answers} == {200}
    names = [answer.headers["content-disposition"] for answer in answers]
    assert len(set(names)) == len(paths), names


@pytest.mark.parametrize("line", [{"amount": 5}, {"amount": 30, "percent": True}], ids=str)
def test_papers_have_the_chance_for_the_chairs_line(world: World, line: dict[str, Any]):
    chair, run = world.chair, f"/api/runs/{world.run}"
    assert chair.patch(run, json={"line": line}).status_code == 200
    table = pl.read_csv(chair.get(f"{run}/tables/papers.csv").content)
    points = pl.read_csv(chair.get(f"{run}/files/places.csv").content)
    room = int(table.height * 0.3 + 0.5) if "percent" in line else 5
    for paper, chance in table.select("paper", "p_accept").rows():
        own = points.filter(within="all", paper=paper)
        expected = np.interp(room, own["place"], own["share"], left=0, right=1)
        assert chance == pytest.approx(expected, abs=INTERPOLATION), paper
    assert table["p_accept"].sum() == pytest.approx(room)  # as many as there is room for
    chair.patch(run, json={"line": None})


SYSTEMS = {
    "hotcrp": {"hotcrp": ("--tag", "new", "--per-review", "--include", "places")},
    "openreview": {
        "openreview": ("--invitation", "V/-/S"),
        "openreview-notes": ("--invitation", "V/-/S"),
    },
}
PARAMETERS = {"hotcrp": {"tag": "new", "per_review": True, "include": ["places"]}}


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["sqlite"], indirect=True)  # as any file of a run
@pytest.mark.parametrize("system", SYSTEMS)
def test_systems_get_what_the_command_line_writes(
    chair: Person, conference: str, tmp_path, system: str
):
    files = sorted((EXAMPLES / system).iterdir())
    _call("run", *files, "--lam", 4, "-o", tmp_path / "out")
    uploaded = chair.upload(conference, {one.name: one.read_bytes() for one in files})
    run = chair.run(conference, uploaded)
    assert run["status"] == "done", run
    for target, options in SYSTEMS[system].items():
        written = tmp_path / target
        _call("export", tmp_path / "out", "--to", target, *options, "-o", written)
        wanted = PARAMETERS.get(target, {"invitation": "V/-/S"})
        answer = chair.get(f"/api/runs/{run['id']}/export/{target}", params=wanted)
        assert answer.content == written.read_bytes()


@pytest.mark.parametrize(
    ("target", "words"),
    [
        ("hotcrp", "not a HotCRP paper"),
        ("openreview", "invitation"),
        ("openreview-notes", "invitation"),
    ],
)
def test_what_a_system_cannot_take_is_refused_in_words(world: World, target: str, words: str):
    answer = world.chair.get(f"/api/runs/{world.run}/export/{target}")
    assert answer.status_code == 422
    assert words in answer.json()["detail"]


def test_the_chairs_view_has_everything_and_is_packed_and_known_again(world: World):
    path = f"/api/runs/{world.run}/view"
    answer = world.chair.get(path)
    view = answer.json()
    assert set(view["papers"]["paper"]) == set(world.sample.owner)
    assert all(word in answer.text for word in world.sample.owner.values())
    assert mark("title", view["papers"]["paper"][0]) == view["papers"]["title"][0]
    assert view["conference"] == "Conference of the tests"
    assert view["name"] == "first run"
    assert view["run"]["issues"]
    assert [one["file"] for one in view["run"]["inputs"]] == ["reviews.csv", "rankings.csv"]
    assert answer.headers["content-encoding"] == "gzip"
    assert answer.headers["cache-control"] == "private, no-cache"
    plain = world.chair.get(path, headers={"Accept-Encoding": "identity"})
    assert "content-encoding" not in plain.headers
    assert plain.json() == view
    again = world.chair.get(path, headers={"If-None-Match": answer.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")


def test_the_report_is_a_page_of_its_own(world: World):
    answer = world.chair.get(f"/api/runs/{world.run}/report.html")
    assert answer.headers["content-disposition"].endswith('_report.html"')
    assert "window.drawn" in opened(answer.content).scripts[1]
    held = answer.text.split('id="view">')[1].split("</script>")[0]
    assert json.loads(held) == world.chair.get(f"/api/runs/{world.run}/view").json()


def test_without_a_built_page_the_report_says_so(world: World, monkeypatch, tmp_path):
    monkeypatch.setattr(
        world.console, "settings", replace(world.console.settings, front_end=tmp_path)
    )
    answer = world.chair.get(f"/api/runs/{world.run}/report.html")
    assert answer.status_code == 503
    assert "make web" in answer.json()["detail"]
    page = Person(world.console).get("/runs/1")
    assert page.status_code == 200
    assert "make web" in page.text
