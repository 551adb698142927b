"""Decisions, tags, notes and views on the pages; the line that stays; runs that are tidied."""

from __future__ import annotations

import io
import re

import polars as pl
import pytest
from playwright.sync_api import Page, expect

from tests.console.client import Visitor
from tests.console.hosting import UnroundServer
from tests.e2e.ballots import send
from tests.e2e.browsing import Watched, accessible, contents, entered, simulated
from tests.e2e.steps import api, choice, choose, open_menu, paper_order, table_of


@pytest.fixture(scope="module")
def conference(visitor: Visitor, tmp_path_factory: pytest.TempPathFactory) -> str:
    """60 papers with two runs, the first of them shared."""
    tables = simulated(tmp_path_factory.mktemp("sample"), papers=60, seed=1)
    conference = visitor.new_conference("To be decided on")
    files = visitor.upload(conference, contents(tables))
    for name in ("First look", "To decide on"):
        run = visitor.start(conference, files, name=name)
        visitor.finished(run)
        visitor.patch(f"/api/runs/{run}", json={"shared": name == "First look"})
    return conference


@pytest.fixture
def run(chair: Page, server: UnroundServer, conference: str) -> str:
    """The run that is not shared, opened at its papers."""
    runs = api(chair, f"conferences/{conference}").json()["runs"]
    (found,) = [run["id"] for run in runs if not run["shared"]]
    _open(chair, server, found)
    return found


def _open(page: Page, server: UnroundServer, run: str, rest: str = "") -> None:
    page.goto(f"{server.url}/r/{run}{rest}")
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    expect(page.get_by_text("Loading")).to_have_count(0)
    if not rest.startswith("/"):
        expect(page.get_by_role("table", name="Papers")).to_be_visible()


def _bar(page: Page):
    return page.get_by_role("region", name="Selected papers")


def _decided(page: Page, conference: str) -> dict[int, str]:
    papers = api(page, f"conferences/{conference}/papers").json()["papers"]
    return {int(one["paper"]): one["decision"] for one in papers if one["decision"]}


def _select(page: Page, side: str) -> None:
    page.get_by_role("button", name="The line: of").click()
    page.get_by_role("button", name=re.compile(f"^Select the .* {side} the line")).click()


def _decision(page: Page, label: str) -> None:
    """Filter by decision."""
    open_menu(page, "+ Filter")
    page.get_by_role("combobox", name="Decision", exact=True).select_option(label)
    page.keyboard.press("Escape")


def test_the_line_is_kept_for_all_chairs_and_decides_in_bulk(
    chair: Page, server: UnroundServer, conference: str, run: str
) -> None:
    page = chair
    page.get_by_role("textbox", name="Accept").fill("25%")
    expect(page.get_by_text("Trying 25%")).to_be_visible()
    with page.expect_response(lambda answer: answer.request.method == "PATCH"):
        page.get_by_role("button", name="Keep for all chairs").click()
    expect(page.get_by_text("Trying 25%")).to_have_count(0)
    runs = api(page, f"conferences/{conference}").json()["runs"]
    for one in (run, *(other["id"] for other in runs)):
        _open(page, server, one)
        expect(page.get_by_role("textbox", name="Accept")).to_have_value("25%")
    page.get_by_role("textbox", name="Accept").fill("30")
    page.get_by_role("button", name="Back to 25%").click()
    _open(page, server, run)
    expect(page.get_by_role("textbox", name="Accept")).to_have_value("25%")
    table = table_of(page, run, "papers.csv").sort(
        "dequantized_mean", "paper", descending=[True, False]
    )
    accepted = set(table["paper"][:15])
    _select(page, "above")
    expect(_bar(page)).to_contain_text("15 papers selected")
    _bar(page).get_by_role("button", name="Accept", exact=True).click()
    expect(_bar(page)).to_contain_text("Accept: 15 papers.")
    assert _decided(page, conference) == dict.fromkeys(accepted, "Accept")
    _select(page, "below")
    _bar(page).get_by_role("button", name="Other decision").click()
    page.get_by_role("textbox", name="A decision of your own").fill("Workshop track")
    page.get_by_role("button", name="Decide", exact=True).click()
    expect(_bar(page)).to_contain_text("Workshop track: 45 papers.")
    _decision(page, "Workshop track")
    assert set(paper_order(page)) == set(table["paper"]) - accepted
    _decision(page, "")
    _bar(page).get_by_role("button", name="Undo").click()
    expect(_bar(page)).to_contain_text("Undone: 45 papers.")
    assert _decided(page, conference) == dict.fromkeys(accepted, "Accept")
    accessible(page)


