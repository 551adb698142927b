"""A real server and a real Chromium. Any error in the browser's console fails the test."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page

from tests.console.client import Visitor
from tests.console.hosting import UnroundServer
from tests.e2e.browsing import Watched, entered

QUIET = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


@pytest.fixture(scope="session")
def plain_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[UnroundServer]:
    """A console: one for all tests of this process, each of which makes a conference of its own."""
    with UnroundServer(tmp_path_factory.mktemp("data")) as running:
        yield running


@pytest.fixture(scope="session")
def demo_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[UnroundServer]:
    """A console with the demo's conference, which tests leave as they find it."""
    with UnroundServer(tmp_path_factory.mktemp("demo"), "--demo") as running:
        yield running


@pytest.fixture
def server(request: pytest.FixtureRequest) -> UnroundServer:
    """The console with the demo for tests that are marked so."""
    has_demo = request.node.get_closest_marker("demo") is not None
    return request.getfixturevalue("demo_server" if has_demo else "plain_server")


@pytest.fixture(scope="session")
def visitor(plain_server: UnroundServer) -> Iterator[Visitor]:
    """The chair without a browser: makes what tests look at."""
    with Visitor(plain_server.url) as chair:
        yield chair.enter(plain_server.link)


@pytest.fixture(scope="session")
def browser_type_launch_args() -> dict[str, Any]:
    """The system's Chromium, or Playwright's own where there is none."""
    chromium = shutil.which("chromium")
    return {"args": QUIET} | ({"executable_path": chromium} if chromium else {})


@pytest.fixture
def watched(browser: Browser) -> Iterator[Watched]:
    """Makes browser contexts whose every console error and uncaught error fails the test."""
    contexts: list[BrowserContext] = []
    errors: list[str] = []

    def heard(message: ConsoleMessage) -> None:
        if message.type == "error":
            errors.append(f"{message.text} ({message.location.get('url', '')})")

    def make(*, allow: str | None = None, **options: Any) -> BrowserContext:
        options.setdefault("viewport", {"width": 1440, "height": 900})
        options.setdefault("reduced_motion", "reduce")  # colours that fade would be between two
        context = browser.new_context(accept_downloads=True, **options)
        context.on("console", heard)
        context.on("weberror", lambda error: errors.append(str(error.error)))
        context.set_default_timeout(120_000)
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
def chair(watched: Watched, server: UnroundServer) -> Page:
    """The chair, signed in."""
    return entered(watched().new_page(), server.link)
