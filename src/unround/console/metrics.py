"""Counts of what a server does, in the text form that Prometheus reads. No label names a person."""

from __future__ import annotations

import threading
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

SECONDS = (0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0, 30.0, 100.0, 300.0)
Labels = tuple[tuple[str, str], ...]
HELP = {
    "unround_requests_total": "Requests that were answered, by route and status.",
    "unround_request_seconds": "Time until a response was sent.",
    "unround_jobs_ended_total": "Checks and runs that ended, by how.",
    "unround_job_wait_seconds": "Time that checks and runs waited for a worker.",
    "unround_job_seconds": "Time that workers took.",
    "unround_errors_total": "Errors that were logged.",
}


@dataclass
class _Histogram:
    buckets: list[int] = field(default_factory=lambda: [0] * (len(SECONDS) + 1))
    total: float = 0.0


class Metrics:
    """Counters and histograms, safe for threads.

    >>> metrics = Metrics()
    >>> metrics.count("unround_errors_total", kind="x")
    >>> print(metrics.text().splitlines()[-1])
    unround_errors_total{kind="x"} 1
    """

    def __init__(self) -> None:
        self._guard = threading.Lock()
        self._counters: dict[str, dict[Labels, int]] = defaultdict(lambda: defaultdict(int))
        self._histograms: dict[str, dict[Labels, _Histogram]] = defaultdict(
            lambda: defaultdict(_Histogram)
        )

    def count(self, name: str, **labels: str) -> None:
        """Add one to a counter."""
        with self._guard:
            self._counters[name][tuple(labels.items())] += 1

    def time(self, name: str, seconds: float, **labels: str) -> None:
        """Add a time to a histogram."""
        with self._guard:
            histogram = self._histograms[name][tuple(labels.items())]
            histogram.buckets[bisect_left(SECONDS, seconds)] += 1
            histogram.total += seconds

    def text(self, gauges: Mapping[str, Mapping[Labels, float]] | None = None) -> str:
        """Return everything as text, with values that were looked up just now."""
        lines: list[str] = []
        with self._guard:
            for name, values in self._counters.items():
                lines += _block(name, "counter", values)
            for name, histograms in self._histograms.items():
                lines += _header(name, "histogram")
                for labels, histogram in histograms.items():
                    lines += _histogram_lines(name, labels, histogram)
        for name, gauge in (gauges or {}).items():
            lines += _block(name, "counter" if name.endswith("_total") else "gauge", gauge)
        return "\n".join(lines) + "\n"


def _header(name: str, kind: str) -> list[str]:
    told = [f"# HELP {name} {HELP[name]}"] if name in HELP else []
    return [*told, f"# TYPE {name} {kind}"]


def _block(name: str, kind: str, values: Mapping[Labels, float]) -> list[str]:
    lines = (f"{name}{_labels(labels)} {value:.15g}" for labels, value in values.items())
    return [*_header(name, kind), *lines]


def _histogram_lines(name: str, labels: Labels, histogram: _Histogram) -> Iterator[str]:
    below = 0
    for limit, count in zip((*map(str, SECONDS), "+Inf"), histogram.buckets, strict=True):
        below += count
        yield f"{name}_bucket{_labels((*labels, ('le', limit)))} {below}"
    yield f"{name}_sum{_labels(labels)} {histogram.total:.6f}"
    yield f"{name}_count{_labels(labels)} {below}"


def _labels(labels: Iterable[tuple[str, str]]) -> str:
    pairs = ",".join(f'{name}="{_escaped(value)}"' for name, value in labels)
    return f"{{{pairs}}}" if pairs else ""


def _escaped(value: str) -> str:
    return value.replace("\\", r"\\").replace('"', r"\"").replace("\n", r"\n")
