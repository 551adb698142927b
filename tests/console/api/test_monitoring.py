"""Health, readiness, metrics and logs: what a monitor sees, and that it sees no person."""

from __future__ import annotations

import io
import json
import logging
from urllib.request import urlopen

import pytest
from prometheus_client.parser import text_string_to_metric_families

from tests.console.conftest import World
from unround.console.api import monitoring
from unround.console.api.monitoring import serve_metrics
from unround.console.api.routes import runs
from unround.console.telemetry import OURS, Metrics, count_errors, log_json_lines


def test_a_monitor_needs_no_link_and_no_name_and_learns_what_is_missing(world: World, monkeypatch):
    """Room on the disk, and the database."""
    for path in monitoring.PATHS:
        answer = world.nobody().get(path, headers={"Host": "10.1.2.3"})
        assert answer.status_code == 200
    assert answer.json() == {"ready": True, "missing": {}}

    def broken():
        raise OSError(24, "too many")

    monkeypatch.setattr(monitoring, "LEAST_FREE", 1 << 60)
    monkeypatch.setattr(world.console.database, "reading", broken)
    answer = world.nobody().get("/readyz")
    assert answer.status_code == 503
    missing = answer.json()["missing"]
    assert set(missing) == {"disk", "database"}
    assert "too many files open" in missing["database"]
    assert world.nobody().get("/healthz").status_code == 200


def test_metrics_are_at_an_address_of_their_own(world: World):
    route = {"route": "/api/runs/{run}/view"}
    answered = route | {"method": "GET", "status": "200"}
    before = world.console.metrics.registry.get_sample_value("unround_requests_total", answered)
    world.chair.get(f"/api/runs/{world.run}/view")
    world.chair.get("/api/nothing")
    world.chair.get("/conferences/1")
    assert world.chair.get("/metrics").text == world.chair.get("/").text  # a page like any other
    with serve_metrics(world.console, "127.0.0.1", 0) as port:
        text = urlopen(f"http://127.0.0.1:{port}/metrics").read().decode()
    found = {
        (sample.name, frozenset(sample.labels.items())): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }
    assert found["unround_requests_total", frozenset(answered.items())] == (before or 0) + 1
    timed = frozenset((route | {"le": "+Inf"}).items())
    assert found["unround_request_seconds_bucket", timed] >= 1
    assert found["unround_database_up", frozenset()] == 1
    assert {
        "unround_info", "unround_views_kept", "unround_disk_free_bytes", "process_open_fds",
        "process_max_fds", "process_resident_memory_bytes", "process_cpu_seconds_total",
    } <= {name for name, _ in found}  # fmt: skip
    assert world.run not in text
    assert world.conference not in text


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


def test_logs_name_routes_and_no_person(world: World, lines, monkeypatch):
    metrics = Metrics()
    count_errors(metrics)
    world.chair.get(f"/api/runs/{world.run}/view?sort=Ada")

    def broken(*_: object) -> None:
        raise RuntimeError("Ada Quarrywood wrote this")

    monkeypatch.setattr(runs, "_run", broken)
    assert world.chair.get(f"/api/runs/{world.run}").status_code == 500
    told = [json.loads(line) for line in lines.getvalue().splitlines()]
    requests = [line for line in told if "route" in line]
    assert [line["status"] for line in requests] == ["200", "500"]
    assert requests[0]["route"] == "/api/runs/{run}/view"
    assert requests[0]["ms"] >= 0
    (error,) = [line for line in told if "error" in line]
    assert error["error"] == "RuntimeError"
    assert any("test_monitoring.py" in frame for frame in error["stack"])
    whole = lines.getvalue()
    assert not any(word in whole for word in ("Ada", "Quarrywood", "testclient", "127.0.0.1"))
    counted = metrics.registry.get_sample_value(
        "unround_errors_total", {"logger": "unround.console"}
    )
    assert counted == 1
