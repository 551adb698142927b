"""A real server, conferences to give it, and axe-core to look at its pages."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Page, expect

ROOT = Path(__file__).parents[2]
AXE = ROOT / "web/node_modules/axe-core/axe.min.js"
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
    violations = [
        (violation["id"], [node["html"][:200] for node in violation["nodes"][:3]])
        for violation in found["violations"]
    ]
    assert not violations, violations


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
