"""Metrics for Prometheus and logs as JSON lines. Neither holds personal data.

A logged request is named by its route, such as /api/runs/{run}/view, never by ids, addresses or cookies. A
logged error is named by its type and the lines of code that led to it, never by its message, which may hold
names.
"""

from __future__ import annotations

import json
import logging
import sys
import traceback
from datetime import UTC, datetime
from typing import IO, Any

from prometheus_client import CollectorRegistry, Counter, Histogram, ProcessCollector

SECONDS = (0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0, 30.0, 100.0, 300.0)


class Metrics:
    """Counters and histograms of one server, in a registry of their own.

    >>> metrics = Metrics()
    >>> metrics.errors.labels("unround.console").inc()
    >>> metrics.registry.get_sample_value("unround_errors_total", {"logger": "unround.console"})
    1.0
    """

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        ProcessCollector(registry=self.registry)
        self.requests = self._counter(
            "unround_requests", "Requests answered.", "route", "method", "status"
        )
        self.request_seconds = self._histogram(
            "unround_request_seconds", "Time until a response was sent.", "route"
        )
        self.jobs_ended = self._counter(
            "unround_jobs_ended", "Checks and runs that ended.", "kind", "how"
        )
        self.job_wait = self._histogram(
            "unround_job_wait_seconds", "Time that checks and runs waited for a worker.", "kind"
        )
        self.job_seconds = self._histogram("unround_job_seconds", "Time that workers took.", "kind")
        self.errors = self._counter("unround_errors", "Errors in the log.", "logger")

    def _counter(self, name: str, text: str, *labels: str) -> Counter:
        return Counter(name, text, labels, registry=self.registry)

    def _histogram(self, name: str, text: str, *labels: str) -> Histogram:
        return Histogram(name, text, labels, buckets=SECONDS, registry=self.registry)


REQUESTS = "unround.requests"
OURS = ("unround.console", REQUESTS, "uvicorn.error")


class JsonLines(logging.Formatter):
    """Formats a record as one line of JSON."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line."""
        moment = datetime.fromtimestamp(record.created, UTC)
        line: dict[str, Any] = {
            "time": moment.isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
        }
        fields = getattr(record, "fields", None)
        line |= fields if fields is not None else {"message": record.getMessage()}
        if record.exc_info and record.exc_info[1] is not None:
            line |= _error_fields(record.exc_info[1])
        return json.dumps(line, ensure_ascii=False)


def _error_fields(error: BaseException) -> dict[str, Any]:
    frames = traceback.extract_tb(error.__traceback__)
    stack = [f"{frame.filename.rsplit('/', 1)[-1]}:{frame.lineno} {frame.name}" for frame in frames]
    return {"error": type(error).__name__, "stack": stack}


def count_errors(metrics: Metrics) -> None:
    """Count the errors that the server logs from now on, by a filter that every record passes."""

    def count(record: logging.LogRecord) -> bool:
        if record.levelno >= logging.ERROR:
            metrics.errors.labels(record.name).inc()
        return True

    for name in OURS:
        logging.getLogger(name).addFilter(count)


def log_json_lines(stream: IO[str] | None = None) -> None:
    """Write the server's logs, one line per request included, as JSON lines from now on."""
    handler = logging.StreamHandler(stream or sys.stderr)
    handler.setFormatter(JsonLines())
    for name in OURS:
        logger = logging.getLogger(name)
        logger.handlers, logger.propagate = [handler], False
        logger.setLevel(logging.INFO if name == REQUESTS else logging.WARNING)
