"""What a server counts and times for Prometheus. No label names a person."""

from __future__ import annotations

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
