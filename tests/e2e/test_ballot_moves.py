"""A reviewer orders papers by mouse, by touch, by keys alone, and by buttons."""

from __future__ import annotations

import re
from typing import Any

from playwright.sync_api import CDPSession, Locator, Page, expect

from tests.e2e.ballots import (
    collect,
    expect_announced,
    expect_order,
    expect_saved,
    hand_in_unanswered,
    handle,
    open_ballot,
    placed,
)
from tests.e2e.browsing import Watched, accessible, accessible_in_light_and_dark

PHONE: dict[str, Any] = {
    "viewport": {"width": 390, "height": 844},
    "has_touch": True,
    "is_mobile": True,
}


def middle(place: Locator, share: float = 0.5) -> tuple[float, float]:
    """A point of an element, so far from its top."""
    box = place.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] * share


def row(page: Page, paper: str) -> Locator:
    return page.locator(f"[data-paper='{paper}']")


def drag(page: Page, paper: str, to: Locator, share: float = 0.5) -> None:
    """By mouse."""
    page.mouse.move(*middle(handle(page, paper)))
    page.mouse.down()
    page.mouse.move(*middle(to, share), steps=4)
    page.mouse.up()


def touch(session: CDPSession, kind: str, *points: tuple[float, float]) -> None:
    """Put one finger down, move it to these points one after the other, or lift it."""
    for point in [[{"x": x, "y": y}] for x, y in points] or [[]]:
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": point})


def touch_drag(page: Page, paper: str, to: Locator, share: float = 0.5) -> None:
    """By one finger."""
    session = page.context.new_cdp_session(page)
    (x0, y0), (x1, y1) = middle(handle(page, paper)), middle(to, share)
    touch(session, "touchStart", (x0, y0))
    parts = (0.25, 0.5, 0.75, 1)
    touch(session, "touchMove", *((x0 + a * (x1 - x0), y0 + a * (y1 - y0)) for a in parts))
    touch(session, "touchEnd")
    session.detach()


def test_by_mouse(chair: Page, watched: Watched) -> None:
    collecting = collect(chair)
    page = open_ballot(watched(), collecting.link)
    accessible_in_light_and_dark(page)
    page.emulate_media(color_scheme="light")
    order = page.get_by_role("region", name="Your order")
    drag(page, "30", order)
    expect_order(page, "1 30")
    drag(page, "12", row(page, "30"), 0.1)
    expect_order(page, "1 12", "2 30")
    drag(page, "7", row(page, "30"))  # on it: about the same
    expect_order(page, "1 12", "2= 30", "2= 7")
    drag(page, "41", row(page, "7"), 0.9)
    expect_order(page, "1 12", "2= 30", "2= 7", "4 41")
    drag(page, "9", page.get_by_role("region", name="Cannot say"))
    drag(page, "12", row(page, "41"), 0.1)
    expect_order(page, "1= 30", "1= 7", "3 12", "4 41")
    expect_saved(page)
    page.reload()
    expect_order(page, "1= 30", "1= 7", "3 12", "4 41")
    assert collecting.content()["groups"] == [["30", "7"], ["12"], ["41"]]
    assert collecting.content()["cannot_say"] == ["9"]
    hand_in_unanswered(page)
    expect(page.get_by_text("Your ballot is in")).to_be_visible()
    accessible_in_light_and_dark(page)
    assert collecting.ballot()["versions"][-1]["submitted"]


def test_by_touch_on_a_phone(chair: Page, watched: Watched) -> None:
    collecting = collect(chair)
    page = open_ballot(watched(**PHONE), collecting.link)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    accessible(page)
    for paper in ("12", "30", "7"):
        page.get_by_role("button", name=f"Add next: {paper},").tap()
    expect_order(page, "1 12", "2 30", "3 7")
    page.evaluate("scrollTo(0, 0)")
    touch_drag(page, "7", row(page, "12"), 0.1)
    expect_order(page, "1 7", "2 12", "3 30")
    touch_drag(page, "30", row(page, "12"))
    expect_order(page, "1 7", "2= 12", "2= 30")
    assert page.evaluate("scrollY") == 0  # a finger on the handle drags and does not scroll
    expect_saved(page)
    assert collecting.content()["groups"] == [["7"], ["12", "30"]]
    accessible(page)


