"""Links: an area chair's, a revoked one, and the chair's preview."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.e2e.browsing import Watched, accessible, accessible_in_light_and_dark, entered
from tests.e2e.steps import ID, choice, choose, demo_conference, origin, own_papers

pytestmark = pytest.mark.demo


def access(page: Page) -> None:
    """Open the access page of the demo's conference."""
    page.goto(f"{origin(page)}/c/{demo_conference(page)}/access")
    expect(page.get_by_role("heading", name="Access", level=1)).to_be_visible()


def row_of(page: Page, name: str) -> Locator:
    """The row of an area chair."""
    return page.get_by_role("row").filter(has=page.get_by_role("rowheader", name=name, exact=True))


def make_link(page: Page, name: str) -> str:
    row_of(page, name).get_by_role("button", name="Make link").click()
    dialog = page.get_by_role("dialog")
    link = dialog.get_by_role("textbox", name="Link").input_value()
    dialog.get_by_role("button", name="Close", exact=True).click()
    dialog.get_by_role("button", name="Close without it").click()
    return link


def test_an_area_chair_sees_their_own_papers_and_recommends(chair: Page, watched: Watched) -> None:
    access(chair)
    visitor = entered(watched().new_page(), make_link(chair, "Area chair 05"))
    own = own_papers(visitor)  # they land on them
    assert sorted(own) == list(range(5, 301, 25))
    table = visitor.get_by_role("table", name="Papers")
    assert not re.search(r"\d\.\d", table.inner_text())  # no score of the run
    first = table.get_by_role("row").nth(1)
    choose(first, "Recommendation on paper", "Discuss")
    note = first.get_by_role("textbox")
    note.fill("R2 will update.")
    note.blur()
    expect(first.get_by_text("Saved", exact=True)).to_be_visible()
    accessible_in_light_and_dark(visitor)
    visitor.reload()
    expect(choice(first, "Recommendation on paper")).to_have_text("Discuss")
    expect(first.get_by_role("textbox")).to_have_value("R2 will update.")
    run = re.search(rf"/r/{ID}", visitor.url)
    assert run, visitor.url
    visitor.get_by_role("link", name=str(own[0]), exact=True).click()
    expect(visitor.get_by_text(f"Place 1 of your {len(own)} papers")).to_be_visible()
    expect(visitor.get_by_text("★").first).to_be_visible()
    expect(visitor.get_by_text("Reviewer 000")).to_have_count(0)
    accessible(visitor)
    chair.goto(f"{origin(chair)}{run.group()}?q=chair+05")
    expect(chair.get_by_role("columnheader", name="Area chair says")).to_be_visible()
    link = chair.get_by_role("link", name=str(own[0]), exact=True)
    said = chair.get_by_role("row").filter(has=link)
    expect(said.get_by_text("Discuss: R2 will update.")).to_be_visible()


def test_a_revoked_link_ends_at_once(chair: Page, watched: Watched) -> None:
    access(chair)
    link = make_link(chair, "Area chair 03")
    context = watched(allow="401")
    visitor = entered(context.new_page(), link)
    chair.reload()
    row = row_of(chair, "Area chair 03")
    row.get_by_role("button", name="Revoke a link of Area chair 03").click()
    chair.get_by_role("dialog").get_by_role("button", name="Revoke the link").click()
    expect(row.get_by_text("expired or revoked")).to_be_visible()
    visitor.reload()
    expect(visitor.get_by_role("button", name="Account")).to_have_count(0)
    visitor.goto(link)
    expect(visitor.get_by_role("alert")).to_contain_text("This link was revoked on")
    accessible(visitor)


def test_the_preview_is_what_the_area_chair_gets(chair: Page) -> None:
    access(chair)
    row_of(chair, "Area chair 05").get_by_role("link", name="Preview").click()
    expect(chair.get_by_text("You see what Area chair 05 sees")).to_be_visible()
    assert sorted(own_papers(chair)) == list(range(5, 301, 25))
    accessible(chair)
    chair.get_by_role("button", name="End preview").click()
    expect(chair.get_by_text("300 papers", exact=True)).to_be_visible()
    access(chair)
    chair.get_by_label("Preview in").select_option(label="Trust the scores, λ = 4")
    chair.get_by_role("link", name="Preview as Area chair 05").click()
    banner = chair.get_by_role("region", name="Preview")
    expect(banner).to_contain_text(
        "Area chair 05 sees nothing of this run, because it is not shared"
    )


