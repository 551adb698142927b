"""Take the pictures of the console for README and documentation, light and dark.

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
PHONE = {"width": 390, "height": 844}
COLOURS = 256
AREA_CHAIR = "Area chair 02"
CHANGES = {"X-Unround": "1"}
SCROLL = (
    "table => table.parentElement.scrollTop = 70 * table.querySelector('tbody tr').offsetHeight"
)
# Each page's name, its address, and something on it that is there last. A contradiction takes paper 206
# across the line.
PAGES = {
    "import": ("/c/{conference}?conflicts=scores", ("heading", "Issues")),
    "compare": ("/c/{conference}/compare?runs={runs}", ("table", "Papers")),
    "access": ("/c/{conference}/access", ("table", "Log")),
    "ballots": ("/c/{conference}/ballots/{collection}", ("table", "Ballots")),
    "papers": ("/r/{run}", ("columnheader", "In?")),
    "paper": ("/r/{run}/paper/206", ("heading", "Reviews")),
    "overview": ("/r/{run}/overview", ("heading", "Papers that change side")),
    "area-chair": ("/r/{run}?as={area_chair}", ("table", "Papers")),
}


def main() -> None:
    """Take all pictures."""
    TARGET.mkdir(parents=True, exist_ok=True)
    expect.set_options(timeout=60_000)
    with served() as link, sync_playwright() as play:
        browser = play.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox"]
        )
        for theme in ("light", "dark"):
            reviewer = take_chairs(browser, link, theme)
            take_reviewers(browser, reviewer, theme)
        browser.close()


@contextmanager
def served() -> Iterator[str]:
    """The console on its demo conference; the owner's link."""
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


def take_chairs(browser: Browser, link: str, theme: Any) -> str:
    """The chairs' pages; return the link of a reviewer who has not answered."""
    page = opened(browser, link, theme, SIZE)
    expect(page.get_by_role("button", name="Account")).to_be_visible()
    home = link.partition("/enter")[0]
    known = facts(page, home)
    for name, (address, (role, last)) in PAGES.items():
        page.goto(home + address.format(**known))
        expect(page.get_by_role(role, name=last).first).to_be_visible()
        for unfinished in ("Checking…", "Measuring"):
            expect(page.get_by_text(unfinished)).to_have_count(0)
        if name == "papers":  # those around the line
            page.get_by_role("table", name="Papers").evaluate(SCROLL)
            expect(page.get_by_role("link", name="206", exact=True)).to_be_visible()
        keep(page, f"{name}-{theme}")
    page.goto(f"{home}/c/{known['conference']}/ballots")
    page.get_by_role("button", name="New collection").click()
    page.get_by_label("Title, as reviewers see it").fill("Rank your papers")
    expect(page.get_by_role("button", name="Make").first).to_be_enabled()
    keep(page, f"ballots-new-{theme}")
    made = page.request.post(
        f"{home}/api/collections/{known['collection']}/links",
        data={"only": "unanswered"},
        headers=CHANGES,
    ).json()["links"]
    page.context.close()
    return str(made[2 if theme == "light" else 4]["url"])


def facts(page: Page, home: str) -> dict[str, Any]:
    """The ids that addresses need."""

    def ask(path: str) -> Any:
        return page.request.get(f"{home}/api/{path}").json()

    conference = ask("conferences")[0]["id"]
    path = f"conferences/{conference}"
    runs = ask(path)["runs"]
    run = next(run["id"] for run in runs if run["shared"])
    return {
        "conference": conference,
        "runs": ",".join(run["id"] for run in runs),
        "run": run,
        "collection": ask(f"{path}/collections")[0]["id"],
        "area_chair": next(
            one["id"] for one in ask(f"{path}/access")["area_chairs"] if one["name"] == AREA_CHAIR
        ),
    }


def take_reviewers(browser: Browser, link: str, theme: Any) -> None:
    """A reviewer's ballot with a question on it, on a screen and on a phone."""
    page = opened(browser, link, theme, SIZE)
    page.get_by_role("button", name="Start from my scores").click()
    last = page.locator("[data-zone=placed] [data-paper]").last.get_attribute("data-paper")
    page.get_by_role("button", name=f"More for {last},").click()
    page.get_by_role("button", name="Move to place…").click()
    page.get_by_role("textbox").fill("1")
    page.get_by_role("button", name="Put it there").click()
    expect(page.get_by_role("status").filter(has_text="Saved")).to_be_visible()
    keep_question(page, f"ballot-{theme}")
    keep_question(opened(browser, link, theme, PHONE), f"ballot-phone-{theme}")


def keep_question(page: Page, name: str) -> None:
    """Write a ballot once it asks about the order."""
    expect(page.get_by_role("button", name="Keep the order").first).to_be_visible()
    keep(page, name)
    page.context.close()


def opened(browser: Browser, link: str, theme: Any, size: Any) -> Page:
    """A page that was entered by a link."""
    context = browser.new_context(
        viewport=size, color_scheme=theme, device_scale_factor=1.25, reduced_motion="reduce"
    )
    page = context.new_page()
    page.goto(link)
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    return page


def keep(page: Page, name: str) -> None:
    """Write what is in the window."""
    picture = Image.open(BytesIO(page.screenshot())).convert("RGB")
    few = picture.quantize(COLOURS, dither=Image.Dither.NONE)
    few.save(TARGET / f"{name}.png", optimize=True)


if __name__ == "__main__":
    main()
