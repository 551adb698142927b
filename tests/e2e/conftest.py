"""A real server and a real Chromium. Any error in the browser's console fails the test."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, expect

ROOT = Path(__file__).parents[2]
AXE = ROOT / "web/node_modules/axe-core/axe.min.js"
QUIET = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
LINK = re.compile(rb"http://127\.0\.0\.1:\d+/enter#[\w-]+")

expect.set_options(timeout=20_000)


@dataclass(frozen=True)
class Server:
    """A running console."""

    process: subprocess.Popen[bytes]
    link: str  # the chair's

    @property
    def url(self) -> str:
        return self.link.partition("/enter")[0]


def serve(data: Path, *options: str) -> Server:
    """Start the console on a free port and read the chair's link off its output."""
    process = subprocess.Popen(
        [sys.executable, "-m", "unround", "serve", "--port", "0", "--data", str(data), *options],
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
    )
    assert process.stdout is not None
    for line in process.stdout:
        if found := LINK.search(line):
            return Server(process, found.group().decode())
    raise AssertionError(f"the server ended with {process.wait()} before it gave a link")


def stop(server: Server, with_signal: int = signal.SIGTERM) -> None:
    server.process.send_signal(with_signal)
    server.process.wait(timeout=30)
    assert server.process.stdout is not None
    server.process.stdout.close()


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """An empty console."""
    running = serve(tmp_path_factory.mktemp("data"))
    yield running
    stop(running)


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """The console on its demo conference."""
    running = serve(tmp_path_factory.mktemp("data"), "--demo")
    yield running
    stop(running)


@pytest.fixture(scope="session")
def browser_type_launch_args() -> dict[str, Any]:
    """The system's Chromium, or Playwright's own where there is none."""
    chromium = shutil.which("chromium")
    return {"args": QUIET} | ({"executable_path": chromium} if chromium else {})


@pytest.fixture
def watched(browser: Browser) -> Iterator[Callable[..., BrowserContext]]:
    """Makes browser contexts whose every console error and uncaught error fails the test."""
    contexts: list[BrowserContext] = []
    errors: list[str] = []

    def heard(message: ConsoleMessage) -> None:
        if message.type == "error":
            errors.append(f"{message.text} ({message.location.get('url', '')})")

    def make(*, allow: str | None = None, **options: Any) -> BrowserContext:
        options.setdefault("viewport", {"width": 1440, "height": 900})
        context = browser.new_context(accept_downloads=True, **options)
        context.on("console", heard)
        context.on("weberror", lambda error: errors.append(str(error.error)))
        context.set_default_timeout(20_000)
        contexts.append(context)
        allowed.append(allow)
        return context

    allowed: list[str | None] = []
    yield make
    for context in contexts:
        context.close()
    patterns = [pattern for pattern in allowed if pattern]
    unexpected = [e for e in errors if not any(re.search(pattern, e) for pattern in patterns)]
    assert unexpected == []


@pytest.fixture
def chair(watched: Callable[..., BrowserContext], server: Server) -> Page:
    """The chair, signed in to the empty console."""
    return entered(watched().new_page(), server.link)


@pytest.fixture
def demo_chair(watched: Callable[..., BrowserContext], demo: Server) -> Page:
    """The chair, signed in to the demo."""
    return entered(watched().new_page(), demo.link)


def entered(page: Page, link: str) -> Page:
    """Open a link and wait until the first page is there."""
    page.goto(link)
    expect(page.get_by_role("button", name="Leave")).to_be_visible()
    return page


def accessible(page: Page) -> None:
    """No violation of WCAG A or AA that axe-core can find."""
    page.evaluate(AXE.read_text("utf-8"))
    found = page.evaluate(
        "axe.run(document, {runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa',"
        " 'best-practice']})"
    )
    assert [
        (violation["id"], [node["html"][:200] for node in violation["nodes"][:3]])
        for violation in found["violations"]
    ] == []


def simulated(folder: Path, form: str, **options: object) -> list[Path]:
    """A conference in the shape of a system's exports."""
    folder.mkdir(parents=True, exist_ok=True)
    given = [f"--{name.replace('_', '-')}={value}" for name, value in options.items()]
    target = folder / form
    subprocess.run(
        [sys.executable, "-m", "unround", "simulate", "--format", form, *given, "-o", str(target)],
        check=True,
        capture_output=True,
    )
    return sorted(path for path in target.rglob("*") if path.is_file())


def record_of(folder: Path) -> dict[str, Any]:
    """run.json of a folder."""
    record: dict[str, Any] = json.loads((folder / "run.json").read_text("utf-8"))
    return record
