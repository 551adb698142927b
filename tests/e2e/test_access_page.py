"""Links: an area chair's, a revoked one, an expired one, and the chair's preview."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import BrowserContext, Page, expect

from tests.e2e.browsing import Server, accessible, entered
from tests.e2e.steps import MODES, api, paper_order


def access(page: Page) -> str:
    """Open the access page of the demo's conference; its id."""
    conference = str(api(page, "conferences").json()[0]["id"])
    page.goto(
        page.url.split("/", 3)[0] + "//" + page.url.split("/", 3)[2] + f"/c/{conference}/access"
    )
    expect(page.get_by_role("heading", name="Access", level=1)).to_be_visible()
    return conference


def make_link(page: Page, name: str) -> str:
    row = page.get_by_role("row").filter(has=page.get_by_role("rowheader", name=name, exact=True))
    row.get_by_role("button", name="Make link").click()
    dialog = page.get_by_role("dialog")
    link = dialog.get_by_role("textbox", name="Link").input_value()
    page.keyboard.press("Escape")
    return link


def test_an_area_chair_sees_their_papers_and_no_others(
    demo_chair: Page, watched: Callable[..., BrowserContext]
) -> None:
    access(demo_chair)
    accessible(demo_chair)
    context = watched()
    received: list[str] = []
    context.on("response", lambda answer: received.append(answer.url))
    visitor = entered(context.new_page(), make_link(demo_chair, "Chair 2"))
    visitor.get_by_role("link", name="Rankings rule").click()
    expect(visitor.get_by_role("table", name="Papers")).to_be_visible()
    assert sorted(paper_order(visitor)) == list(range(13, 25))
    visitor.get_by_role("radio", name=MODES["given"]).check(force=True)
    expect(visitor.get_by_text("★").first).to_be_visible()
    expect(visitor.get_by_text("Reviewer 000")).to_have_count(0)
    accessible(visitor)
    visitor.get_by_role("link", name="Overview").click()
    expect(visitor.get_by_role("heading", name="Overview", level=1)).to_be_visible()
    accessible(visitor)
    assert any("/view" in url for url in received)


def test_a_revoked_link_ends_at_once(
    demo_chair: Page, watched: Callable[..., BrowserContext]
) -> None:
    access(demo_chair)
    link = make_link(demo_chair, "Chair 3")
    context = watched(allow="401")
    visitor = entered(context.new_page(), link)
    demo_chair.reload()
    row = demo_chair.get_by_role("row").filter(
        has=demo_chair.get_by_role("rowheader", name="Chair 3", exact=True)
    )
    row.get_by_role("button", name="Revoke a link of Chair 3").click()
    demo_chair.get_by_role("dialog").get_by_role("button", name="Revoke the link").click()
    expect(row.get_by_text("expired or revoked")).to_be_visible()
    visitor.reload()
    expect(visitor.get_by_role("button", name="Leave")).to_have_count(0)
    visitor.goto(link)
    expect(visitor.get_by_role("alert")).to_contain_text("mistyped, has expired, or was revoked")


def test_an_expired_link_opens_nothing(
    demo_chair: Page, watched: Callable[..., BrowserContext]
) -> None:
    access(demo_chair)
    link = make_link(demo_chair, "Chair 4")
    demo_chair.reload()
    demo_chair.get_by_role("button", name="Change expiry of a link of Chair 4").click()
    demo_chair.get_by_role("dialog").get_by_role("button", name="Expire now").click()
    row = demo_chair.get_by_role("row").filter(
        has=demo_chair.get_by_role("rowheader", name="Chair 4", exact=True)
    )
    expect(row.get_by_text("expired or revoked")).to_be_visible()
    visitor = watched(allow="401").new_page()
    visitor.goto(link)
    expect(visitor.get_by_role("alert")).to_contain_text("mistyped, has expired, or was revoked")
    accessible(visitor)


def test_the_preview_is_what_the_area_chair_gets(demo_chair: Page, demo: Server) -> None:
    access(demo_chair)
    row = demo_chair.get_by_role("row").filter(
        has=demo_chair.get_by_role("rowheader", name="Chair 5", exact=True)
    )
    row.get_by_role("link", name="Preview").click()
    expect(demo_chair.get_by_text("You see what Chair 5 sees")).to_be_visible()
    assert sorted(paper_order(demo_chair)) == list(range(49, 61))
    accessible(demo_chair)
    demo_chair.get_by_role("button", name="End preview").click()
    expect(demo_chair.get_by_text("60 of 60 papers")).to_be_visible()


def test_assignments_come_from_a_table(demo_chair: Page, tmp_path: Path) -> None:
    access(demo_chair)
    table = tmp_path / "scope.csv"
    table.write_text("area_chair,paper,email\nNew Chair,1,new@example.org\nNew Chair,,\n")
    demo_chair.get_by_label("Import a table").set_input_files(table)
    expect(demo_chair.get_by_role("alert")).to_contain_text("Nothing was changed")
    expect(demo_chair.get_by_role("alert")).to_contain_text("line 3")