def test_escape_does_not_lose_new_links(chair: Page) -> None:
    """Not even pressed twice, when the browser asks nobody."""
    access(chair)
    chair.get_by_role("button", name="Links for all").click()
    dialog = chair.get_by_role("dialog")
    if dialog.get_by_text("have links already").count():  # of the tests above
        dialog.get_by_role("button", name="Replace, for all").click()
    links = dialog.get_by_role("cell", name="/enter#")
    expect(links).to_have_count(25)
    expect(dialog.get_by_text("These links work on this computer only")).to_be_visible()
    accessible(chair)
    for _ in range(3):
        chair.keyboard.press("Escape")
        expect(dialog.get_by_role("alert")).to_contain_text("not copied or downloaded")
        expect(links).to_have_count(25)
    accessible(chair)
    with chair.expect_download() as download:
        dialog.get_by_role("button", name="Download CSV").click()
    assert len(download.value.path().read_text().splitlines()) == 1 + 25
    chair.keyboard.press("Escape")
    expect(dialog).to_have_count(0)


def test_a_wrong_table_is_reported_before_and_undone_after(chair: Page, tmp_path: Path) -> None:
    access(chair)
    table = tmp_path / "slip.csv"
    table.write_text("area_chair,paper,email\nNew Chair,1,new@example.org\nNew Chair,,\n")
    chair.get_by_label("Import a table").set_input_files(table)
    expect(chair.get_by_role("alert")).to_contain_text("Nothing was changed")
    expect(chair.get_by_role("alert")).to_contain_text("line 3")
    table.write_text("area_chair,paper\nArea chair 01,900001\n")
    chair.get_by_label("Import a table").set_input_files(table)
    dialog = chair.get_by_role("dialog", name="Replace the area chairs?")
    expect(dialog).to_contain_text("removes 24 people, and")
    expect(dialog).to_contain_text("1 paper in no run: 900001")
    expect(dialog).to_contain_text("300 papers of the newest run without an area chair")
    accessible(chair)
    dialog.get_by_role("button", name="Replace", exact=True).click()
    people = chair.get_by_role("table", name="Area chairs").get_by_role("rowheader")
    expect(people).to_have_count(1)
    chair.get_by_role("button", name="Undo the last change").click()
    expect(dialog).to_contain_text("brings back 24 people")
    dialog.get_by_role("button", name="Replace", exact=True).click()
    expect(people).to_have_count(25)


def test_a_chair_lands_in_their_conference_and_owners_see_the_server(
    chair: Page, watched: Watched
) -> None:
    access(chair)
    chair.get_by_label("For whom").fill("Dana")
    chair.get_by_role("button", name="Make link", exact=True).click()
    link = chair.get_by_role("dialog", name="Link for Dana").get_by_role("textbox")
    dana = watched().new_page()
    dana.goto(link.input_value())
    expect(dana.get_by_role("heading", name="Import", level=1)).to_be_visible()
    expect(dana.get_by_text("Dana (chair)")).to_be_visible()
    for old, new in pairwise(("Sample conference", "Renamed conference", "Sample conference")):
        dana.get_by_role("button", name=f"Rename {old}").click()
        dana.get_by_role("textbox", name="Name", exact=True).fill(new)
        dana.get_by_role("dialog").get_by_role("button", name="Rename").click()
        expect(dana.get_by_role("link", name=new)).to_be_visible()
    dana.get_by_role("link", name="Access").click()
    expect(dana.get_by_role("cell", name="Dana (chair)", exact=True).first).to_be_visible()
    chair.keyboard.press("Escape")
    chair.get_by_role("button", name="Close without it").click()
    chair.goto(chair.url.split("/c/")[0])
    chair.get_by_role("link", name="Links and log of the server").click()
    expect(chair.get_by_role("heading", name="Links for owners")).to_be_visible()
    expect(chair.get_by_text("printed at the start")).to_be_visible()
    accessible(chair)
