"""Checks and runs in the background: asked for, followed, refused, cancelled."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import polars as pl
import pytest
from click.testing import CliRunner

from tests.console.conftest import PATIENCE, Person, World, owner_of
from unround.cli.group import commands
from unround.console.context import Console
from unround.console.jobs import queue
from unround.console.jobs.kinds import JOBS
from unround.console.schemas.runs import NewRun
from unround.console.server import open_console
from unround.console.storage.orm import RunRow, new_id, now
from unround.wording import STAGES

# What workers read does not depend on the database.
once = pytest.mark.parametrize("kind", ["sqlite"], indirect=True)
# A worker that has begun and will not end by itself.
ENDLESS = (
    sys.executable,
    "-c",
    "import sys, json; sys.stdin.readline();"
    "print(json.dumps({'stage': 'solving', 'done': 1, 'total': 2}), flush=True);"
    "sys.stdin.read()",
)


@pytest.fixture(scope="module")
def check(world: World) -> dict[str, Any]:
    """A check of the sample: two reviewers rank against their own scores, from best to worst."""
    return world.chair.check(world.conference, world.files)


@pytest.fixture(scope="module")
def refused(world: World) -> dict[str, Any]:
    """A run of the same files, which is refused."""
    return world.chair.run(world.conference, world.files, name="refused")


def test_a_check_says_what_was_read_and_what_is_wrong(world: World, check: dict[str, Any]):
    assert check["status"] == "done"
    assert check["recognised"][0] == "reviews.csv: table (reviewer, paper, score)"
    assert check["counts"]["papers"] == 18
    scores = world.sample.reviews["score"]
    levels = list(range(scores.min(), scores.max() + 1))
    assert check["scale"] == {
        "text": f"{levels[0]}..{levels[-1]}",
        "levels": levels,
        "origin": "inferred from the scores: consecutive integers",
    }
    assert {preview["table"] for preview in check["previews"]} == {"reviews", "rankings", "papers"}
    assert [one["name"] for one in check["columns"]] == ["reviews.csv", "rankings.csv"]
    assert check["columns"][1]["columns"] == ["reviewer", "paper", "rank"]
    (kind,) = check["issue_counts"]
    assert kind["kind"] == "contradiction"
    assert kind["count"] == len(check["issues"])
    assert "“Trust the scores”" in kind["advice"]
    assert "reviews.csv, line" in check["issues"][0]["where"][0]
    assert check["ready"] is False


def test_its_problems_are_the_command_lines_table_in_the_pages_words(
    world: World, check: dict[str, Any], tmp_path, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    for name, content in world.sample.files.items():
        (tmp_path / name).write_bytes(content)
    words = "check reviews.csv --rankings rankings.csv --output issues.csv"
    CliRunner().invoke(commands, words.split())
    answer = world.chair.get(f"/api/checks/{check['id']}/issues.csv")
    page, command = pl.read_csv(answer.content), pl.read_csv(tmp_path / "issues.csv")
    assert page.drop("suggestion").equals(command.drop("suggestion"))
    assert page["suggestion"].str.contains("“Trust the scores”").all()
    assert command["suggestion"].str.contains("--conflicts scores").all()


def test_contradictions_are_listed_per_reviewer_with_a_table_for_a_mail_merge(
    world: World, check: dict[str, Any], refused: dict[str, Any]
):
    told = check["contradictions"]
    assert told == refused["contradictions"]
    assert told["reviewers"] == len(told["lines"]) == 2
    assert told["contradictions"] == len(check["issues"])
    assert told["fewest_changes"] == sum(line["fewest_changes"] for line in told["lines"])
    paths = (f"checks/{check['id']}", f"runs/{refused['id']}", f"runs/{world.run}")
    files = [world.chair.get(f"/api/{path}/contradictions.csv") for path in paths]
    assert len({file.content for file in files}) == 1
    assert "contradictions.csv" in files[0].headers["content-disposition"]
    table = pl.read_csv(files[0].content)
    assert table["reviewer"].to_list() == [line["reviewer"] for line in told["lines"]]
    assert table["email"].to_list() == table["reviewer"].to_list()  # ids are addresses there
    assert set(table["reviewer_name"]) <= set(world.sample.reviews["reviewer_name"])
    assert all(text.startswith("Your ranking puts ") for text in table["sentence"])


@once
def test_a_policy_makes_it_ready(world: World):
    """And jobs are counted, with the time that they waited."""
    jobs, kind = world.console.metrics.registry.get_sample_value, {"kind": "check"}
    counts = (
        ("unround_jobs_ended_total", kind | {"how": "done"}),
        ("unround_job_wait_seconds_count", kind),
    )
    before = [jobs(*count) or 0 for count in counts]
    check = world.chair.check(
        world.conference, world.files, method={"conflicts": "rankings", "scale": "1,2,3,4,5,6,7,8,9,10"}
    )  # fmt: skip
    assert check["ready"] is True
    assert check["scale"]["levels"] == list(range(1, 11))
    assert check["scale"]["origin"].startswith("as stated")
    assert all(issue["action"] for issue in check["issues"])
    assert [jobs(*count) for count in counts] == [one + 1 for one in before]


@once
def test_files_that_cannot_be_read_are_refused_in_words(world: World, conference: str):
    (odd,) = world.chair.upload(conference, {"odd.csv": b"who,what\nann,7\n"})
    check = world.chair.check(conference, [odd])
    assert check["status"] == "refused"
    assert check["reason"].startswith(
        "odd.csv is a table, but its columns 'who', 'what' are not understood"
    )
    assert check["columns"] == [{"file": odd, "name": "odd.csv", "columns": ["who", "what"]}]
    assert world.chair.get(f"/api/checks/{check['id']}/issues.csv").status_code == 404
    run = world.chair.run(conference, [odd])
    assert (run["status"], run["reason"]) == ("refused", check["reason"])
    assert check["contradictions"] == run["contradictions"]
    assert check["contradictions"]["lines"] == []
    for path in (f"checks/{check['id']}", f"runs/{run['id']}"):
        assert world.chair.get(f"/api/{path}/contradictions.csv").status_code == 404


@once
def test_columns_can_be_mapped_by_hand(world: World, conference: str):
    table = world.sample.reviews.select(wer="reviewer", was="paper", wieviel="score")
    files = world.chair.upload(conference, {"t.csv": table.write_csv().encode()})
    reading = {"columns": {"reviewer": "wer", "paper": "was", "score": "wieviel"}}
    check = world.chair.check(conference, files, reading=reading)
    assert check["status"] == "done", check["reason"]
    assert check["counts"]["reviews"] == table.height


def test_a_run_that_is_refused_lists_its_problems(world: World, refused: dict[str, Any]):
    assert refused["status"] == "refused"
    assert refused["issue_counts"][0]["kind"] == "contradiction"
    assert refused["reason"] == f"{refused['issue_counts'][0]['count']} issues in the input"
    run = f"/api/runs/{refused['id']}"
    for path in ("view", "report.html", "files/run.json"):
        assert world.chair.get(f"{run}/{path}").status_code == 409
    assert world.chair.patch(run, json={"shared": True}).status_code == 409


@pytest.mark.parametrize(
    ("change", "word"),
    [
        ({"lam": "0"}, "“λ”"),
        ({"lam": "nan"}, "“λ”"),
        ({"lam": "much"}, "much"),
        ({"method": {"scale": "5,3,4"}}, "levels"),
        ({"method": {"epsilon": -1}}, "epsilon"),
        ({"method": {"conflicts": "ignore"}}, "conflicts"),
        ({"files": ["0" * 32]}, "files"),
        ({"files": []}, "files"),
        ({"name": " "}, "name"),
    ],
)
def test_what_cannot_be_run_is_refused_at_once(world: World, change, word):
    wanted = {"files": world.files, "name": "x", **change}
    answer = world.chair.post(f"/api/conferences/{world.conference}/runs", json=wanted)
    assert answer.status_code == 422, answer.text
    assert word in answer.json()["detail"]


def test_a_followed_run_has_its_settings_stages_and_end(world: World):
    method = {"conflicts": "scores"}
    id = world.chair.start(world.conference, world.files, lam="auto", method=method)
    stages, run = set(), {"status": "queued"}
    while run["status"] in ("queued", "running"):
        run = world.chair.get(f"/api/runs/{id}").json()
        stages.add(run["progress"]["stage"])
    # Which of them a question meets is chance, on a busy machine the more so.
    assert {None} < stages <= {None, *STAGES}
    ended = {"stage": None, "done": 0, "total": 0, "reason": None}
    assert run["progress"] == {"status": "done", **ended}
    assert (run["lam"], run["method"]["conflicts"]) == ("auto", "scores")
    assert [one["name"] for one in run["inputs"]] == ["reviews.csv", "rankings.csv"]


@once
def test_a_run_of_a_file_that_is_deleted_before_it_begins_fails(world: World, conference: str):
    files = world.chair.upload(conference, world.sample.files)
    request = NewRun(files=[*files, new_id()], name="x", method={"conflicts": "scores"})
    row = {"id": new_id(), "conference": conference, "name": "x", "inputs": []}
    row |= {"status": "queued", "created": now(), "request": request.model_dump(mode="json")}
    with world.console.database.writing() as session:
        session.add(RunRow(**row))
    world.console.supervisor.submit("run", row["id"])
    assert world.console.supervisor.wait(row["id"], PATIENCE)
    run = world.chair.get(f"/api/runs/{row['id']}").json()
    assert (run["status"], "not there any more" in run["reason"]) == ("failed", True)


@once
def test_ids_stay_what_they_were(world: World, conference: str):
    """Numbers as ids and letters as scores come back as such from the files."""
    table = pl.DataFrame(
        {"reviewer": [3, 3, 20, 20], "paper": [9, 10, 9, 10], "score": ["A", "B", "B", "C"]}
    )
    files = world.chair.upload(conference, {"t.csv": table.write_csv().encode()})
    run = world.chair.run(conference, files, method={"scale": "C,B,A"})
    view = world.chair.get(f"/api/runs/{run['id']}/view").json()
    assert view["papers"]["paper"] == [9, 10]
    assert view["reviewers"] == ["3", "20"]
    assert view["scale"]["symbols"] == ["C", "B", "A"]
    world.chair.assign(conference, b"area_chair,paper\nAnn,10\n")
    world.chair.patch(f"/api/runs/{run['id']}", json={"shared": True})
    (ann,) = world.chair.made(f"/api/conferences/{conference}/links/all", {})
    theirs = world.nobody().enter(ann["url"]).get(f"/api/runs/{run['id']}/view").json()
    assert theirs["papers"]["paper"] == [10]
    assert sorted(theirs["reviews"]["score"]) == view["scale"]["levels"][:2]


@pytest.fixture(scope="module")
def endless_console(new_settings) -> Iterator[tuple[Console, Person]]:
    """A console whose workers never end."""
    with open_console(new_settings(), worker=ENDLESS) as console:
        yield console, owner_of(console)


@pytest.fixture
def endless(endless_console) -> Iterator[tuple[Console, Person, str, list[str]]]:
    """A conference there; its jobs end with it."""
    console, chair = endless_console
    conference = chair.new_conference()
    yield console, chair, conference, chair.upload(conference, {"a.csv": b"x"})
    chair.delete(f"/api/conferences/{conference}")


def test_runs_can_be_cancelled_running_or_waiting(endless):
    console, chair, conference, files = endless
    runs = [chair.start(conference, files) for _ in range(4)]  # two wait for the others
    used = chair.delete(f"/api/conferences/{conference}/files/{files[0]}")
    assert used.status_code == 409
    for run in runs:
        assert chair.post(f"/api/runs/{run}/cancel").json()["status"] == "cancelled"
    for run in runs:
        assert console.supervisor.wait(run, PATIENCE)
        assert chair.get(f"/api/runs/{run}").json()["status"] == "cancelled"
        assert chair.post(f"/api/runs/{run}/cancel").json()["status"] == "cancelled"
        assert chair.get(f"/api/runs/{run}/view").status_code == 409
    assert chair.delete(f"/api/conferences/{conference}/files/{files[0]}").status_code == 204


def _check(chair: Person, conference: str, files: list[str]) -> str:
    return chair.made(f"/api/conferences/{conference}/checks", {"files": files}, 202)["id"]


def test_a_person_has_one_check_of_a_conference_at_a_time(endless):
    console, chair, conference, files = endless
    another = chair.made(f"/api/conferences/{conference}/links", {"label": "Dana"})
    theirs = _check(Person(console).enter(another["url"]), conference, files)
    first, second = _check(chair, conference, files), _check(chair, conference, files)
    assert console.supervisor.wait(first, PATIENCE)
    ended = chair.get(f"/api/checks/{first}").json()
    assert (ended["status"], "You started another check" in ended["reason"]) == ("cancelled", True)
    for going_on in (second, theirs):
        assert chair.get(f"/api/checks/{going_on}").json()["status"] in ("queued", "running")
    assert chair.post(f"/api/checks/{second}/cancel").json()["status"] == "cancelled"
    assert console.supervisor.wait(second, PATIENCE)
    assert chair.post(f"/api/checks/{second}/cancel").json()["status"] == "cancelled"


def test_a_check_that_takes_too_long_is_stopped(endless, monkeypatch):
    console, chair, conference, files = endless
    monkeypatch.setitem(JOBS, "check", replace(JOBS["check"], longest=0.2))
    check = _check(chair, conference, files)
    assert console.supervisor.wait(check, PATIENCE)
    ended = chair.get(f"/api/checks/{check}").json()
    assert (ended["status"], "was stopped after" in ended["reason"]) == ("failed", True)


def test_a_run_cancelled_while_its_worker_starts_is_stopped(endless, monkeypatch):
    console, chair, conference, files = endless
    start_process = subprocess.Popen

    def cancelled_meanwhile(*arguments, **options):
        for run in list(console.supervisor._jobs):
            assert console.supervisor.cancel(run)
        return start_process(*arguments, **options)

    monkeypatch.setattr(subprocess, "Popen", cancelled_meanwhile)
    run = chair.start(conference, files)
    assert console.supervisor.wait(run, PATIENCE)  # the worker would never end by itself
    assert chair.get(f"/api/runs/{run}").json()["status"] == "cancelled"


def test_a_conference_goes_with_its_running_jobs(endless):
    console, chair, conference, files = endless
    run = chair.start(conference, files)
    assert chair.delete(f"/api/conferences/{conference}").status_code == 204
    assert console.supervisor.wait(run, PATIENCE)
    assert chair.get(f"/api/runs/{run}").status_code == 404


def test_no_more_jobs_than_can_wait(endless, monkeypatch):
    monkeypatch.setattr(queue, "MOST_WAITING", 2)
    _, chair, conference, files = endless
    for _ in range(2):
        chair.start(conference, files)
    wanted = {"files": files, "name": "one too many"}
    answer = chair.post(f"/api/conferences/{conference}/runs", json=wanted)
    assert answer.status_code == 409
