"""Measure how long a chair waits for the first rows of a large conference, in a real Chromium."""

from __future__ import annotations

import shutil

from playwright.sync_api import sync_playwright

from benchmarks.console.hosting import Hosted


def first_paint(hosted: Hosted, repeats: int) -> list[float]:
    """Seconds from asking for the address to the first row of papers, each time in a new window."""
    with sync_playwright() as play:
        browser = play.chromium.launch(
            executable_path=shutil.which("chromium"),
            args=["--no-sandbox", "--disable-background-networking", "--disable-component-update"],
        )
        context = browser.new_context(viewport={"width": 1440, "height": 900})
        page = context.new_page()
        page.goto(hosted.console.link)
        page.get_by_role("button", name="Account").wait_for()
        seconds = []
        for _ in range(repeats):
            page = context.new_page()
            page.goto(f"{hosted.console.url}/r/{hosted.run}", wait_until="commit")
            page.get_by_role("table", name="Papers").get_by_role("rowheader").first.wait_for()
            # From the navigation's start to the frame after the rows are there, by the page's clock.
            seconds.append(
                page.evaluate(
                    "new Promise(r => requestAnimationFrame(() => r(performance.now() / 1000)))"
                )
            )
            page.close()
        browser.close()
    return seconds
