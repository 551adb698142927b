"""A real server, conferences to give it, and axe-core to look at its pages."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

import httpx2
from click.testing import CliRunner
from playwright.sync_api import BrowserContext, Page, expect

from unround.cli.group import commands

ROOT = Path(__file__).parents[2]
AXE = ROOT / "web/node_modules/axe-core/axe.min.js"
STANDARDS = ("wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice")
OF_COLOURS = ("color-contrast", "link-in-text-block")
LINK = re.compile(rb"http://127\.0\.0\.1:\d+/enter#[\w-]+")

# Makes browser contexts in which every error fails the test: the fixture `watched`.
Watched = Callable[..., BrowserContext]
PATIENCE = 240.0  # seconds for a job on a busy machine

expect.set_options(timeout=120_000)


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
    server.process.wait(PATIENCE)
    assert server.process.stdout is not None
    server.process.stdout.close()


def entered(page: Page, link: str) -> Page:
    """Open a link and wait until the first page is there."""
    page.goto(link)
    expect(page.get_by_role("button", name="Account")).to_be_visible()
    return page


def accessible(page: Page, rules: Sequence[str] = ()) -> None:
    """No violation of WCAG A or AA that axe-core can find, or of some of its rules."""
    if page.evaluate("typeof axe") == "undefined":
        page.evaluate(AXE.read_text("utf-8"))
    wanted = {"type": "rule", "values": rules} if rules else {"type": "tag", "values": STANDARDS}
    found = page.evaluate(
        "(runOnly) => axe.run(document, {runOnly, resultTypes: ['violations']})"
        ".then((found) => found.violations)",
        wanted,
    )
    violations = [
        (violation["id"], [node["html"][:200] for node in violation["nodes"][:3]])
        for violation in found
    ]
    assert not violations, (page.url, violations)


def accessible_in_light_and_dark(page: Page) -> None:
    """Nothing that axe-core can find in the light scheme, and no bad colour in the dark one.

    Only the style sheet knows of schemes: what is not about colours is the same in both.
    """
    for scheme, rules in (("light", ()), ("dark", OF_COLOURS)):
        page.emulate_media(color_scheme=scheme)
        ground = page.evaluate("getComputedStyle(document.body).backgroundColor")
        assert (int(ground.split("(")[1].split(",")[0]) < 60) == (scheme == "dark"), scheme
        accessible(page, rules)


def unround(*words: object) -> str:
    """Call a command, which must succeed; return what it printed."""
    done = CliRunner().invoke(commands, list(map(str, words)))
    assert done.exit_code == 0, done.output
    return done.stdout


def simulated(folder: Path, **options: object) -> list[Path]:
    """Write the tables of a synthetic conference: rankings.csv and reviews.csv."""
    given = [f"--{name.replace('_', '-')}={value}" for name, value in options.items()]
    unround("simulate", *given, "-o", folder / "tables")
    return sorted((folder / "tables").iterdir())


class ChairClient(httpx2.Client):
    """The chair without a browser: makes what tests look at."""

    def __init__(self, server: Server) -> None:
        headers = {"X-Unround": "1"}
        super().__init__(base_url=f"{server.url}/api/", headers=headers, timeout=PATIENCE)
        self._secret = server.link.partition("#")[2]

    def __enter__(self) -> Self:
        super().__enter__()
        self.ask("enter", {"secret": self._secret})
        return self

    def ask(self, path: str, body: Any = None, method: str = "POST", **more: Any) -> Any:
        answer = self.request(method, path, json=body, **more).raise_for_status()
        return answer.json() if answer.content else None

    def new_conference(self, name: str, files: Sequence[Path]) -> tuple[str, list[str]]:
        """Make a conference with files; return the ids of all."""
        conference = self.ask("conferences", {"name": name})["id"]
        address = f"conferences/{conference}/files"
        contents = [{"params": {"name": one.name}, "content": one.read_bytes()} for one in files]
        return conference, [self.ask(address, **content)["id"] for content in contents]

    def finished(self, run: str) -> dict[str, Any]:
        """Wait for a run to be done."""
        deadline = time.monotonic() + PATIENCE
        while (known := self.ask(f"runs/{run}", method="GET"))["status"] != "done":
            assert time.monotonic() < deadline, known["status"]
            time.sleep(0.1)
        return dict(known)
