"""Take the pictures of ballots for the documentation, light and dark.

    python docs/_tools/ballot_pictures.py

Starts the demo, collects rankings on it, and writes docs/_static/console/ballot*.png.
"""

from __future__ import annotations

import shutil
import uuid
from typing import Any

from playwright.sync_api import Browser, Page, expect, sync_playwright
from screenshots import CHANGES, SIZE, keep, served

TITLE = "Rank your papers"
PHONE = {"width": 390, "height": 844}
ANSWERED = 9  # reviewers who have handed in
LEFT_OFF = 3  # who have saved only


def main() -> None:
    """Take all pictures."""
    expect.set_options(timeout=30_000)
    with served() as link, sync_playwright() as play:
        browser = play.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox"]
        )
        page = browser.new_page(viewport=SIZE)
        page.goto(link)
        expect(page.get_by_role("button", name="Account")).to_be_visible()
        home = link.partition("/enter")[0]
        conference = page.request.get(f"{home}/api/conferences").json()[0]["id"]
        collection, links = collect(page, home, conference)
        for number, one in enumerate(links[1 : 1 + ANSWERED + LEFT_OFF]):
            answer(browser, one["url"], hand_in=number < ANSWERED)
        reviewer = links[0]["url"]
        for theme in ("light", "dark"):
            take_reviewers(browser, reviewer, theme)
            take_chairs(page, f"{home}/c/{conference}/ballots", collection, theme)
        browser.close()


def collect(page: Page, home: str, conference: str) -> tuple[str, list[Any]]:
    """Make a collection from the run that is shared; its id and the reviewers' links."""
    runs = page.request.get(f"{home}/api/conferences/{conference}").json()["runs"]
    run = next(run["id"] for run in runs if run["shared"])
    wanted = {
        "title": TITLE,
        "instructions": "Please put the papers that you reviewed in order, the best first.",
        "source": {"run": run},
    }
    made = send(page, f"{home}/api/conferences/{conference}/collections", wanted)
    links = send(page, f"{home}/api/collections/{made['id']}/links", {"only": "all"})["links"]
    return made["id"], links


def send(page: Page, address: str, body: Any) -> Any:
    """Post to the API."""
    response = page.request.post(address, data=body, headers=CHANGES)
    assert response.ok, response.text()
    return response.json()


def answer(browser: Browser, link: str, *, hand_in: bool) -> None:
    """Order one reviewer's papers as they were given, but for the first and the last."""
    context = browser.new_context()
    home, _, secret = link.partition("/enter#")
    entered = context.request.post(f"{home}/api/enter", data={"secret": secret}, headers=CHANGES)
    assert entered.ok, entered.text()
    papers = [one["paper"] for one in context.request.get(f"{home}/api/ballot").json()["papers"]]
    groups = [[paper] for paper in (papers[-1], *papers[1:-1], papers[0])]
    body = {
        "save_id": str(uuid.uuid4()),
        "base_version": 0,
        "content": {"groups": groups},
        "submit": hand_in,
    }
    saved = context.request.put(f"{home}/api/ballot", data=body, headers=CHANGES)
    assert saved.ok, saved.text()
    context.close()


def take_reviewers(browser: Browser, link: str, theme: Any) -> None:
    """The reviewer's page with a question on it, on a screen and on a phone, and the receipt."""
    page = opened(browser, link, theme, SIZE)
    order = page.locator("[data-zone=placed] [data-paper]")
    if not order.count():
        page.get_by_role("button", name="Start from my scores").click()
        last = order.last.get_attribute("data-paper")
        page.get_by_role("button", name=f"More for {last},").click()
        page.get_by_role("button", name="Move to place…").click()
        page.get_by_role("textbox").fill("1")
        page.get_by_role("button", name="Put it there").click()
    expect(page.get_by_role("button", name="Keep the order").first).to_be_visible()
    expect(page.get_by_role("status").filter(has_text="Saved")).to_be_visible()
    keep(page, f"ballot-{theme}")
    page.context.close()
    page = opened(browser, link, theme, PHONE)
    expect(page.get_by_role("button", name="Keep the order").first).to_be_visible()
    keep(page, f"ballot-phone-{theme}")
    page.context.close()


def opened(browser: Browser, link: str, theme: Any, size: Any) -> Page:
    """A reviewer's page that has been entered."""
    context = browser.new_context(
        viewport=size, color_scheme=theme, device_scale_factor=1.25, reduced_motion="reduce"
    )
    page = context.new_page()
    page.goto(link)
    expect(page.get_by_role("heading", name="Your order")).to_be_visible()
    return page


def take_chairs(page: Page, address: str, collection: str, theme: Any) -> None:
    """The form of a new collection, and the page of one."""
    page.emulate_media(color_scheme=theme, reduced_motion="reduce")
    page.goto(address)
    page.get_by_role("button", name="New collection").click()
    page.get_by_label("Title, as reviewers see it").fill(TITLE)
    expect(page.get_by_role("button", name="Make").first).to_be_enabled()
    keep(page, f"ballots-new-{theme}")
    page.goto(f"{address}/{collection}")
    expect(page.get_by_role("table", name="Ballots")).to_be_visible()
    keep(page, f"ballots-{theme}")


if __name__ == "__main__":
    main()