def test_rows_are_ticked_by_click_shift_and_keyboard(chair: Page, run: str) -> None:
    page = chair
    order = paper_order(page)
    picker = [page.get_by_role("checkbox", name=f"Select paper {n}", exact=True) for n in order[:6]]
    picker[1].click()
    picker[4].click(modifiers=["Shift"])
    expect(_bar(page)).to_contain_text("4 papers selected")
    picker[2].click()
    expect(_bar(page)).to_contain_text("3 papers selected")
    page.get_by_role("button", name=f"Reviews of paper {order[0]}", exact=True).focus()
    page.keyboard.press("x")
    expect(picker[0]).to_be_checked()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("x")
    expect(picker[1]).not_to_be_checked()
    page.get_by_role("textbox", name="Search").fill(f"paper {order[3]}")
    shown = set(paper_order(page))
    assert len(shown) < len(order)
    left = len({order[0], order[3], order[4]} & shown)  # what is hidden is not selected
    expect(_bar(page)).to_contain_text(f"{left} paper{'' if left == 1 else 's'} selected")


def test_another_chairs_decision_is_not_overwritten_unseen(
    watched: Watched, server: UnroundServer, conference: str, run: str
) -> None:
    page = entered(watched(allow="409").new_page(), server.link)
    _open(page, server, run)
    first = paper_order(page)[0]
    page.get_by_role("checkbox", name=f"Select paper {first}", exact=True).click()
    rejected = {"papers": [str(first)], "decision": "Reject"}
    send(page, f"conferences/{conference}/papers/decisions", rejected)
    _bar(page).get_by_role("button", name="Discuss").click()
    told = page.get_by_role("alert", name="Not saved")
    expect(told).to_contain_text(f"Discuss for {first} is not saved.")
    expect(told).to_contain_text("Somebody else has decided on 1 of these papers")
    assert _decided(page, conference)[first] == "Reject"
    told.get_by_role("button", name="Close").click()
    expect(choice(page, f"Decision on paper {first}:")).to_have_text("Reject")


def test_keys_in_the_table_decide_nothing(chair: Page, conference: str, run: str) -> None:
    page = chair
    first = paper_order(page)[0]
    cell = choice(page, f"Decision on paper {first}:")
    choose(page, f"Decision on paper {first}:", "Discuss")
    expect(cell).to_have_text("Discuss")
    expect(cell).to_be_focused()
    expect(_bar(page)).to_contain_text(f"Paper {first}: Discuss: 1 paper.")
    before = _decided(page, conference)
    log = api(page, f"conferences/{conference}/log").json()
    for key in ("ArrowDown", "ArrowDown", "ArrowUp", "j", "a", "r", "x", "End", "PageDown"):
        page.keyboard.press(key)
    expect(page.get_by_role("menu")).to_have_count(0)
    page.evaluate("new Promise((done) => setTimeout(done, 1000))")  # the table scrolls to its end
    # In the menu, keys move; Escape and Tab leave it.
    page.keyboard.press("Enter")
    expect(page.get_by_role("menuitemradio", name="Discuss")).to_be_focused()
    page.keyboard.press("r")
    expect(page.get_by_role("menuitemradio", name="Reject")).to_be_focused()
    accessible(page)
    page.keyboard.press("Escape")
    expect(cell).to_be_focused()
    page.keyboard.press("Space")
    page.keyboard.press("a")
    page.keyboard.press("Tab")
    expect(page.get_by_role("menu")).to_have_count(0)
    expect(cell).not_to_be_focused()
    assert _decided(page, conference) == before
    assert api(page, f"conferences/{conference}/log").json() == log
    cell.focus()
    for key in ("Enter", "r", "Enter"):
        page.keyboard.press(key)
    expect(cell).to_have_text("Reject")
    expect(_bar(page)).to_contain_text(f"Paper {first}: Reject")
    assert _decided(page, conference) == before | {first: "Reject"}
    # The menu is whole at the lower edge of the table, and closes when its row is scrolled away.
    last = page.locator("tbody .decision").last
    last.scroll_into_view_if_needed()
    last.click()
    expect(page.get_by_role("menuitemradio", name="Reject")).to_be_in_viewport(ratio=1)
    page.mouse.move(500, 600)
    page.mouse.wheel(0, -2000)
    expect(page.get_by_role("menu")).to_have_count(0)


OFFLINE = "ERR_INTERNET_DISCONNECTED"


def test_what_is_not_saved_never_looks_saved(
    watched: Watched, server: UnroundServer, conference: str, run: str
) -> None:
    page = entered(watched(allow=OFFLINE).new_page(), server.link)
    _open(page, server, run, "?accept=7")
    first = paper_order(page)[0]
    cell = choice(page, f"Decision on paper {first}:")
    choose(page, f"Decision on paper {first}:", "Accept")
    expect(_bar(page)).to_contain_text(f"Paper {first}: Accept: 1 paper.")
    page.context.set_offline(True)
    choose(page, f"Decision on paper {first}:", "Reject")
    told = page.get_by_role("alert", name="Not saved")
    expect(told).to_contain_text(f"Not connected: Reject for {first} is not saved.")
    expect(cell).to_have_text("not saved")
    page.get_by_role("button", name="Keep for all chairs").click()
    expect(told).to_contain_text("Not connected: the line 7 is not saved.")
    expect(page.get_by_text("Trying 7")).to_be_visible()
    accessible(page)
    # Other pages of the run open without a network, and the changes are still named.
    page.get_by_role("link", name="Overview").click()
    expect(page.get_by_role("region", name="Ask first")).to_be_visible()
    expect(told).to_contain_text(f"Reject for {first}")
    page.context.set_offline(False)
    assert _decided(page, conference)[first] == "Accept"
    told.get_by_role("button", name="Try again").click()
    expect(told).to_have_count(0)
    page.get_by_role("link", name="Papers").click()
    expect(cell).to_have_text("Reject")
    expect(page.get_by_text("Trying 7")).to_have_count(0)
    assert _decided(page, conference)[first] == "Reject"


