"""Take the pictures of the console for the documentation, of every page, light and dark.

    python docs/_tools/screenshots.py

Starts `unround serve --demo`, opens it in the system's Chromium (or Playwright's own) and writes
docs/_static/console/NAME-light.png and NAME-dark.png, with few colours so that they stay small.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from typing import Any

from PIL import Image
from playwright.sync_api import Browser, Page, expect, sync_playwright

TARGET = Path(__file__).parents[1] / "_static" / "console"
LINK = re.compile(r"http://127\.0\.0\.1:\d+/enter#[\w-]+")
SIZE = {"width": 1440, "height": 900}
COLOURS = 256
SHOWN_TO = "Chair 2"
ASKED = "Asked how sure"
CHANGES = {"X-Unround": "1"}
# Papers by their places, and what the chairs are to have decided on them.
DECISIONS = {"Accept": slice(0, 9), "Discuss": slice(12, 18), "Reject": slice(40, None)}
# Each page's name, its address, and something on it that is there last.
PAGES = {
    "conferences": ("/", ("link", "Sample conference")),
    "import": ("/c/{conference}?conflicts=scores", ("heading", "Issues")),
    "runs": ("/c/{conference}/runs", ("table", "Runs")),
    "compare": ("/c/{conference}/compare?runs={runs}", ("table", "Papers")),
    "access": ("/c/{conference}/access", ("table", "Log")),
    "papers": ("/r/{sure}?accept=15", ("columnheader", "In?")),
    "rankings": (
        "/r/{run}?columns=place.was.paper.title.scores.rankings.mean",
        ("table", "Papers"),
    ),
    "paper": ("/r/{sure}/paper/7?accept=15", ("heading", "Reviews")),
    "overview": ("/r/{sure}/overview?accept=15", ("heading", "Papers that change side")),
    "area-chair": ("/r/{run}?as={area_chair}", ("table", "Papers")),
}


def main() -> None:
    """Take all pictures."""
    TARGET.mkdir(parents=True, exist_ok=True)
    expect.set_options(timeout=30_000)
    with served() as link, sync_playwright() as play:
        browser = play.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox"]
        )
        prepare(browser, link)
        for theme in ("light", "dark"):
            take_all(browser, link, theme)
        browser.close()


@contextmanager
def served() -> Iterator[str]:
    """The console on its demo conference; the chair's link."""
    with tempfile.TemporaryDirectory() as folder:
        process = subprocess.Popen(
            [sys.executable, "-m", "unround", "serve", "--demo", "--port", "0"],
            stdout=subprocess.PIPE,
            text=True,
            cwd=folder,
            env={**os.environ, "PYTHONUNBUFFERED": "1"},
        )
        assert process.stdout is not None
        try:
            yield next(found.group() for line in process.stdout if (found := LINK.search(line)))
        finally:
            process.terminate()
            process.wait(timeout=30)
            process.stdout.close()


def prepare(browser: Browser, link: str) -> None:
    """Add a run that is asked how sure it is, and some decisions."""
    page = browser.new_page()
    home = link.partition("/enter")[0]
    page.goto(link)
    expect(page.get_by_role("button", name="Account")).to_be_visible()

    def send(path: str, body: Any) -> Any:
        answer = page.request.post(f"{home}/api/{path}", data=body, headers=CHANGES)
        assert answer.ok, answer.text()
        return answer.json()

    (conference,) = page.request.get(f"{home}/api/conferences").json()
    path = f"conferences/{conference['id']}"
    files = [one["id"] for one in page.request.get(f"{home}/api/{path}").json()["files"]]
    wanted = {"files": files, "name": ASKED, "method": {"conflicts": "rankings"}}
    send(f"{path}/runs", {**wanted, "uncertainty": True, "calibrate": True})
    page.goto(f"{home}/c/{conference['id']}/runs")
    page.get_by_role("link", name=f"Open {ASKED}").click(timeout=120_000)
    order = page.get_by_role("table", name="Papers").get_by_role("rowheader").get_by_role("link")
    page.set_viewport_size({"width": 1440, "height": 4_000})  # rows out of sight are not drawn
    expect(order).to_have_count(60)
    papers = order.all_inner_texts()
    for decision, places in DECISIONS.items():
        send(f"{path}/papers/decisions", {"papers": papers[places], "decision": decision})
    page.context.close()


def take_all(browser: Browser, link: str, theme: Any) -> None:
    """Every page in one theme."""
    context = browser.new_context(
        viewport=SIZE, color_scheme=theme, device_scale_factor=1.25, reduced_motion="reduce"
    )
    page = context.new_page()
    home = link.partition("/enter")[0]
    page.goto(f"{home}/enter")
    expect(page.get_by_role("textbox")).to_be_visible()
    keep(page, f"enter-{theme}")
    page.goto(link)
    expect(page.get_by_role("button", name="Account")).to_be_visible()
    known = facts(page, home)
    for name, (address, (role, last)) in PAGES.items():
        page.goto(home + address.format(**known))
        expect(page.get_by_role(role, name=last).first).to_be_visible()
        expect(page.get_by_text("Checking…")).to_have_count(0)
        keep(page, f"{name}-{theme}")
    context.close()


def facts(page: Page, home: str) -> dict[str, str]:
    """The ids that addresses need."""

    def ask(path: str) -> Any:
        return page.request.get(f"{home}/api/{path}").json()

    conference = ask("conferences")[0]["id"]
    runs = ask(f"conferences/{conference}")["runs"]
    people = ask(f"conferences/{conference}/access")["area_chairs"]
    return {
        "conference": conference,
        "runs": ",".join(run["id"] for run in runs if run["name"] != ASKED),
        "sure": next(run["id"] for run in runs if run["name"] == ASKED),
        "run": next(run["id"] for run in runs if run["shared"]),
        "area_chair": next(one["id"] for one in people if one["name"] == SHOWN_TO),
    }


def keep(page: Page, name: str) -> None:
    """Write what is in the window."""
    picture = Image.open(BytesIO(page.screenshot())).convert("RGB")
    few = picture.quantize(COLOURS, dither=Image.Dither.NONE)
    few.save(TARGET / f"{name}.png", optimize=True)


if __name__ == "__main__":
    main()
