"""Chairs fetch from running systems and send to them (recorded answers); other hosts are not contacted."""

from __future__ import annotations

import json
import logging
import subprocess
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tests.console.conftest import Person, owner_of
from tests.formats.systems.hotcrp.test_hotcrp_live import TOKEN, hotcrp
from tests.formats.systems.live_site import Answer, LiveSite, live_site
from tests.formats.systems.pretalx.test_pretalx import TOKEN as PRETALX_TOKEN
from tests.formats.systems.pretalx.test_pretalx import Pretalx
from unround.console.server import open_console
from unround.console.settings import ConsoleSettings


@pytest.fixture(scope="module")
def site() -> Iterator[LiveSite]:
    with live_site(hotcrp) as running:
        yield running


@pytest.fixture(scope="module")
def owner(new_settings: Callable[..., ConsoleSettings], site: LiveSite) -> Iterator[Person]:
    """The owner of a server that may contact the site, and no other host."""
    host = site.url.split("/")[2]
    with open_console(new_settings(system_hosts=frozenset({host}))) as console:
        yield owner_of(console)


@pytest.fixture(autouse=True)
def no_token_of_the_server(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOTCRP_TOKEN", "of-the-server")


def wanted(site: LiveSite, **changes: Any) -> dict[str, Any]:
    return {"system": "hotcrp", "url": site.url, "token": TOKEN, **changes}


def fetch(person: Person, conference: str, body: dict[str, Any]) -> Any:
    return person.post(f"/api/conferences/{conference}/fetch", json=body)


def refusal(answer: Any, status: int) -> str:
    assert answer.status_code == status, answer.text
    return answer.json()["detail"]


@pytest.mark.slow
def test_fetched_files_are_run_and_results_sent(owner: Person, site: LiveSite, caplog):
    conference = owner.new_conference()
    with caplog.at_level(logging.DEBUG):
        fetched = fetch(owner, conference, wanted(site))
    assert fetched.status_code == 201, fetched.text
    names = [file["name"] for file in fetched.json()["files"]]
    assert [name.rsplit("-", 1)[1] for name in names] == ["reviews.json", "ranks.csv"]
    assert fetched.json()["earlier"] == []
    again = fetch(owner, conference, wanted(site, token=f" {TOKEN}\n")).json()
    assert again["earlier"] == fetched.json()["files"]
    files = [file["id"] for file in again["files"]]
    check = owner.check(conference, files)
    assert any("3 reviews of 1 withdrawn paper (5) left out" in note for note in check["notes"])
    run = owner.run(conference, files, method={"conflicts": "scores"})
    assert run["status"] == "done", json.dumps(run)

    send = f"/api/runs/{run['id']}/send"
    site.requests.clear()
    shown = owner.made(send, wanted(site, dry_run=True), 200)
    assert "would change: 45 tags set, 1 tag removed" in shown["changes"][0]
    posts = [asked for asked in site.requests if asked.method == "POST"]
    assert [asked.query.get("dry_run") for asked in posts] == ["1"]
    file = owner.get(f"/api/runs/{run['id']}/export/hotcrp").content
    assert posts[0].body == file
    sent = owner.made(send, wanted(site, dry_run=False), 200)
    assert "changed: 45 tags set" in sent["changes"][0]
    posts = [asked for asked in site.requests if asked.method == "POST"]
    assert [asked.query.get("dry_run") for asked in posts] == ["1", "1", None]
    assert {asked.authorization for asked in site.requests} == {f"Bearer {TOKEN}"}

    log = json.dumps(owner.get(f"/api/conferences/{conference}/log").json())
    assert "fetched from HotCRP" in log
    assert "sent results to HotCRP" in log
    assert TOKEN not in log + caplog.text
    # In a process of its own: closing SQLite's file here would end the locks of this one.
    search = ["grep", "--recursive", "--files-with-matches", TOKEN, owner.console.settings.data]
    assert subprocess.run(search, capture_output=True, text=True).stdout == ""


@pytest.mark.slow
def test_pretalx_is_fetched_from_and_would_be_sent_to(
    owner: Person, site: LiveSite, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(site, "answer", Pretalx())
    conference, reading = owner.new_conference(), {"score_fields": ["Quality"]}
    address = {"system": "pretalx", "url": site.url.replace("/conf", "/gold")}
    body = wanted(site, **address, token=PRETALX_TOKEN)
    files = [file["id"] for file in fetch(owner, conference, body).json()["files"]]
    run = owner.run(conference, files, reading=reading)
    assert run["status"] == "done", json.dumps(run)
    unseen = "3 reviews of the account's own sessions cannot be seen"
    notes = owner.get(f"/api/runs/{run['id']}/files/run.json").json()["notes"]
    assert any(unseen in note for note in notes)
    shown = owner.made(f"/api/runs/{run['id']}/send", body, 200)
    assert "would change: 6 scores set" in shown["changes"][0]
    assert not site.answer.fields


@pytest.mark.parametrize(
    ("url", "status", "words"),
    [
        ("https://conf.example.org/c", 403, "unround serve --system-host conf.example.org"),
        ("http://127.0.0.1:9/conf", 403, "may not contact 127.0.0.1:9"),
        ("http://127.0.0.1/conf", 403, "may not contact 127.0.0.1"),
        ("http://169.254.169.254/latest", 422, "unprotected"),
        ("http://conf.example.org/c", 422, "unprotected"),
        ("file:///etc/passwd", 422, "must begin with https://"),
        ("conf.example.org", 422, "must begin with https://"),
        ("https://user@conf.example.org/c", 422, "a host and a conference alone"),
        ("https://{listed}.example.org/c", 403, "may not contact {listed}.example.org"),
        ("https://example.org/{listed}", 403, "may not contact example.org"),
        ("http://{listed}0/c", 403, "may not contact {listed}0"),
    ],
)
def test_other_hosts_are_not_contacted(owner: Person, site: LiveSite, url, status, words):
    """Those that look like the one that is listed, too."""
    conference, before = owner.new_conference(), len(site.requests)
    listed = site.url.split("/")[2]
    answer = fetch(owner, conference, wanted(site, url=url.format(listed=listed)))
    assert words.format(listed=listed) in refusal(answer, status)
    assert len(site.requests) == before


def test_a_redirect_is_not_followed_and_nothing_is_kept(owner: Person, site: LiveSite):
    conference = owner.new_conference()
    earlier = site.answer
    site.answer = lambda _: Answer(b"", 302, (("Location", "http://127.0.0.1:9/"),))
    try:
        words = refusal(fetch(owner, conference, wanted(site)), 422)
    finally:
        site.answer = earlier
    assert "it sends us on to http://127.0.0.1:9/" in words
    assert owner.get(f"/api/conferences/{conference}").json()["files"] == []


@pytest.mark.parametrize("token", ["wrong", "two words", "a\r\nX-Other: 1"])
def test_a_wrong_token_is_refused_and_not_repeated(owner: Person, site: LiveSite, token: str):
    words = refusal(fetch(owner, owner.new_conference(), wanted(site, token=token)), 422)
    assert "token" in words
    assert token not in words


def test_the_page_knows_which_hosts_are_allowed(owner: Person, site: LiveSite, world):
    shown = owner.get(f"/api/conferences/{owner.new_conference()}").json()
    assert shown["system_hosts"] == [site.url.split("/")[2]]
    assert world.chair.get(f"/api/conferences/{world.conference}").json()["system_hosts"] == []
    other = refusal(fetch(world.chair, world.conference, wanted(site)), 403)
    assert "Its administrator can allow it" in other
