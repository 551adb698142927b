"""A running HotCRP, by its recorded answers: fetched, computed, pushed, and every way in which it can fail.

`python -m tests.formats.systems.running hotcrp+http://127.0.0.1:PORT` fetches, pushes and fetches again on a
site that runs.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import polars as pl
import pytest
from click.testing import Result

from tests.formats.given_files import written
from tests.formats.systems.hotcrp.test_hotcrp_golden import CHAIR, GOLDEN, in_database, read, scores
from tests.formats.systems.live_site import Answer, Asked, LiveSite, call, live_site
from unround.errors import UsageError
from unround.formats.live import live_address
from unround.runs.inputs import InputFiles

TOKEN = "hct_secret"


def recorded(name: str) -> Answer:
    return Answer((GOLDEN / name).read_bytes())


def message(text: str, status: int) -> Answer:
    body = {"ok": False, "message_list": [{"status": 2, "message": f"<0>{text}"}]}
    return Answer(json.dumps(body).encode(), status)


def hotcrp(asked: Asked) -> Answer:
    """Answer as HotCRP 3.4 does."""
    if asked.authorization != f"Bearer {TOKEN}":
        return message("Unauthorized", 401)
    action = asked.query.get("action", "")
    if asked.path.startswith("/conf/api/assign"):
        rows = [line.split(",") for line in asked.body.decode().splitlines()[1:]]
        made = [
            {"pid": int(row[0]), "action": row[1], "tag": f"{row[2]}#{row[3]}"}
            for row in rows
            if row[1] != "cleartag"
        ]
        made.append({"pid": 3, "action": "cleartag", "tag": "~~dq_old"})
        return Answer(json.dumps({"ok": True, "valid": True, "assignments": made}).encode())
    return {
        "/conf/api/whoami": recorded("whoami.json"),
        "/conf/api/settings": recorded("settings.json"),
        "/conf/api/taganno": Answer(b'{"ok": true}'),
        "/conf/api/searchaction": recorded(
            "rqc-all.json" if action == "get/jsonrqc" else "ranks-all.csv"
        ),
    }.get(asked.path) or message("Not Found", 404)


@pytest.fixture
def site(monkeypatch: pytest.MonkeyPatch) -> Iterator[LiveSite]:
    monkeypatch.setenv("HOTCRP_TOKEN", TOKEN)
    with live_site(hotcrp) as running:
        yield running


def run(site: LiveSite, folder: Path) -> Result:
    return call("run", f"hotcrp+{site.url}", "--lam", 1, "-o", folder / "out")


def test_what_is_fetched_is_what_the_database_holds(site: LiveSite):
    imported = InputFiles([Path(f"hotcrp+{site.url}/")]).read()
    assert scores(imported) == in_database()
    by_files = read("rqc-all.json", rankings="ranks-all.csv", options=CHAIR)
    assert imported.rankings[0].equals(by_files.rankings[0])
    assert imported.scale == by_files.scale
    assert {asked.authorization for asked in site.requests} == {f"Bearer {TOKEN}"}
    assert {asked.method for asked in site.requests} == {"GET"}


def test_a_run_is_the_one_by_files_and_keeps_no_token(site: LiveSite, tmp_path: Path):
    live = run(site, tmp_path)
    assert live.exit_code == 0, live.output
    assert "3 reviews of 1 withdrawn paper (5) left out" in " ".join(live.output.split())
    files = call(
        *("run", GOLDEN / "rqc-all.json", "--rankings", GOLDEN / "ranks-all.csv"),
        *("--ranker", "chair@example.org", "--lam", 1, "-o", tmp_path / "files"),
    )
    assert files.exit_code == 0, files.output
    results = [(tmp_path / name / "scores.csv").read_bytes() for name in ("out", "files")]
    assert results[0] == results[1]
    for path in (tmp_path / "out").iterdir():
        assert TOKEN.encode() not in path.read_bytes()


def test_rankings_that_are_given_take_the_place_of_ranks(site: LiveSite, tmp_path: Path):
    ranks = "reviewer,paper,rank\naiko@one.example,3,1\naiko@one.example,7,2\n"
    given = written(tmp_path, "rankings.csv", ranks)
    imported = InputFiles([Path(f"hotcrp+{site.url}")], [given]).read()
    assert [table.height for table in imported.rankings] == [2]
    assert any("ranks were not fetched" in note for note in imported.notes)


def test_a_push_is_shown_before_it_is_made_and_a_refusal_is_said(site: LiveSite, tmp_path: Path):
    assert run(site, tmp_path).exit_code == 0
    export = "export", tmp_path / "out", "--to", "hotcrp", "--post", f"hotcrp+{site.url}"
    site.requests.clear()
    shown = call(*export, "--dry-run")
    assert "would change: 45 tags set, 1 tag removed; papers 1, 2, 3, 4, 6" in shown.output
    posts = [asked for asked in site.requests if asked.method == "POST"]
    assert [asked.query.get("dry_run") for asked in posts] == ["1"]
    pushed = call(*export)
    assert pushed.exit_code == 0, pushed.output
    assert "changed: 45 tags set" in pushed.output
    posts = [asked for asked in site.requests if asked.method == "POST"]
    assert [asked.query.get("dry_run") for asked in posts] == ["1", "1", None]
    mean = pl.read_csv(tmp_path / "out" / "papers.csv").row(0, named=True)["dequantized_mean"]
    assert f"1,tag,~~dq_mean,{round(mean, 4)}\n".encode() in posts[-1].body
    refusal = message("Action requires scope tag:write", 403)
    site.answer = lambda asked: refusal if asked.path.endswith("assign") else hotcrp(asked)
    ended = call(*export)
    assert ended.exit_code == 1
    needed = "a chair's token with the scopes read and tag"
    assert f"Action requires scope tag:write; {needed}" in ended.output


FAULTS = {
    "no right to the settings": (
        *("settings", message("Method not permitted by scope", 401)),
        "the token is refused: Method not permitted by scope; a chair's token",
    ),
    "no right to tags": (
        *("taganno", message("Permission error", 403)),
        "it answers 403: Permission error; a chair's token with the scope read",
    ),
    "not a chair": (
        *("whoami", Answer(b'{"email": "ann@example.org", "roles": ["pc"]}')),
        "the token belongs to ann@example.org, who is not a chair",
    ),
    "no roles": (
        *("whoami", Answer(b'{"email": null, "roles": null}')),
        "the token belongs to nobody, who is not a chair",
    ),
    "no reviews": (
        *("searchaction", Answer(b'{"papers": [{"pid": 1}]}')),
        "no review is to be seen: a chair's token with the scope read is needed",
    ),
    "half an answer": (
        *("searchaction", replace(recorded("rqc-all.json"), missing=9)),
        "bytes; try again",
    ),
    "another system": (
        *("searchaction", Answer(b'{"papers": {"1": []}}')),
        "the answer has no list of papers; is it another system?",
    ),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_what_goes_wrong_is_said_and_nothing_is_written(fault: str, site: LiveSite, tmp_path: Path):
    name, answer, words = FAULTS[fault]
    site.answer = lambda asked: answer if asked.path.endswith(name) else hotcrp(asked)
    ended = run(site, tmp_path)
    assert ended.exit_code == 1, ended.output
    assert words in " ".join(ended.output.split())
    assert not (tmp_path / "out").exists()


@pytest.mark.usefixtures("site")
def test_a_silent_host(tmp_path: Path):
    closed = call("run", "hotcrp+http://127.0.0.1:9/conf", "-o", tmp_path / "out")
    assert closed.exit_code == 1
    assert "127.0.0.1:9: cannot be reached" in closed.output


def test_the_token_is_in_the_environment_or_in_a_file(
    site: LiveSite, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("HOTCRP_TOKEN", "other")
    assert "the token is refused: Unauthorized" in run(site, tmp_path).output
    monkeypatch.delenv("HOTCRP_TOKEN")
    missing = run(site, tmp_path)
    assert missing.exit_code == 2
    assert "set the environment variable HOTCRP_TOKEN" in missing.output
    monkeypatch.setenv("HOTCRP_TOKEN_FILE", str(written(tmp_path, "token", f"{TOKEN}\n")))
    assert run(site, tmp_path).exit_code == 0


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("hotcrp+http://example.org/conf", "unprotected: use https"),
        ("hotcrp+https://token@example.org/conf", "HOTCRP_TOKEN"),
        ("hotcrp+https://example.org/conf?token=1", "HOTCRP_TOKEN"),
        ("other+https://example.org/conf", "no such system"),
        ("hotcrp+https://[example.org/conf", "names no host"),
    ],
)
def test_addresses_that_are_refused(text: str, words: str):
    with pytest.raises(UsageError, match=words):
        live_address(Path(text))


def test_files_are_no_addresses():
    for name in ("reviews.csv", "hotcrp", "/data/hotcrp+https://x", "a+b.csv"):
        assert live_address(Path(name)) is None
