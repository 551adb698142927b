"""A chair's work from the first file to undoing a mistake, and an area chair's, by the keyboard alone."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from playwright.sync_api import Locator, Page, expect

from tests.console.hosting import UnroundServer
from tests.e2e import large
from tests.e2e.browsing import Watched, entered
from tests.e2e.steps import ID, api, choice, own_papers

MOST_STOPS = 80  # further than this nobody tabs
PAPERS = 60


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[UnroundServer]:
    """A server for these tests alone: every conference of others is three stops on the start page."""
    with UnroundServer(tmp_path_factory.mktemp("data")) as running:
        yield running


def from_top(page: Page) -> Page:
    """The next Tab leads to the first link of the page, which skips to its content."""
    page.evaluate("(document.querySelector('.skip').focus(), document.activeElement.blur())")
    page.keyboard.press("Shift+Tab")
    return page


def reach(page: Page, target: Locator, most: int = MOST_STOPS) -> int:
    """Tab to something; return how many stops it took."""
    expect(target.first).to_be_enabled()
    for stops in range(1, most + 1):
        page.keyboard.press("Tab")
        if target.evaluate_all("(found) => found.includes(document.activeElement)"):
            return stops
    raise AssertionError(f"{target} is not among the next {most} stops")


def act(page: Page, role: Any, name: str | re.Pattern[str], key: str = "Enter") -> None:
    """Tab to something by its role and name, and press a key on it."""
    reach(page, page.get_by_role(role, name=name, exact=isinstance(name, str)))
    page.keyboard.press(key)


def write(page: Page, name: str, text: str) -> None:
    """Tab to a field and type over what is in it."""
    reach(page, page.get_by_role("textbox", name=name, exact=True))
    page.keyboard.press("ControlOrMeta+a")
    page.keyboard.type(text)


def go(page: Page, name: str) -> None:
    """Follow a link of the header from the top of the page."""
    act(from_top(page), "link", name)


def skip_to_the_table(page: Page) -> int:
    """Go from the top of the page to the first row; return how many stops it took."""
    stops = reach(from_top(page), page.get_by_role("link", name="Skip to the table"))
    page.keyboard.press("Enter")
    expect(page.locator("tbody tr:has(:focus)")).to_have_count(1)
    return stops


def add_files(page: Page, files: list[Path]) -> None:
    """Reach the field of files by keys and give it files: the dialog that Enter opens is the browser's."""
    field = page.get_by_label("Add files")
    reach(page, field)
    expect(field).to_be_focused()
    field.set_input_files(files)


def import_and_run(page: Page, files: list[Path], name: str) -> str:
    """From the start page to the results of a first run; return the conference's id."""
    write(page, "Name of the conference", name)
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Import", level=1)).to_be_visible()
    add_files(page, files)
    expect(page.get_by_text("decision needed before you can run")).to_be_visible()
    found = re.search(ID, page.url)
    assert found
    reach(page, page.get_by_role("radio", name="Stop and ask"))
    for option in ("Trust the scores", "Trust the rankings"):
        page.keyboard.press("ArrowDown")
        expect(page.get_by_role("radio", name=option)).to_be_checked()
    expect(page.get_by_role("button", name="Run", exact=True)).to_be_enabled()
    write(from_top(page), "Name of the run", "Before rebuttal")
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile(rf"/r/{ID}"))
    expect(page.get_by_role("table", name="Papers")).to_be_visible()
    return found.group()


def test_a_chair_decides(chair: Page, tmp_path: Path) -> None:
    page = chair
    files = large.write(tmp_path, PAPERS, seed=11)
    conference = import_and_run(page, files, "By keys alone")
    # The line, and who changes side.
    write(page, "Accept", "15")
    act(page, "button", "Keep for all chairs")
    assert skip_to_the_table(page) == 2  # after the link to the content
    act(from_top(page), "button", re.compile("(last .*places?|from below)$"))
    chip = page.get_by_role("button", name=re.compile("^Remove the filter"))
    expect(chip).to_be_visible()
    page.keyboard.press("Enter")
    expect(chip).to_have_count(0)
    # Decisions for several papers at once, taken back, and one with a note.
    skip_to_the_table(page)
    for count in ("1 paper", "2 papers", "3 papers"):
        page.keyboard.press("x")
        expect(page.get_by_text(f"{count} selected")).to_be_visible()
        page.keyboard.press("ArrowDown")
    act(page, "button", "Accept")
    expect(page.get_by_text("Accept: 3 papers.")).to_be_visible()
    act(page, "button", "Undo")
    expect(page.get_by_text("Undone: 3 papers.")).to_be_visible()
    reach(from_top(page), page.locator("tbody .opener"))
    reach(page, page.locator("tbody .decision"))
    page.keyboard.press("Enter")
    expect(page.get_by_role("menuitemradio", name="No decision")).to_be_focused()
    page.keyboard.press("d")
    page.keyboard.press("Enter")
    expect(page.get_by_text(re.compile(r"^Paper \d+: Discuss: 1 paper"))).to_be_visible()
    # A place, and how sure it is.
    from_top(page).keyboard.press("/")
    expect(page.get_by_placeholder("Search paper")).to_be_focused()
    page.keyboard.type("#14")
    expect(page.get_by_role("table", name="Papers").get_by_role("rowheader")).to_have_count(1)
    reach(page, page.get_by_role("rowheader").get_by_role("link"))
    page.keyboard.press("Enter")
    expect(page.get_by_text(re.compile("Chance of being among the best 15"))).to_be_visible()
    write(page, "Note", "Ask the authors.")
    page.keyboard.press("Tab")
    expect(page.get_by_text("Saved", exact=True)).to_be_visible()
    # Exports.
    go(page, "Papers")
    act(page, "button", "Export")
    reach(page, page.get_by_role("button", name="Papers as CSV"))
    with page.expect_download() as download:
        page.keyboard.press("Enter")
    assert {"p_accept", "decision", "note"} <= set(pl.read_csv(download.value.path()).columns)
    # Another run, beside the first.
    go(page, "By keys alone")
    go(page, "Import")
    reach(page, page.get_by_role("radio", name="Stop and ask"))
    page.keyboard.press("ArrowDown")
    expect(page.get_by_role("button", name="Run", exact=True)).to_be_enabled()
    act(from_top(page), "button", "Run")
    page.wait_for_url(re.compile(rf"/r/{ID}"))
    expect(page.get_by_role("table", name="Papers")).to_be_visible()
    go(page, "Compare")
    reach(page, page.get_by_role("checkbox", name=re.compile("^Only papers that change side")))
    page.keyboard.press("Space")
    expect(page.get_by_role("table", name="Papers side by side")).to_be_visible()
    # A mistake of before.
    go(page, "Runs")
    reach(page, page.locator("summary"))
    page.keyboard.press("Enter")
    act(page, "button", re.compile("^Undo Discuss"))
    expect(page.get_by_text("changed since")).to_have_count(2)
    marks = api(page, f"conferences/{conference}/papers").json()["papers"]
    assert not any(one["decision"] for one in marks)
    # The conference goes into the bin, and comes back.
    go(page, "unround")
    act(page, "button", "Delete By keys alone")
    act(page, "button", "Delete")
    act(page, "button", "Restore By keys alone")
    expect(page.get_by_role("link", name="By keys alone")).to_be_visible()