def test_sixty_papers_on_one_ballot(chair: Page, watched: Watched) -> None:
    scores = {str(paper): 1 + paper % 7 for paper in range(1, 61)}
    collecting = collect(chair, scores)
    phone = watched(**PHONE, color_scheme="dark")
    page = open_ballot(phone, collecting.link)
    page.get_by_role("button", name="Start from my scores").click()
    expect(page.get_by_text("60 of 60 placed")).to_be_visible()
    page.get_by_role("button", name="More for 7,").click()
    page.get_by_role("button", name="Move to place…").click()
    dialog = page.get_by_role("dialog", name="Place of 7")
    dialog.get_by_label("Place, 1 to 60").fill("1")
    dialog.get_by_role("button", name="Put it there").click()
    expect(placed(page).first).to_contain_text("7 Title 7")
    expect(page.get_by_role("group", name="You put 7 above 6, 13")).to_have_count(1)
    expect(page.get_by_text("60 of 60 placed, 1 question")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    accessible(page)
    expect_saved(page)
    assert collecting.content()["groups"][0] == ["7"]
    # A finger at the edge of the window scrolls a long list.
    page.evaluate("scrollTo(0, 0)")
    session = phone.new_cdp_session(page)
    x, y = middle(handle(page, "7"))
    touch(session, "touchStart", (x, y))
    touch(session, "touchMove", (x, y + 40), (x, 835))
    for _ in range(600):  # the page allows no function that a test waits for
        if page.evaluate("scrollY") > 500:
            break
        page.wait_for_timeout(100)
    touch(session, "touchEnd")
    expect(placed(page).first).not_to_contain_text("7 Title 7")


def test_by_keys_alone_with_announcements(chair: Page, watched: Watched) -> None:
    collecting = collect(chair)
    page = open_ballot(watched(), collecting.link)
    keys = page.keyboard

    def reach(name: str) -> None:
        for _ in range(60):
            if page.evaluate("document.activeElement.getAttribute('aria-label')") == name:
                return
            keys.press("Tab")
        raise AssertionError(f"Tab does not reach {name}")

    reach("Move 12, Title 12")
    keys.press("Space")
    expect_announced(page, re.compile("^Grabbed 12, Title 12, not placed. Arrows move it"))
    keys.press("ArrowUp")
    expect_announced(page, "Place 1 of 1.")
    keys.press("Enter")
    expect_announced(page, "Dropped 12, Title 12, place 1 of 1.")
    reach("Move 30, Title 30")
    for key in ("Enter", "ArrowUp"):
        keys.press(key)
    expect_announced(page, "Place 2 of 2, below 12, Title 12.")
    keys.press("ArrowUp")
    expect_announced(page, "Place 1 of 2, above 12, Title 12.")
    keys.press("Escape")
    expect_announced(page, "Put back 30, Title 30, not placed.")
    expect_order(page, "1 12")
    for key in ("Space", "t"):
        keys.press(key)
    expect_announced(page, "Place 1 of 2, the same as 12, Title 12.")
    keys.press("Space")
    expect_order(page, "1= 12", "1= 30")
    reach("Move 9, Title 9")
    for key in ("Space", "Home"):
        keys.press(key)
    keys.press("Space")
    expect_announced(page, re.compile("This contradicts your scores: a question follows it"))
    expect_order(page, "1 9", "2= 12", "2= 30")
    expect(page.locator(":focus")).to_have_attribute("id", "move-9")

    def focused() -> str:
        return str(page.evaluate("document.activeElement.textContent"))

    while focused() != "Keep the order":  # the next stops after the paper and its buttons
        assert focused() != "Hand in"
        keys.press("Tab")
    for shown in ("Change", "Keep the order"):  # answering, and taking it back, keep the focus
        keys.press("Enter")
        expect(page.locator(":focus")).to_have_text(shown)
    while page.evaluate("document.activeElement.id") != "move-9":
        keys.press("Shift+Tab")
    for key in ("Space", "End", "ArrowDown", "ArrowDown"):
        keys.press(key)
    expect_announced(page, "Cannot say.")
    keys.press("Space")
    expect_order(page, "1= 12", "1= 30")
    expect_saved(page)
    assert collecting.content()["cannot_say"] == ["9"]
    reach("Move 41, Title 41")  # the page never traps the focus
    for _ in range(40):
        if page.evaluate("document.activeElement.textContent") == "Hand in":
            break
        keys.press("Tab")
    keys.press("Enter")
    expect(page.get_by_text("Your ballot is in")).to_be_visible()


def test_by_buttons(chair: Page, watched: Watched) -> None:
    collecting = collect(chair)
    page = open_ballot(watched(color_scheme="dark"), collecting.link)

    def press(name: str) -> None:
        page.get_by_role("button", name=name).click()

    page.get_by_role("button", name="Start from my scores").click()
    expect_order(page, "1 12", "2= 30", "2= 7", "4= 41", "4= 9")
    press("Not the same: 7,")
    press("Up: 7,")
    press("Down: 12,")
    press("More for 41,")
    page.get_by_role("button", name="Cannot say", exact=True).click()
    expect_order(page, "1 7", "2 12", "3 30", "4 9")
    press("More for 9,")
    page.get_by_role("button", name="Move to place…").click()
    dialog = page.get_by_role("dialog", name="Place of 9")
    accessible(page)
    dialog.get_by_label("Place, 1 to 4").fill("2")
    expect(dialog.get_by_text("There now: 12, Title 12")).to_be_visible()
    dialog.get_by_text("About the same").click()
    dialog.get_by_role("button", name="Put it there").click()
    expect_order(page, "1 7", "2= 12", "2= 9", "4 30")
    accessible(page)
    press("Put back: 41,")
    press("More for 30,")
    page.get_by_role("button", name="Take out of the order").click()
    expect_order(page, "1 7", "2= 12", "2= 9")
    expect_saved(page)
    assert collecting.content()["unplaced"] == ["41", "30"]
