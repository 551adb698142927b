"""Health, readiness, metrics and logs: what a monitor sees, and that it sees no person."""

from __future__ import annotations

import io
import json
import logging
import re
from urllib.request import urlopen

import pytest

from tests.console.conftest import Person, World
from unround.console import serializers
from unround.console.api import health
from unround.console.api.middleware import PIECE, in_pieces
from unround.console.api.scraping import serve_metrics
from unround.console.api.watching import Watched
from unround.console.logs import OURS, count_errors, log_json_lines
from unround.console.metrics import Metrics

LINE = re.compile(r'[a-z_]+(\{[a-z_]+="[^"]*"(,[a-z_]+="[^"]*")*\})? [-+.0-9eInf]+')


def test_a_monitor_needs_no_link_and_no_name(world: World):
    for path in health.PATHS:
        answer = world.nobody().get(path, headers={"Host": "10.1.2.3"})
        assert answer.status_code == 200
    assert answer.json() == {"ready": True, "missing": {}}


def test_what_is_missing_is_told(world: World, monkeypatch):
    monkeypatch.setattr(health, "LEAST_FREE", 1 << 60)
    monkeypatch.setattr(world.console.supervisor, "is_alive", lambda: False)
    answer = world.nobody().get("/readyz")
    assert answer.status_code == 503
    assert set(answer.json()["missing"]) == {"jobs", "disk"}
    assert world.nobody().get("/healthz").status_code == 200


def test_a_database_that_fails_is_told(world: World, monkeypatch):
    def broken():
        raise OSError(24, "too many")

    monkeypatch.setattr(world.console.database, "reading", broken)
    answer = world.nobody().get("/readyz")
    assert answer.status_code == 503
    assert "too many files open" in answer.json()["missing"]["database"]


@pytest.fixture
def watched(world: World) -> Person:
    world.console.metrics.__init__()
    person = Person(world.console, Watched(world.app, world.console.metrics))
    person.cookies = world.chair.cookies
    return person


def test_metrics_are_at_an_address_of_their_own(world: World, watched: Person):
    watched.get(f"/api/runs/{world.run}/view")
    watched.get("/api/nothing")
    watched.get("/conferences/1")
    assert watched.get("/metrics").text == watched.get("/").text  # a page like any other
    with serve_metrics(world.console, "127.0.0.1", 0) as port:
        text = urlopen(f"http://127.0.0.1:{port}/metrics").read().decode()
    for line in text.splitlines():
        assert line.startswith(("# HELP ", "# TYPE ")) or LINE.fullmatch(line), line
    route = 'route="/api/runs/{run}/view"'
    assert f'unround_requests_total{{{route},method="GET",status="200"}} 1' in text
    assert f'unround_request_seconds_bucket{{{route},le="+Inf"}} 1' in text
    assert "unround_database_up 1" in text
    assert "process_open_fds" in text
    assert world.run not in text
    assert world.conference not in text


def test_jobs_are_counted(world: World):
    world.console.metrics.__init__()
    world.chair.check(world.conference, world.files)
    text = world.console.metrics.text()
    assert 'unround_jobs_ended_total{kind="check",how="done"} 1' in text
    assert 'unround_job_wait_seconds_count{kind="check"} 1' in text


@pytest.fixture
def lines():
    """The log as JSON lines, and everything as it was afterwards."""
    loggers = [logging.getLogger(name) for name in OURS]
    before = [(one.handlers, one.propagate, one.level, list(one.filters)) for one in loggers]
    stream = io.StringIO()
    log_json_lines(stream)
    yield stream
    for one, (handlers, propagate, level, filters) in zip(loggers, before, strict=True):
        one.handlers, one.propagate, one.filters = handlers, propagate, filters
        one.setLevel(level)


def test_logs_name_routes_and_no_person(world: World, watched: Person, lines, monkeypatch):
    metrics = Metrics()
    count_errors(metrics)
    watched.get(f"/api/runs/{world.run}/view?sort=Ada")

    def broken(*_: object) -> None:
        raise RuntimeError("Ada Quarrywood wrote this")

    monkeypatch.setattr(serializers, "run_out", broken)
    assert watched.get(f"/api/runs/{world.run}").status_code == 500
    told = [json.loads(line) for line in lines.getvalue().splitlines()]
    requests = [line for line in told if "route" in line]
    assert [line["status"] for line in requests] == ["200", "500"]
    assert requests[0]["route"] == "/api/runs/{run}/view"
    assert requests[0]["ms"] >= 0
    (error,) = [line for line in told if "error" in line]
    assert error["error"] == "RuntimeError"
    assert any("test_watching.py" in frame for frame in error["stack"])
    whole = lines.getvalue()
    assert not any(word in whole for word in ("Ada", "Quarrywood", "testclient", "127.0.0.1"))
    assert 'unround_errors_total{logger="unround.console"} 1' in metrics.text()


def test_large_bodies_are_sent_in_pieces():
    body = bytes(range(256)) * 1000
    pieces = list(in_pieces({"type": "http.response.body", "body": body}))
    assert b"".join(piece["body"] for piece in pieces) == body
    assert max(len(piece["body"]) for piece in pieces) == PIECE
    assert [piece["more_body"] for piece in pieces] == [True] * (len(pieces) - 1) + [False]