def test_area_chairs_get_links_and_recommend(chair: Page, watched: Watched, tmp_path: Path) -> None:
    page = chair
    import_and_run(page, large.write(tmp_path, PAPERS, seed=12), "Links by keys")
    go(page, "Links by keys")
    act(page, "switch", "Share Before rebuttal with area chairs", "Space")
    expect(page.get_by_role("switch")).to_be_checked()
    go(page, "Access")
    act(page, "button", "Take from run")
    act(page, "button", "Take them")
    people = page.get_by_role("table", name="Area chairs").get_by_role("rowheader")
    expect(people.first).to_be_visible()
    act(from_top(page), "button", "Links for all")
    reach(page, page.get_by_role("button", name="Download CSV"))
    with page.expect_download() as download:
        page.keyboard.press("Enter")
    links = pl.read_csv(download.value.path())
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    # What they see, and one link that ends.
    reach(page, page.get_by_role("radio", name="The order"))
    page.keyboard.press("ArrowDown")
    expect(page.get_by_role("radio", name="Their papers alone")).to_be_checked()
    page.keyboard.press("ArrowUp")
    expect(page.get_by_role("radio", name="The order")).to_be_checked()
    last = links["area_chair"][-1]
    reach(from_top(page), page.get_by_role("searchbox", name="Find"))
    page.keyboard.type(last)
    expect(people).to_have_count(1)
    act(page, "button", f"Revoke a link of {last}")
    act(page, "button", "Revoke the link")
    expect(page.get_by_text("1 old")).to_be_visible()
    # An area chair recommends.
    visitor = entered(watched().new_page(), links["link"][0])
    first = own_papers(visitor)[0]
    reach(visitor, choice(visitor, f"Recommendation on paper {first}"))
    for key in ("Enter", "d", "Enter"):
        visitor.keyboard.press(key)
    expect(choice(visitor, f"Recommendation on paper {first}")).to_have_text("Discuss")
    write(visitor, f"Note to the chairs on paper {first}", "R2 will update.")
    visitor.keyboard.press("Tab")
    expect(visitor.get_by_text("Saved", exact=True)).to_be_visible()


def test_rankings_are_collected(chair: Page, watched: Watched, tmp_path: Path) -> None:
    page = chair
    import_and_run(page, large.write(tmp_path, PAPERS, seed=13), "Ballots by keys")
    go(page, "Ballots by keys")
    go(page, "Ballots")
    act(page, "button", "New collection")
    write(page, "Title, as reviewers see it", "Rank your papers")
    expect(page.get_by_role("button", name=re.compile("^Make \\d+ ballots"))).to_be_enabled()
    page.keyboard.press("Enter")
    act(page, "button", re.compile("^Make links for"))
    reach(page, page.get_by_role("button", name="Download CSV"))
    with page.expect_download() as download:
        page.keyboard.press("Enter")
    link = pl.read_csv(download.value.path())["link"][0]
    page.keyboard.press("Escape")
    reviewer = entered(watched().new_page(), link)
    act(reviewer, "button", "Start from my scores")
    expect(reviewer.get_by_role("status").filter(has_text="Saved")).to_be_visible()
    act(reviewer, "button", "Hand in")
    expect(reviewer.get_by_text("Your ballot is in.")).to_be_visible()
    page.reload()
    act(page, "button", "Use in a run")
    act(page, "link", "Go to the new run")
    expect(page.get_by_role("heading", name="Import", level=1)).to_be_visible()