def test_a_paper_has_its_note_tags_and_history(
    chair: Page, server: UnroundServer, conference: str, run: str
) -> None:
    page = chair
    _open(page, server, run, "/paper/7")
    choose(page, "Decision on paper 7:", "Discuss")
    page.get_by_role("textbox", name="A new tag").fill("two words")
    expect(page.get_by_role("button", name="Add")).to_be_disabled()
    page.get_by_role("textbox", name="A new tag").fill("borderline")
    page.get_by_role("button", name="Add").click()
    expect(page.get_by_role("list", name="Tags")).to_contain_text("borderline")
    page.get_by_role("textbox", name="Note").press_sequentially("Ask again.")
    expect(page.get_by_text("Saved", exact=True)).to_be_visible()
    page.reload()
    expect(page.get_by_role("textbox", name="Note")).to_have_value("Ask again.")
    expect(choice(page, "Decision on paper 7:")).to_have_text("Discuss")
    page.get_by_text("History", exact=True).click()
    expect(page.get_by_text("tag borderline added")).to_be_visible()
    accessible(page)
    whole = pl.read_csv(io.BytesIO(api(page, f"runs/{run}/tables/papers.csv").body()))
    row = whole.row(by_predicate=pl.col("paper") == 7, named=True)
    marked = row["decision"], row["tags"], row["note"]
    assert marked == ("Discuss", "borderline", "Ask again.")
    _open(page, server, run, "?q=paper+7")
    expect(page.get_by_text("Ask again.")).to_be_visible()
    _open(page, server, run, "/paper/7")
    page.get_by_role("textbox", name="Note").fill("The last letters")
    page.goto("about:blank")  # at once: nothing is lost
    _open(page, server, run, "/paper/7")
    expect(page.get_by_role("textbox", name="Note")).to_have_value("The last letters")


def test_a_view_is_saved_under_a_name(chair: Page, server: UnroundServer, run: str) -> None:
    page = chair
    _open(page, server, run, "?mode=given&sort=-median&track=Theory")
    shown = paper_order(page)
    open_menu(page, "View")
    page.get_by_role("textbox", name="Save what is shown as").fill("Theory by median")
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_role("button", name="Theory by median", exact=True)).to_be_visible()
    _open(page, server, run)
    open_menu(page, "View")
    page.get_by_role("button", name="Theory by median", exact=True).click()
    assert paper_order(page) == shown
    expect(page.get_by_role("button", name="Remove the filter Track: Theory")).to_be_visible()
    open_menu(page, "View")
    page.get_by_role("button", name="Delete the view Theory by median").click()
    expect(page.get_by_text("No saved views yet.")).to_be_visible()


def test_a_run_is_renamed_archived_brought_back_and_deleted(
    chair: Page, server: UnroundServer, conference: str
) -> None:
    page = chair
    page.goto(f"{server.url}/c/{conference}/runs")
    page.get_by_role("button", name="Details of First look").click()
    tidy = page.get_by_role("group", name=re.compile("^Manage"))
    tidy.get_by_role("button", name="Rename").click()
    page.get_by_role("dialog").get_by_role("textbox", name="Name").fill("Second look")
    page.get_by_role("dialog").get_by_role("button", name="Rename").click()
    expect(page.get_by_role("link", name="Second look", exact=True)).to_be_visible()
    tidy.get_by_role("button", name="Archive").click()
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("Area chairs can see this run now")
    dialog.get_by_role("button", name="Archive").click()
    expect(page.get_by_role("link", name="Second look", exact=True)).to_have_count(0)
    page.get_by_role("checkbox", name="Show 1 archived run").check()
    expect(tidy).to_be_visible()  # its details are open as before
    accessible(page)
    tidy.get_by_role("button", name="Bring back").click()
    expect(page.get_by_role("checkbox", name=re.compile("^Show 1 archived"))).to_have_count(0)
    tidy.get_by_role("button", name="Delete").click()
    expect(page.get_by_role("dialog")).to_contain_text("Decisions, tags, notes and the line stay")
    page.get_by_role("button", name="Delete for good").click()
    expect(page.get_by_role("link", name="Second look", exact=True)).to_have_count(0)
