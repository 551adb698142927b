"""Checks and runs in the background: asked for, followed, refused, cancelled."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator

import polars as pl
import pytest

from tests.console.conftest import PATIENCE, Person, World, owner_of
from unround.console.context import Console
from unround.console.jobs import supervisor
from unround.console.server import open_console

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


def test_a_check_says_what_was_read_and_what_is_wrong(world: World):
    check = world.chair.check(world.conference, world.files)
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


@once
def test_its_problems_are_the_command_lines_table_in_the_pages_words(world: World, tmp_path):
    from click.testing import CliRunner

    from unround.cli.group import commands

    check = world.chair.check(world.conference, world.files)
    for _, (name, content) in world.sample.files:
        (tmp_path / name).write_bytes(content)
    arguments = ["check", "reviews.csv", "--rankings", "rankings.csv", "--output", "issues.csv"]
    paths = [str(tmp_path / one) if one.endswith(".csv") else one for one in arguments]
    CliRunner().invoke(commands, paths)
    answer = world.chair.get(f"/api/checks/{check['id']}/issues.csv")
    page, command = (
        pl.read_csv(table) for table in (answer.content, (tmp_path / "issues.csv").read_bytes())
    )
    assert page.drop("suggestion").equals(command.drop("suggestion"))
    assert page["suggestion"].str.contains("“Trust the scores”").all()
    assert command["suggestion"].str.contains("--conflicts scores").all()


@once
def test_contradictions_are_told_per_reviewer_with_a_table_for_a_mail_merge(world: World):
    """Two reviewers of the sample rank against their own scores, from best to worst."""
    check = world.chair.check(world.conference, world.files)
    refused = world.chair.run(world.conference, world.files, name="refused")
    settled = world.chair.run(
        world.conference, world.files, name="settled", method={"conflicts": "scores"}
    )
    told = check["contradictions"]
    assert told == refused["contradictions"]
    assert told["reviewers"] == len(told["lines"]) == 2
    assert told["contradictions"] == len(check["issues"])
    assert told["fewest_changes"] == sum(line["fewest_changes"] for line in told["lines"])
    paths = (f"checks/{check['id']}", f"runs/{refused['id']}", f"runs/{settled['id']}")
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
    check = world.chair.check(
        world.conference, world.files, method={"conflicts": "rankings", "scale": "1,2,3,4,5,6,7,8,9,10"}
    )  # fmt: skip
    assert check["ready"] is True
    assert check["scale"]["levels"] == list(range(1, 11))
    assert check["scale"]["origin"].startswith("as stated")
    assert all(issue["action"] for issue in check["issues"])


@once
def test_files_that_cannot_be_read_are_refused_in_words(world: World, conference: str):
    (odd,) = world.chair.upload(conference, [("files", ("odd.csv", b"who,what\nann,7\n"))])
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
    files = world.chair.upload(conference, [("files", ("t.csv", table.write_csv().encode()))])
    reading = {"columns": {"reviewer": "wer", "paper": "was", "score": "wieviel"}}
    run = world.chair.run(conference, files, reading=reading)
    assert run["status"] == "done", run["reason"]


def test_a_run_that_is_refused_lists_its_problems(world: World):
    run = world.chair.run(world.conference, world.files, name="to be refused")
    assert run["status"] == "refused"
    assert run["issue_counts"][0]["kind"] == "contradiction"
    assert run["reason"] == f"{run['issue_counts'][0]['count']} issues in the input"
    for path in ("view", "report.html", "files/run.json"):
        assert world.chair.get(f"/api/runs/{run['id']}/{path}").status_code == 409
    assert world.chair.patch(f"/api/runs/{run['id']}", json={"shared": True}).status_code == 409


def test_a_run_tells_its_settings_and_inputs(world: World):
    run = world.chair.get(f"/api/runs/{world.run}").json()
    assert run["method"]["conflicts"] == "scores"
    assert run["lam"] == "4"
    assert [one["name"] for one in run["inputs"]] == ["reviews.csv", "rankings.csv"]
    assert run["progress"] == {
        "status": "done", "stage": None, "done": 0, "total": 0, "reason": None,
    }  # fmt: skip


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


def test_a_followed_run_tells_its_stages_and_its_end(world: World):
    wanted = {
        "files": world.files, "name": "followed", "lam": "auto", "method": {"conflicts": "scores"},
    }  # fmt: skip
    started = world.chair.made(f"/api/conferences/{world.conference}/runs", wanted, 202)
    assert started["status"] == "queued"
    seen = [started["progress"]]
    while seen[-1]["status"] in ("queued", "running"):
        seen.append(world.chair.get(f"/api/runs/{started['id']}").json()["progress"])
    assert seen[-1]["status"] == "done"
    assert {one["stage"] for one in seen} >= {"reading", "solving"}


def test_ids_stay_what_they_were(world: World, conference: str):
    """Numbers as ids and letters as scores come back as such from the files."""
    table = pl.DataFrame(
        {"reviewer": [3, 3, 20, 20], "paper": [9, 10, 9, 10], "score": ["A", "B", "B", "C"]}
    )
    files = world.chair.upload(conference, [("files", ("t.csv", table.write_csv().encode()))])
    run = world.chair.run(conference, files, method={"scale": "C,B,A"})
    view = world.chair.get(f"/api/runs/{run['id']}/view").json()
    assert view["papers"]["paper"] == [9, 10]
    assert view["reviewers"] == ["3", "20"]
    assert view["scale"]["symbols"] == ["C", "B", "A"]
    world.chair.assign(conference, b"area_chair,paper\nAnn,10\n")
    world.chair.patch(f"/api/runs/{run['id']}", json={"shared": True})
    ann = world.first_area_chair(conference)
    theirs = ann.get(f"/api/runs/{run['id']}/view").json()
    assert theirs["papers"]["paper"] == [10]
    assert sorted(theirs["reviews"]["score"]) == view["scale"]["levels"][:2]


@pytest.fixture
def endless(new_settings) -> Iterator[tuple[Console, Person, str, list[str]]]:
    """A console whose workers never end."""
    with open_console(new_settings(), worker=ENDLESS) as console:
        chair = owner_of(console)
        conference = chair.new_conference()
        yield console, chair, conference, chair.upload(conference, [("files", ("a.csv", b"x"))])


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


def test_a_conference_has_one_check_at_a_time(endless):
    console, chair, conference, files = endless
    first, second = _check(chair, conference, files), _check(chair, conference, files)
    assert console.supervisor.wait(first, PATIENCE)
    ended = chair.get(f"/api/checks/{first}").json()
    assert (ended["status"], "Another check" in ended["reason"]) == ("cancelled", True)
    assert chair.get(f"/api/checks/{second}").json()["status"] in ("queued", "running")
    assert chair.post(f"/api/checks/{second}/cancel").json()["status"] == "cancelled"
    assert console.supervisor.wait(second, PATIENCE)
    assert chair.post(f"/api/checks/{second}/cancel").json()["status"] == "cancelled"


def test_a_check_that_takes_too_long_is_stopped(endless, monkeypatch):
    console, chair, conference, files = endless
    monkeypatch.setitem(supervisor.LONGEST, "check", 0.2)
    check = _check(chair, conference, files)
    assert console.supervisor.wait(check, PATIENCE)
    ended = chair.get(f"/api/checks/{check}").json()
    assert (ended["status"], "was stopped after" in ended["reason"]) == ("failed", True)


def test_a_run_cancelled_while_its_worker_starts_is_stopped(endless, monkeypatch):
    console, chair, conference, files = endless
    start_process = subprocess.Popen

    def cancelled_meanwhile(*arguments, **options):
        for run in list(console.supervisor._jobs):
            assert console.supervisor.cancel("run", run)
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
    from unround.console.jobs import queue

    monkeypatch.setattr(queue, "MOST_WAITING", 2)
    _, chair, conference, files = endless
    for _ in range(2):
        chair.start(conference, files)
    wanted = {"files": files, "name": "one too many"}
    answer = chair.post(f"/api/conferences/{conference}/runs", json=wanted)
    assert answer.status_code == 409
