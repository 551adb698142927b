"""Metrics at an address of their own, for Prometheus: not among what the public can reach."""

from __future__ import annotations

import os
import shutil
import sys
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from unround import __version__
from unround.console.api.health import database_error
from unround.console.context import Console
from unround.console.metrics import Labels

PATH = "/metrics"
TIMEOUT = 10.0  # seconds for a request to arrive
Gauges = dict[str, Mapping[Labels, float]]


@contextmanager
def serve_metrics(console: Console, host: str, port: int) -> Iterator[int]:
    """Serve the metrics while the block runs; yield the port. Raises OSError."""

    class Handler(_Handler):
        served = console

    server = ThreadingHTTPServer((host, port), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, name="metrics", daemon=True)
    thread.start()
    try:
        yield server.server_address[1]
    finally:
        server.shutdown()
        server.server_close()


class _Handler(BaseHTTPRequestHandler):
    served: Console
    timeout = TIMEOUT

    def do_GET(self) -> None:
        """Answer /metrics."""
        if self.path.partition("?")[0] != PATH:
            self.send_error(404)
            return
        body = self.served.metrics.text(gauges(self.served)).encode()
        self.send_response(200)
        self.send_header("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        """Log nothing."""


def gauges(console: Console) -> Gauges:
    """Return values that are looked up when they are asked for."""
    jobs: dict[Labels, float] = {
        (("kind", kind), ("status", status)): float(number)
        for (kind, status), number in console.supervisor.counts().items()
    }
    free = shutil.disk_usage(console.settings.data).free
    return {
        "unround_info": {(("version", __version__),): 1.0},
        "unround_jobs": jobs,
        "unround_views_kept": {(): float(len(console.views.kept_keys()))},
        "unround_database_up": {(): float(database_error(console) is None)},
        "unround_disk_free_bytes": {(): float(free)},
        **_process(),
    }


def _process() -> Gauges:
    """Return what this process uses, by the names that are usual in Prometheus."""
    values: Gauges = {"process_cpu_seconds_total": {(): time.process_time()}}
    if sys.platform != "linux":
        return values
    import resource

    pages = int(Path("/proc/self/statm").read_text("ascii").split()[1])
    return values | {
        "process_resident_memory_bytes": {(): float(pages * os.sysconf("SC_PAGE_SIZE"))},
        "process_open_fds": {(): float(len(os.listdir("/proc/self/fd")))},
        "process_max_fds": {(): float(resource.getrlimit(resource.RLIMIT_NOFILE)[0])},
    }
