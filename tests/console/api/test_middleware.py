"""Headers, foreign pages, foreign names, and bodies without measure."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest
from sqlalchemy.exc import DBAPIError

from tests.console.conftest import Person, World
from unround.console.api.middleware import Guard, RequestMetrics, known_hosts
from unround.console.api.routes import conferences
from unround.console.settings import ConsoleSettings

PAGES = ["/", "/conferences/1", "/runs/x/papers?sort=mean", "/enter", "/assets/index-1a2b.js"]


def _answers(world: World) -> list[Any]:
    chair, nobody = world.chair, world.nobody()
    return [
        chair.get("/api/me"),
        chair.get("/api/nothing"),
        chair.post("/api/conferences", json={}),
        chair.get(f"/api/runs/{world.run}/view"),
        chair.get(f"/api/runs/{world.run}/report.html"),
        nobody.get("/api/me"),
        nobody.post("/api/me", headers={"X-Unround": "0"}),
        nobody.get("/", headers={"Host": "elsewhere.example"}),
        *(nobody.get(path) for path in PAGES),
    ]


def test_every_answer_says_what_a_browser_may_do(world: World):
    for answer in _answers(world):
        policy = answer.headers["content-security-policy"]
        assert policy.startswith("default-src 'self';")
        assert "unsafe" not in policy
        assert "frame-ancestors 'none'" in policy
        assert "http" not in policy
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["referrer-policy"] == "no-referrer"
        assert answer.headers["cross-origin-opener-policy"] == "same-origin"
        assert answer.headers["cross-origin-resource-policy"] == "same-origin"
        assert "access-control-allow-origin" not in answer.headers


def test_what_the_api_says_is_not_kept(world: World):
    for path in ("/api/me", "/api/conferences", f"/api/runs/{world.run}/report.html"):
        assert world.chair.get(path).headers["cache-control"] == "no-store"


def test_assets_are_files_and_last(world: World):
    answer = world.nobody().get(PAGES[-1])
    assert answer.text == "export {};"
    assert answer.headers["content-type"].startswith("text/javascript")
    assert "immutable" in answer.headers["cache-control"]
    assert world.nobody().get("/assets/of-another-build.js").status_code == 404


OUTSIDE = ["/../../conftest.py", "/..%2f..%2funround.db", "/assets/../../report/report.js", "//etc"]


@pytest.mark.parametrize("path", [*PAGES[:-1], *OUTSIDE])
def test_every_address_that_is_no_file_is_the_front_page(world: World, path: str):
    answer = world.nobody().get(path)
    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith("text/html")
    assert answer.text == (world.console.settings.front_end / "console/index.html").read_text()


@pytest.mark.parametrize(
    ("headers", "own"),
    [
        ({}, True),
        ({"Origin": "http://127.0.0.1:8351", "Sec-Fetch-Site": "same-origin"}, True),
        ({"Sec-Fetch-Site": "none"}, True),
        ({"X-Unround": ""}, False),
        ({"X-Unround": "0"}, False),
        ({"Origin": "https://evil.example"}, False),
        ({"Origin": "null"}, False),
        ({"Origin": "http://127.0.0.1:1"}, False),
        ({"Sec-Fetch-Site": "cross-site"}, False),
        ({"Sec-Fetch-Site": "same-site"}, False),
    ],
)
def test_only_our_own_pages_change_anything(
    chair: Person, conference: str, headers: dict[str, str], own: bool
):
    path, status = f"/api/conferences/{conference}", 200 if own else 403
    answer = chair.patch(path, json={"name": "Changed"}, headers=headers)
    assert (answer.status_code, "own pages" in answer.text) == (status, not own)
    assert (chair.get(path).json()["name"] == "Changed") is own
    for method in () if own else ("POST", "PUT", "DELETE"):
        assert chair.request(method, path, headers=headers).status_code == 403


def test_the_names_that_a_console_goes_by(tmp_path):
    inside = ConsoleSettings(
        data=tmp_path, host="0.0.0.0", public_url="https://Un.example.org:8443/"
    )
    assert known_hosts(inside, lambda: "Box") == {
        "localhost", "127.0.0.1", "::1", "0.0.0.0", "box", "un.example.org",
    }  # fmt: skip
    assert inside.is_secure
    assert ConsoleSettings(data=tmp_path, host="::", port=9).url == "http://127.0.0.1:9"
    assert ConsoleSettings(data=tmp_path, host="fe80::1", port=9).url == "http://[fe80::1]:9"


def _sent(
    app: Any, *headers: tuple[str, str], messages: Iterable[Any] = (), **scope: object
) -> list[Any]:
    """What an application answers to a request that comes message by message, and then not on."""
    sent, waiting = list[Any](), iter(messages)

    async def receive() -> Any:
        for message in waiting:
            return message
        await asyncio.Event().wait()

    async def send(message: Any) -> None:
        sent.append(message)

    request = {"type": "http", "method": "GET", "path": "/", "query_string": b"", **scope}
    request["headers"] = [(name.encode(), value.encode()) for name, value in headers]
    # In a thread: in this one, the tests in a browser have left a loop that runs.
    with ThreadPoolExecutor(1) as thread:
        thread.submit(asyncio.run, app(request, receive, send)).result()
    return sent


async def _no_content(_scope: Any, _receive: Any, send: Any) -> None:
    await send({"type": "http.response.start", "status": 204, "headers": []})


def _guarded(settings: ConsoleSettings, method: str, *headers: tuple[str, str]) -> Any:
    """The status and headers of what a guard lets through."""
    guard = Guard(_no_content, SimpleNamespace(settings=settings))  # type: ignore[arg-type]
    first, *_ = _sent(guard, *headers, method=method)
    return first["status"], dict(first["headers"])


@pytest.mark.parametrize(
    ("hosts", "status"),
    [
        (["localhost:8351"], 204),
        (["127.0.0.1"], 204),
        (["[::1]:8351"], 204),
        (["LOCALHOST"], 204),
        (["evil.example"], 421),
        (["127.0.0.1.evil.example:8351"], 421),
        ([""], 421),
        (["["], 421),
        (["localhost", "evil.example"], 400),
    ],
)
def test_only_known_names_are_answered_and_one_at_a_time(tmp_path, hosts, status):
    headers = [("host", host) for host in hosts]
    assert _guarded(ConsoleSettings(data=tmp_path), "GET", *headers)[0] == status


def test_an_https_address_is_the_only_origin_and_stays_https(tmp_path):
    secure = ConsoleSettings(data=tmp_path, public_url="https://un.example.org")
    plain = ConsoleSettings(data=tmp_path)
    strict = b"strict-transport-security"
    assert b"max-age=" in _guarded(secure, "GET", ("host", "un.example.org"))[1][strict]
    assert strict not in _guarded(plain, "GET", ("host", "localhost"))[1]
    own = (("host", "un.example.org"), ("x-unround", "1"))
    for origin, status in (
        ("https://un.example.org", 204),
        ("http://un.example.org", 403),
        ("https://localhost", 403),
    ):
        assert _guarded(secure, "POST", *own, ("origin", origin))[0] == status
    local = (("host", "localhost"), ("x-unround", "1"), ("origin", "http://localhost"))
    assert (_guarded(secure, "POST", *local)[0], _guarded(plain, "POST", *local)[0]) == (403, 204)


@pytest.mark.parametrize("path", [*PAGES, "/api/me", "/api/nothing", "/api/conferences"])
def test_head_is_get_without_the_body(world: World, path: str):
    for person in (world.chair, world.nobody()):
        get, head = person.get(path), person.head(path)
        assert head.status_code == get.status_code
        assert head.content == b""
        assert dict(head.headers) == dict(get.headers)


# --- limits -------------------------------------------------------------------------------------


@pytest.fixture
def strict(world: World, monkeypatch: pytest.MonkeyPatch) -> Person:
    """The chair, at a console with little room."""
    narrow = replace(world.console.settings, most_upload=20_000, most_body=500)
    monkeypatch.setattr(world.console, "settings", narrow)
    return world.chair


def test_uploads_have_a_size_limit(strict: Person, world: World):
    before = set(world.console.settings.uploads.iterdir())
    path = f"/api/conferences/{world.conference}/files"
    name = {"name": "a.csv"}
    told = strict.post(path, params=name, content=b"x" * 30_000)
    pieces = (b"x" * 1000 for _ in range(40))  # without a length to go by
    streamed = strict.post(path, params=name, content=pieces)
    for answer in (told, streamed):
        assert answer.status_code == 413
        assert answer.json()["detail"] == "That is too large: at most 0.02 MB are taken."
    assert set(world.console.settings.uploads.iterdir()) == before


@pytest.mark.parametrize(("method", "path"), [("POST", "/api/conferences"), ("PUT", "/api/ballot")])
def test_other_bodies_have_a_size_limit(strict: Person, method: str, path: str):
    body = json.dumps({"name": "x" * 1000})
    parts = (part.encode() for part in (body[:300], body[300:600], body[600:]))
    kind = {"Content-Type": "application/json"}
    for content in (body, parts):
        assert strict.request(method, path, content=content, headers=kind).status_code == 413


def test_an_upload_that_breaks_off_leaves_nothing_behind(world: World):
    settings = world.console.settings
    before = set(settings.uploads.iterdir())
    half = {"type": "http.request", "body": b"half", "more_body": True}
    sent = _sent(
        world.app,
        ("host", "127.0.0.1"),
        ("x-unround", "1"),
        ("cookie", f"{settings.cookie}={world.chair.cookies[settings.cookie]}"),
        messages=[half, {"type": "http.disconnect"}],
        method="POST",
        path=f"/api/conferences/{world.conference}/files",
        query_string=b"name=half.csv",
    )
    assert sent[0]["status"] == 400
    assert b"broken off" in sent[1]["body"]
    assert set(settings.uploads.iterdir()) == before
    assert "half.csv" not in world.chair.get(f"/api/conferences/{world.conference}").text


# --- when something breaks ----------------------------------------------------------------------


def test_a_bug_is_a_plain_sentence_and_logged_without_secrets(world: World, monkeypatch, caplog):
    def broken(*_: Any) -> None:
        raise RuntimeError("inner workings")

    monkeypatch.setattr(conferences, "visible_conferences", broken)
    with caplog.at_level(logging.ERROR, "unround.console"):
        answer = world.chair.get("/api/conferences")
    assert answer.status_code == 500
    assert answer.json()["detail"].startswith("Something went wrong on the server")
    assert "inner workings" not in answer.text
    assert "GET /api/conferences failed" in caplog.text
    assert world.chair.cookies[world.console.settings.cookie] not in caplog.text
    assert answer.headers["content-security-policy"]


def test_errors_of_the_database_do_not_tell_values(world: World):
    with world.console.database.engine.connect() as connection:
        with pytest.raises(DBAPIError) as problem:
            connection.exec_driver_sql("SELECT * FROM nowhere")
        assert problem.value.hide_parameters


@pytest.mark.parametrize("scope_type", ["lifespan", "websocket"])
def test_the_layers_pass_on_what_is_no_request(world: World, scope_type: str):
    seen = []

    async def inner(scope: Any, _receive: Any, _send: Any) -> None:
        seen.append(scope["type"])

    _sent(RequestMetrics(Guard(inner, world.console), world.console.metrics), type=scope_type)
    assert seen == [scope_type]


def test_an_exception_within_a_response_is_logged(world: World, caplog):
    async def inner(scope: Any, receive: Any, send: Any) -> None:
        await _no_content(scope, receive, send)
        raise RuntimeError("half way")

    sent = _sent(Guard(inner, world.console), ("host", "127.0.0.1"), path="/page")
    assert [message["type"] for message in sent] == ["http.response.start"]
    assert "GET /page failed" in caplog.text
